/// Rodrigues vectors alpha = 2 tan(theta/2) e: the incremental rotation of a step (theory 01).
#pragma once

#include <cmath>

#include "core/types.hpp"

namespace scree::rotation {

/// Matrix of the cross product: skew(a) b = a x b.
inline Mat3 skew(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

/// Rotation Q(alpha) = I + 4/(4+alpha^2) (A + A^2/2). [Poly, Eq. 6], theory 01 section 1.
inline Mat3 matrix(const Vec3& alpha) {
  const Mat3 a = skew(alpha);
  return Mat3::Identity() + 4.0 / (4.0 + alpha.squaredNorm()) * (a + 0.5 * a * a);
}

/// Map from rates of alpha to the (spatial) spin: w = Xi alpha_dot. [Poly, Eqs. 8-9], theory 01 section 3.
inline Mat3 spin_map(const Vec3& alpha) {
  return 4.0 / (4.0 + alpha.squaredNorm()) * (Mat3::Identity() + 0.5 * skew(alpha));
}

/// Inverse of the spin map: Xi^-1 = I - A/2 + alpha alpha^T / 4. Theory 01 section 3.
inline Mat3 inverse_spin_map(const Vec3& alpha) {
  return Mat3::Identity() - 0.5 * skew(alpha) + 0.25 * alpha * alpha.transpose();
}

/// d(Xi^T m)/d alpha for a fixed moment m: -c (Xi^T m) alpha^T + c skew(m), c = 2/(4+alpha^2). Theory 01
/// section 3.
inline Mat3 spin_map_transpose_derivative(const Vec3& alpha, const Mat3& xi, const Vec3& m) {
  const double c = 2.0 / (4.0 + alpha.squaredNorm());
  return c * (skew(m) - (xi.transpose() * m) * alpha.transpose());
}

/// Unit quaternion of an increment: q = (1, alpha/2) / sqrt(1 + alpha^2/4). Theory 01 section 1.
inline Quat quaternion(const Vec3& alpha) {
  const double s = 1.0 / std::sqrt(1.0 + 0.25 * alpha.squaredNorm());
  return {s, 0.5 * s * alpha.x(), 0.5 * s * alpha.y(), 0.5 * s * alpha.z()};
}

/// Rodrigues vector of a rotation matrix, alpha = 2 vee(Q)/(1 + tr Q). Singular at half a turn. Theory 01
/// section 1.
inline Vec3 rodrigues(const Mat3& q) {
  const Vec3 vee(q(2, 1) - q(1, 2), q(0, 2) - q(2, 0), q(1, 0) - q(0, 1));
  return 2.0 / (1.0 + q.trace()) * vee;
}

}  // namespace scree::rotation
