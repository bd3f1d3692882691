#include "elements/integrators/end_of_step.hpp"

#include "elements/integrators/pose.hpp"

namespace scree::elements {

void Integrator::commit(const BodyProperties& /*properties*/, double /*h*/, const BodyTrial& trial,
                        BodyState& state) const {
  state.x = trial.x;
  state.q = turned(state.q, trial.alpha);
  state.v = trial.v;
  state.w = trial.w;
}

namespace {

/// Solves J x = rhs in the axes that may turn; zero in the others. Global axes.
Vec3 solve_free(Mat3 inertia, Vec3 rhs, const BodyProperties& properties) {
  for (int k = 0; k < 3; ++k) {
    if (!properties.fixed[k + 3]) continue;
    inertia.row(k).setZero();
    inertia.col(k).setZero();
    inertia(k, k) = 1;
    rhs[k] = 0;
  }
  return inertia.ldlt().solve(rhs);
}

}  // namespace

void move_to_end(const Integrator& integrator, const BodyState& state, double h, BodyTrial& trial) {
  integrator.full_increment(trial.u, trial.alpha);
  set_pose(state, trial);
  // The orientation that will be accepted, to the last bit: momenta go through J w from step to step.
  trial.R = turned(state.q, trial.alpha).toRotationMatrix();
  trial.v = trial.u / h;
  trial.w = trial.alpha / h;
}

void apply_impulse(const BodyProperties& properties, const BodyState& state, const Vec3& impulse,
                   const Vec3& angular_impulse, BodyTrial& trial) {
  trial.v = state.v + impulse / properties.mass;
  const Mat3 before = spatial_inertia(properties.inertia_B, state.q.toRotationMatrix());
  for (int k = 0; k < 3; ++k) {
    if (properties.fixed[k]) trial.v[k] = 0;
  }
  trial.w = solve_free(spatial_inertia(properties.inertia_B, trial.R), before * state.w + angular_impulse,
                       properties);
}

void inertia_forces(const BodyProperties& properties, const BodyState& state, Vec3& force, Vec3& moment) {
  force = properties.mass * state.a;
  const Mat3 inertia = spatial_inertia(properties.inertia_B, state.q.toRotationMatrix());
  moment = inertia * state.dw + state.w.cross(inertia * state.w);
}

void set_accelerations(const BodyProperties& properties, const Vec3& force, const Vec3& moment,
                       BodyState& state) {
  state.a = force / properties.mass;
  const Mat3 rotation = state.q.toRotationMatrix();
  bool free = true;
  for (int k = 0; k < 3; ++k) {
    if (properties.fixed[k]) state.a[k] = 0;
    free = free && !properties.fixed[k + 3];
  }
  if (free) {
    const Vec3 spin = rotation.transpose() * state.w;
    const Mat3& inertia = properties.inertia_B;
    state.dw = rotation * inertia.ldlt().solve(rotation.transpose() * moment - spin.cross(inertia * spin));
  } else {
    const Mat3 inertia = spatial_inertia(properties.inertia_B, rotation);
    state.dw = solve_free(inertia, moment - state.w.cross(inertia * state.w), properties);
  }
}

}  // namespace scree::elements
