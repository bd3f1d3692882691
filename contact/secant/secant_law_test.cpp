/// The secant force of a law: its work is the change of the stored energy, whatever the change of the gap.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "contact/secant/secant_law.hpp"
#include "core/test_extremes.hpp"

namespace scree::contact {
namespace {

/// A gap that is nearly closed changes by a part of itself: a small part of the threshold may be all of it.
TEST(SecantLaw, ItsWorkIsTheEnergyHoweverSmallTheGap) {
  const PairConstants pair{.m_star = 1, .r_star = 0.05, .hertz = 1e8};
  std::mt19937_64 engine(2);
  std::uniform_real_distribution<double> any(0, 1);
  for (const double exponent : {-1.0, -2.0}) {
    NormalLaw law(BarrierParameters{.threshold = 1e-3, .stiffness = 1e7, .barrier_exponent = exponent});
    law.set_scale(1e-3);
    double work = 0, slope = 0;
    for (int k = 0; k < 20000; ++k) {
      const double g0 = 2e-4 * std::pow(10.0, -12 * any(engine));
      const double g1 = g0 * (1 + (k % 2 == 0 ? 1 : -0.5) * std::pow(10.0, -8 * any(engine)));
      const LawValue secant = secant_at(law, g0, g1, pair);
      const double v0 = law.at(g0, pair).energy, v1 = law.at(g1, pair).energy;
      // What round-off of the energies (some units) and of their difference leaves of it.
      const double digits = 1e-9 * std::abs(v1 - v0) + 4e-15 * (v0 + v1);
      if (digits > 0) test::keep_largest(work, std::abs(secant.force * (g0 - g1) - (v1 - v0)) / digits);
      const double steep = law.at(std::min(g0, g1), pair).slope;
      test::keep_largest(slope, secant.slope / (std::abs(steep) + 1));
    }
    std::printf("barrier exponent %g: work %.1e of the digits, slope %.1e\n", exponent, work, slope);
    EXPECT_LT(work, 1);
    EXPECT_LT(slope, 1e-9);
  }
}

/// A stiff law stores its energy in a small part of its scale. What a step releases there is all of it, and
/// nothing acts only where nothing was stored.
TEST(SecantLaw, ItActsUntilAllThatWasStoredIsReleased) {
  const PairConstants pair{.m_star = 1, .r_star = 0.05, .hertz = 1e8};
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<double> any(0, 1);
  std::vector<NormalLaw> laws;
  laws.emplace_back(BarrierParameters{.threshold = 1e-3, .stiffness = 2.8e13});
  laws.emplace_back(BarrierParameters{.threshold = 1e-3, .stiffness = 1e10, .exponent = 1});
  laws.emplace_back(HookeParameters{.stiffness = 1e10});
  laws.emplace_back(HertzParameters{});
  for (NormalLaw& law : laws) {
    law.set_scale(1e-3);
    double work = 0, slope = 0, jump = 0;
    for (int k = 0; k < 20000; ++k) {
      const double depth = 1e-5 * std::pow(10.0, -8 * any(engine));
      const double inside = law.onset() - depth;
      const double outside = law.onset() + depth * std::pow(10.0, 4 * any(engine) - 2);
      const double stored = law.at(inside, pair).energy;
      const LawValue opens = secant_at(law, inside, outside, pair);
      const LawValue closes = secant_at(law, outside, inside, pair);
      ASSERT_GT(opens.force, 0) << law.traits().name << ", depth " << depth;
      ASSERT_GT(closes.force, 0) << law.traits().name << ", depth " << depth;
      test::keep_largest(work, std::abs(opens.force * (outside - inside) / stored - 1));
      test::keep_largest(work, std::abs(closes.force * (outside - inside) / stored - 1));
      // Of what decreases as one over the change of the gap.
      test::keep_largest(slope, std::abs(opens.slope * (outside - inside) / opens.force + 1));
      EXPECT_LE(closes.slope, 0);
      // No jump where the contact opens.
      const double tiny = 1e-7 * depth + 1e-18;
      const double before = secant_at(law, inside, law.onset() - tiny, pair).force;
      const double after = secant_at(law, inside, law.onset() + tiny, pair).force;
      test::keep_largest(jump, std::abs(after / before - 1));
    }
    std::printf("%s: work %.1e, slope %.1e, jump %.1e\n", law.traits().name, work, slope, jump);
    EXPECT_LT(work, 1e-9);
    EXPECT_LT(slope, 1e-9);
    EXPECT_LT(jump, 1e-4);
  }
}

TEST(SecantLaw, WhatAttractsIsApartFromTheCompression) {
  std::mt19937_64 engine(4);
  std::uniform_real_distribution<double> any(0, 1);
  const PairConstants pair{.m_star = 1, .r_star = 0.05, .hertz = 1e8};
  NormalLaw law(DmtParameters{{}, 0.5, 1e-4});
  NormalLaw bare(HertzParameters{});
  law.set_scale(1e-4);
  bare.set_scale(1e-4);
  double pressed = 0, slope = 0;
  int gaps = 0;
  for (int k = 0; k < 20000; ++k) {
    const double g0 = -1e-4 + 3e-4 * any(engine);
    const double g1 = g0 + 3e-4 * (any(engine) - 0.5) * std::pow(10.0, -8 * any(engine));
    const LawValue secant = secant_at(law, g0, g1, pair);
    EXPECT_GE(secant.adhesion, 0);
    if (g0 > 0 && g1 > 0) {
      ++gaps;
      EXPECT_EQ(secant.compression(), 0);
    }
    test::keep_largest(pressed, std::abs(secant.compression() - secant_at(bare, g0, g1, pair).force));
    const double e = 1e-11;
    if (std::abs(g1 - g0) < 1e-6) continue;
    const double difference =
        (secant_at(law, g0, g1 + e, pair).adhesion - secant_at(law, g0, g1 - e, pair).adhesion) / (2 * e);
    test::keep_largest(slope, std::abs(difference - secant.adhesion_slope));
  }
  // Of forces up to 100 N, and of slopes up to 2000 N/m.
  EXPECT_GT(gaps, 5000);
  EXPECT_LT(pressed, 1e-7);
  EXPECT_LT(slope, 2);
}

TEST(SecantLaw, ItsWorkIsTheEnergyAndItsSlopeIsTheDerivative) {
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> any(0, 1);
  const PairConstants pair{.m_star = 1, .r_star = 0.05, .hertz = 1e8};
  std::vector<NormalLaw> laws;
  laws.emplace_back(BarrierParameters{.threshold = 1e-3, .stiffness = 2.8e13});
  laws.emplace_back(BarrierParameters{.threshold = 1e-3, .stiffness = 1e7, .exponent = 1});
  laws.emplace_back(HookeParameters{.stiffness = 1e6});
  laws.emplace_back(HertzParameters{});
  for (NormalLaw& law : laws) {
    law.set_scale(1e-3);
    double work = 0, slope = 0;
    for (int k = 0; k < 20000; ++k) {
      const double low = law.allows_overlap() ? -1e-3 : 1e-5;
      const double g0 = low + 2e-3 * any(engine);
      // From changes that take the value in the middle to those across the whole law.
      const double g1 = std::max(low, g0 + 2e-3 * (any(engine) - 0.5) * std::pow(10.0, -8 * any(engine)));
      const LawValue secant = secant_at(law, g0, g1, pair);
      const double v0 = law.at(g0, pair).energy;
      const double v1 = law.at(g1, pair).energy;
      // Where the law begins, the value in the middle is good to a part of what its length stores.
      const double size = v0 + v1 + law.at(law.allows_overlap() ? -1e-3 : 5e-4, pair).energy;
      test::keep_largest(work, std::abs(secant.force * (g0 - g1) - (v1 - v0)) / size);
      EXPECT_GE(secant.force, 0);
      EXPECT_LE(secant.slope, 1e-9 * secant.force / law.scale());
      const double e = 1e-7 * law.scale();
      if (g1 - e < low || std::abs(g1 - g0) < 1e-4 * law.scale()) continue;
      const double difference =
          (secant_at(law, g0, g1 + e, pair).force - secant_at(law, g0, g1 - e, pair).force) / (2 * e);
      test::keep_largest(slope, std::abs(difference - secant.slope) /
                                    (std::abs(secant.slope) + secant.force / std::abs(g1 - g0) + 1e-9));
    }
    std::printf("%s: work %.1e, slope %.1e\n", law.traits().name, work, slope);
    EXPECT_LT(work, 1e-10);
    EXPECT_LT(slope, 1e-4);
  }
}

}  // namespace
}  // namespace scree::contact
