/// How fast bodies come nearer to each other.
#pragma once

#include <algorithm>

#include "core/shapes/shape.hpp"

namespace scree::contact {

/// Speed at which a body may come nearer to another one: a plane is approached along its normal, whatever the
/// body does along it. @param apart velocity of the body relative to the other one [m/s].
inline double approach_speed(const Shape& other, const Mat3& orientation, const Vec3& apart) {
  return other.kind == ShapeKind::plane ? std::max(-orientation.col(2).dot(apart), 0.0) : apart.norm();
}

}  // namespace scree::contact
