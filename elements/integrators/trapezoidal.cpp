#include "elements/integrators/trapezoidal.hpp"

#include "elements/integrators/end_of_step.hpp"
#include "elements/integrators/pose.hpp"

namespace scree::elements {

using rotation::skew;

void Trapezoidal::predict(const BodyState& state, double h, Vec3& u, Vec3& alpha) const {
  u = h * state.v + phi_ * h * h * state.a;
  alpha = h * state.w + phi_ * h * h * state.dw;
}

void Trapezoidal::kinematics(const BodyState& state, double h, BodyTrial& trial) const {
  set_pose(state, trial);
  trial.v = (trial.u / h - (1 - phi_) * state.v) / phi_;  // (T1)
  trial.w = (trial.alpha / h - (1 - phi_) * state.w) / phi_;
  trial.dv_du = 1 / (h * phi_);
  trial.dw_dtheta = rotation::inverse_spin_map(trial.alpha) / (h * phi_);
}

void Trapezoidal::end_forces(const BodyProperties& properties, const BodyState& state, const BodyTrial& trial,
                             double h, Vec3& force, Vec3& moment) const {
  Vec3 force_n;
  Vec3 moment_n;
  inertia_forces(properties, state, force_n, moment_n);
  force = (properties.mass * (trial.v - state.v) - h * (1 - phi_) * force_n) / (h * phi_);
  const Vec3 before = spatial_inertia(properties.inertia_B, state.q.toRotationMatrix()) * state.w;
  const Vec3 after = spatial_inertia(properties.inertia_B, trial.R) * trial.w;
  moment = (after - before - h * (1 - phi_) * moment_n) / (h * phi_);
}

void Trapezoidal::residual(const Bodies& bodies, double h, LocalSystem& system) const {
  for (int i = 0; i < bodies.owned; ++i) {
    Vec3 force;
    Vec3 moment;
    end_forces(bodies.properties[i], bodies.state[i], bodies.trial[i], h, force, moment);
    Eigen::Map<Vec6> r(system.residual_of(i));
    r.head<3>() += force;
    r.tail<3>() += moment;
  }
}

void Trapezoidal::tangent(const Bodies& bodies, double h, LocalSystem& system) const {
  const double c = 1 / (h * phi_);
  for (int i = 0; i < bodies.owned; ++i) {
    if (!system.assembles(i)) continue;
    const BodyTrial& trial = bodies.trial[i];
    Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>> k(system.diagonal(i));
    k.topLeftCorner<3, 3>() += c * c * bodies.properties[i].mass * Mat3::Identity();
    const Mat3 inertia = spatial_inertia(bodies.properties[i].inertia_B, trial.R);
    // d(J w) = theta x J w - J (theta x w) + J dw; with the map of rigid_body.hpp this is theory 02
    // section 5.
    k.bottomRightCorner<3, 3>() +=
        c * (inertia * skew(trial.w) - skew(inertia * trial.w) + inertia * trial.dw_dtheta);
  }
}

void Trapezoidal::commit(const BodyProperties& properties, double h, const BodyTrial& trial,
                         BodyState& state) const {
  Vec3 force;
  Vec3 moment;
  end_forces(properties, state, trial, h, force, moment);
  Integrator::commit(properties, h, trial, state);
  set_accelerations(properties, force, moment, state);
}

void ExplicitEuler::predict(const BodyState& state, double h, Vec3& u, Vec3& alpha) const {
  u = h * state.v;
  alpha = h * state.w;
}

void ExplicitEuler::kinematics(const BodyState& state, double /*h*/, BodyTrial& trial) const {
  set_pose(state, trial);
  trial.v = state.v;
  trial.w = state.w;
  trial.dv_du = 0;
  trial.dw_dtheta.setZero();
}

void ExplicitEuler::residual(const Bodies& bodies, double h, LocalSystem& system) const {
  // No force stands in it: the increment is the one of the prediction.
  for (int i = 0; i < bodies.owned; ++i) {
    const BodyState& state = bodies.state[i];
    const BodyTrial& trial = bodies.trial[i];
    Eigen::Map<Vec6> r(system.residual_of(i));
    r.head<3>() += bodies.properties[i].mass / (h * h) * (trial.u - h * state.v);
    const Mat3 inertia = spatial_inertia(bodies.properties[i].inertia_B, state.q.toRotationMatrix());
    r.tail<3>() += inertia / (h * h) * (trial.alpha - h * state.w);
  }
}

void ExplicitEuler::tangent(const Bodies& bodies, double h, LocalSystem& system) const {
  for (int i = 0; i < bodies.owned; ++i) {
    if (!system.assembles(i)) continue;
    Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>> k(system.diagonal(i));
    k.topLeftCorner<3, 3>() += bodies.properties[i].mass / (h * h) * Mat3::Identity();
    const Mat3 inertia =
        spatial_inertia(bodies.properties[i].inertia_B, bodies.state[i].q.toRotationMatrix());
    k.bottomRightCorner<3, 3>() += inertia / (h * h) * rotation::inverse_spin_map(bodies.trial[i].alpha);
  }
}

}  // namespace scree::elements
