#include "solvers/world/population.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>

#include "assembly/gather.hpp"
#include "assembly/petsc.hpp"

namespace scree {
namespace {

/// A body for which no room was found in so many places waits.
constexpr int kTries = 300;

double distance_to_box(const Vec3& low, const Vec3& high, const Vec3& x) {
  return (x - x.cwiseMax(low).cwiseMin(high)).norm();
}

struct ObstacleOfRank {
  int shape = 0;
  double x[3] = {}, q[4] = {};
};

}  // namespace

Population::Population(const Model& model, MPI_Comm comm)
    : model_(&model), comm_(comm), next_(model.inlets.size(), 0) {
  if (!model.inlets.empty()) {
    room_.emplace(model.shapes, std::vector<BoundaryPart>{}, clearance_of(model), model.gravity);
    if (model.periodic.any()) room_->set_periodic(model.periodic);
  }
  report_.bodies = report_.numbers = model.body_count();
  for (const InletDescription& inlet : model.inlets) {
    random_.emplace_back(inlet.seed);
    report_.inlets.push_back({.name = inlet.name});
  }
  for (const OutletDescription& outlet : model.outlets) report_.outlets.push_back({.name = outlet.name});
}

double Population::next_due() const {
  double next = kNever;
  for (std::size_t k = 0; k < next_.size(); ++k) {
    const auto& entries = model_->inlets[k].entries;
    if (next_[k] < entries.size()) next = std::min(next, entries[next_[k]].due);
  }
  return next;
}

bool Population::is_due(std::size_t inlet, double time) const {
  const auto& entries = model_->inlets[inlet].entries;
  // Times are sums of steps: what is due a round-off later is due.
  return next_[inlet] < entries.size() && entries[next_[inlet]].due <= time * (1 + 1e-12);
}

std::vector<char> Population::leaving(const Bodies& bodies) {
  std::vector<char> leaves(static_cast<std::size_t>(bodies.owned), 0);
  const std::size_t outlets = model_->outlets.size();
  if (outlets == 0) return leaves;
  std::vector<double> sums(2 * outlets, 0.0);
  for (int i = 0; i < bodies.owned; ++i) {
    const Vec3 x = bodies.periodic.wrap(bodies.state[i].x);
    for (std::size_t k = 0; k < outlets && leaves[i] == 0; ++k) {
      if (!model_->outlets[k].contains(x)) continue;
      leaves[i] = 1;
      sums[2 * k] += 1;
      sums[2 * k + 1] += bodies.properties[i].mass;
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_DOUBLE, MPI_SUM, comm_);
  for (std::size_t k = 0; k < outlets; ++k) {
    const long count = std::lround(sums[2 * k]);
    report_.outlets[k].bodies += count;
    report_.outlets[k].mass += sums[2 * k + 1];
    report_.bodies -= count;
  }
  return leaves;
}

void Population::gather_obstacles(const World& world, const std::vector<char>& leaves, double time) {
  const Bodies& bodies = world.bodies();
  room_->clear();
  room_->set_walls(*model_, time, world.surfaces().by_part(), &bodies);
  std::vector<ObstacleOfRank> mine;
  for (int i = 0; i < bodies.owned; ++i) {
    if (leaves[i] != 0) continue;
    const BodyProperties& body = bodies.properties[i];
    const Vec3 x = bodies.periodic.wrap(bodies.state[i].x);
    bool near = false;
    for (std::size_t k = 0; k < next_.size() && !near; ++k) {
      if (!is_due(k, time)) continue;
      const InletDescription& inlet = model_->inlets[k];
      const double reach = body.length + clearance_of(*model_) + inlet.largest_bound;
      near = distance_to_box(inlet.low, inlet.high, x) < reach;
      for (const CellNumber& image : bodies.periodic.neighbours(reach))
        near = near || distance_to_box(inlet.low, inlet.high, x + bodies.periodic.way_to(image)) < reach;
    }
    if (!near) continue;
    ObstacleOfRank& obstacle = mine.emplace_back(ObstacleOfRank{.shape = body.shape});
    std::copy(x.begin(), x.end(), obstacle.x);
    const Quat& q = bodies.state[i].q;
    const double wxyz[] = {q.w(), q.x(), q.y(), q.z()};
    std::copy(wxyz, wxyz + 4, obstacle.q);
  }
  for (const ObstacleOfRank& o : gather_to_all(mine, comm_))
    room_->add_obstacle(o.shape, Vec3(o.x), Quat(o.q[0], o.q[1], o.q[2], o.q[3]));
}

std::vector<Population::Arrival> Population::place_due(double time) {
  std::vector<Arrival> arrivals;
  for (std::size_t k = 0; k < next_.size(); ++k) {
    const InletDescription& inlet = model_->inlets[k];
    while (is_due(k, time)) {
      const auto placed =
          room_->place_one(inlet.entries[next_[k]].shape, inlet.low, inlet.high, kTries, random_[k]);
      if (!placed) break;
      arrivals.push_back({static_cast<int>(k), *placed});
      ++next_[k];
    }
    const auto later = std::upper_bound(inlet.entries.begin(), inlet.entries.end(), time * (1 + 1e-12),
                                        [](double t, const InletDescription::Entry& e) { return t < e.due; });
    report_.inlets[k].waiting = (later - inlet.entries.begin()) - static_cast<long>(next_[k]);
  }
  return arrivals;
}

NewBody Population::make(const Arrival& arrival, BodyId id) const {
  const InletDescription& inlet = model_->inlets[static_cast<std::size_t>(arrival.inlet)];
  const Shape& shape = model_->shapes[arrival.body.shape];
  const double density = model_->materials[inlet.material].density;
  NewBody body;
  body.properties.id = id;
  body.properties.shape = arrival.body.shape;
  body.properties.material = inlet.material;
  body.properties.mass = density * shape.volume;
  body.properties.inertia_B = density * shape.inertia_per_density;
  body.properties.length = shape.bounding_radius;
  body.properties.start = arrival.body.x;
  body.state.x = arrival.body.x;
  body.state.q = arrival.body.q;
  body.state.v = inlet.velocity;
  body.state.w = inlet.angular_velocity;
  return body;
}

std::vector<NewBody> Population::settle(const Bodies& bodies, const std::vector<Arrival>& arrivals) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm_, &rank);
  MPI_Comm_size(comm_, &ranks);
  struct Near {
    double distance;
    int rank;
  };
  std::vector<Near> nearest(arrivals.size(), Near{kNever, rank});
  for (std::size_t k = 0; k < arrivals.size() && ranks > 1; ++k) {
    for (int i = 0; i < bodies.owned; ++i)
      nearest[k].distance =
          std::min(nearest[k].distance, (bodies.state[i].x - arrivals[k].body.x).squaredNorm());
  }
  MPI_Allreduce(MPI_IN_PLACE, nearest.data(), static_cast<int>(nearest.size()), MPI_DOUBLE_INT, MPI_MINLOC,
                comm_);
  std::vector<NewBody> mine;
  brought_ = 0;
  for (std::size_t k = 0; k < arrivals.size(); ++k) {
    const NewBody body = make(arrivals[k], report_.numbers++);
    if (nearest[k].rank == rank) mine.push_back(body);
    Flow& flow = report_.inlets[static_cast<std::size_t>(arrivals[k].inlet)];
    ++flow.bodies;
    ++report_.bodies;
    flow.mass += body.properties.mass;
    const Vec3 spin = body.state.q.conjugate() * body.state.w;
    brought_ += 0.5 * body.properties.mass * body.state.v.squaredNorm() +
                0.5 * spin.dot(body.properties.inertia_B * spin) -
                body.properties.mass * model_->gravity.dot(body.state.x);
  }
  return mine;
}

bool Population::exchange(Procedure& procedure, double time) {
  const Bodies& bodies = procedure.world().bodies();
  if (!changes()) return false;
  static const petsc::LogEvent event("ScreeExchange");
  const petsc::LogScope scope(event);
  brought_ = 0;
  const long before = report_.bodies;
  const std::vector<char> leaves = leaving(bodies);
  left_ = report_.bodies < before;
  settled_ = left_ || before == 0;
  std::vector<Arrival> arrivals;
  if (next_due() <= time * (1 + 1e-12)) {
    gather_obstacles(procedure.world(), leaves, time);
    arrivals = place_due(time);
  }
  if (!left_ && arrivals.empty()) return false;
  procedure.populate(time, leaves, settle(bodies, arrivals));
  return true;
}

}  // namespace scree
