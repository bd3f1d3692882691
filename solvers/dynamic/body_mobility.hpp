/// How impulses move bodies: momenta, inertia and its inverse, about the poles in global axes.
#pragma once

#include "core/body.hpp"

namespace scree {

/// Momentum about the pole of a body [N s], [N m s] of an impulse [N s] at an arm from its pole [m].
inline Vec6 momentum_of(const Vec3& impulse, const Vec3& arm) {
  Vec6 momentum;
  momentum << impulse, arm.cross(impulse);
  return momentum;
}

/// Velocity of the point of a body at an arm from its pole [m/s]. @param motion v, w.
inline Vec3 velocity_at(const Vec6& motion, const Vec3& arm) {
  return motion.head<3>() + motion.tail<3>().cross(arm);
}

/// @returns mass [kg] and moments of inertia [kg m^2]. @param r orientation.
Mat6 inertia_of(const BodyProperties& body, const Mat3& r);

/// Inverse of the inertia; zero where the body is fixed.
Mat6 mobility_of(const BodyProperties& body, const Mat3& r);

}  // namespace scree
