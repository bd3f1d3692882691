#include "assembly/ghosts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <stdexcept>

#include "assembly/cell_tree.hpp"
#include "assembly/petsc.hpp"
#include "assembly/sphere_grid.hpp"
#include "core/infinity.hpp"

namespace scree {
namespace {

constexpr int kBoxesPerRank = 16;
using RankBoxes = std::array<Box, kBoxesPerRank>;

Box empty_box() { return {Vec3::Constant(kInfinity), Vec3::Constant(-kInfinity)}; }

bool reaches(const Sphere& s, const Box& box) {
  const Vec3 nearest = s.center.cwiseMax(box.min).cwiseMin(box.max);
  return (box.min.array() <= box.max.array()).all() && (nearest - s.center).norm() <= s.radius * (1 + 1e-9);
}

Box box_around(const RankBoxes& boxes) {
  Box around = empty_box();
  for (const Box& box : boxes) {
    around.min = around.min.cwiseMin(box.min);
    around.max = around.max.cwiseMax(box.max);
  }
  return around;
}

/// Whether a sphere in `box`, moved by `way`, may reach `other`, which may be empty.
bool may_reach(const Box& box, const Vec3& way, const Box& other) {
  const Vec3 slack = 1e-6 * (box.max - box.min);  // round-off loses no sphere
  return ((box.min + way - slack).array() <= other.max.array()).all() &&
         ((box.max + way + slack).array() >= other.min.array()).all();
}

/// Boxes around spheres[first, last), halved `levels` times at the median of the longest side.
void bound(std::vector<Sphere>& spheres, std::size_t first, std::size_t last, int levels, Box* boxes) {
  Box box = empty_box();
  for (std::size_t i = first; i < last; ++i) {
    box.min = box.min.cwiseMin((spheres[i].center.array() - spheres[i].radius).matrix());
    box.max = box.max.cwiseMax((spheres[i].center.array() + spheres[i].radius).matrix());
  }
  if (levels == 0) {
    *boxes = box;
    return;
  }
  int axis = 0;
  if (first < last) (box.max - box.min).maxCoeff(&axis);
  const std::size_t middle = first + (last - first) / 2;
  const auto at = [&spheres](std::size_t i) { return spheres.begin() + static_cast<std::ptrdiff_t>(i); };
  std::nth_element(at(first), at(middle), at(last),
                   [axis](const Sphere& a, const Sphere& b) { return a.center[axis] < b.center[axis]; });
  bound(spheres, first, middle, levels - 1, boxes);
  bound(spheres, middle, last, levels - 1, boxes + (std::ptrdiff_t{1} << (levels - 1)));
}

std::vector<RankBoxes> boxes_of_all_ranks(MPI_Comm comm, int ranks, std::vector<Sphere> spheres) {
  constexpr int kLevels = 4;
  static_assert(1 << kLevels == kBoxesPerRank);
  static_assert(sizeof(RankBoxes) == 6 * sizeof(double) * kBoxesPerRank);
  RankBoxes mine;
  bound(spheres, 0, spheres.size(), kLevels, mine.data());
  std::vector<RankBoxes> all(ranks);
  MPI_Allgather(&mine, 6 * kBoxesPerRank, MPI_DOUBLE, all.data(), 6 * kBoxesPerRank, MPI_DOUBLE, comm);
  return all;
}

/// One's own bodies that may touch another rank's.
struct Candidate {
  Sphere sphere;
  int index = 0;  ///< owner-local
};

struct Candidates {
  int rank = 0;
  std::vector<Candidate> bodies;
};

/// @param ways to the images of a sphere that may touch somebody, to the sphere itself first.
std::vector<Candidates> candidates_for(const std::vector<Sphere>& spheres,
                                       const std::vector<RankBoxes>& boxes, int rank,
                                       const std::vector<Vec3>& ways) {
  std::vector<Candidates> result;
  if (spheres.empty()) return result;
  const Box own = box_around(boxes[rank]);
  std::vector<Vec3> near_ways;
  for (int other = 0; other < std::ssize(boxes); ++other) {
    if (other == rank) continue;
    const Box around = box_around(boxes[other]);
    // Most ranks are far away, whatever the image: no look at the spheres.
    near_ways.clear();
    std::ranges::copy_if(ways, std::back_inserter(near_ways),
                         [&](const Vec3& way) { return may_reach(own, way, around); });
    if (near_ways.empty()) continue;
    Candidates near{other, {}};
    for (int i = 0; i < std::ssize(spheres); ++i) {
      const bool is_near = std::ranges::any_of(near_ways, [&](const Vec3& way) {
        const Sphere image{spheres[i].center + way, spheres[i].radius};
        return reaches(image, around) &&
               std::ranges::any_of(boxes[other], [&](const Box& box) { return reaches(image, box); });
      });
      if (is_near) near.bodies.push_back({spheres[i], i});
    }
    if (!near.bodies.empty()) result.push_back(std::move(near));
  }
  return result;
}

/// @param largest radius of this rank's spheres [m]. @returns ways to the images that may touch a sphere of
/// any rank whose centre is in the periodic cell, to none first. Collective.
std::vector<Vec3> ways_to_images(MPI_Comm comm, const PeriodicCell& periodic, double largest) {
  std::vector<Vec3> ways = {Vec3::Zero()};
  if (!periodic.any()) return ways;
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, comm);
  ways.clear();
  for (const CellNumber& cell : periodic.neighbours(2 * largest)) ways.push_back(periodic.way_to(cell));
  return ways;
}

/// Sends this rank's candidates to whom they may touch. @returns per rank those of its bodies that touch
/// ours, as numbers of their owner: messages of int, to be sent to the owners.
std::vector<Parcel> wanted_bodies(MPI_Comm comm, const std::vector<Candidates>& mine,
                                  const std::vector<Vec3>& ways) {
  std::vector<Parcel> parcels;
  for (const Candidates& near : mine) {
    Parcel& parcel = parcels.emplace_back(Parcel{near.rank, {}});
    for (const Candidate& candidate : near.bodies) ByteWriter(parcel.bytes).put(candidate);
  }
  std::vector<Parcel> wanted;
  for (const Parcel& parcel : exchange_parcels(comm, parcels)) {
    // A body of ours that touches one of theirs reaches their boxes, so it is among those that we sent to
    // them; so it is through faces of the periodic cell, since there is a way back for each way.
    const auto ours = std::ranges::find(mine, parcel.rank, &Candidates::rank);
    if (ours == mine.end()) continue;
    std::vector<Sphere> spheres;
    for (const Candidate& candidate : ours->bodies) spheres.push_back(candidate.sphere);
    const SphereGrid grid(std::move(spheres));
    Parcel list{parcel.rank, {}};
    for (ByteReader reader(parcel.bytes); !reader.done();) {
      const auto theirs = reader.next<Candidate>();
      const bool touches = std::ranges::any_of(ways, [&](const Vec3& way) {
        return grid.touches_any({theirs.sphere.center + way, theirs.sphere.radius});
      });
      if (touches) ByteWriter(list.bytes).put(theirs.index);
    }
    if (!list.bytes.empty()) wanted.push_back(std::move(list));
  }
  return wanted;
}

struct BodyRecord {
  BodyProperties properties;
  BodyState state;
};

struct Ghost {
  BodyRecord record;
  RemoteEntity owner;
  std::size_t route = 0, place = 0;  ///< position of its state in the owner's message
};

void insert_ghosts(Bodies& bodies, const std::vector<Ghost>& ghosts) {
  std::vector<BodyProperties> properties;
  std::vector<BodyState> states;
  for (const Ghost& ghost : ghosts) {
    properties.push_back(ghost.record.properties);
    states.push_back(ghost.record.state);
  }
  bodies.properties.insert(bodies.properties.begin() + bodies.owned, properties.begin(), properties.end());
  bodies.state.insert(bodies.state.begin() + bodies.owned, states.begin(), states.end());
  bodies.trial.insert(bodies.trial.begin() + bodies.owned, ghosts.size(), BodyTrial{});
  bodies.ghosts = static_cast<int>(ghosts.size());
}

}  // namespace

