#include "solvers/compliant/body_tolerances.hpp"

#include <algorithm>

#include "contact/forces/contact_forces.hpp"

namespace scree {

double BodyTolerances::at(double force) const {
  const auto& solver = world_->model().solver;
  return solver.newton_absolute + solver.newton_relative * force;
}

double BodyTolerances::share_of_loads(int i) const {
  const double weight = world_->bodies().properties[i].mass * world_->model().gravity.norm();
  return weight > 0 && weight < load_scale_ ? weight / load_scale_ : 1.0;
}

void BodyTolerances::weigh(const StepFrame& frame, bool lasting) {
  factors_.clear();
  // Bonds and near-field forces hold bodies by more than their weight, as contacts do that press them.
  if (lasting || !world_->pair_forces().empty()) return;
  const Bodies& bodies = world_->bodies();
  bool even = true;
  for (int i = 0; i < bodies.moving(); ++i) even = even && share_of_loads(i) == 1;
  if (even) return;
  factors_.assign(static_cast<std::size_t>(bodies.owned), 1.0);
  const std::vector<double> contact = world_->contacts().forces().largest_on_bodies(bodies);
  for (int i = 0; i < bodies.owned; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double rounding =
        kInertialRoundOff * bodies.properties[k].mass * bodies.state[k].v.norm() / frame.h +
        kContactRoundOff * contact[k];
    const double own =
        std::max(at(std::max(share_of_loads(i) * load_scale_, kForceShare * contact[k])), rounding);
    if (own > 0) factors_[k] = std::max(at(load_scale_) / own, 1.0);
  }
}

std::vector<double> BodyTolerances::largest_nearby() const {
  const Bodies& bodies = world_->bodies();
  if (factors_.empty()) return {};
  std::vector<double> factors = factors_;
  for (int i = bodies.owned; i < bodies.moving(); ++i) {
    const double own = at(share_of_loads(i) * load_scale_);
    factors.push_back(own > 0 ? at(load_scale_) / own : 1.0);
  }
  factors.resize(static_cast<std::size_t>(bodies.all()), 1.0);
  return world_->contacts().forces().largest_of_touching(factors);
}

}  // namespace scree
