#include "contact/superquadric/midway.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

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
  found.gap = way_to_surface(a, found.x, found.n, size) - way_to_surface(b, found.x, found.n, size);
  return found;
}

}  // namespace scree::contact
