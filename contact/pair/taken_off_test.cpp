#include "contact/pair/taken_off.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "contact/laws/barrier.hpp"

namespace scree::contact {
namespace {

const NormalLaw& law_of_edges() {
  static const NormalLaw law(BarrierParameters{.threshold = 1e-3, .stiffness = 2.8e13});
  return law;
}

TEST(TakenOff, IsLimitedBelowZeroAndExactAbove) {
  const TakenOff taken(law_of_edges(), {});
  const double most = 1e-3 * law_of_edges().at(0.5e-3).energy;
  for (const double sum : {0.0, 1e-12, 1e6}) {
    EXPECT_EQ(taken.energy(sum), sum);
    EXPECT_EQ(taken.slope(sum), 1);
    EXPECT_EQ(taken.curvature(sum), 0);
  }
  EXPECT_NEAR(taken.energy(-most), -0.5 * most, 1e-12 * most);
  EXPECT_GT(taken.energy(-1e9 * most), -most * (1 + 1e-12));
  for (const double sum : {-1e-3 * most, -most, -30 * most}) {
    const double step = 1e-5 * std::abs(sum);
    EXPECT_NEAR((taken.energy(sum + step) - taken.energy(sum - step)) / (2 * step), taken.slope(sum), 1e-8);
    EXPECT_NEAR((taken.slope(sum + step) - taken.slope(sum - step)) / (2 * step), taken.curvature(sum),
                1e-6 * taken.curvature(sum));
  }
  EXPECT_EQ(TakenOff().energy(-5), -5);
}

TEST(TakenOff, SecantsConserveAndTheirSlopesMatchDifferences) {
  const TakenOff taken(law_of_edges(), {});
  const double most = 1e-3 * law_of_edges().at(0.5e-3).energy;
  for (const double first : {-20.0, -0.3, 0.0, 0.4, 7.0}) {
    for (const double last : {-11.0, -0.2, 0.3, 5.0}) {
      const double e0 = first * most, e1 = last * most;
      const double change = taken.energy(e1) - taken.energy(e0);
      EXPECT_NEAR(taken.secant(e0, e1) * (e1 - e0), change, 1e-12 * most) << first << " " << last;
      const double step = 1e-6 * most;
      const double slope = (taken.secant(e0, e1 + step) - taken.secant(e0, e1 - step)) / (2 * step);
      EXPECT_NEAR(taken.secant_slope(e0, e1) * most, slope * most, 1e-6) << first << " " << last;
    }
  }
}

}  // namespace
}  // namespace scree::contact
