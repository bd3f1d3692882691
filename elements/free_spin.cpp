#include "elements/free_spin.hpp"

#include <cmath>

#include "core/error.hpp"
#include "core/rotation.hpp"

namespace scree::elements {
namespace {

constexpr int kMostIterations = 50;
constexpr double kTolerance = 1e-14;  ///< of |J w0|
constexpr int kMostHalvings = 20;

/// One midpoint step by Newton with a line search on the residual. @returns whether it converged.
bool midpoint(const Mat3& J, const Vec3& w0, double h, const std::array<bool, 3>& fixed, Vec3& w1) {
  const double scale = (J * w0).norm();
  const auto residual = [&](const Vec3& w) {
    const Vec3 m = 0.5 * (w0 + w);
    Vec3 f = J * (w - w0) + h * m.cross(J * m);
    for (int k = 0; k < 3; ++k)
      if (fixed[k]) f[k] = 0;
    return f;
  };
  w1 = w0;
  Vec3 f = residual(w1);
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    if (f.norm() <= kTolerance * scale) return true;
    const Vec3 m = 0.5 * (w0 + w1);
    Mat3 slope = J + 0.5 * h * (rotation::skew(m) * J - rotation::skew(J * m));
    for (int k = 0; k < 3; ++k) {
      if (!fixed[k]) continue;
      slope.row(k).setZero();
      slope.col(k).setZero();
      slope(k, k) = 1;
    }
    const Vec3 way = slope.partialPivLu().solve(f);
    double part = 1;
    Vec3 next = w1 - way;
    Vec3 next_f = residual(next);
    for (; !(next_f.norm() < f.norm()) && part > 1e-6; part *= 0.5) {
      next = w1 - part * way;
      next_f = residual(next);
    }
    // Round-off of two cross products is all that is left.
    if (!(next_f.norm() < f.norm())) return f.norm() <= 100 * kTolerance * scale * (1 + h * w0.norm());
    w1 = next;
    f = next_f;
  }
  return false;
}

}  // namespace

Vec3 free_spin(const Mat3& J, const Vec3& w0, double h, const std::array<bool, 3>& fixed) {
  // In halves of the step if need be: each of them conserves what the whole one would.
  long parts = 1;
  for (int halving = 0; halving <= kMostHalvings; ++halving, parts *= 2) {
    Vec3 w = w0;
    bool solved = true;
    for (long part = 0; part < parts && solved; ++part) {
      const Vec3 start = w;
      solved = midpoint(J, start, h / static_cast<double>(parts), fixed, w);
    }
    if (solved) return w;
  }
  throw RecoverableError("angular velocity of a body too large for the step size");
}

}  // namespace scree::elements
