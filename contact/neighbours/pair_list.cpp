#include "contact/neighbours/pair_list.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "contact/boundary_ids.hpp"
#include "contact/pair/pair_constants.hpp"
#include "core/infinity.hpp"

namespace scree::contact {
namespace {

/// By what pairs are found.
struct PairKey {
  BodyId id_a = 0, id_b = 0;
  CellNumber image{};
};

/// Order of lists. In which cell a wall is met makes no difference: it is the same in all.
template <class P, class Q>
bool before(const P& p, const Q& q) {
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

/// Where the contacts of the last evaluation are: limits of the next step and outputs use them before there
/// is another one. @param way of A into the cell [m].
void carry_points(BodyPair& pair, const Vec3& way) {
  for (Term& term : pair.terms) term.p += way;
  for (SecantTerm& secant : pair.secants) secant.point += way;
}

}  // namespace

void PairList::arrange(const std::vector<NearPair>& near, const Bodies& bodies) {
  const auto key_of = [&](const NearPair& pair) {
    return PairKey{bodies.properties[pair.a].id, bodies.properties[pair.b].id, pair.image};
  };
  // Pairs are large: most stay where they are, and there is one list of them at any time.
  for (BodyPair& pair : incoming_) pairs_.push_back(std::move(pair));
  incoming_.clear();
  const auto in_order = [](const BodyPair& p, const BodyPair& q) { return before(p, q); };
  // What was here comes before what migrated.
  if (!std::is_sorted(pairs_.begin(), pairs_.end(), in_order))
    std::stable_sort(pairs_.begin(), pairs_.end(), in_order);
  std::vector<char> is_new(near.size(), 1);
  std::size_t kept = 0;
  std::size_t next = 0;
  for (std::size_t k = 0; k < near.size(); ++k) {
    const PairKey key = key_of(near[k]);
    while (next < pairs_.size() && before(pairs_[next], key)) ++next;
    if (next == pairs_.size() || before(key, pairs_[next])) continue;
    is_new[k] = 0;
    BodyPair& pair = pairs_[kept];
    if (kept != next) pair = std::move(pairs_[next]);
    ++kept;
    ++next;
    // What was here but was counted on another rank has no history: that which migrated has it.
    if (pair.history.empty() && next < pairs_.size() && !before(key, pairs_[next])) {
      pair.history = std::move(pairs_[next].history);
      pair.stored_n = pairs_[next].stored_n;
    }
  }
  const std::size_t there = pairs_.size();
  if (pairs_.capacity() < near.size()) make_room(near.size(), static_cast<std::size_t>(bodies.moving()));
  pairs_.resize(near.size());
  // From the end on, each goes to its place: none lies behind it.
  for (std::size_t k = near.size(); k-- > 0;) {
    BodyPair& pair = pairs_[k];
    if (is_new[k] == 0) {
      if (--kept != k) pair = std::move(pairs_[kept]);
      continue;
    }
    const PairKey key = key_of(near[k]);
    if (k < there) pair = BodyPair{};
    pair.id_a = key.id_a;
    pair.id_b = key.id_b;
    pair.image = key.image;
  }
}

void PairList::make_room(std::size_t count, std::size_t bodies) {
  // What the lists of packed bodies of one size reach, so that millions of pairs are not moved as a bed
  // settles. Pages that no pair lies on are not taken from the system.
  constexpr std::size_t kPairsPerBody = 9;
  try {
    pairs_.reserve(std::max(count + count / 8, kPairsPerBody * bodies));
  } catch (const std::bad_alloc&) {  // a limit on addresses: of that which is needed
    pairs_.reserve(count);
  }
}

void PairList::search(const Bodies& bodies, double travel) {
  travel_ = travel;
  const auto near = near_bodies(bodies, model_->shapes(), model_->largest_threshold() + 2 * travel,
                                &model_->interface_of());
  arrange(near, bodies);
  for (std::size_t k = 0; k < near.size(); ++k) {
    const auto& [a, b, image] = near[k];
    const int law = model_->interface_of()[bodies.properties[a].material][bodies.properties[b].material];
    BodyPair& pair = pairs_[k];
    if (pair.image != image) carry_over(pair, bodies.periodic.way_to(pair.image - image));
    pair.image = image;
    const CellNumber& cell = bodies.state[a].cell;
    if (pair.cell != cell) carry_points(pair, bodies.periodic.way_to(pair.cell - cell));
    pair.cell = cell;
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
    // By the laws of the deck that begins here, which has booked no energy of these contacts yet.
    for (HistoryEntry& entry : pair.history) entry.radius = 0;
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
