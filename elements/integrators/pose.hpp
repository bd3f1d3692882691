/// Pose and inertia of a body, as all integrators need them.
#pragma once

#include "core/body.hpp"
#include "core/rotation.hpp"

namespace scree::elements {

/// Sets the start of the step, x, Q, R and Xi of the trial state from its u and alpha.
inline void set_pose(const BodyState& state, BodyTrial& trial) {
  trial.x_n = state.x;
  trial.R_n = state.q.toRotationMatrix();
  trial.x = trial.x_n + trial.u;
  trial.Q = rotation::matrix(trial.alpha);
  trial.R = trial.Q * trial.R_n;
  trial.Xi = rotation::spin_map(trial.alpha);
}

/// @returns inertia about the centre of mass in global axes [kg m^2]. @param r orientation, body to global.
inline Mat3 spatial_inertia(const Mat3& inertia_B, const Mat3& r) { return r * inertia_B * r.transpose(); }

/// @returns orientation after the increment alpha, of unit length.
inline Quat turned(const Quat& q, const Vec3& alpha) {
  return (rotation::quaternion(alpha) * q).normalized();
}

}  // namespace scree::elements
