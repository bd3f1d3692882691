#include "elements/integrators/newmark.hpp"

#include "elements/integrators/pose.hpp"

namespace scree::elements {

using rotation::skew;

Newmark::Constants Newmark::constants(double h) const {
  return {1 / (beta_ * h * h),  1 / (beta_ * h),    (1 - 2 * beta_) / (2 * beta_),
          gamma_ / (beta_ * h), 1 - gamma_ / beta_, (1 - gamma_ / (2 * beta_)) * h};
}

void Newmark::predict(const BodyState& state, double h, Vec3& u, Vec3& alpha) const {
  u = h * state.v + 0.5 * h * h * state.a;
  // Rates of the Rodrigues increment at its zero are the spin in the axes of the accepted state.
  alpha = h * state.w + 0.5 * h * h * state.dw;
}

void Newmark::kinematics(const BodyState& state, double h, BodyTrial& trial) const {
  const Constants c = constants(h);
  set_pose(state, trial);
  trial.v = c.c4 * trial.u + c.c5 * state.v + c.c6 * state.a;                   // (N1)
  trial.w = trial.Q * (c.c4 * trial.alpha + c.c5 * state.w + c.c6 * state.dw);  // (N2), [Poly, Eq. 22]
  trial.dv_du = c.c4;
  // d w/d alpha = -skew(w) Xi + c4 Q, times Xi^-1 for virtual spins.
  trial.dw_dtheta = -skew(trial.w) + c.c4 * trial.Q * rotation::inverse_spin_map(trial.alpha);
}

void Newmark::residual(const Bodies& bodies, double h, LocalSystem& system) const {
  const Constants c = constants(h);
  for (int i = 0; i < bodies.owned; ++i) {
    const BodyState& state = bodies.state[i];
    const BodyTrial& trial = bodies.trial[i];
    Eigen::Map<Vec6> r(system.residual_of(i));
    r.head<3>() += bodies.properties[i].mass * (c.c1 * trial.u - c.c2 * state.v - c.c3 * state.a);
    const Mat3 inertia = spatial_inertia(bodies.properties[i].inertia_B, state.q.toRotationMatrix());
    const Vec3 rate = c.c1 * trial.alpha - c.c2 * state.w - c.c3 * state.dw;
    const Vec3 spin = c.c4 * trial.alpha + c.c5 * state.w + c.c6 * state.dw;
    r.tail<3>() += trial.Q * (spin.cross(inertia * spin) + inertia * rate);
  }
}

void Newmark::tangent(const Bodies& bodies, double h, LocalSystem& system) const {
  const Constants c = constants(h);
  for (int i = 0; i < bodies.owned; ++i) {
    if (!system.assembles(i)) continue;
    const BodyState& state = bodies.state[i];
    const BodyTrial& trial = bodies.trial[i];
    Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>> k(system.diagonal(i));
    k.topLeftCorner<3, 3>() += c.c1 * bodies.properties[i].mass * Mat3::Identity();
    const Mat3 inertia = spatial_inertia(bodies.properties[i].inertia_B, state.q.toRotationMatrix());
    const Vec3 rate = c.c1 * trial.alpha - c.c2 * state.w - c.c3 * state.dw;
    const Vec3 spin = c.c4 * trial.alpha + c.c5 * state.w + c.c6 * state.dw;
    const Vec3 moment = spin.cross(inertia * spin) + inertia * rate;
    const Mat3 inner = c.c4 * (skew(spin) * inertia - skew(inertia * spin)) + c.c1 * inertia;
    k.bottomRightCorner<3, 3>() +=
        -skew(trial.Q * moment) + trial.Q * inner * rotation::inverse_spin_map(trial.alpha);
  }
}

void Newmark::commit(const BodyProperties& /*properties*/, double h, const BodyTrial& trial,
                     BodyState& state) const {
  const Constants c = constants(h);
  const Vec3 a = c.c1 * trial.u - c.c2 * state.v - c.c3 * state.a;
  const Vec3 dw = trial.Q * (c.c1 * trial.alpha - c.c2 * state.w - c.c3 * state.dw);
  state.x = trial.x;
  state.q = turned(state.q, trial.alpha);
  state.v = trial.v;
  state.w = trial.w;
  state.a = a;
  state.dw = dw;
}

}  // namespace scree::elements
