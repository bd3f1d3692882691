#include "contact/forces/contact_forces.hpp"

#include <algorithm>
#include <cstddef>

#include "contact/secant/secant_pair.hpp"
#include "contact/superquadric/smooth_terms.hpp"

namespace scree::contact {
namespace {

/// Pairs are large and their lists lie apart: the next ones are called from memory while this one is worked
/// on.
constexpr std::size_t kPairsAhead = 6;
constexpr std::size_t kListsAhead = 3;

void call(const void* from, std::size_t bytes) {
  constexpr std::size_t kLine = 64;
  constexpr std::size_t kMost = 1024;
  const char* at = static_cast<const char*>(from);
  for (std::size_t k = 0; k < std::min(bytes, kMost); k += kLine) __builtin_prefetch(at + k);
}

void call_lists(const BodyPair& pair) {
  call(pair.items.data(), pair.items.size() * sizeof(Item));
  call(pair.terms.data(), pair.terms.size() * sizeof(Term));
  call(pair.active.data(), pair.active.size() * sizeof(Active));
  call(pair.history.data(), pair.history.size() * sizeof(HistoryEntry));
}

/// Whether a body does not move in the step.
bool stands(const Bodies& bodies, int i) {
  const BodyTrial& trial = bodies.trial[i];
  if (!trial.u.isZero(0) || !trial.alpha.isZero(0)) return false;
  return !bodies.is_boundary(i) || (trial.phase == 0 && trial.v.isZero(0) && trial.w.isZero(0));
}

std::vector<char> standing(const Bodies& bodies) {
  std::vector<char> found(static_cast<std::size_t>(bodies.all()));
  for (int i = 0; i < bodies.all(); ++i) found[static_cast<std::size_t>(i)] = stands(bodies, i) ? 1 : 0;
  return found;
}

/// Whether an evaluation of the next step finds the contacts of a pair in the history where they are now.
bool keeps_places(const BodyPair& pair) {
  return std::all_of(pair.active.begin(), pair.active.end(), [&](const Active& contact) {
    const auto at = static_cast<std::size_t>(contact.history);
    return contact.history < 0 || (at < pair.history.size() && pair.history[at].key == contact.key);
  });
}

}  // namespace

void ContactForces::begin_step(const StepContext& step) {
  if (step_.secant && !(step.secant && model_->same_switches(step_.time, step.time)))
    results_->forget_lasting();
  step_ = step;
  geometry_->begin_step(step);
  results_->stale = true;
}

void ContactForces::evaluate_pair(const AwakePair& awake, const Bodies& bodies) {
  ++results_->evaluations;
  BodyPair& pair = list_->pairs()[awake.pair];
  PairWrench& wrench = results_->wrenches[awake.pair];
  PairResult& found = results_->found[awake.pair];
  const std::uint8_t still = found.still;
  results_->drop(static_cast<std::size_t>(awake.pair));
  found.still = still;
  if (!pair.acts) return;
  const InterfaceLaw& law = model_->law(pair);
  keep_search_start(pair);
  if (step_.secant) {
    gaps_->cover_step(pair, bodies, law.normal.threshold());
  } else {
    gaps_->cover(pair, bodies, law.normal.threshold());
  }
  if (pair.items.empty()) {
    pair.active.clear();
    pair.terms.clear();
    pair.stored = {};
    pair.nearest = pair.covered;
    return;
  }
  const BodyView a = geometry_->view(bodies, pair.a);
  const BodyView b = geometry_->view_of_b(bodies, pair);
  const auto find = [&] {
    return step_.secant ? evaluate_secant(pair, a, b, law, step_) : evaluate(pair, a, b, law, step_);
  };
  PairWrench w = find();
  if (!pair.active.empty() && !pair.curvature_known && is_smooth_pair(a, b) && law.curvature_matters()) {
    if (is_smooth(*a.shape) && is_smooth(*b.shape)) {
      curvature_->set_at_start(pair, bodies);
    } else {
      curvature_->update(pair, bodies);  // contacts that are there at the start of the run
    }
    w = find();
  }
  pair.nearest = std::min(pair.nearest, pair.covered);
  if (pair.active.empty()) return;
  wrench = w;
  found.acting = true;
  found.missing = !pair.coupled;
  for (const Active& contact : pair.active)
    found.largest = std::max({found.largest, contact.normal - contact.damping, contact.adhesion});
}

void ContactForces::residual(const Bodies& bodies, const std::vector<char>& moved, LocalSystem& system) {
  results_->coupling_missing = false;
  results_->largest_force = 0;
  geometry_->update(bodies);
  waking_->wake_beyond(bodies, motion_->in_step(bodies));
  std::vector<BodyPair>& pairs = list_->pairs();
  const std::vector<AwakePair>& all_awake = list_->awake();
  const bool all = results_->stale;
  const bool but_lasting = all && results_->lasting_hold;
  const std::vector<char> stand = but_lasting ? standing(bodies) : std::vector<char>();
  const auto lasts = [&](const AwakePair& awake) {
    return but_lasting && stand[awake.a] != 0 && stand[awake.b] != 0 && results_->found[awake.pair].lasts();
  };
  results_->stale = true;  // and stays so if a gap has closed
  results_->lasting_hold = false;
  for (std::size_t i = 0; i < all_awake.size(); ++i) {
    if (i + kPairsAhead < all_awake.size()) call(&pairs[all_awake[i + kPairsAhead].pair], sizeof(BodyPair));
    if (i + kListsAhead < all_awake.size()) call_lists(pairs[all_awake[i + kListsAhead].pair]);
    const AwakePair& awake = all_awake[i];
    if ((all || moved[awake.a] != 0 || moved[awake.b] != 0) && !lasts(awake)) evaluate_pair(awake, bodies);
    const PairResult& found = results_->found[awake.pair];
    if (!found.acting) continue;
    results_->largest_force = std::max(results_->largest_force, found.largest);
    if (found.missing) results_->coupling_missing = true;
    const PairWrench& w = results_->wrenches[awake.pair];
    if (bodies.is_owned(awake.a)) {
      Eigen::Map<Vec6> r(system.residual_of(awake.a));
      r.head<3>() += w.force;
      r.tail<3>() += w.moment;
    }
    if (bodies.is_owned(awake.b)) {
      Eigen::Map<Vec6> r(system.residual_of(awake.b));
      const PairWrench on_b = reaction(w, geometry_->arm_of(bodies, pairs[awake.pair]));
      r.head<3>() += on_b.force;
      r.tail<3>() += on_b.moment;
    }
  }
  results_->stale = false;
}

void ContactForces::begin_solve() {
  ++solve_;
  solving_ = true;
}

void ContactForces::mark_rows(const Bodies& bodies, const std::vector<char>& moved, std::vector<char>& rows,
                              std::vector<char>& changed) const {
  for (const AwakePair& awake : list_->awake()) {
    const PairResult& found = results_->found[awake.pair];
    if (found.acting != found.assembled) {
      if (bodies.is_owned(awake.a)) changed[awake.a] = 1;
      if (bodies.is_owned(awake.b)) changed[awake.b] = 1;
    }
    if ((!found.acting && !found.assembled) || bodies.is_boundary(awake.b)) continue;
    if (moved[awake.b] != 0 && bodies.is_owned(awake.a)) rows[awake.a] = 1;
    if (moved[awake.a] != 0 && bodies.is_owned(awake.b)) rows[awake.b] = 1;
  }
}

void ContactForces::tangent(const Bodies& bodies, LocalSystem& system) {
  using Block = Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>>;
  std::vector<BodyPair>& pairs = list_->pairs();
  const std::vector<AwakePair>& all_awake = list_->awake();
  PairTangent k;
  for (std::size_t i = 0; i < all_awake.size(); ++i) {
    if (i + kPairsAhead < all_awake.size()) call(&pairs[all_awake[i + kPairsAhead].pair], sizeof(BodyPair));
    if (i + kListsAhead < all_awake.size()) {
      const BodyPair& soon = pairs[all_awake[i + kListsAhead].pair];
      call_lists(soon);
      if (system.assembles(soon.a)) call(system.diagonal(soon.a), 36 * sizeof(double));
      if (system.assembles(soon.b)) call(system.diagonal(soon.b), 36 * sizeof(double));
      if (soon.coupling_ab >= 0) call(system.coupling(soon.coupling_ab), 36 * sizeof(double));
      if (soon.coupling_ba >= 0) call(system.coupling(soon.coupling_ba), 36 * sizeof(double));
    }
    const AwakePair& awake = all_awake[i];
    const bool for_a = system.assembles(awake.a);
    const bool for_b = system.assembles(awake.b);
    PairResult& found = results_->found[awake.pair];
    found.assembled = found.acting;
    if (!found.acting || (!for_a && !for_b)) continue;
    BodyPair& pair = pairs[awake.pair];
    const BodyView a = geometry_->view(bodies, pair.a);
    const BodyView b = geometry_->view_of_b(bodies, pair);
    const InterfaceLaw& law = model_->law(pair);
    PairTangent reaction;
    if (solving_) {
      begin_iterate(pair, solve_);
    } else {
      pair.iterates.clear();
    }
    if (step_.secant) {
      secant_tangent(pair, a, b, law, step_, k, reaction);
    } else {
      if (solving_) follow_iterate(pair, a, b, law, step_);
      const PairWrench w = evaluate_tangent(pair, a, b, law, step_, k);
      if (for_b) reaction = reaction_tangent(k, w, a.trial->x - b.trial->x, step_.frozen);
    }
    if (for_a) {
      Block(system.diagonal(pair.a)) += k.leftCols<6>();
      if (pair.coupling_ab >= 0) Block(system.coupling(pair.coupling_ab)) += k.rightCols<6>();
    }
    if (for_b) {
      Block(system.diagonal(pair.b)) += reaction.rightCols<6>();
      if (pair.coupling_ba >= 0) Block(system.coupling(pair.coupling_ba)) += reaction.leftCols<6>();
    }
  }
}

std::vector<double> ContactForces::largest_on_bodies(const Bodies& bodies) const {
  std::vector<double> largest(static_cast<std::size_t>(bodies.all()), 0);
  for (const AwakePair& awake : list_->awake()) {
    const double force = results_->found[awake.pair].largest;
    largest[awake.a] = std::max(largest[awake.a], force);
    largest[awake.b] = std::max(largest[awake.b], force);
  }
  return largest;
}

std::vector<double> ContactForces::largest_of_touching(const std::vector<double>& values) const {
  std::vector<double> largest = values;
  for (const AwakePair& awake : list_->awake()) {
    if (results_->found[awake.pair].largest <= 0) continue;
    largest[awake.a] = std::max(largest[awake.a], values[static_cast<std::size_t>(awake.b)]);
    largest[awake.b] = std::max(largest[awake.b], values[static_cast<std::size_t>(awake.a)]);
  }
  return largest;
}

StepLosses ContactForces::commit(const Bodies& bodies) {
  StepLosses losses;
  gaps_->add_travel(motion_->in_step(bodies));
  results_->stale = true;
  results_->half_ways.clear();
  if (step_.secant) {
    for (const BodyTrial& trial : bodies.trial) results_->half_ways.emplace_back(0.5 * trial.u);
  }
  const std::vector<char> stand = step_.secant ? standing(bodies) : std::vector<char>();
  for (const AwakePair& awake : list_->awake()) {
    BodyPair& pair = list_->pairs()[awake.pair];
    gaps_->mark_measured(pair);
    PairResult& found = results_->found[awake.pair];
    const bool still = step_.secant && stand[awake.a] != 0 && stand[awake.b] != 0;
    pair.search_n.kept = false;
    // It is committed as it is.
    if (still && found.lasts()) continue;
    pair.stored_n = pair.stored;
    StepLosses own;
    if (!pair.active.empty() || !pair.history.empty()) {
      const BodyView a = geometry_->view(bodies, pair.a);
      const BodyView b = geometry_->view_of_b(bodies, pair);
      own = step_.secant ? commit_secant(pair, a, b, model_->law(pair), step_)
                         : contact::commit(pair, a, b, model_->law(pair), step_);
    }
    if (still && keeps_places(pair)) {
      found.still = std::min<std::uint8_t>(found.still + 1, PairResult::kLasting);
    } else {
      found.still = 0;
    }
    // The accepted state is the one last evaluated. What does not touch may wait until it is near (`wake`).
    pair.curvature_known = false;
    if (one_smooth_contact(pair)) {
      curvature_->set(pair, bodies, pair.terms[0].n);
    } else if (!pair.active.empty()) {
      curvature_->update(pair, bodies);
    }
    if (!counted(bodies, pair)) continue;
    losses.damping += own.damping;
    losses.friction += own.friction;
    if (step_.secant && bodies.is_boundary(pair.b)) {
      // The wrench acts between the mean poles, and so does its work.
      const BodyTrial& a = *geometry_->view(bodies, pair.a).trial;
      const BodyTrial& b = *geometry_->view_of_b(bodies, pair).trial;
      const PairWrench on_b = reaction(results_->wrenches[awake.pair], (a.x - 0.5 * a.u) - (b.x - 0.5 * b.u));
      losses.boundaries -= on_b.force.dot(b.u) + on_b.moment.dot(b.alpha);
    }
  }
  results_->lasting_hold = step_.secant;
  return losses;
}

void ContactForces::keep_stored() {
  results_->half_ways.clear();  // wrenches are those of the state, about the poles
  for (BodyPair& pair : list_->pairs()) pair.stored_n = pair.stored;
}

void ContactForces::roll_back() {
  results_->stale = true;
  results_->lasting_hold = false;
  for (BodyPair& pair : list_->pairs()) contact::roll_back(pair);
}

}  // namespace scree::contact
