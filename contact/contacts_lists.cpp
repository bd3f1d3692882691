/// Neighbour lists: which pairs there are, which of them act, and where their blocks of the tangent are.
#include <algorithm>
#include <numeric>

#include "contact/contacts.hpp"
#include "contact/search/broad_phase.hpp"
#include "contact/surface/deforming_surface.hpp"

namespace scree::contact {
namespace {

/// Order of lists. In which cell a wall is met makes no difference: it is the same in all.
bool before(const BodyPair& p, const BodyPair& q) {
  if (p.id_a != q.id_a) return p.id_a < q.id_a;
  if (p.id_b != q.id_b) return p.id_b < q.id_b;
  return p.id_b < kFirstBoundaryId && p.image < q.image;
}

/// When A was brought back into the cell, a wall stayed where it was: what a pair knows of A's pole, and from
/// the wall's pole, goes with A. @param way of A [m].
void carry_over(BodyPair& pair, const Vec3& way) {
  pair.built_xa += way;
  for (HistoryEntry& entry : pair.history) entry.arm_b += way;
}

}  // namespace

void Contacts::search(const Bodies& bodies, double travel) {
  travel_ = travel;
  const auto near = near_bodies(bodies, *shapes_, threshold_ + 2 * travel, &interface_of_);
  std::vector<BodyPair> old = std::move(pairs_);
  for (BodyPair& pair : incoming_) old.push_back(std::move(pair));
  incoming_.clear();
  // Pairs are large, their places are not. What was here comes before what migrated.
  std::vector<std::size_t> places(old.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t i, std::size_t j) { return before(old[i], old[j]); });
  pairs_.clear();
  pairs_.reserve(near.size());
  auto kept = places.begin();
  for (const auto& [a, b, image] : near) {
    const int law = interface_of_[bodies.properties[a].material][bodies.properties[b].material];
    BodyPair key;
    key.id_a = bodies.properties[a].id;
    key.id_b = bodies.properties[b].id;
    key.image = image;
    while (kept != places.end() && before(old[*kept], key)) ++kept;
    if (kept != places.end() && !before(key, old[*kept])) {
      pairs_.push_back(std::move(old[*kept]));
      ++kept;
    } else {
      pairs_.push_back(std::move(key));
    }
    BodyPair& pair = pairs_.back();
    if (pair.image != image) carry_over(pair, bodies.periodic.way_to(pair.image - image));
    pair.image = image;
    pair.shift = bodies.way_to_image(a, b, image);
    pair.a = a;
    pair.b = b;
    pair.interface = law;
    static_cast<PairConstants&>(pair) = pair_constants(side(bodies, a), side(bodies, b), laws_[law]);
    pair.curvature_known = false;
    pair.coupled = false;
    pair.coupling_ab = pair.coupling_ba = -1;
  }
  list_images();
  searched_at_.resize(static_cast<std::size_t>(bodies.moving()));
  for (int i = 0; i < bodies.moving(); ++i) searched_at_[i] = bodies.state[i].x;
  searched_walls_.assign(bodies.state.begin() + bodies.moving(), bodies.state.end());
  searched_ways_.clear();
  for (const DeformingSurface* surface : surfaces_)
    searched_ways_.push_back(surface == nullptr ? 0.0 : surface->way(0));
  wrenches_.assign(pairs_.size(), {});
  found_.assign(pairs_.size(), {});
  everybody_awake();
}

void Contacts::set_boundaries(const Bodies& bodies, const std::vector<char>& active) {
  for (BodyPair& pair : pairs_) {
    if (!bodies.is_boundary(pair.b)) continue;
    pair.acts = active[pair.b - bodies.moving()] != 0;
    if (!pair.acts) {
      pair.history.clear();
      pair.active.clear();
      pair.terms.clear();
      pair.stored = pair.stored_n = {};
    }
  }
  everybody_awake();
}

void Contacts::couplings(const Bodies& bodies, double distance,
                         std::vector<LocalSystem::Coupling>& couplings) {
  for (BodyPair& pair : pairs_) {
    if (bodies.is_boundary(pair.b)) {
      pair.coupled = true;
      continue;
    }
    pair.coupled = least_gap(pair) < laws_[pair.interface].normal.threshold() + distance;
    if (!pair.coupled) continue;
    couplings.push_back({pair.a, pair.b, 0});
    couplings.push_back({pair.b, pair.a, 0});
  }
}

void Contacts::locate_blocks(const Bodies& bodies, const LocalSystem& system) {
  for (BodyPair& pair : pairs_) {
    pair.coupling_ab = pair.coupling_ba = -1;
    if (!pair.coupled || bodies.is_boundary(pair.b)) continue;
    if (bodies.is_owned(pair.a)) pair.coupling_ab = system.find(pair.a, pair.b);
    if (bodies.is_owned(pair.b)) pair.coupling_ba = system.find(pair.b, pair.a);
  }
}

bool Contacts::coupling_needed(double travel) const {
  return std::any_of(pairs_.begin(), pairs_.end(), [&](const BodyPair& pair) {
    return !pair.coupled && pair.acts &&
           least_gap(pair) - 2 * travel < laws_[pair.interface].normal.threshold();
  });
}

}  // namespace scree::contact
