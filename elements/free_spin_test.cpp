#include "elements/free_spin.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/rotation.hpp"
#include "core/test_extremes.hpp"

namespace scree::elements {
namespace {

constexpr std::array<bool, 3> kFree = {false, false, false};

Vec3 random_turn(std::mt19937_64& engine, double size) {
  std::normal_distribution<double> normal(0, 1);
  return size * Vec3(normal(engine), normal(engine), normal(engine)).normalized();
}

/// Moments of inertia as those of a body: none larger than the sum of the others.
Mat3 random_inertia(std::mt19937_64& engine) {
  std::uniform_real_distribution<double> side(0.05, 1);
  const double x = side(engine), y = side(engine), z = side(engine);
  const Mat3 R = rotation::quaternion(random_turn(engine, 2)).toRotationMatrix();
  return R * Vec3(y * y + z * z, x * x + z * z, x * x + y * y).asDiagonal() * R.transpose();
}

TEST(FreeSpin, ConservesEnergyAndMomentumFromSlowToManyTurnsInAStep) {
  std::mt19937_64 engine(1);
  double energy = 0;
  double momentum = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const Mat3 J = random_inertia(engine);
    const double turn = std::pow(10.0, -3 + 6.0 * (trial % 100) / 99);  // h |w|, up to 1000
    const Vec3 w0 = random_turn(engine, turn);
    const Vec3 w1 = free_spin(J, w0, 1, kFree);
    test::keep_largest(energy, std::abs(w1.dot(J * w1) / w0.dot(J * w0) - 1));
    test::keep_largest(momentum, std::abs((J * w1).norm() / (J * w0).norm() - 1));
  }
  EXPECT_LT(energy, 1e-9);
  EXPECT_LT(momentum, 1e-9);
}

TEST(FreeSpin, IsOfSecondOrder) {
  // Against Euler's equations by the classical Runge-Kutta method with 10,000 steps.
  std::mt19937_64 engine(2);
  const Mat3 J = random_inertia(engine);
  const Vec3 w0 = random_turn(engine, 3);
  const auto rate = [&](const Vec3& w) { return Vec3(-J.inverse() * w.cross(J * w)); };
  Vec3 exact = w0;
  constexpr int kSteps = 10000;
  constexpr double h = 1.0 / kSteps;
  for (int i = 0; i < kSteps; ++i) {
    const Vec3 k1 = rate(exact), k2 = rate(exact + 0.5 * h * k1), k3 = rate(exact + 0.5 * h * k2);
    exact += h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(exact + h * k3));
  }
  const auto error = [&](int steps) {
    Vec3 w = w0;
    for (int i = 0; i < steps; ++i) w = free_spin(J, w, 1.0 / steps, kFree);
    return (w - exact).norm();
  };
  EXPECT_NEAR(std::log2(error(50) / error(100)), 2, 0.05);
}

TEST(FreeSpin, StaysAboutAnAxisThatIsHeld) {
  std::mt19937_64 engine(3);
  const Mat3 J = random_inertia(engine);
  const Vec3 w0(0, 0, 70);
  EXPECT_NEAR((free_spin(J, w0, 1, {true, true, false}) - w0).norm(), 0, 1e-12 * 70);
}

}  // namespace
}  // namespace scree::elements
