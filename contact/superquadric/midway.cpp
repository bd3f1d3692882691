#include "contact/superquadric/midway.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/rotation.hpp"

namespace scree::contact {
namespace {

using Vec4 = Eigen::Vector4d;
using Mat4 = Eigen::Matrix4d;

ShapeFunctionValue global(const Superquadric& body, const Smooth& place, const Vec3& x) {
  ShapeFunctionValue value = body.shape_function(place.R.transpose() * (x - place.x));
  value.gradient = place.R * value.gradient;
  value.hessian = place.R * value.hessian * place.R.transpose();
  return value;
}

/// Equations and their derivatives; lengths in units of `size`, so that both kinds of equation are of
/// order 1.
struct Equations {
  const Superquadric& body_a;
  const Superquadric& body_b;
  const Smooth& a;
  const Smooth& b;
  double size;

  Vec4 residual(const Vec4& z, Mat4* slope) const {
    const Vec3 x = size * z.head<3>();
    const double mu = z[3];
    const ShapeFunctionValue fa = global(body_a, a, x), fb = global(body_b, b, x);
    Vec4 r;
    r << size * (fb.gradient + mu * mu * fa.gradient), fb.f - fa.f;
    if (slope != nullptr) {
      slope->topLeftCorner<3, 3>() = size * size * (fb.hessian + mu * mu * fa.hessian);
      slope->topRightCorner<3, 1>() = 2 * mu * size * fa.gradient;
      slope->bottomLeftCorner<1, 3>() = size * (fb.gradient - fa.gradient).transpose();
      (*slope)(3, 3) = 0;
    }
    return r;
  }
};

/// Newton's method, steps halved until the residual falls. @returns whether it got there.
bool solve(const Equations& equations, Vec4& z, int& iterations) {
  constexpr int kMostIterations = 100;
  constexpr int kMostHalvings = 40;
  constexpr double kSolved = 1e-13;
  Mat4 slope;
  Vec4 r = equations.residual(z, &slope);
  for (int k = 0; k < kMostIterations; ++k, ++iterations) {
    if (r.norm() < kSolved) return true;
    const Vec4 step = -slope.fullPivLu().solve(r);
    double part = 1;
    bool better = false;
    for (int h = 0; h < kMostHalvings && !better; ++h, part *= 0.5) {
      const Vec4 next = z + part * step;
      const Vec4 r_next = equations.residual(next, nullptr);
      if (!(r_next.norm() < r.norm())) continue;
      better = true;
      z = next;
    }
    if (!better) return r.norm() < 1e-10;
    r = equations.residual(z, &slope);
  }
  return false;
}

/// Root of F along n nearest to x: outside where F is positive, safeguarded Newton (theory 06 section 8).
double way_to_surface(const Smooth& body, const Vec3& x, const Vec3& n, double size) {
  double t = 0;
  for (int k = 0; k < 100; ++k) {
    const ShapeFunctionValue f = global(*body.body, body, x + t * n);
    const double slope = f.gradient.dot(n);
    const double step = std::clamp(-f.f / slope, -0.2 * size, 0.2 * size);
    t += step;
    if (std::abs(step) < 1e-15 * size) break;
  }
  return t;
}

}  // namespace

Midway midway(const Smooth& a, const Smooth& b) {
  const auto radius_of = [](const Smooth& s) {
    return std::cbrt(0.75 / std::numbers::pi * s.body->mass_properties().volume);
  };
  const double ra = radius_of(a), rb = radius_of(b);
  const double size = ra + rb;
  const Vec3 start = (rb * a.x + ra * b.x) / size;
  Midway found;
  for (const int steps : {1, 10, 100}) {
    Vec4 z;
    // Between spheres mu^2 is the ratio of the gradients.
    z << start / size, std::sqrt(ra / rb);
    bool good = true;
    for (int k = steps == 1 ? 1 : 0; k <= steps && good; ++k) {
      const double part = static_cast<double>(k) / steps;
      const auto between = [&](const Superquadric& body, double radius) {
        const Vec3 axes = (1 - part) * Vec3::Constant(radius) + part * body.half_axes();
        return Superquadric::with_epsilon(axes, 2 + part * (body.n1() - 2), 2 + part * (body.n2() - 2), 0,
                                          false);
      };
      const Superquadric body_a = between(*a.body, ra), body_b = between(*b.body, rb);
      const Equations equations{body_a, body_b, a, b, size};
      if (steps == 1) {
        const double slope_a = global(body_a, a, start).gradient.norm();
        if (slope_a > 0) z[3] = std::sqrt(global(body_b, b, start).gradient.norm() / slope_a);
      }
      good = solve(equations, z, found.iterations);
    }
    found.converged = good;
    found.x = size * z.head<3>();
    found.mu2 = z[3] * z[3];
    if (good) break;
  }
  found.n = global(*b.body, b, found.x).gradient.normalized();
  found.to_a = way_to_surface(a, found.x, found.n, size);
  found.to_b = way_to_surface(b, found.x, found.n, size);
  found.gap = found.to_a - found.to_b;
  return found;
}

MidwayMotion midway_motion(const Midway& at, const Smooth& a, const Smooth& b) {
  using Row6 = Eigen::Matrix<double, 1, 6>;
  const ShapeFunctionValue fa = global(*a.body, a, at.x), fb = global(*b.body, b, at.x);
  // A shape function and its gradient at a place that is held, while the body moves under it.
  const auto under = [&](const ShapeFunctionValue& f, const Vec3& r) {
    Row6 change;
    change << -f.gradient.transpose(), -r.cross(f.gradient).transpose();
    return change;
  };
  const Vec3 arm = at.x - a.x;
  Mat36 gradient_under;
  gradient_under << -fa.hessian, -rotation::skew(fa.gradient) + fa.hessian * rotation::skew(arm);

  // Units of `size` as in Equations, so that all rows are of one order.
  const double size = a.size + b.size, mu = std::sqrt(at.mu2);
  Mat4 slope;
  slope.topLeftCorner<3, 3>() = size * size * (fb.hessian + at.mu2 * fa.hessian);
  slope.topRightCorner<3, 1>() = 2 * mu * size * fa.gradient;
  slope.bottomLeftCorner<1, 3>() = size * (fb.gradient - fa.gradient).transpose();
  slope(3, 3) = 0;
  Eigen::Matrix<double, 4, 6> driven;
  driven << size * at.mu2 * gradient_under, -under(fa, arm);
  const Mat36 dx = -size * slope.fullPivLu().solve(driven).topRows<3>();

  MidwayMotion motion;
  const Mat3 across = Mat3::Identity() - at.n * at.n.transpose();
  motion.normal = across * (fb.hessian * dx) / fb.gradient.norm();
  const auto way = [&](const Smooth& body, double to, bool moves) {
    const Vec3 place = at.x + to * at.n;
    const ShapeFunctionValue f = global(*body.body, body, place);
    Row6 change = f.gradient.transpose() * (dx + to * motion.normal);
    if (moves) change += under(f, place - body.x);
    return Row6(-change / f.gradient.dot(at.n));
  };
  const Row6 to_a = way(a, at.to_a, true), to_b = way(b, at.to_b, false);
  motion.gap = (to_a - to_b).transpose();
  motion.on_a = dx + at.n * to_a + at.to_a * motion.normal;
  return motion;
}

}  // namespace scree::contact
