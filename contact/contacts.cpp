#include "contact/contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/search/candidates.hpp"
#include "contact/secant/secant_pair.hpp"
#include "contact/superquadric/smooth_terms.hpp"
#include "contact/surface/deforming_surface.hpp"

namespace scree::contact {
namespace {

/// Candidates reach this many scales of the law beyond the threshold, so that lists last some steps.
constexpr double kFeatureSkin = 3.0;

/// Length that replaces the threshold for overlap-based laws, as part of the smallest rounding: lists then
/// last for some hundred steps of an impact.
constexpr double kOverlapScale = 0.02;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Smallest rounding radius, or half of the smallest feature where nothing is rounded [m].
double smallest_rounding(const std::vector<Shape>& shapes) {
  double rounded = kInfinity;
  double sharp = rounded;
  for (const Shape& shape : shapes) {
    if (shape.radius > 0) rounded = std::min(rounded, shape.radius);
    if (shape.smallest_feature > 0) sharp = std::min(sharp, 0.5 * shape.smallest_feature);
  }
  return std::isfinite(rounded) ? rounded : sharp;
}

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

}  // namespace

Contacts::Contacts(const std::vector<Shape>& shapes, std::vector<InterfaceLaw> laws,
                   std::vector<std::vector<int>> interface_of, std::vector<Elasticity> materials)
    : shapes_(&shapes),
      laws_(std::move(laws)),
      interface_of_(std::move(interface_of)),
      materials_(std::move(materials)) {
  const double overlap_scale = kOverlapScale * smallest_rounding(shapes);
  for (InterfaceLaw& law : laws_) {
    law.normal.set_scale(overlap_scale);
    threshold_ = std::max(threshold_, law.normal.threshold());
    scale_ = std::max(scale_, law.normal.scale());
  }
  feature_skin_ = kFeatureSkin * scale_;
}

BodyView Contacts::view(const Bodies& bodies, int i) const {
  const BodyTrial& trial = step_.frozen ? frozen_[i] : bodies.trial[i];
  return {&shape_at(bodies, i, trial), &trial,
          first_vertex_[i] < 0 ? nullptr : vertices_.data() + first_vertex_[i], surface_of(bodies, i)};
}

const Shape& Contacts::shape_at(const Bodies& bodies, int i, const BodyTrial& trial) const {
  const DeformingSurface* surface = surface_of(bodies, i);
  return surface == nullptr ? shape_of(bodies, i) : surface->at(trial.phase);
}

BodyView Contacts::view_of_b(const Bodies& bodies, const BodyPair& pair) const {
  if (pair.seen_as < 0) return view(bodies, pair.b);
  const Image& image = images_[static_cast<std::size_t>(pair.seen_as)];
  return {&(*shapes_)[bodies.properties[pair.b].shape], &image.trial,
          image.first_vertex < 0 ? nullptr : vertices_.data() + image.first_vertex};
}

void Contacts::update_vertices(const Bodies& bodies) {
  first_vertex_.resize(static_cast<std::size_t>(bodies.all()));
  int count = 0;
  for (int i = 0; i < bodies.all(); ++i) {
    const Shape& shape = (*shapes_)[bodies.properties[i].shape];
    first_vertex_[i] = places_all_vertices(shape) ? count : -1;
    if (first_vertex_[i] >= 0) count += static_cast<int>(shape.vertices.size());
  }
  vertices_.resize(static_cast<std::size_t>(count));
  if (step_.frozen) freeze(bodies);
  for (int i = 0; i < bodies.all(); ++i) {
    if (first_vertex_[i] < 0) continue;
    const BodyTrial& trial = step_.frozen ? frozen_[i] : bodies.trial[i];
    Vec3* out = vertices_.data() + first_vertex_[i];
    for (const Vec3& v : shape_at(bodies, i, trial).vertices) *out++ = trial.x + trial.R * v;
  }
  append_image_vertices(bodies);
  update_images(bodies);
}

Side Contacts::side(const Bodies& bodies, int i) const {
  const BodyProperties& body = bodies.properties[i];
  const auto material = static_cast<std::size_t>(body.material);
  return {&body, &(*shapes_)[body.shape], material < materials_.size() ? materials_[material] : Elasticity{},
          bodies.is_boundary(i)};
}

void Contacts::freeze(const Bodies& bodies) {
  frozen_.resize(static_cast<std::size_t>(bodies.all()));
  for (int i = 0; i < bodies.all(); ++i) {
    const BodyTrial& trial = bodies.trial[i];
    BodyTrial& frozen = frozen_[i];
    frozen = BodyTrial{};
    frozen.x = bodies.state[i].x;
    frozen.R = bodies.state[i].q.toRotationMatrix();
    frozen.v = trial.v;
    frozen.w = trial.w;
    frozen.dv_du = trial.dv_du;
    frozen.dw_dtheta = trial.dw_dtheta;
  }
}

void Contacts::update_gaps(const Bodies& bodies) {
  update_vertices(bodies);
  for (BodyPair& pair : pairs_) {
    if (pair.acts) measure(pair, bodies);
  }
}

void Contacts::measure(BodyPair& pair, const Bodies& bodies) {
  cover(pair, bodies, laws_[pair.interface].normal.threshold());
  pair.nearest = pair.covered;
  if (!pair.items.empty()) {
    pair.nearest = std::min(pair.covered,
                            smallest_gap(pair, view(bodies, pair.a), view_of_b(bodies, pair), kNearEnough));
  }
  pair.measured_at = travel_sum_;
  update_curvature(pair, bodies);
}

void Contacts::everybody_awake() {
  stale_ = true;
  awake_.clear();
  for (std::size_t p = 0; p < pairs_.size(); ++p)
    awake_.push_back({static_cast<int>(p), pairs_[p].a, pairs_[p].b});
  awake_travel_ = kInfinity;
}

void Contacts::wake(const Bodies& bodies, double travel) {
  awake_travel_ = travel;
  stale_ = true;
  refresh_images(bodies);
  awake_.clear();
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    BodyPair& pair = pairs_[p];
    if (!pair.acts) continue;
    const double limit = laws_[pair.interface].normal.threshold() + 2 * travel;
    // A pair that slept is measured before it wakes, or turns over.
    const bool is_near = least_gap(pair) < limit;
    if (is_near && pair.measured_at < travel_sum_) {
      measure(pair, bodies);
    } else if (!pair.curvature_known && (is_near || !pair.history.empty())) {
      update_curvature(pair, bodies);
    }
    if (least_gap(pair) < limit || !pair.history.empty()) {
      awake_.push_back({static_cast<int>(p), pair.a, pair.b});
    } else {
      pair.active.clear();
      pair.terms.clear();
      pair.stored = pair.stored_n = {};
      wrenches_[p] = {};
      found_[p] = {.assembled = found_[p].assembled};
    }
  }
}

