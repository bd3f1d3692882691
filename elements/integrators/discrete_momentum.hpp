/// Momentum of the discrete Lagrangian on rotations (theory 02 section 4), for both variational integrators.
#pragma once

#include "core/rotation.hpp"

namespace scree::elements {

/// G(alpha) = Xi^-T J alpha [kg m^2]: h times the spatial angular momentum of a step that turns by alpha.
/// @param inertia spatial, at the start of the step. Theory 02 section 4.
inline Vec3 discrete_momentum(const Mat3& inertia, const Vec3& alpha) {
  const Vec3 j = inertia * alpha;
  return j + 0.5 * alpha.cross(j) + 0.25 * alpha * alpha.dot(j);
}

/// DG of theory 02 section 4 [kg m^2].
inline Mat3 discrete_momentum_derivative(const Mat3& inertia, const Vec3& alpha) {
  const Vec3 j = inertia * alpha;
  return inertia + 0.5 * (rotation::skew(alpha) * inertia - rotation::skew(j)) +
         0.25 * (alpha.dot(j) * Mat3::Identity() + 2 * alpha * j.transpose());
}

}  // namespace scree::elements
