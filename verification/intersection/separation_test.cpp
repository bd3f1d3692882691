#include "separation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "test_solids.hpp"

namespace intersection {
namespace {

TEST(Separation, OfAlignedCubesIsTheGapOrMinusTheDepth) {
  const Solid a = cube(1);
  EXPECT_NEAR(static_cast<double>(separation(a, at(0, 0, 1.25), a, at(0, 0, 0)).value), 0.25, 1e-15);
  EXPECT_NEAR(static_cast<double>(separation(a, at(0, 0, 0.9), a, at(0.5, 0, 0)).value), -0.1, 1e-15);
  EXPECT_FALSE(separation(a, at(0, 0, 1 + 1e-15), a, at(0, 0, 0)).intersects());
  EXPECT_TRUE(separation(a, at(0, 0, 1), a, at(0, 0, 0)).intersects()) << "touching is not proved apart";
}

TEST(Separation, SeesEdgesCrossing) {
  const Solid a = cube(1);
  // Edge up and edge down, crossed at a right angle: half diagonals sqrt(1/2) each.
  Pose below = at(0, 0, 0), above = at(0, 0, std::sqrt(2.0) + 1e-9);
  below.q = turn(M_PI / 4, {1, 0, 0});
  above.q = turn(M_PI / 4, {0, 1, 0});
  const Separation apart = separation(a, above, a, below);
  EXPECT_NEAR(static_cast<double>(apart.value), 1e-9, 1e-15);
  EXPECT_NEAR(apart.axis.z(), 1, 1e-9);
  above.x.z() -= 2e-9;
  EXPECT_NEAR(static_cast<double>(separation(a, above, a, below).value), -1e-9, 1e-15);
}

TEST(Separation, IsPositiveOnlyForCubesWithoutCommonPoint) {
  // Against sampling: points of a regular grid of one cube that lie in the other.
  std::mt19937_64 random(7);
  const Solid a = cube(1);
  int overlapping = 0, apart = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Pose pose_a = random_pose(random, 0), pose_b = random_pose(random, 0.75);
    bool common = false;
    const int n = 20;
    for (int k = 0; k < (n + 1) * (n + 1) * (n + 1) && !common; ++k) {
      const int row = k / (n + 1);
      const int layer = row / (n + 1);
      const Eigen::Vector3d local(k % (n + 1), row % (n + 1), layer);
      const Eigen::Vector3d p = pose_a.q * (local / n - Eigen::Vector3d::Constant(0.5)) - pose_b.x;
      common = (pose_b.q.conjugate() * p).cwiseAbs().maxCoeff() < 0.5 - 1e-12;
    }
    const Separation found = separation(a, pose_a, a, pose_b);
    if (common) {
      EXPECT_LT(found.value, 0);
      ++overlapping;
    }
    if (found.value > 0) {
      EXPECT_GE(separation_along(found.axis, a, pose_a, a, pose_b), static_cast<double>(found.value) - 1e-14);
      ++apart;
    }
    // A grid of 1/20 sees every overlap deeper than its diagonal.
    EXPECT_TRUE(common || found.value > -0.09);
  }
  EXPECT_GT(overlapping, 50);
  EXPECT_GT(apart, 50);
}

TEST(Separation, OfRoundSolidsIsTheDistanceOfTheCoresLessTheRadii) {
  EXPECT_NEAR(static_cast<double>(separation(ball(1), at(3, 0, 0), ball(0.5), at(0, 0, 0)).value), 1.5,
              1e-15);
  // A ball beyond a corner of a cube, beyond a face, and inside.
  const double corner = std::sqrt(3.0) * 0.5;
  EXPECT_NEAR(static_cast<double>(separation(ball(0.1), at(1, 1, 1), cube(1), at(0, 0, 0)).value),
              corner - 0.1, 1e-15);
  EXPECT_NEAR(static_cast<double>(separation(cube(1), at(0, 0, 0), ball(0.1), at(0.2, 0, 0.7)).value), 0.1,
              1e-15);
  EXPECT_LT(separation(ball(0.1), at(0.1, 0, 0), cube(1), at(0, 0, 0)).value, 0);
  // A rod that passes through a cube with both ends outside, and one beside it.
  EXPECT_LT(separation(rod(0.01, 3), at(0, 0, 0), cube(1), at(0, 0, 0)).value, 0);
  EXPECT_NEAR(static_cast<double>(separation(rod(0.01, 3), at(0.75, 0, 0), cube(1), at(0, 0, 0)).value), 0.24,
              1e-15);
  // Crossed rods.
  Pose crossed = at(0, 0.5, 0);
  crossed.q = turn(M_PI / 2, {0, 1, 0});
  EXPECT_NEAR(static_cast<double>(separation(rod(0.1, 2), crossed, rod(0.2, 2), at(0, 0, 0)).value), 0.2,
              1e-15);
}

TEST(Separation, StaysSharpFarFromTheOrigin) {
  const Solid a = cube(0.1);
  const Separation found = separation(a, at(1e6, 0, 0.5 + 0x1p-40), a, at(1e6, 0, 0.4));
  EXPECT_NEAR(static_cast<double>(found.value), 0x1p-40, 1e-16)
      << "poles are subtracted before anything else";
}

}  // namespace
}  // namespace intersection
