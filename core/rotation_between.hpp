/// The shortest rotation from one direction to another.
#pragma once

#include <cmath>

#include "core/types.hpp"

namespace scree::rotation {

/// @returns the rotation about the normal of both vectors that turns the first onto the second; of opposite
/// ones that by half a turn about some axis across them. Lengths do not matter, but are not 0. Eigen's
/// FromTwoVectors does the same with a singular value decomposition, which takes nine seconds to compile
/// wherever it is called.
inline Quat between(const Vec3& from, const Vec3& to) {
  // Beyond, round-off of the axis is more than what is left to half a turn.
  constexpr double kOpposite = 1e-8;
  const Vec3 a = from.normalized();
  const Vec3 b = to.normalized();
  const double cosine = a.dot(b);
  const Vec3 across = a.cross(b);
  Quat q;
  if (cosine >= 0) {
    const double twice = std::sqrt(2 * (1 + cosine));  // of the cosine of half of the angle
    q.w() = 0.5 * twice;
    q.vec() = across / twice;
    return q;
  }
  q.w() = 1 + cosine;
  q.vec() = across;
  const double size = q.norm();
  if (size < kOpposite) {
    q.w() = 0;
    q.vec() = a.unitOrthogonal();
  } else {
    q.coeffs() /= size;
  }
  return q;
}

}  // namespace scree::rotation