void drop_ghosts(Bodies& bodies) {
  const auto drop = [&bodies](auto& values) {
    values.erase(values.begin() + bodies.owned, values.begin() + bodies.moving());
  };
  drop(bodies.properties);
  drop(bodies.state);
  drop(bodies.trial);
  bodies.ghosts = 0;
}

void GhostLayer::find(Bodies& bodies, double reach) {
  static const petsc::LogEvent event("ScreeGhosts");
  const petsc::LogScope scope(event);
  drop_ghosts(bodies);
  owners_.clear();
  out_.clear();
  in_.clear();
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm_, &rank);
  MPI_Comm_size(comm_, &ranks);
  if (ranks == 1) return;

  std::vector<Sphere> spheres;
  spheres.reserve(bodies.owned);
  double largest = 0;
  for (int i = 0; i < bodies.owned; ++i) {
    spheres.push_back({bodies.periodic.wrap(bodies.state[i].x), bodies.properties[i].length + reach});
    largest = std::max(largest, spheres.back().radius);
  }
  const std::vector<Vec3> ways = ways_to_images(comm_, bodies.periodic, largest);
  const std::vector<RankBoxes> boxes = boxes_of_all_ranks(comm_, ranks, spheres);
  const std::vector<Parcel> wanted = wanted_bodies(comm_, candidates_for(spheres, boxes, rank, ways), ways);

  std::vector<Parcel> answers;
  for (const Parcel& request : exchange_parcels(comm_, wanted)) {
    Route& route = out_.emplace_back(Route{request.rank, {}});
    Parcel& answer = answers.emplace_back(Parcel{request.rank, {}});
    for (ByteReader reader(request.bytes); !reader.done();) {
      const int i = route.bodies.emplace_back(reader.next<int>());
      ByteWriter(answer.bytes).put(BodyRecord{bodies.properties[i], bodies.state[i]});
    }
  }
  std::vector<Parcel> records;
  records.reserve(wanted.size());
  for (const Parcel& list : wanted)
    records.push_back(
        {list.rank, std::vector<std::byte>(list.bytes.size() / sizeof(int) * sizeof(BodyRecord))});
  exchange_known_parcels(comm_, answers, records);

  std::vector<Ghost> ghosts;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    ByteReader indices(wanted[k].bytes);
    std::size_t place = 0;
    for (ByteReader reader(records[k].bytes); !reader.done(); ++place)
      ghosts.push_back({reader.next<BodyRecord>(), {wanted[k].rank, indices.next<int>()}, k, place});
    in_.push_back({wanted[k].rank, std::vector<int>(place)});
  }
  std::ranges::sort(ghosts, {}, [](const Ghost& g) { return g.record.properties.id; });
  insert_ghosts(bodies, ghosts);
  for (std::size_t i = 0; i < ghosts.size(); ++i) {
    owners_.push_back(ghosts[i].owner);
    in_[ghosts[i].route].bodies[ghosts[i].place] = bodies.owned + static_cast<int>(i);
  }
}

void GhostLayer::update_states(Bodies& bodies) const {
  static const petsc::LogEvent event("ScreeGhostState");
  const petsc::LogScope scope(event);
  if (std::ssize(owners_) != bodies.ghosts)
    throw std::invalid_argument("GhostLayer: these are not the bodies whose ghosts were found");
  static const std::size_t state_bytes = to_bytes(BodyState{}).size();
  std::vector<Parcel> outgoing, incoming;
  for (const Route& route : out_) {
    Parcel& parcel = outgoing.emplace_back(Parcel{route.rank, {}});
    for (const int i : route.bodies) ByteWriter(parcel.bytes).put(bodies.state[i]);
  }
  for (const Route& route : in_)
    incoming.push_back({route.rank, std::vector<std::byte>(route.bodies.size() * state_bytes)});
  exchange_known_parcels(comm_, outgoing, incoming);
  for (std::size_t k = 0; k < in_.size(); ++k) {
    ByteReader reader(incoming[k].bytes);
    for (const int i : in_[k].bodies) bodies.state[i] = reader.next<BodyState>();
  }
}

}  // namespace scree
