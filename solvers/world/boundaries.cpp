#include "solvers/world/boundaries.hpp"

#include <algorithm>
#include <limits>

#include "contact/boundary_ids.hpp"
#include "core/rotation.hpp"
#include "solvers/world/boundary_motion.hpp"

namespace scree {

double Boundaries::next_switch(double time) const {
  double next = std::numeric_limits<double>::infinity();
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

double Boundaries::next_event(double time) const {
  double next = next_switch(time);
  for (const BoundaryDescription& boundary : model_->boundaries)
    next = std::min(next, next_knot(boundary.motion, time));
  return next;
}

bool Boundaries::switched_as_at(double time) const {
  Boundaries other = *this;
  other.switch_at(time);
  return other.active_ == active_;
}

std::vector<char> Boundaries::switch_at(double time) {
  std::vector<char> added(active_.size(), 0);
  for (std::size_t part = 0; part < active_.size(); ++part) {
    const BoundaryDescription& boundary = model_->boundaries[model_->boundary_parts[part].boundary];
    const bool acts = time >= boundary.active_from && time < boundary.active_until;
    added[part] = acts && active_[part] == 0 ? 1 : 0;
    active_[part] = acts ? 1 : 0;
  }
  return added;
}

void Boundaries::append_to(Bodies& bodies, int plane_shape) const {
  for (std::size_t part = 0; part < model_->boundary_parts.size(); ++part) {
    const BoundaryPart& wall = model_->boundary_parts[part];
    BodyProperties properties;
    properties.id = contact::kFirstBoundaryId + static_cast<BodyId>(part);
    properties.shape = plane_shape + 1 + wall.wall;  // planes have -1, and the shape before the walls
    properties.material = model_->boundaries[wall.boundary].material;
    properties.length = 0;
    properties.fixed.fill(!moves(model_->boundaries[wall.boundary].motion));
    bodies.properties.push_back(properties);
    bodies.state.push_back(boundary_state(*model_, wall, 0, 0));
  }
  bodies.boundaries = static_cast<int>(model_->boundary_parts.size());
  bodies.trial.resize(bodies.state.size());
}

void Boundaries::restore(Bodies& bodies, const std::vector<BodyState>& states) const {
  std::copy(states.begin(), states.end(), bodies.state.begin() + bodies.moving());
  for (int w = bodies.moving(); w < bodies.all(); ++w) {
    const BoundaryPart& part = model_->boundary_parts[w - bodies.moving()];
    if (moves(model_->boundaries[part.boundary].motion)) continue;
    BodyState& state = bodies.state[w];
    state.v = state.w = state.a = state.dw = Vec3::Zero();
  }
}

void Boundaries::move(Bodies& bodies, double time, double during) const {
  for (int w = bodies.moving(); w < bodies.all(); ++w) {
    const BoundaryPart& part = model_->boundary_parts[w - bodies.moving()];
    const BoundaryMotion& motion = model_->boundaries[part.boundary].motion;
    if (moves(motion) && !motion.coupled) bodies.state[w] = boundary_state(*model_, part, time, during);
  }
}

void Boundaries::move_trial(Bodies& bodies, double from, double time, double h) const {
  for (int w = bodies.moving(); w < bodies.all(); ++w) {
    const BoundaryPart& part = model_->boundary_parts[w - bodies.moving()];
    const BoundaryMotion& motion = model_->boundaries[part.boundary].motion;
    if (!moves(motion) || motion.coupled) continue;
    const BodyState& accepted = bodies.state[w];
    // Velocities are those of the step: at its start (theory 02, alpha = 0) a time point may lie.
    const double during = time > from ? 0.5 * (from + time) : from + 0.5 * h;
    const BodyState now = boundary_state(*model_, part, time, during);
    BodyTrial& trial = bodies.trial[w];
    trial = BodyTrial{};
    trial.x_n = accepted.x;
    trial.R_n = accepted.q.toRotationMatrix();
    trial.u = now.x - accepted.x;
    trial.x = now.x;
    trial.R = now.q.toRotationMatrix();
    trial.Q = trial.R * trial.R_n.transpose();
    trial.alpha = rotation::rodrigues(trial.Q);
    trial.Xi = rotation::spin_map(trial.alpha);
    trial.v = now.v;
    trial.w = now.w;
  }
}

}  // namespace scree
