/// Normal laws: potential, derivatives, closed forms, and the restitution that an impact realises.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>

#include "contact/laws/restitution.hpp"
#include "contact/test_interfaces.hpp"
#include "core/test_extremes.hpp"

namespace scree::contact {
namespace {

using testing::NamedInterface;

constexpr PairConstants kPair{.m_star = 1.3, .r_star = 0.05, .hertz = 2e6, .tangential = 1e6};

TEST(NormalLaws, ForceIsTheSlopeOfThePotentialForEveryRegisteredLaw) {
  double worst = 0;
  for (const NamedInterface& one : testing::normal_laws()) {
    const NormalLaw law(one.interface.normal);
    const double least = law.allows_overlap() ? -0.01 : 0.002;
    const double top = law.threshold();
    double sum = 0;  // of the force from the threshold down: Simpson's rule between the samples
    const int samples = 400;
    // Samples close in on the threshold as squares, where powers of 3/2 begin.
    // Those of a law that attracts are divided at its onset.
    const double onset = law.onset();
    const auto place = [&](int k) {
      if (onset == top) return top - (top - least) * (k / 400.0) * (k / 400.0);
      const double part = (k - 200) / 200.0;
      return k <= 200 ? onset - (top - onset) * part : onset - (onset - least) * part * part;
    };
    for (int k = 1; k <= samples; ++k) {
      const double high = place(k - 1), low = place(k), width = high - low;
      sum += width / 6 *
             (law.at(high, kPair).force + 4 * law.at(0.5 * (high + low), kPair).force +
              law.at(low, kPair).force);
      const LawValue value = law.at(low, kPair);
      EXPECT_NEAR(value.energy, sum, 1e-4 * std::abs(sum) + 1e-9 * law.at(least, kPair).energy)
          << one.name << " at " << low;
      // What attracts is no compression; it compresses below its onset.
      EXPECT_EQ(value.compression() > 0, low < law.onset()) << one.name << " at " << low;
      EXPECT_GE(value.adhesion, 0) << one.name;
      if (top <= law.onset()) {
        EXPECT_EQ(value.adhesion, 0) << one.name;
      }
      const double e = 1e-5 * width;
      // Kinks: where the barrier begins, and the onset of a law that attracts.
      const double kink = law.allows_overlap() ? law.onset() : 0.4 * top;
      if (k == samples || (top > 0 && std::abs(low - kink) < width)) continue;
      const LawValue up = law.at(low + e, kPair), down = law.at(low - e, kPair);
      EXPECT_NEAR(value.slope, (up.force - down.force) / (2 * e), 1e-5 * std::abs(value.slope)) << one.name;
      EXPECT_NEAR(value.adhesion_slope, (up.adhesion - down.adhesion) / (2 * e), 1e-5 * std::abs(value.slope))
          << one.name;
      const double dashpot_slope = (up.dashpot - down.dashpot) / (2 * e);
      EXPECT_NEAR(value.dashpot_slope, dashpot_slope, 1e-4 * (std::abs(dashpot_slope) + 1e-3 * up.dashpot))
          << one.name << " at " << low;
      if (k > samples / 10 && std::abs(sum) > 1e-3 * law.at(least, kPair).energy)
        test::keep_largest(worst, std::abs(value.energy / sum - 1));
    }
    EXPECT_EQ(law.at(top, kPair).force, 0) << one.name;
    EXPECT_EQ(law.at(top + 1e-6, kPair).energy, 0) << one.name;
  }
  std::printf("potential against the integral of the force: worst %.1e\n", worst);
}

/// Speed of separation over speed of approach under a law, spring and dashpot as the pair applies them:
/// fourth-order Runge-Kutta from contact onset to gap 0, the last step by bisection.
double realised(const NormalLaw& law, double speed, double mass) {
  PairConstants pair = kPair;
  pair.m_star = mass;
  const auto acceleration = [&](double gap, double rate) {
    const LawValue value = law.at(gap, pair);
    double damping = value.dashpot * std::sqrt(mass) * rate;
    if (law.no_tension()) test::keep_smallest(damping, value.force);
    return (value.force - damping) / mass;
  };
  const double h = law.duration(mass, speed, pair) / 4000;
  double gap = 0, rate = -speed;
  const auto step = [&](double dt, double& g, double& v) {
    const double v1 = v, a1 = acceleration(g, v);
    const double v2 = v + 0.5 * dt * a1, a2 = acceleration(g + 0.5 * dt * v1, v2);
    const double v3 = v + 0.5 * dt * a2, a3 = acceleration(g + 0.5 * dt * v2, v3);
    const double v4 = v + dt * a3, a4 = acceleration(g + dt * v3, v4);
    g += dt / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    v += dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  };
  for (int k = 0; k < 400000; ++k) {
    double g = gap, v = rate;
    step(h, g, v);
    if (g < 0) {
      gap = g;
      rate = v;
      continue;
    }
    double low = 0, high = h;
    for (int i = 0; i < 50; ++i) {
      const double middle = 0.5 * (low + high);
      double gm = gap, vm = rate;
      step(middle, gm, vm);
      (gm < 0 ? low : high) = middle;
    }
    step(low, gap, rate);
    return rate / speed;
  }
  return rate / speed;  // creeps out: critical damping without a clamp
}

TEST(NormalLaws, TheRestitutionOfTheDeckIsTheOneThatAnImpactRealises) {
  double worst = 0;
  for (const bool no_tension : {false, true}) {
    for (const double e : {1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.01, 0.0}) {
      Interface hooke, hertz;
      hooke.normal = HookeParameters{.stiffness = 3e5, .restitution = e, .no_tension = no_tension};
      hertz.normal = HertzParameters{.restitution = e, .no_tension = no_tension};
      // Critical damping: with the clamp exp(-2) is left.
      const double expected = e == 0 && no_tension ? std::exp(-2.0) : e;
      for (const Interface& interface : {hooke, hertz}) {
        const NormalLaw law(interface.normal);
        for (const auto& [speed, mass] : {std::pair{0.05, 0.2}, {4.0, 3.0}}) {
          const double got = realised(law, speed, mass);
          test::keep_largest(worst, std::abs(got - expected));
          EXPECT_NEAR(got, expected, 1e-4)
              << (interface.traits().name) << " e " << e << " clamp " << no_tension;
        }
      }
    }
  }
  std::printf("coefficient of restitution, error: worst %.1e\n", worst);
}

TEST(NormalLaws, RestitutionIsThatOfTheoryPage04) {
  // Table of C17: zeta of the form without clamp, realised with it.
  for (const auto& [e, clamped] : {std::pair{0.9, 0.9020}, {0.7, 0.7182}, {0.5, 0.5503}, {0.3, 0.3971}}) {
    EXPECT_NEAR(restitution_of(damping_for(e, false), true), clamped, 5e-5);
  }
  for (double e = 0.001; e <= 1; e += 0.037) {
    EXPECT_NEAR(restitution_of(damping_for(e, false), false), e, 1e-12);
    EXPECT_NEAR(restitution_of(damping_for(e, true), true), e, 1e-12);
  }
  EXPECT_EQ(damping_for(1, true), 0);
  EXPECT_EQ(damping_for(0, true), 1);
  EXPECT_NEAR(restitution_of(1, true), std::exp(-2), 1e-12);
  EXPECT_NEAR(restitution_of(1 + 1e-7, true), restitution_of(1 - 1e-7, true), 1e-6);
}

TEST(NormalLaws, DurationsAreThoseOfUndampedImpacts) {
  // From contact onset to separation, counted by the integration above with unit restitution.
  Interface hertz;
  hertz.normal = HertzParameters{};
  const NormalLaw law(hertz.normal);
  const double mass = 2, speed = 0.7;
  PairConstants pair = kPair;
  pair.m_star = mass;
  // Quarter by quarter from the energy: t = 2 int dx / sqrt(v^2 - 4/5 C x^(5/2) / m), x = x_m (1 - s^2).
  const double most = std::pow(1.25 * mass * speed * speed / pair.hertz, 0.4);
  double sum = 0;
  const int n = 20000;
  for (int k = 0; k < n; ++k) {
    const double s = (k + 0.5) / n;
    const double x = 1 - s * s;
    sum += 2 * s / std::sqrt(1 - std::pow(x, 2.5)) / n;
  }
  EXPECT_NEAR(law.duration(mass, speed, pair), 2 * most / speed * sum, 1e-4 * sum * most / speed);
  Interface hooke;
  hooke.normal = HookeParameters{.stiffness = 4e4};
  EXPECT_NEAR(NormalLaw(hooke.normal).duration(mass, speed, pair), std::numbers::pi * std::sqrt(2 / 4e4),
              1e-15);
}

}  // namespace
}  // namespace scree::contact
