#include "elements/integrators/variational_start.hpp"

#include "elements/integrators/discrete_momentum.hpp"
#include "elements/integrators/pose.hpp"

namespace scree::elements {

void VariationalStart::predict(const BodyState& state, double h, Vec3& u, Vec3& alpha) const {
  u = h * state.v + h * h * state.a;
  alpha = h * state.w + h * h * state.dw;
}

void VariationalStart::kinematics(const BodyState& state, double h, BodyTrial& trial) const {
  // The pose stays; Xi belongs to the unknown, in which assembly writes the balance of moments.
  trial.x = state.x;
  trial.Q = Mat3::Identity();
  trial.R = state.q.toRotationMatrix();
  trial.Xi = rotation::spin_map(trial.alpha);
  trial.v = trial.u / h;
  trial.w = trial.alpha / h;
  trial.dv_du = 1 / h;
  trial.dw_dtheta = rotation::inverse_spin_map(trial.alpha) / h;
}

void VariationalStart::residual(const Bodies& bodies, double h, LocalSystem& system) const {
  for (int i = 0; i < bodies.owned; ++i) {
    const BodyState& state = bodies.state[i];
    const BodyTrial& trial = bodies.trial[i];
    Eigen::Map<Vec6> r(system.residual_of(i));
    r.head<3>() += bodies.properties[i].mass / h * (trial.u / h - state.v);
    const Mat3 inertia = spatial_inertia(bodies.properties[i].inertia_B, trial.R);
    r.tail<3>() += (discrete_momentum(inertia, trial.alpha) / h - inertia * state.w) / h;
  }
}

void VariationalStart::tangent(const Bodies& bodies, double h, LocalSystem& system) const {
  for (int i = 0; i < bodies.owned; ++i) {
    if (!system.assembles(i)) continue;
    const BodyTrial& trial = bodies.trial[i];
    Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>> k(system.diagonal(i));
    k.topLeftCorner<3, 3>() += bodies.properties[i].mass / (h * h) * Mat3::Identity();
    const Mat3 inertia = spatial_inertia(bodies.properties[i].inertia_B, trial.R);
    k.bottomRightCorner<3, 3>() += discrete_momentum_derivative(inertia, trial.alpha) *
                                   rotation::inverse_spin_map(trial.alpha) / (h * h);
  }
}

}  // namespace scree::elements
