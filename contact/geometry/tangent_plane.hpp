/// What of a vector lies in the plane across a direction.
#pragma once

#include "core/types.hpp"

namespace scree::contact {

/// @returns the projector I - n n^T into the plane across n. @param n unit vector.
inline Mat3 plane_of(const Vec3& n) { return Mat3::Identity() - n * n.transpose(); }

/// @returns the part of v across n. @param n unit vector.
inline Vec3 project(const Vec3& v, const Vec3& n) { return v - n * n.dot(v); }

}  // namespace scree::contact
