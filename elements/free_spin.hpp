/// Rotation of a rigid body without moments over one step.
#pragma once

#include <array>

#include "core/types.hpp"

namespace scree::elements {

/// Solves Euler's equations by the implicit midpoint rule in the frame of the start of the step:
/// J (w1 - w0) + h m x J m = 0 with m = (w0 + w1) / 2. For every h it conserves both invariants that are
/// quadratic, w . J w and, where nothing is fixed, |J w|^2 (Hairer, Lubich, Wanner, Geometric Numerical
/// Integration, 2nd ed., theorem IV.2.1). The explicit rule gains energy without limit as soon as h |w| is
/// not small.
/// @param J inertia in that frame [kg m^2]. @param w0 spin [rad/s]. @param fixed components that stay.
/// @returns w1 [rad/s]; of second order in h. @throws RecoverableError where no solution is found.
Vec3 free_spin(const Mat3& J, const Vec3& w0, double h, const std::array<bool, 3>& fixed);

}  // namespace scree::elements
