#include "elements/integrators/energy_consistent.hpp"

#include "elements/integrators/pose.hpp"

namespace scree::elements {

using rotation::skew;

void EnergyConsistent::predict(const BodyState& state, double h, Vec3& u, Vec3& alpha) const {
  u = h * state.v + 0.5 * h * h * state.a;
  alpha = h * state.w + 0.5 * h * h * state.dw;
}

void EnergyConsistent::kinematics(const BodyState& state, double h, BodyTrial& trial) const {
  set_pose(state, trial);
  trial.v = (2 / h) * trial.u - state.v;
  trial.w = trial.Q * ((2 / h) * trial.alpha - state.w);
  trial.dv_du = 2 / h;
  trial.dw_dtheta = -skew(trial.w) + (2 / h) * trial.Q * rotation::inverse_spin_map(trial.alpha);
}

void EnergyConsistent::residual(const Bodies& bodies, double h, LocalSystem& system) const {
  for (int i = 0; i < bodies.owned; ++i) {
    const BodyState& state = bodies.state[i];
    const BodyTrial& trial = bodies.trial[i];
    Eigen::Map<Vec6> r(system.residual_of(i));
    r.head<3>() += (bodies.properties[i].mass / h) * (trial.v - state.v);
    const Mat3 inertia = spatial_inertia(bodies.properties[i].inertia_B, state.q.toRotationMatrix());
    r.tail<3>() += (trial.Q * (inertia * ((2 / h) * trial.alpha - state.w)) - inertia * state.w) / h;
  }
}

void EnergyConsistent::tangent(const Bodies& bodies, double h, LocalSystem& system) const {
  for (int i = 0; i < bodies.owned; ++i) {
    if (!system.assembles(i)) continue;
    const BodyState& state = bodies.state[i];
    const BodyTrial& trial = bodies.trial[i];
    Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>> k(system.diagonal(i));
    k.topLeftCorner<3, 3>() += 2 * bodies.properties[i].mass / (h * h) * Mat3::Identity();
    const Mat3 inertia = spatial_inertia(bodies.properties[i].inertia_B, state.q.toRotationMatrix());
    const Vec3 momentum = trial.Q * (inertia * ((2 / h) * trial.alpha - state.w));
    k.bottomRightCorner<3, 3>() +=
        (-skew(momentum) + (2 / h) * trial.Q * inertia * rotation::inverse_spin_map(trial.alpha)) / h;
  }
}

void EnergyConsistent::commit(const BodyProperties& properties, double h, const BodyTrial& trial,
                              BodyState& state) const {
  state.a = (trial.v - state.v) / h;
  state.dw = (trial.w - state.w) / h;
  Integrator::commit(properties, h, trial, state);
}

}  // namespace scree::elements