void Contacts::wake_all(const Bodies& bodies) {
  // In the middle of a step: those that slept are measured where the bodies are now.
  auto next = awake_.begin();
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    if (next != awake_.end() && next->pair == static_cast<int>(p)) {
      ++next;
    } else if (pairs_[p].acts) {
      measure(pairs_[p], bodies);
      pairs_[p].curvature_known = false;  // that is the trial state's: invalid if the step fails
    }
  }
  everybody_awake();
}

void Contacts::cover(BodyPair& pair, const Bodies& bodies, double reach) {
  const BodyView a = view(bodies, pair.a);
  const BodyView b = view_of_b(bodies, pair);
  double motion = pair.built ? motion_since_build(pair, a, b) : kInfinity;
  if (!(motion < pair.reach - reach)) {
    build_items(pair, a, b, reach + feature_skin_);
    motion = 0;
  }
  pair.covered = pair.reach - motion;
}

void Contacts::begin_step(const StepContext& step) {
  step_ = step;
  stale_ = true;
}

void Contacts::evaluate_pair(const Awake& awake, const Bodies& bodies) {
  BodyPair& pair = pairs_[awake.pair];
  PairWrench& wrench = wrenches_[awake.pair];
  Found& found = found_[awake.pair];
  wrench = {};
  found = {.assembled = found.assembled};
  if (!pair.acts) return;
  double reach = laws_[pair.interface].normal.threshold();
  // What acted at the start of the step does so in all of it.
  if (step_.secant) reach += motion_of(bodies, awake);
  cover(pair, bodies, reach);
  if (pair.items.empty()) {
    pair.active.clear();
    pair.terms.clear();
    pair.stored = {};
    pair.nearest = pair.covered;
    return;
  }
  const BodyView a = view(bodies, pair.a);
  const BodyView b = view_of_b(bodies, pair);
  const auto find = [&] {
    return step_.secant ? evaluate_secant(pair, a, b, laws_[pair.interface], step_)
                        : evaluate(pair, a, b, laws_[pair.interface], step_);
  };
  PairWrench w = find();
  if (!pair.active.empty() && !pair.curvature_known && is_smooth_pair(a, b) &&
      laws_[pair.interface].curvature_matters()) {
    if (is_smooth(*a.shape) && is_smooth(*b.shape)) {
      set_curvature_at_start(pair, bodies);
    } else {
      update_curvature(pair, bodies);  // contacts that are there at the start of the run
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

void Contacts::residual(const Bodies& bodies, const std::vector<char>& moved, LocalSystem& system) {
  coupling_missing_ = false;
  largest_force_ = 0;
  update_vertices(bodies);
  if (motion_in_step(bodies) > awake_travel_) wake_all(bodies);
  const bool all = stale_;
  stale_ = true;  // and stays so if a gap has closed
  for (std::size_t i = 0; i < awake_.size(); ++i) {
    if (i + kPairsAhead < awake_.size()) call(&pairs_[awake_[i + kPairsAhead].pair], sizeof(BodyPair));
    if (i + kListsAhead < awake_.size()) call_lists(pairs_[awake_[i + kListsAhead].pair]);
    const Awake& awake = awake_[i];
    if (all || moved[awake.a] != 0 || moved[awake.b] != 0) evaluate_pair(awake, bodies);
    const Found& found = found_[awake.pair];
    if (!found.acting) continue;
    largest_force_ = std::max(largest_force_, found.largest);
    if (found.missing) coupling_missing_ = true;
    const PairWrench& w = wrenches_[awake.pair];
    if (bodies.is_owned(awake.a)) {
      Eigen::Map<Vec6> r(system.residual_of(awake.a));
      r.head<3>() += w.force;
      r.tail<3>() += w.moment;
    }
    if (bodies.is_owned(awake.b)) {
      Eigen::Map<Vec6> r(system.residual_of(awake.b));
      const PairWrench on_b = reaction(w, arm_of(bodies, pairs_[awake.pair]));
      r.head<3>() += on_b.force;
      r.tail<3>() += on_b.moment;
    }
  }
  stale_ = false;
}

void Contacts::begin_solve() {
  ++solve_;
  solving_ = true;
}

void Contacts::mark_rows(const Bodies& bodies, const std::vector<char>& moved, std::vector<char>& rows,
                         std::vector<char>& changed) const {
  for (const Awake& awake : awake_) {
    const Found& found = found_[awake.pair];
    if (found.acting != found.assembled) {
      if (bodies.is_owned(awake.a)) changed[awake.a] = 1;
      if (bodies.is_owned(awake.b)) changed[awake.b] = 1;
    }
    if ((!found.acting && !found.assembled) || bodies.is_boundary(awake.b)) continue;
    if (moved[awake.b] != 0 && bodies.is_owned(awake.a)) rows[awake.a] = 1;
    if (moved[awake.a] != 0 && bodies.is_owned(awake.b)) rows[awake.b] = 1;
  }
}

void Contacts::tangent(const Bodies& bodies, LocalSystem& system) {
  using Block = Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>>;
  PairTangent k;
  for (std::size_t i = 0; i < awake_.size(); ++i) {
    if (i + kPairsAhead < awake_.size()) call(&pairs_[awake_[i + kPairsAhead].pair], sizeof(BodyPair));
    if (i + kListsAhead < awake_.size()) {
      const BodyPair& soon = pairs_[awake_[i + kListsAhead].pair];
      call_lists(soon);
      if (system.assembles(soon.a)) call(system.diagonal(soon.a), 36 * sizeof(double));
      if (system.assembles(soon.b)) call(system.diagonal(soon.b), 36 * sizeof(double));
      if (soon.coupling_ab >= 0) call(system.coupling(soon.coupling_ab), 36 * sizeof(double));
      if (soon.coupling_ba >= 0) call(system.coupling(soon.coupling_ba), 36 * sizeof(double));
    }
    const Awake& awake = awake_[i];
    const bool for_a = system.assembles(awake.a);
    const bool for_b = system.assembles(awake.b);
    found_[awake.pair].assembled = found_[awake.pair].acting;
    if (!found_[awake.pair].acting || (!for_a && !for_b)) continue;
    BodyPair& pair = pairs_[awake.pair];
    const BodyView a = view(bodies, pair.a);
    const BodyView b = view_of_b(bodies, pair);
    PairTangent reaction;
    if (solving_) {
      begin_iterate(pair, solve_);
    } else {
      pair.iterates.clear();
    }
    if (step_.secant) {
      secant_tangent(pair, a, b, laws_[pair.interface], step_, k, reaction);
    } else {
      if (solving_) follow_iterate(pair, a, b, laws_[pair.interface], step_);
      const PairWrench w = evaluate_tangent(pair, a, b, laws_[pair.interface], step_, k);
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

StepLosses Contacts::commit(const Bodies& bodies) {
  StepLosses losses;
  travel_sum_ += motion_in_step(bodies);
  stale_ = true;
  for (const Awake& awake : awake_) {
    BodyPair& pair = pairs_[awake.pair];
    pair.measured_at = travel_sum_;
    pair.stored_n = pair.stored;
    StepLosses own;
    if (!pair.active.empty() || !pair.history.empty()) {
      const BodyView a = view(bodies, pair.a);
      const BodyView b = view_of_b(bodies, pair);
      own = step_.secant ? commit_secant(pair, a, b, laws_[pair.interface], step_)
                         : contact::commit(pair, a, b, laws_[pair.interface], step_);
    }
    // The accepted state is the one last evaluated. What does not touch may wait until it is near (`wake`).
    pair.curvature_known = false;
    if (one_smooth_contact(pair)) {
      set_curvature(pair, bodies, pair.terms[0].n);
    } else if (!pair.active.empty()) {
      update_curvature(pair, bodies);
    }
    if (!counted(bodies, pair)) continue;
    losses.damping += own.damping;
    losses.friction += own.friction;
    if (step_.secant && bodies.is_boundary(pair.b)) {
      // The wrench acts between the mean poles, and so does its work.
      const BodyTrial& a = *view(bodies, pair.a).trial;
      const BodyTrial& b = *view_of_b(bodies, pair).trial;
      const PairWrench on_b = reaction(wrenches_[awake.pair], (a.x - 0.5 * a.u) - (b.x - 0.5 * b.u));
      losses.boundaries -= on_b.force.dot(b.u) + on_b.moment.dot(b.alpha);
    }
  }
  return losses;
}

void Contacts::roll_back() {
  stale_ = true;
  for (BodyPair& pair : pairs_) contact::roll_back(pair);
}

}  // namespace scree::contact
