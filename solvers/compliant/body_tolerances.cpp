#include "solvers/compliant/body_tolerances.hpp"

#include <algorithm>

#include "contact/forces/contact_forces.hpp"
#include "contact/forces/pair_forces.hpp"
#include "solvers/compliant/bodies_at_rest.hpp"

namespace scree {

double BodyTolerances::at(double force) const {
  const auto& solver = world_->model().solver;
  return solver.newton_absolute + solver.newton_relative * force;
}

void BodyTolerances::begin(const StepFrame& frame, double scale) {
  const Bodies& bodies = world_->bodies();
  scale_ = scale;
  h_ = frame.h;
  loads_ = world_->loads().sizes(bodies, frame.end);
  for (int i = bodies.owned; i < bodies.moving(); ++i)
    loads_.push_back(bodies.properties[i].mass * world_->model().gravity.norm());
  acceleration_ = 0;
  for (int i = 0; i < bodies.moving(); ++i) {
    double& load = loads_[static_cast<std::size_t>(i)];
    if (load < scale_) {
      const BodyState& state = bodies.state[i];
      load = std::max(load,
                      kInertialShare * momentum_size(bodies.properties[i], state.q, state.v, state.w) / h_);
    }
    if (i < bodies.owned) acceleration_ = std::max(acceleration_, load / bodies.properties[i].mass);
  }
  acceleration_ = world_->max_over_ranks(acceleration_);
}

double BodyTolerances::share_of_loads(int i) const {
  const Bodies& bodies = world_->bodies();
  const double load = loads_[static_cast<std::size_t>(i)];
  if (load >= scale_) return 1;
  // What hits it gives a body its momentum within the step.
  const BodyTrial& trial = bodies.trial[i];
  const double momentum = momentum_size(bodies.properties[i], bodies.state[i].q, trial.v, trial.w);
  return std::min(std::max(load, kInertialShare * momentum / h_) / scale_, 1.0);
}

void BodyTolerances::weigh(bool lasting) {
  factors_.clear();
  const Bodies& bodies = world_->bodies();
  std::vector<double> shares;
  bool even = true;
  for (int i = 0; i < bodies.moving(); ++i) {
    shares.push_back(share_of_loads(i));
    even = even && shares.back() == 1;
  }
  if (even) return;
  std::vector<double> contact = world_->contacts().forces().largest_on_bodies(bodies);
  world_->pair_forces().raise_largest(contact);
  for (int i = 0; i < bodies.moving(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (lasting && contact[k] > 0) {
      factors_.push_back(1);
      continue;
    }
    double own = at(std::max(shares[k] * scale_, kLeastShare * bodies.properties[i].mass * acceleration_));
    if (i < bodies.owned) {
      const double rounding = kInertialRoundOff * bodies.properties[k].mass * bodies.state[k].v.norm() / h_ +
                              kContactRoundOff * contact[k];
      own = std::max({own, at(kForceShare * contact[k]), rounding});
    }
    factors_.push_back(own > 0 ? std::max(at(scale_) / own, 1.0) : 1.0);
  }
}

std::vector<double> BodyTolerances::largest_nearby() const {
  if (factors_.empty()) return {};
  std::vector<double> factors = factors_;
  factors.resize(static_cast<std::size_t>(world_->bodies().all()), 1.0);
  return world_->contacts().forces().largest_of_touching(factors);
}

}  // namespace scree
