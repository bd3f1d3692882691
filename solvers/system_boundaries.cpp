/// Boundaries in time: when they are switched, where they are, and how they move in a step.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/rotation.hpp"
#include "solvers/boundary_motion.hpp"
#include "solvers/system.hpp"

namespace scree {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

double System::next_switch(double time) const {
  double next = kInfinity;
  for (const BoundaryDescription& boundary : model_->boundaries) {
    if (boundary.active_from > time) next = std::min(next, boundary.active_from);
    if (boundary.active_until > time) next = std::min(next, boundary.active_until);
  }
  for (const contact::Interface& interface : model_->interfaces) {
    for (const auto& [from, until] : interface.friction.active) {
      if (from > time) next = std::min(next, from);
      if (until > time) next = std::min(next, until);
    }
  }
  return next;
}

double System::next_event(double time) const {
  double next = next_switch(time);
  for (const BoundaryDescription& boundary : model_->boundaries)
    next = std::min(next, next_knot(boundary.motion, time));
  return next;
}

void System::set_boundaries(double time) {
  std::vector<char>& active = boundaries_active_;
  active.clear();
  for (const BoundaryPart& part : model_->boundary_parts) {
    const BoundaryDescription& boundary = model_->boundaries[part.boundary];
    active.push_back(time >= boundary.active_from && time < boundary.active_until ? 1 : 0);
  }
  contacts_.set_boundaries(bodies_, active);
}

void System::move_boundaries(double time, double during) {
  for (int w = bodies_.moving(); w < bodies_.all(); ++w) {
    const BoundaryPart& part = model_->boundary_parts[w - bodies_.moving()];
    if (moves(model_->boundaries[part.boundary].motion))
      bodies_.state[w] = boundary_state(*model_, part, time, during);
  }
}

void System::boundary_trial(double from, double time) {
  for (int w = bodies_.moving(); w < bodies_.all(); ++w) {
    const BoundaryPart& part = model_->boundary_parts[w - bodies_.moving()];
    if (!moves(model_->boundaries[part.boundary].motion)) continue;
    const BodyState& accepted = bodies_.state[w];
    // Velocities are those of the step: at its start (theory 02, alpha = 0) a knot may lie.
    const double during = time > from ? 0.5 * (from + time) : from + 0.5 * h_;
    const BodyState now = boundary_state(*model_, part, time, during);
    BodyTrial& trial = bodies_.trial[w];
    const Mat3 start = accepted.q.toRotationMatrix();
    trial = BodyTrial{};
    trial.u = now.x - accepted.x;
    trial.x = now.x;
    trial.R = now.q.toRotationMatrix();
    trial.Q = trial.R * start.transpose();
    trial.alpha = rotation::rodrigues(trial.Q);
    trial.Xi = rotation::spin_map(trial.alpha);
    trial.v = now.v;
    trial.w = now.w;
  }
}

void System::set_time(double time) {
  set_boundaries(time);
  // The velocities of what follows: halfway to the next knot.
  const double next = next_event(time * (1 + 1e-12));
  move_boundaries(time, std::isfinite(next) ? 0.5 * (time + next) : time + model_->time.end);
  for (int w = bodies_.moving(); w < bodies_.all(); ++w) set_accepted(w);
  // At a knot nothing is switched: forces hardly jump, and what friction's dashpots did would be forgotten.
  if (!bonds_broke_ && time > 0 && next_switch(time * (1 - 1e-12)) > time * (1 + 1e-12)) return;
  initialise_accelerations(time);
}

}  // namespace scree
