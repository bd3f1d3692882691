#include "solvers/compliant/body_tolerances.hpp"

#include <algorithm>
#include <utility>

#include "contact/forces/contact_forces.hpp"
#include "contact/forces/pair_forces.hpp"
#include "solvers/compliant/bodies_at_rest.hpp"

namespace scree {

double BodyTolerances::at(double force) const {
  const auto& solver = world_->model().solver;
  return solver.newton_absolute + solver.newton_relative * force;
}

void BodyTolerances::begin(std::vector<double> loads, double scale, double h) {
  loads_ = std::move(loads);
  scale_ = scale;
  h_ = h;
}

double BodyTolerances::share_of_loads(int i) const {
  const Bodies& bodies = world_->bodies();
  const auto k = static_cast<std::size_t>(i);
  const BodyProperties& body = bodies.properties[k];
  const BodyState& start = bodies.state[k];
  const BodyTrial& trial = bodies.trial[k];
  double own = k < loads_.size() ? loads_[k] : body.mass * world_->model().gravity.norm();
  if (own >= scale_) return 1;
  // What hits it gives a body its momentum within the step.
  const double momentum = std::max(momentum_size(body, start.q, start.v, start.w),
                                   momentum_size(body, start.q, trial.v, trial.w));
  own = std::max(own, kInertialShare * momentum / h_);
  return std::min(own / scale_, 1.0);
}

void BodyTolerances::weigh(bool lasting) {
  factors_.clear();
  if (lasting) return;
  const Bodies& bodies = world_->bodies();
  bool even = true;
  for (int i = 0; i < bodies.moving(); ++i) even = even && share_of_loads(i) == 1;
  if (even) return;
  factors_.assign(static_cast<std::size_t>(bodies.owned), 1.0);
  std::vector<double> contact = world_->contacts().forces().largest_on_bodies(bodies);
  world_->pair_forces().raise_largest(contact);
  for (int i = 0; i < bodies.owned; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double rounding = kInertialRoundOff * bodies.properties[k].mass * bodies.state[k].v.norm() / h_ +
                            kContactRoundOff * contact[k];
    const double own = std::max(at(std::max(share_of_loads(i) * scale_, kForceShare * contact[k])), rounding);
    if (own > 0) factors_[k] = std::max(at(scale_) / own, 1.0);
  }
}

std::vector<double> BodyTolerances::largest_nearby() const {
  const Bodies& bodies = world_->bodies();
  if (factors_.empty()) return {};
  std::vector<double> factors = factors_;
  for (int i = bodies.owned; i < bodies.moving(); ++i) {
    const double own = at(share_of_loads(i) * scale_);
    factors.push_back(own > 0 ? at(scale_) / own : 1.0);
  }
  factors.resize(static_cast<std::size_t>(bodies.all()), 1.0);
  return world_->contacts().forces().largest_of_touching(factors);
}

}  // namespace scree
