#include "core/shapes/superquadric.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "core/error.hpp"
#include "core/shapes/shape.hpp"
#include "core/test_extremes.hpp"

namespace scree {
namespace {

Vec3 random_normal(std::mt19937_64& engine) {
  std::normal_distribution<double> normal;
  const double x = normal(engine), y = normal(engine), z = normal(engine);
  return Vec3(x, y, z).normalized();
}

/// Blockiness of every kind: ellipsoid, n1 = 2 or n2 = 2 alone, equal, mixed, nearly an ellipsoid.
const std::pair<double, double> kExponents[] = {{2, 2},     {2, 4}, {4, 2},     {2, 8}, {8, 2},
                                                {2.5, 2.5}, {3, 5}, {8, 8},     {8, 3}, {2.001, 2.0},
                                                {4, 4},     {6, 6}, {2.1, 2.05}};

/// Theory 06 section 12.
TEST(Superquadric, MassAndBoundingRadiusAreThoseOfTheClosedForms) {
  const Superquadric a({2, 2, 1}, 4, 4, 30), b({1, 2, 3}, 3, 5, 30), c({1, 2, 0.5}, 2, 6, 30);
  EXPECT_NEAR(a.mass_properties().volume, 25.927949407146, 1e-12 * 26);
  EXPECT_NEAR(a.mass_properties().inertia.x(), 35.543063505267, 1e-12 * 36);
  EXPECT_NEAR(a.mass_properties().inertia.y(), 35.543063505267, 1e-12 * 36);
  EXPECT_NEAR(a.mass_properties().inertia.z(), 56.868901608427, 1e-12 * 57);
  EXPECT_NEAR(a.bounding_radius(), 2.396781726928, 1e-12);
  EXPECT_NEAR(b.mass_properties().volume, 36.765476651185, 1e-12 * 37);
  EXPECT_LT((b.mass_properties().inertia - Vec3(121.929691958, 92.052151996, 49.795899937)).norm(), 1e-9);
  EXPECT_NEAR(b.bounding_radius(), 3.049920490389, 1e-12);
  EXPECT_NEAR(c.mass_properties().volume, 5.140323457760, 1e-12 * 5);
  EXPECT_LT((c.mass_properties().inertia - Vec3(5.438137555, 1.552296518, 6.476401728)).norm(), 1e-9);
  EXPECT_NEAR(c.bounding_radius(), 2.080083823052, 1e-12);
  const SuperquadricMass ball = Superquadric({2, 3, 4}, 2, 2, 30).mass_properties();
  EXPECT_NEAR(ball.volume, 32 * std::numbers::pi, 1e-12 * 100);
  EXPECT_NEAR(ball.inertia.x(), ball.volume * 5, 1e-12 * 500);
  EXPECT_NEAR(ball.inertia.z(), ball.volume * 13 / 5, 1e-12 * 300);
}

/// Jaklic's beta form of volume and inertia, which shares no step with the gamma form (theory 06 section 2).
TEST(Superquadric, MassAgreesWithTheBetaForm) {
  const auto beta = [](double x, double y) {
    return std::exp(std::lgamma(x) + std::lgamma(y) - std::lgamma(x + y));
  };
  const Vec3 axes(0.7, 1.1, 1.9);
  const double a = axes.x(), b = axes.y(), c = axes.z();
  double worst = 0;
  for (const auto& [n1, n2] : kExponents) {
    const double e1 = 2 / n1, e2 = 2 / n2;
    const double volume = 2 * a * b * c * e1 * e2 * beta(e1 / 2 + 1, e1) * beta(e2 / 2, e2 / 2);
    const double ix = 0.5 * a * b * c * e1 * e2 *
                      (b * b * beta(1.5 * e2, 0.5 * e2) * beta(0.5 * e1, 2 * e1 + 1) +
                       4 * c * c * beta(0.5 * e2, 0.5 * e2 + 1) * beta(1.5 * e1, e1 + 1));
    const double iz =
        0.5 * a * b * c * e1 * e2 * (a * a + b * b) * beta(1.5 * e2, 0.5 * e2) * beta(0.5 * e1, 2 * e1 + 1);
    const SuperquadricMass mass = Superquadric(axes, n1, n2, 30).mass_properties();
    test::keep_largest(worst, {std::abs(mass.volume / volume - 1), std::abs(mass.inertia.x() / ix - 1),
                               std::abs(mass.inertia.z() / iz - 1)});
  }
  EXPECT_LT(worst, 1e-12);
  std::printf("worst relative difference %.1e\n", worst);
}

/// Theory 06 section 12: the body that is not regularised.
TEST(Superquadric, SupportIsThatOfTheClosedForm) {
  const Superquadric b = Superquadric::with_epsilon({1, 2, 3}, 3, 5, 0, false);
  const SupportValue s = b.support_point(Vec3(1, -2, 2) / 3);
  EXPECT_NEAR(s.h, 2.805913811917, 2e-12);
  EXPECT_LT((s.point - Vec3(0.503565558616, -1.424298485078, 2.532789453490)).norm(), 3e-12);
  const ShapeFunctionValue f = b.shape_function(s.point);
  EXPECT_NEAR(f.f, 0, 1e-13);
  const Vec3 g = f.gradient;
  const double size = g.norm();
  const double mean = (size * size * f.hessian.trace() - g.dot(f.hessian * g)) / (2 * size * size * size);
  Mat3 adjugate;
  adjugate.col(0) = f.hessian.col(1).cross(f.hessian.col(2));
  adjugate.col(1) = f.hessian.col(2).cross(f.hessian.col(0));
  adjugate.col(2) = f.hessian.col(0).cross(f.hessian.col(1));
  EXPECT_NEAR(mean, 1.622123656546, 1e-11);
  EXPECT_NEAR(g.dot(adjugate * g) / std::pow(size, 4), 1.830646209337, 1e-11);
  // A face with little regularisation has the same curvatures there.
  const Superquadric near = Superquadric::with_epsilon({1, 2, 3}, 3, 5, 1e-7, false);
  const CurvatureRadii radii = curvature_radii(near.support(Vec3(1, -2, 2) / 3).hessian, Vec3(1, -2, 2) / 3);
  EXPECT_NEAR(radii.mean, 1 / mean, 1e-9);
  EXPECT_NEAR(radii.gaussian, 1 / std::sqrt(1.830646209337), 1e-9);
}

TEST(Superquadric, SupportPointsLieOnTheSurfaceForNormalsWithZerosToo) {
  std::mt19937_64 engine(3);
  const Vec3 axes(0.7, 1.1, 1.9);
  double worst = 0;
  for (const auto& [n1, n2] : kExponents) {
    const Superquadric body = Superquadric::with_epsilon(axes, n1, n2, 0, false);
    for (int k = 0; k < 200; ++k) {
      Vec3 m = random_normal(engine);
      for (int i = 0; i < 3; ++i) {
        if ((k >> i) % 2 == 1) m[i] = 0;
      }
      if (m.isZero(0)) continue;
      m.normalize();
      const SupportValue s = body.support_point(m);
      const ShapeFunctionValue f = body.shape_function(s.point);
      test::keep_largest(worst, {std::abs(f.f), std::abs(m.dot(s.point) / s.h - 1),
                                 f.gradient.normalized().cross(m).norm()});
    }
  }
  EXPECT_LT(worst, 1e-13);
}

TEST(Superquadric, DerivativesOfTheSupportMatchDifferencesAndAreHomogeneous) {
  std::mt19937_64 engine(5);
  const Vec3 axes(0.7, 1.1, 1.9);
  double first = 0, second = 0, homogeneous = 0, convex = 0;
  for (const auto& [n1, n2] : kExponents) {
    const Superquadric body(axes, n1, n2, 30);
    for (int k = 0; k < 100; ++k) {
      const Vec3 m = random_normal(engine);
      const SupportValue s = body.support(m);
      // Fourth order, with steps that are small against the distance from the planes of symmetry.
      const double e = 1e-3 * std::max(m.cwiseAbs().minCoeff(), body.epsilon());
      if (e < 1e-6) continue;
      Vec3 slope;
      Mat3 bend;
      for (int i = 0; i < 3; ++i) {
        const Vec3 d = e * Vec3::Unit(i);
        const SupportValue p1 = body.support(m + d), m1 = body.support(m - d);
        const SupportValue p2 = body.support(m + 2 * d), m2 = body.support(m - 2 * d);
        slope[i] = (8 * (p1.h - m1.h) - (p2.h - m2.h)) / (12 * e);
        bend.col(i) = (8 * (p1.point - m1.point) - (p2.point - m2.point)) / (12 * e);
      }
      test::keep_largest(first, (slope - s.point).norm());
      test::keep_largest(second, (bend - s.hessian).norm() / (1 + s.hessian.norm()));
      test::keep_largest(homogeneous, {std::abs(m.dot(s.point) - s.h), (s.hessian * m).norm(),
                                       (s.hessian - s.hessian.transpose()).norm()});
      test::keep_largest(homogeneous, std::abs(body.support(3 * m).h - 3 * s.h));
      const Eigen::SelfAdjointEigenSolver<Mat3> eigen(s.hessian);
      test::keep_smallest(convex, eigen.eigenvalues().minCoeff());
    }
  }
  EXPECT_LT(first, 1e-7);
  EXPECT_LT(second, 1e-5);
  EXPECT_LT(homogeneous, 1e-12);
  EXPECT_GT(convex, -1e-12);
  std::printf("gradient %.1e, Hessian %.1e, homogeneity %.1e, least eigenvalue %.1e\n", first, second,
              homogeneous, convex);
}

/// Smallest and largest relative change of the support by the regularisation.
std::pair<double, double> change_of_support(const Vec3& axes, double n1, double n2, std::mt19937_64& engine) {
  const Superquadric body(axes, n1, n2, 30);
  const Superquadric sharp = Superquadric::with_epsilon(axes, n1, n2, 0, false);
  double lowest = 0, highest = 0;
  for (int k = 0; k < 5000; ++k) {
    const Vec3 m = random_normal(engine);
    const double change = body.support_point(m).h / sharp.support_point(m).h - 1;
    test::keep_smallest(lowest, change);
    test::keep_largest(highest, change);
  }
  return {lowest, highest};
}

/// Theory 06 section 7: half axes are exact, the body stays in its sphere, faces are as round as was asked.
TEST(Superquadric, RegularisedFacesKeepHalfAxesAndTheBoundingSphere) {
  std::mt19937_64 engine(11);
  const Vec3 axes(0.7, 1.1, 1.9);
  double inside = -1, highest = 0, lowest = 0;
  for (const auto& [n1, n2] : kExponents) {
    const Superquadric body(axes, n1, n2, 30);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(body.support(Vec3::Unit(k)).h, axes[k], 1e-14) << n1 << " " << n2;
    for (int k = 0; k < 2000; ++k)
      test::keep_largest(inside,
                         body.support_point(random_normal(engine)).point.norm() / body.bounding_radius() - 1);
    const auto [low, high] = change_of_support(axes, n1, n2, engine);
    test::keep_smallest(lowest, low);
    test::keep_largest(highest, high);
  }
  EXPECT_LT(inside, 1e-12);
  EXPECT_LT(highest, 0.0075);  // theory 06 section 7: 0.7 %
  const double radius = Superquadric({1, 1, 1}, 4, 4, 30).support(Vec3::UnitZ()).hessian(0, 0);
  EXPECT_GT(radius, 15);
  EXPECT_LT(radius, 60);
  std::printf("half axes 0.7, 1.1, 1.9: change of the support %.4f to %.4f; largest radius at n = 4: %.1f\n",
              lowest, highest, radius);
}

/// Their faces would be rounded to more than their thickness, or to no number.
TEST(Superquadric, BodiesTooThinForTheRoundingOfTheirFacesAreRefused) {
  for (const double thin : {4e-4, 5e-5}) {
    EXPECT_THROW(make_superquadric("coin", {0.01, 0.01, thin}, 20, 20, 30), InputError) << thin;
  }
  EXPECT_NO_THROW(make_superquadric("coin", {0.01, 0.01, 4e-4}, 20, 20, 1000));
  EXPECT_NO_THROW(make_superquadric("coin", {0.01, 0.01, 1e-3}, 20, 20, 30));
}

/// The table of theory 06 section 7, which is that of equal half axes: bodies of aspect ratio 2.7 lose up to
/// 3.2 % (docs/superquadrics.md).
TEST(Superquadric, CornersLoseWhatTheTableSays) {
  std::mt19937_64 engine(13);
  for (const auto& [n, loss] : {std::pair{3.0, 0.0}, {4.0, 0.002}, {6.0, 0.010}, {8.0, 0.018}}) {
    const double low = change_of_support(Vec3::Ones(), n, n, engine).first;
    EXPECT_NEAR(-low, loss, 5e-4) << n;
  }
}

}  // namespace
}  // namespace scree
