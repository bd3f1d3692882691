#include "solvers/compliant/bodies_at_rest.hpp"

#include <algorithm>

#include "contact/bounds/settling.hpp"
#include "contact/contacts.hpp"
#include "elements/integrators/energy_consistent.hpp"
#include "solvers/compliant/body_stops.hpp"

namespace scree {

double momentum_size(const BodyProperties& properties, const Quat& q, const Vec3& v, const Vec3& w) {
  const Vec3 spin = properties.inertia_B * (q.conjugate() * w);
  return std::max(properties.mass * v.norm(), spin.norm() / properties.length);
}

void BodiesAtRest::grade(const StepFrame& frame) {
  // Impacts of this many times the speed that weight makes in a step end in it.
  constexpr double kSlow = 3;
  Bodies& bodies = world_->bodies();
  const Model& model = world_->model();
  const double gravity = model.gravity.norm();
  const contact::RestStep step{.h = frame.h,
                               .time = frame.middle(),
                               .slow = kSlow * gravity * frame.h,
                               .gravity = model.gravity,
                               .detailed = model.time.adaptive && model.time.control == StepMode::resolved};
  contact::Settling& rest = world_->contacts().settling();
  contact::Settling::Weights weights = rest.weigh(bodies, step);
  give_to_ghosts(*world_, weights.struck);
  rest.hand_on(bodies, weights);
  give_to_ghosts(*world_, weights.settling);
  for (int i = 0; i < bodies.moving(); ++i)
    bodies.trial[i].end_weight = 0.5 * (1 + weights.settling[static_cast<std::size_t>(i)]);

  const std::vector<double> support = rest.support(bodies);
  held_.assign(static_cast<std::size_t>(bodies.owned), 0.0);
  for (int i = 0; i < bodies.owned; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const BodyProperties& body = bodies.properties[i];
    const BodyState& state = bodies.state[i];
    const double bears = model.solver.newton_relative * std::min(support[at], body.mass * gravity);
    const double stopping = std::max(momentum_size(body, state.q, state.v, state.w) / frame.h,
                                     momentum_size(body, state.q, state.a, state.dw));
    if (weights.hit[at] == 0 && stopping < bears) held_[at] = 1;
  }
  give_to_ghosts(*world_, held_);
}

bool BodiesAtRest::stops(int i) const {
  const BodyTrial& trial = world_->bodies().trial[i];
  return holds(i) && trial.u.isZero(0) && trial.alpha.isZero(0);
}

double BodiesAtRest::loss() const {
  const Bodies& bodies = world_->bodies();
  double sum = 0;
  for (int i = 0; i < bodies.owned; ++i) {
    const BodyState& state = bodies.state[i];
    if (stops(i)) {
      const Vec3 spin = state.q.conjugate() * state.w;
      sum += 0.5 * (bodies.properties[i].mass * state.v.squaredNorm() +
                    spin.dot(bodies.properties[i].inertia_B * spin));
    } else {
      sum += elements::EnergyConsistent::dissipated(bodies.properties[i], state, bodies.trial[i]);
    }
  }
  return sum;
}

}  // namespace scree
