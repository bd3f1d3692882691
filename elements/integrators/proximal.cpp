#include "elements/integrators/proximal.hpp"

#include "core/rotation.hpp"

namespace scree::elements {
namespace {

using rotation::skew;

Mat3 inertia_of(const Bodies& bodies, int i) {
  const Mat3 rn = bodies.state[i].q.toRotationMatrix();
  return rn * bodies.properties[i].inertia_B * rn.transpose();
}

}  // namespace

void Proximal::predict(const BodyState& /*state*/, double /*h*/, Vec3& u, Vec3& alpha) const {
  u.setZero();
  alpha.setZero();
}

void Proximal::kinematics(const BodyState& state, double /*h*/, BodyTrial& trial) const {
  trial.x = state.x + trial.u;
  trial.Q = rotation::matrix(trial.alpha);
  trial.R = trial.Q * state.q.toRotationMatrix();
  trial.Xi = rotation::spin_map(trial.alpha);
  trial.v.setZero();
  trial.w.setZero();
  trial.dv_du = 0;
  trial.dw_dtheta.setZero();
}

void Proximal::residual(const Bodies& bodies, double h, LocalSystem& system) const {
  const double c = 1 / (h * h);
  for (int i = 0; i < bodies.owned; ++i) {
    const Vec3& alpha = bodies.trial[i].alpha;
    const Vec3 p = inertia_of(bodies, i) * alpha;
    Eigen::Map<Vec6> r(system.residual_of(i));
    r.head<3>() += (c * bodies.properties[i].mass) * bodies.trial[i].u;
    // G = Xi^-T J alpha of theory 02 section 4: J alpha in the increments, as a moment in virtual spins.
    r.tail<3>() += c * (p + 0.5 * alpha.cross(p) + 0.25 * alpha.dot(p) * alpha);
  }
}

void Proximal::tangent(const Bodies& bodies, double h, LocalSystem& system) const {
  const double c = 1 / (h * h);
  for (int i = 0; i < bodies.owned; ++i) {
    if (!system.assembles(i)) continue;
    const Vec3& alpha = bodies.trial[i].alpha;
    const Mat3 inertia = inertia_of(bodies, i);
    const Vec3 p = inertia * alpha;
    Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>> k(system.diagonal(i));
    k.topLeftCorner<3, 3>() += c * bodies.properties[i].mass * Mat3::Identity();
    // DG of theory 02 section 4.
    const Mat3 gradient = inertia + 0.5 * (skew(alpha) * inertia - skew(p)) +
                          0.25 * (alpha.dot(p) * Mat3::Identity() + 2 * alpha * p.transpose());
    k.bottomRightCorner<3, 3>() += c * gradient * rotation::inverse_spin_map(alpha);
  }
}

void Proximal::commit(const BodyProperties& /*properties*/, double /*h*/, const BodyTrial& trial,
                      BodyState& state) const {
  state.x = trial.x;
  state.q = (rotation::quaternion(trial.alpha) * state.q).normalized();
  state.v.setZero();
  state.w.setZero();
}

}  // namespace scree::elements
