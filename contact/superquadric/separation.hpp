/// Separation of a superquadric from something else: the largest over all normals (theory 06 section 6).
#pragma once

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/pair/pair.hpp"
#include "core/shapes/superquadric.hpp"

namespace scree::contact {

/// A superquadric in the trial configuration.
struct Smooth {
  const Superquadric* body = nullptr;
  Vec3 x = Vec3::Zero();
  Mat3 R = Mat3::Identity();
  double size = 0;  ///< bounding radius [m]

  Smooth() = default;
  explicit Smooth(const BodyView& view)
      : body(&view.shape->superquadric),
        x(view.trial->x),
        R(view.trial->R),
        size(view.shape->bounding_radius) {}
  Smooth(const Superquadric& superquadric, const Vec3& place, const Mat3& turn, double radius)
      : body(&superquadric), x(place), R(turn), size(radius) {}

  /// Support in global axes, points from the pole. @param m global, not zero.
  [[nodiscard]] SupportValue support(const Vec3& m) const {
    SupportValue value = body->support(R.transpose() * m);
    value.point = R * value.point;
    value.hessian = R * value.hessian * R.transpose();
    return value;
  }
  /// The same without the Hessian.
  [[nodiscard]] SupportValue support_point(const Vec3& m) const {
    SupportValue value = body->support_point(R.transpose() * m);
    value.point = R * value.point;
    return value;
  }
};

/// Function of a unit normal that is maximised: its value, its gradient in the space around, and the matrix
/// whose part on the tangent plane is the negative second derivative on the sphere.
struct Height {
  double value = 0;
  Vec3 gradient = Vec3::Zero();
  Mat3 bend = Mat3::Zero();
  SupportValue on_a, on_b;  ///< of the bodies, in their frames
};

/// How a maximisation ended.
struct Summit {
  double value = 0;  ///< largest value found [m]: for any normal a lower bound of the separation
  Vec3 n = Vec3::UnitZ();
  SupportValue on_a, on_b;  ///< there, of the bodies in their frames
  bool stopped = false;     ///< the value passed the one from which on it is of no interest
  bool converged = false;   ///< n is stationary
  int iterations = 0;
};

/// What a maximisation is for.
struct Search {
  double stop = std::numeric_limits<double>::infinity();  ///< values above are of no interest [m]
  /// Where the value is this part of the distance of the points, an upper bound, it is near enough to it; 1:
  /// never.
  double enough = 1;
  bool from_last = true;  ///< the start may be what the last search of the same bodies found
};

/// Newton's step on the tangent plane, with absolute eigenvalues: an ascent direction for any curvature.
template <int D>
Eigen::Matrix<double, D, 1> uphill(const Eigen::Matrix<double, D, 1>& slope,
                                   const Eigen::Matrix<double, D, D>& bend, double size) {
  constexpr double kFlattest = 1e-12;
  if constexpr (D == 1) {
    return slope / std::max(std::abs(bend(0, 0)), kFlattest * size);
  } else {
    Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, D, D>> eigen;
    eigen.computeDirect(bend);
    const Eigen::Matrix<double, D, 1> along = eigen.eigenvectors().transpose() * slope;
    const Eigen::Matrix<double, D, 1> limits = eigen.eigenvalues().cwiseAbs().cwiseMax(kFlattest * size);
    return eigen.eigenvectors() * along.cwiseQuotient(limits);
  }
}

/// Unit vectors across n.
inline Eigen::Matrix<double, 3, 2> tangents(const Vec3& n) {
  Eigen::Matrix<double, 3, 2> basis;
  basis.col(0) = n.unitOrthogonal();
  basis.col(1) = n.cross(basis.col(0));
  return basis;
}

/// Newton's method on the sphere of normals (D = 2) or on the circle across an axis (D = 1), theory 06
/// section 6. @param height of a normal. @param start, not zero; across the axis for D = 1.
/// @param size of the bodies [m]. @note No allocation.
template <int D, class F>
Summit climb(F&& height, const Vec3& start, const Vec3& axis, double size, const Search& search) {
  constexpr int kMostIterations = 200;
  constexpr int kMostHalvings = 40;
  constexpr double kLongestStep = 0.7;
  constexpr double kArmijo = 1e-4;
  constexpr double kOvershoot = 0.5;  ///< slope beyond a maximum, as part of the one before it
  constexpr double kRoundOff = 1e-13;
  constexpr double kStationary = 1e-11;  ///< digits double: from here no step is worth halving
  constexpr double kExact = 3e-15;       ///< nor does round-off let the gradient fall much further
  constexpr double kUnit = 1e-14;  ///< a normal that was found is not normalised again: it stays to the bit
  constexpr double kUnmoved =
      1e-13;  ///< of a start: the same bodies as before have the same normal to the bit
  using Step = Eigen::Matrix<double, D, 1>;
  Summit summit;
  summit.n = std::abs(start.squaredNorm() - 1) < kUnit ? start : Vec3(start.normalized());
  Height at = height(summit.n);
  double before = std::numeric_limits<double>::infinity();
  for (; summit.iterations < kMostIterations; ++summit.iterations) {
    if (at.value > search.stop || (search.enough < 1 && at.value > search.enough * at.gradient.norm())) {
      summit.stopped = true;
      break;
    }
    Eigen::Matrix<double, 3, D> basis;
    if constexpr (D == 2) {
      basis = tangents(summit.n);
    } else {
      basis.col(0) = axis.cross(summit.n).normalized();
    }
    const Step slope = basis.transpose() * at.gradient;
    const double steep = slope.norm();
    const bool still = search.from_last && summit.iterations == 0 && steep <= kUnmoved * size;
    const bool last = steep < kStationary * size;
    if (still || steep <= kExact * size || (last && steep > 0.5 * before)) {
      summit.converged = true;
      break;
    }
    before = steep;
    Step step = uphill<D>(slope, basis.transpose() * at.bend * basis, size);
    if (step.norm() > kLongestStep) step *= kLongestStep / step.norm();
    const double expected = slope.dot(step);
    double part = 1;
    bool better = false;
    const Vec3 way = basis * step;
    for (int k = 0; k < (last ? 1 : kMostHalvings) && !better; ++k) {
      const Vec3 n = (summit.n + part * way).normalized();
      const Height next = height(n);
      const Vec3 ahead = next.gradient - n * n.dot(next.gradient);
      const double rise = next.value - at.value;
      better = rise >= kArmijo * part * expected && rise > 0;
      double shorter = 0.5;
      // Over a face, where the curvature is largest, Newton's method would jump from side to side and rise a
      // little each time: the maximum lies between, where a secant finds it.
      const double beyond = ahead.dot(way);
      if (beyond < -kOvershoot * expected && k + 1 < kMostHalvings) {
        better = false;
        shorter = std::clamp(expected / (expected - beyond), 0.1, 0.9);
      }
      // A maximum is known only to the root of round-off: then the gradient decides.
      if (!better && std::abs(rise) <= kRoundOff * size) {
        const double now = D == 2 ? ahead.norm() : std::abs(axis.cross(n).normalized().dot(next.gradient));
        better = now < steep;
      }
      if (better) {
        summit.n = n;
        at = next;
      }
      part *= shorter;
    }
    if (!better) {
      // Where a body is as round as the wall around it, the maximum is flat: no step rises by what round-off
      // lets us see, and any place on it will do.
      summit.converged = last || expected <= kRoundOff * size;
      break;
    }
  }
  summit.value = at.value;
  summit.on_a = at.on_a;
  summit.on_b = at.on_b;
  return summit;
}

/// Separation of two superquadrics, normal from B to A. @param start a normal near to it.
inline Summit separation(const Smooth& a, const Smooth& b, const Vec3& start, const Search& search = {}) {
  const Vec3 c = a.x - b.x;
  return climb<2>(
      [&](const Vec3& n) {
        Height height;
        height.on_a = a.body->support(-(a.R.transpose() * n));
        height.on_b = b.body->support(b.R.transpose() * n);
        height.value = n.dot(c) - height.on_a.h - height.on_b.h;
        height.gradient = c + a.R * height.on_a.point - b.R * height.on_b.point;
        height.bend =
            a.R * height.on_a.hessian * a.R.transpose() + b.R * height.on_b.hessian * b.R.transpose();
        height.bend.diagonal().array() += height.value;
        return height;
      },
      start, Vec3::Zero(), a.size + b.size + c.norm(), search);
}

/// In overlap there are lower summits too, where a start from a trial state far off may end.
/// @returns of the line of centres and the middles of both bodies' faces the normal, from B to A, that
/// separates most, if that is more than `value`; otherwise zero. @note Most faces are ruled out by the balls
/// inside.
inline Vec3 higher_ground(const Smooth& a, const Smooth& b, double value) {
  const Vec3 c = a.x - b.x;
  Vec3 best = Vec3::Zero();
  const auto offer = [&](const Vec3& n, double of_known, const Smooth& other, double side) {
    const double rest = n.dot(c) - of_known;
    if (rest - other.body->half_axes().minCoeff() <= value) return;
    const double separates = rest - other.support_point(side * n).h;
    if (separates > value) {
      value = separates;
      best = n;
    }
  };
  for (int k = 0; k < 3; ++k) {
    const Vec3 of_a = a.R.col(k), of_b = b.R.col(k);
    offer(of_a.dot(c) > 0 ? of_a : -of_a, a.body->half_axes()[k], b, 1);
    offer(of_b.dot(c) > 0 ? of_b : -of_b, b.body->half_axes()[k], a, -1);
  }
  const double apart = c.norm();
  if (apart > 0) offer(c / apart, a.support_point(-c / apart).h, b, 1);
  return best;
}

/// `separation` from a start that may be any: in overlap no lower maximum than that of `higher_ground`.
inline Summit highest_separation(const Smooth& a, const Smooth& b, const Vec3& start,
                                 const Search& search = {}) {
  Summit summit = separation(a, b, start, search);
  if (summit.stopped || (summit.value >= 0 && summit.converged)) return summit;
  const Vec3 higher = higher_ground(a, b, summit.value);
  if (higher.isZero(0)) return summit;
  const Summit other = separation(a, b, higher, {.stop = search.stop});
  return other.value > summit.value ? other : summit;
}

/// Height of a superquadric over a point, as a function of the normal from the point to the body.
inline Height height_over(const Smooth& a, const Vec3& c, const Vec3& n) {
  Height height;
  height.on_a = a.body->support(-(a.R.transpose() * n));
  height.value = n.dot(c) - height.on_a.h;
  height.gradient = c + a.R * height.on_a.point;
  height.bend = a.R * height.on_a.hessian * a.R.transpose();
  height.bend.diagonal().array() += height.value;
  return height;
}

/// Separation of a superquadric from a point; the normal points to the superquadric.
inline Summit separation_from_point(const Smooth& a, const Vec3& point, const Vec3& start, double stop) {
  const Vec3 c = a.x - point;
  return climb<2>([&](const Vec3& n) { return height_over(a, c, n); }, start, Vec3::Zero(), a.size + c.norm(),
                  {.stop = stop});
}

/// Separation from an infinite line, normals across it. @param direction unit vector.
inline Summit separation_from_line(const Smooth& a, const Vec3& on_line, const Vec3& direction,
                                   const Vec3& start, double stop) {
  Vec3 c = a.x - on_line;
  c -= direction * direction.dot(c);
  const double along = direction.dot(start);
  Vec3 across = std::abs(along) < 1e-14 ? start : Vec3(start - direction * along);
  if (!(across.squaredNorm() > 1e-20)) across = direction.unitOrthogonal();
  return climb<1>([&](const Vec3& n) { return height_over(a, c, n); }, across, direction, a.size + c.norm(),
                  {.stop = stop});
}

}  // namespace scree::contact
