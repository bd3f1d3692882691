/// How impulses move bodies: momenta, inertia and its inverse, about the poles in global axes.
#pragma once

#include "core/body.hpp"

namespace scree {

using Lever = Eigen::Matrix<double, 6, 3>;

/// Momentum of a body [N s], [N m s] per impulse [N s] at an arm from its pole [m].
Lever lever(const Vec3& arm);

/// @returns mass [kg] and moments of inertia [kg m^2]. @param r orientation.
Mat6 inertia_of(const BodyProperties& body, const Mat3& r);

/// Inverse of the inertia; zero where the body is fixed.
Mat6 mobility_of(const BodyProperties& body, const Mat3& r);

}  // namespace scree
