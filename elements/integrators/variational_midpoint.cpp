#include "elements/integrators/variational_midpoint.hpp"

#include <cmath>

#include "elements/integrators/discrete_momentum.hpp"
#include "elements/integrators/pose.hpp"

namespace scree::elements {
namespace {

/// Whole increment of rotation from half of it: alpha = 8 beta/(4 - beta^2), theory 02 section 4.
Vec3 doubled(const Vec3& beta) { return 8.0 / (4.0 - beta.squaredNorm()) * beta; }

/// d alpha/d beta.
Mat3 doubled_derivative(const Vec3& beta) {
  const double c = 4.0 - beta.squaredNorm();
  return 8.0 / c * Mat3::Identity() + 16.0 / (c * c) * beta * beta.transpose();
}

/// Rotational balance at the middle: h times the change of momentum to the middle, and what it becomes in
/// the unknown beta, residual = factor * Xi^-T * change as a moment (theory 02 section 4).
struct MomentumBalance {
  Vec3 change;    ///< G/h - pi_k [N m s]
  double factor;  ///< 8/(h (4 + beta^2)) [1/s]
  Vec3 moment;    ///< [N m]
};

MomentumBalance balance(const Mat3& inertia, const BodyState& state, const BodyTrial& trial, double h) {
  MomentumBalance b;
  b.change = discrete_momentum(inertia, doubled(trial.alpha)) / h - inertia * state.w;
  b.factor = 8.0 / (h * (4.0 + trial.alpha.squaredNorm()));
  b.moment = b.factor * (rotation::inverse_spin_map(trial.alpha).transpose() * b.change);
  return b;
}

}  // namespace

void VariationalMidpoint::predict(const BodyState& state, double h, Vec3& u, Vec3& alpha) const {
  u = 0.5 * (h * state.v + 0.5 * h * h * state.a);
  const Vec3 full = h * state.w + 0.5 * h * h * state.dw;
  alpha = 2.0 / (2.0 + std::sqrt(4.0 + full.squaredNorm())) * full;  // exact half of the turn
}

void VariationalMidpoint::kinematics(const BodyState& state, double h, BodyTrial& trial) const {
  set_pose(state, trial);
  trial.v = 2.0 / h * trial.u;
  trial.w = doubled(trial.alpha) / h;
  trial.dv_du = 2.0 / h;
  trial.dw_dtheta = doubled_derivative(trial.alpha) * rotation::inverse_spin_map(trial.alpha) / h;
}

void VariationalMidpoint::residual(const Bodies& bodies, double h, LocalSystem& system) const {
  for (int i = 0; i < bodies.owned; ++i) {
    const BodyState& state = bodies.state[i];
    const BodyTrial& trial = bodies.trial[i];
    Eigen::Map<Vec6> r(system.residual_of(i));
    r.head<3>() += 2.0 / h * bodies.properties[i].mass * (2.0 / h * trial.u - state.v);
    const Mat3 inertia = spatial_inertia(bodies.properties[i].inertia_B, state.q.toRotationMatrix());
    r.tail<3>() += balance(inertia, state, trial, h).moment;
  }
}

void VariationalMidpoint::tangent(const Bodies& bodies, double h, LocalSystem& system) const {
  for (int i = 0; i < bodies.owned; ++i) {
    if (!system.assembles(i)) continue;
    const BodyState& state = bodies.state[i];
    const BodyTrial& trial = bodies.trial[i];
    Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>> k(system.diagonal(i));
    k.topLeftCorner<3, 3>() += 4.0 / (h * h) * bodies.properties[i].mass * Mat3::Identity();
    const Mat3 inertia = spatial_inertia(bodies.properties[i].inertia_B, state.q.toRotationMatrix());
    const MomentumBalance b = balance(inertia, state, trial, h);
    const Vec3& beta = trial.alpha;
    // K_in of theory 02 section 4 is in increments; assembly maps virtual spins to them (rigid_body.hpp).
    const Mat3 in_increments =
        b.factor / h * discrete_momentum_derivative(inertia, doubled(beta)) * doubled_derivative(beta) -
        b.change * (2.0 * b.factor / (4.0 + beta.squaredNorm()) * beta).transpose();
    const Mat3 inverse = rotation::inverse_spin_map(beta);
    k.bottomRightCorner<3, 3>() +=
        inverse.transpose() *
        (in_increments - rotation::spin_map_transpose_derivative(beta, trial.Xi, b.moment)) * inverse;
  }
}

void VariationalMidpoint::full_increment(Vec3& u, Vec3& alpha) const {
  u *= 2;
  alpha = doubled(alpha);
}

}  // namespace scree::elements
