/// Folds of surfaces: what acts across the normal and what dissipates sees the force that is there.
#include "contact/pair/shared_folds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>

#include "contact/pair/test_pair.hpp"
#include "contact/secant/secant_pair.hpp"

namespace scree::contact {
namespace {

using testing::derivative_error;
using testing::give_slip;
using testing::random_increment;
using testing::random_vector;
using testing::TestPair;
using testing::Vec12;

constexpr double kFoldBall = 0.05, kFoldReach = 1e-3;

/// `faces` triangles around the origin; those around rise with the slope. Two: a fold along y.
Shape dish(int faces, double slope) {
  if (faces == 2) {
    return make_surface(
        "fold", {{-1, -1, slope}, {-1, 1, slope}, {0, -1, 0}, {0, 1, 0}, {1, -1, slope}, {1, 1, slope}},
        {{0, 2, 3, 1}, {2, 4, 5, 3}});
  }
  std::vector<Vec3> vertices = {Vec3::Zero()};
  std::vector<std::vector<int>> triangles;
  for (int k = 0; k < faces; ++k) {
    const double angle = 2 * std::numbers::pi * k / faces;
    vertices.emplace_back(std::cos(angle), std::sin(angle), slope);
    triangles.push_back({0, 1 + k, 1 + (k + 1) % faces});
  }
  return make_surface("dish", vertices, triangles);
}

Interface folds_law(bool barrier) {
  Interface i;
  if (barrier) {
    i.normal = BarrierParameters{.threshold = kFoldReach, .stiffness = 2.8e13, .damping_ratio = 0.3};
  } else {
    i.normal = HookeParameters{.stiffness = 1e6, .damping = 400};
  }
  i.friction.static_coefficient = 0.5;
  i.friction.dynamic_coefficient = 0.4;
  i.friction.stiffness = 5e5;
  return i;
}

/// A ball above the middle, near enough to push.
TestPair ball_in(const Shape& ball, const Shape& surface, const Interface& i, bool barrier) {
  TestPair t(ball, surface, i);
  t.law.normal.set_scale(kFoldReach);
  t.a.state.x = -surface.shift + Vec3(0, 0, kFoldBall + (barrier ? 0.4 : -0.1) * kFoldReach);
  return t;
}

class FlatFold : public ::testing::TestWithParam<std::tuple<int, bool>> {};

/// Reference: a flat surface, whose forces differ by the square of the slope.
TEST_P(FlatFold, NormalForcesAndDashpotsAddUpToThoseOfAPlane) {
  const auto [faces, barrier] = GetParam();
  const Shape ball = make_sphere("ball", kFoldBall);
  for (const bool secant : {false, true}) {
    double plane_force = 0, plane_dashpot = 0;
    for (const double slope : {0.0, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3}) {
      const Shape surface = dish(faces, slope);
      TestPair t = ball_in(ball, surface, folds_law(barrier), barrier);
      t.step.secant = secant;
      t.set(Vec12::Zero());
      build_items(t.pair, t.a.view(), t.b.view(), 0.01);
      const PairWrench w = secant ? evaluate_secant(t.pair, t.a.view(), t.b.view(), t.law, t.step)
                                  : evaluate(t.pair, t.a.view(), t.b.view(), t.law, t.step);
      double force = 0, dashpot = 0;
      for (const Active& contact : t.pair.active) {
        force += contact.normal;
        dashpot += contact.dashpot;
      }
      ASSERT_GT(force, 0);
      const double steepest = faces == 2 ? slope : slope / std::cos(std::numbers::pi / faces);
      const double square = steepest * steepest;
      EXPECT_NEAR(force / w.force.norm(), 1, 1e-9 + 2 * square) << faces << " faces, slope " << slope;
      if (slope == 0) {
        plane_force = force;
        plane_dashpot = dashpot;
        continue;
      }
      // A slope s moves the foot by s R and the gap by s^2 R / 2: of an overlap of 1e-4 m 250 s^2, and so the
      // force.
      EXPECT_NEAR(force / plane_force, 1, 1e-9 + 1000 * square) << faces << " faces, slope " << slope;
      if (!secant) {
        EXPECT_NEAR(dashpot / plane_dashpot, 1, 1e-9 + 1000 * square) << faces << " faces, slope " << slope;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(SharedFolds, FlatFold,
                         ::testing::Combine(::testing::Values(2, 3, 6, 12), ::testing::Bool()));

TEST(SharedFolds, FacesThatMeetInARightAngleHaveAllOfTheirForces) {
  const Shape ball = make_sphere("ball", kFoldBall);
  const Shape surface = dish(2, 1);
  TestPair t = ball_in(ball, surface, folds_law(true), true);
  t.a.state.x.z() = -surface.shift.z() + std::numbers::sqrt2 * (kFoldBall + 0.4 * kFoldReach);
  t.set(Vec12::Zero());
  build_items(t.pair, t.a.view(), t.b.view(), 0.05);
  evaluate(t.pair, t.a.view(), t.b.view(), t.law, t.step);
  ASSERT_EQ(t.pair.active.size(), 2U);
  for (const Active& contact : t.pair.active) {
    EXPECT_EQ(contact.fold, -1);
    EXPECT_EQ(contact.counts, 1);
    EXPECT_EQ(contact.normal, net_compression(t.pair, contact));
  }
}

TEST(SharedFolds, TangentsMatchDifferences) {
  std::mt19937_64 engine(11);
  const Shape ball = make_sphere("ball", kFoldBall);
  double worst = 0;
  int in_folds = 0, slipping = 0;
  std::map<TermKind, int> kinds;
  for (const bool barrier : {true, false}) {
    for (const int faces : {2, 3, 6}) {
      for (const double slope : {1e-3, 0.02, 0.3}) {
        const Shape surface = dish(faces, slope);
        for (int trial = 0; trial < 60; ++trial) {
          TestPair t = ball_in(ball, surface, folds_law(barrier), barrier);
          t.a.rate = t.b.rate = 1600;
          const double side = 0.5 * kFoldBall * std::min(slope, 0.05);
          t.a.state.x += random_vector(engine, side) + Vec3(0, 0, side);
          t.a.state.v = random_vector(engine, 0.5);
          t.a.state.w = random_vector(engine, 2);
          t.b.state.v = random_vector(engine, 0.5);
          const Vec12 d = 0.1 * random_increment(engine);
          t.set(d);
          build_items(t.pair, t.a.view(), t.b.view(), 0.05);
          if (barrier && smallest_gap(t.pair, t.a.view(), t.b.view()) < 0.2 * kFoldReach) continue;
          t.both(d);
          give_slip(t, 3e-5, engine);
          const double error = derivative_error(t, d, kinds);
          bool in_fold = false;
          for (const Active& contact : t.pair.active) in_fold = in_fold || contact.fold >= 0;
          if (error < 0 || !in_fold) continue;
          test::keep_largest(worst, error);
          EXPECT_LT(error, 1e-7) << faces << " faces, slope " << slope;
          ++in_folds;
          for (const Active& contact : t.pair.active) slipping += contact.slips ? 1 : 0;
        }
      }
    }
  }
  std::printf("%d states in folds, %d contacts slip, worst relative difference %.1e\n", in_folds, slipping,
              worst);
  EXPECT_GE(in_folds, 100);
  EXPECT_GE(slipping, 50);
}

}  // namespace
}  // namespace scree::contact
