#include "contact/neighbours/pair_list.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "contact/boundary_ids.hpp"
#include "contact/pair/pair_constants.hpp"
#include "contact/search/broad_phase.hpp"
#include "core/infinity.hpp"

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
  pair.built_at.xa += way;
  for (PairPose& place : pair.also_at) place.xa += way;
  for (ItemBounds& bounds : pair.bounds) {
    bounds.at.xa += way;
    bounds.start.xa += way;
  }
  for (HistoryEntry& entry : pair.history) entry.arm_b += way;
}

}  // namespace

void PairList::search(const Bodies& bodies, double travel) {
  travel_ = travel;
  const auto near = near_bodies(bodies, model_->shapes(), model_->largest_threshold() + 2 * travel,
                                &model_->interface_of());
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
    const int law = model_->interface_of()[bodies.properties[a].material][bodies.properties[b].material];
    BodyPair key;
    key.id_a = bodies.properties[a].id;
    key.id_b = bodies.properties[b].id;
    key.image = image;
    while (kept != places.end() && before(old[*kept], key)) ++kept;
    if (kept != places.end() && !before(key, old[*kept])) {
      pairs_.push_back(std::move(old[*kept]));
      ++kept;
      // What was here but was counted on another rank has no history: that which migrated has it.
      if (pairs_.back().history.empty() && kept != places.end() && !before(key, old[*kept])) {
        pairs_.back().history = std::move(old[*kept].history);
        pairs_.back().stored_n = old[*kept].stored_n;
      }
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
    static_cast<PairConstants&>(pair) =
        pair_constants(model_->side(bodies, a), model_->side(bodies, b), model_->law(pair));
    pair.curvature_known = false;
    pair.coupled = false;
    pair.coupling_ab = pair.coupling_ba = -1;
  }
  geometry_->list_images(pairs_);
  motion_->mark_search(bodies);
  results_->reset(pairs_.size());
  wake_everybody();
}

void PairList::begin_choice(double travel) {
  results_->stale = true;
  awake_.clear();
  awake_travel_ = travel;
}

void PairList::wake_everybody() {
  begin_choice(kInfinity);
  for (std::size_t p = 0; p < pairs_.size(); ++p) add_awake(static_cast<int>(p));
}

std::vector<PairMemory> PairList::memory(std::optional<BodyId> body) const {
  std::vector<PairMemory> memory;
  for (const BodyPair& pair : pairs_) {
    if ((body && pair.id_a != *body && pair.id_b != *body) || pair.history.empty()) continue;
    memory.push_back({pair.id_a, pair.id_b, pair.image, pair.history, pair.stored_n});
  }
  return memory;
}

void PairList::remember(const std::vector<PairMemory>& memory) {
  for (const PairMemory& of : memory) {
    BodyPair& pair = incoming_.emplace_back();
    pair.id_a = of.id_a;
    pair.id_b = of.id_b;
    pair.image = of.image;
    pair.history = of.entries;
    pair.stored_n = of.stored;
  }
}

void PairList::take_over(const std::vector<PairMemory>& memory, const Bodies& bodies) {
  remember(memory);
  for (BodyPair& pair : incoming_) {
    if (pair.id_b < kFirstBoundaryId) continue;
    const int a = bodies.find(pair.id_a);
    if (a < 0 || !bodies.is_owned(a)) continue;  // of another rank
    // Both arms lead to one point at an accepted state.
    const auto wall =
        static_cast<std::size_t>(bodies.moving()) + static_cast<std::size_t>(pair.id_b - kFirstBoundaryId);
    const Vec3 way = bodies.state[static_cast<std::size_t>(a)].x - bodies.state[wall].x;
    for (HistoryEntry& entry : pair.history) entry.arm_b = entry.arm_a + way;
  }
}

void PairList::forget() {
  pairs_.clear();
  incoming_.clear();
  awake_.clear();
  results_->reset(0);
  results_->stale = true;
}

}  // namespace scree::contact
