/// The law of Derjaguin, Muller and Toporov: force and energy in closed form, and its keys.
#include "contact/laws/dmt.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "contact/pair/pair_constants.hpp"
#include "contact/test_interfaces.hpp"
#include "core/test_extremes.hpp"

namespace scree::contact {
namespace {

constexpr double kBallRadius = 0.03, kWork = 0.2, kRange = 1e-4;
constexpr double kPullOffOfPlane = 2 * std::numbers::pi * kWork * kBallRadius;

/// Constants of a sphere against another one, or against a plane.
PairConstants constants(bool plane) {
  static const Shape sphere = make_sphere("sphere", kBallRadius), wall = make_plane("plane");
  static const BodyProperties body{.mass = 0.2, .inertia_B = 1e-4 * Mat3::Identity()};
  Interface interface;
  interface.normal = DmtParameters{{}, kWork, kRange};
  const Elasticity soft{2e6, 0.3};
  return pair_constants({&body, &sphere, soft, false}, {&body, plane ? &wall : &sphere, soft, plane},
                        InterfaceLaw(interface));
}

TEST(DmtLaw, ThePullOffForceIsTwoPiWR) {
  for (const bool plane : {false, true}) {
    const DmtLaw law(DmtParameters{{}, kWork, kRange});
    const PairConstants pair = constants(plane);
    const double expected = plane ? kPullOffOfPlane : 0.5 * kPullOffOfPlane;
    double least = 0, at = 1;
    for (int k = -1000; k <= 1000; ++k) {
      const double gap = 1.1e-3 * kRange * k;
      const double force = law.at(gap, pair).force;
      if (force < least) at = gap;
      test::keep_smallest(least, force);
    }
    EXPECT_EQ(at, 0);
    EXPECT_NEAR(-least, expected, 1e-15 * expected);
  }
}

TEST(DmtLaw, IsHertzsLawLessAConstantAndPartsWithTheWorkOfItsRange) {
  const PairConstants pair = constants(true);
  const HertzParameters damped{.damping_ratio = 0.3};
  const DmtLaw law(DmtParameters{damped, kWork, kRange});
  const HertzLaw hertz(damped);
  for (const double gap : {-1e-3, -1e-4, -1e-7}) {
    const LawValue value = law.at(gap, pair), bare = hertz.at(gap, pair);
    EXPECT_EQ(value.force, bare.force - value.adhesion);
    EXPECT_NEAR(value.compression(), bare.force, 1e-14 * (bare.force + kPullOffOfPlane));
    EXPECT_NEAR(value.adhesion, kPullOffOfPlane, 1e-15);
    EXPECT_EQ(value.slope, bare.slope);
    EXPECT_EQ(value.dashpot, bare.dashpot);
    EXPECT_EQ(value.dashpot_slope, bare.dashpot_slope);
    EXPECT_NEAR(value.energy, bare.energy - kPullOffOfPlane * (0.5 * kRange - gap),
                1e-15 * std::abs(value.energy));
  }
  // Force, slope and energy are continuous where bodies touch, and where attraction ends.
  const LawValue touch = law.at(0, pair), below = law.at(-1e-15, pair), end = law.at(kRange, pair);
  EXPECT_NEAR(touch.energy, -0.5 * kRange * kPullOffOfPlane, 1e-18);
  EXPECT_NEAR(touch.force, below.force, 1e-12);
  EXPECT_NEAR(touch.energy, below.energy, 1e-15);
  EXPECT_EQ(touch.slope, 0);
  EXPECT_EQ(end.force, 0);
  EXPECT_EQ(end.energy, 0);
  EXPECT_NEAR(law.at(kRange * (1 - 1e-6), pair).slope, 0, 1e-5 * kPullOffOfPlane / kRange);
}

TEST(DmtLaw, StepsResolveTheRangeAlsoForBodiesWithoutSpeed) {
  const PairConstants pair = constants(true);
  const DmtLaw law(DmtParameters{{}, kWork, kRange});
  const HertzLaw hertz((HertzParameters()));
  EXPECT_NEAR(law.duration(0.2, 1, pair), kRange, 1e-3 * kRange);  // across the range
  EXPECT_GT(hertz.duration(0.2, 1, pair), 10 * kRange);
  const double delta = std::pow(kPullOffOfPlane / pair.hertz, 2.0 / 3);
  const double fastest = std::sqrt(2 * kPullOffOfPlane * (0.6 * delta + 0.5 * kRange) / 0.2);
  EXPECT_NEAR(law.duration(0.2, 0, pair), std::min(kRange / fastest, hertz.duration(0.2, fastest, pair)),
              1e-12);
}

TEST(DmtLaw, KeysAreThoseOfHertzAndTwoOfItsOwn) {
  const Specification own = DmtLaw::specification(), hertz = HertzLaw::specification();
  ASSERT_EQ(own.parameters.size(), hertz.parameters.size() + 2);
  for (std::size_t k = 0; k < hertz.parameters.size(); ++k)
    EXPECT_EQ(own.parameters[k + 2].key, hertz.parameters[k].key);
  std::vector<Diagnostic> faults;
  Value values = testing::with(testing::with(testing::sample_of(own), "surface_energy", 0.07), "range", 2e-6);
  values = testing::with(testing::with(values, "restitution", 0.4), "radius", "mean");
  const DmtParameters read = DmtLaw::parameters(values, faults);
  EXPECT_EQ(read.surface_energy, 0.07);
  EXPECT_EQ(read.range, 2e-6);
  EXPECT_EQ(read.hertz.restitution, 0.4);
  EXPECT_EQ(read.hertz.radius, CurvatureRule::mean);
  EXPECT_TRUE(faults.empty());
  DmtLaw::parameters(testing::with(values, "damping_ratio", 0.1), faults);
  EXPECT_EQ(faults.size(), 1u);
}

}  // namespace
}  // namespace scree::contact
