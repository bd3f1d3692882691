#include "elements/integrators/energy_consistent.hpp"

#include "elements/integrators/pose.hpp"

namespace scree::elements {

using rotation::skew;

void EnergyConsistent::predict(const BodyState& state, double h, Vec3& u, Vec3& alpha) const {
  u = h * state.v + 0.5 * h * h * state.a;
  alpha = h * state.w + 0.5 * h * h * state.dw;
}

Vec3 EnergyConsistent::spin(const BodyState& state, double h, const BodyTrial& trial) {
  return (trial.alpha / h - (1 - trial.end_weight) * state.w) / trial.end_weight;
}

void EnergyConsistent::kinematics(const BodyState& state, double h, BodyTrial& trial) const {
  const double rate = 1 / (h * trial.end_weight);
  set_pose(state, trial);
  trial.v = (trial.u / h - (1 - trial.end_weight) * state.v) / trial.end_weight;
  trial.w = trial.Q * spin(state, h, trial);
  trial.dv_du = rate;
  trial.dw_dtheta = -skew(trial.w) + rate * trial.Q * rotation::inverse_spin_map(trial.alpha);
}

void EnergyConsistent::residual(const Bodies& bodies, double h, LocalSystem& system) const {
  for (int i = 0; i < bodies.owned; ++i) {
    const BodyState& state = bodies.state[i];
    const BodyTrial& trial = bodies.trial[i];
    Eigen::Map<Vec6> r(system.residual_of(i));
    r.head<3>() += (bodies.properties[i].mass / h) * (trial.v - state.v);
    const Mat3 inertia = spatial_inertia(bodies.properties[i].inertia_B, state.q.toRotationMatrix());
    r.tail<3>() += (trial.Q * (inertia * spin(state, h, trial)) - inertia * state.w) / h;
  }
}

void EnergyConsistent::tangent(const Bodies& bodies, double h, LocalSystem& system) const {
  for (int i = 0; i < bodies.owned; ++i) {
    if (!system.assembles(i)) continue;
    const BodyState& state = bodies.state[i];
    const BodyTrial& trial = bodies.trial[i];
    const double rate = 1 / (h * trial.end_weight);
    Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>> k(system.diagonal(i));
    k.topLeftCorner<3, 3>() += bodies.properties[i].mass * rate / h * Mat3::Identity();
    const Mat3 inertia = spatial_inertia(bodies.properties[i].inertia_B, state.q.toRotationMatrix());
    const Vec3 momentum = trial.Q * (inertia * spin(state, h, trial));
    k.bottomRightCorner<3, 3>() +=
        (-skew(momentum) + rate * trial.Q * inertia * rotation::inverse_spin_map(trial.alpha)) / h;
  }
}

double EnergyConsistent::dissipated(const BodyProperties& properties, const BodyState& state,
                                    const BodyTrial& trial) {
  if (trial.end_weight == 0.5) return 0;
  const Vec3 dv = trial.v - state.v;
  const Vec3 dw = trial.R.transpose() * trial.w - state.q.conjugate() * state.w;
  return (trial.end_weight - 0.5) * (properties.mass * dv.squaredNorm() + dw.dot(properties.inertia_B * dw));
}

void EnergyConsistent::commit(const BodyProperties& properties, double h, const BodyTrial& trial,
                              BodyState& state) const {
  state.a = (trial.v - state.v) / h;
  state.dw = (trial.w - state.w) / h;
  Integrator::commit(properties, h, trial, state);
}

}  // namespace scree::elements
