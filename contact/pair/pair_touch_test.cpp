/// Dashpots where a barrier law begins: no jump of the force at onset, whatever the exponent
/// (docs/interface_laws.md, section 2).
#include <cmath>

#include "contact/pair/test_pair.hpp"
#include "core/test_extremes.hpp"

namespace scree::contact {
namespace {

using testing::approach;
using testing::derivative_error;
using testing::random_increment;
using testing::random_pair;
using testing::random_vector;
using testing::TestPair;
using testing::Vec12;

constexpr double kThreshold = 0.02;

Interface damped(double exponent) {
  Interface i;
  i.normal = BarrierParameters{
      .threshold = kThreshold, .stiffness = 1e5, .exponent = exponent, .damping_ratio = 0.9};
  return i;
}

TEST(FirstTouchOfBarrier, ForceIsContinuousWhereTheLawBegins) {
  const Shape ball = make_sphere("ball", 0.1), cube = make_box("cube", {0.2, 0.2, 0.2});
  for (const double exponent : {1.0, 1.5, 2.0, 3.0}) {
    TestPair t(ball, cube, damped(exponent));
    t.step.h = 1e-3;
    t.a.state.v = {0.3, 0, -2};
    const auto force = [&](double depth) {
      t.a.state.x = {0, 0, 0.2 + kThreshold - depth};
      t.set(Vec12::Zero());
      build_items(t.pair, t.a.view(), t.b.view(), 0.5);
      t.pair.history.clear();
      return t.both(Vec12::Zero()).norm();
    };
    // The whole dashpot where a tenth of what the bodies close in the step is left behind, 2e-4 m.
    const double whole = force(2.5e-4);
    EXPECT_NEAR(t.pair.active.at(0).damping, -2 * t.pair.active.at(0).dashpot, 1e-9 * whole);
    EXPECT_LT(force(1e-12), 1e-6 * whole) << exponent;
    for (double depth = 1e-6; depth < 2.5e-4; depth += 1e-6) {
      const double before = force(depth), change = force(depth + 1e-10) - before;
      EXPECT_LT(std::abs(change), 1e-4 * whole) << exponent << " at " << depth;
    }
  }
}

TEST(FirstTouchOfBarrier, TangentMatchesDifferencesWhileTheDashpotRises) {
  const Shape box = make_box("box", {0.2, 0.24, 0.3}), star = testing::star(0.2);
  std::mt19937_64 engine(37);
  std::map<TermKind, int> kinds;
  double worst = 0;
  int rising = 0, risen = 0;
  for (const double exponent : {1.0, 2.0}) {
    for (const auto& [a, b] : {std::pair{&box, &box}, {&box, &star}, {&star, &box}, {&star, &star}}) {
      for (int trial = 0; trial < 200; ++trial) {
        TestPair t = random_pair(*a, *b, damped(exponent), trial % 3 == 0, engine);
        t.a.rate = t.b.rate = 0;
        t.step.h = 0.05;
        const Vec12 d = random_increment(engine);
        if (!approach(t, d, 0.9 * kThreshold, 0.99 * kThreshold)) continue;
        t.both(d);
        const double error = derivative_error(t, d, kinds);
        if (error < 0) continue;
        test::keep_largest(worst, error);
        for (const Active& c : t.pair.active) ++(c.damping_begins ? rising : risen);
      }
    }
  }
  std::printf("%d dashpots rising, %d risen, worst relative difference %.1e\n", rising, risen, worst);
  EXPECT_GT(rising, 50);
  EXPECT_GT(risen, 50);
  EXPECT_LT(worst, 1e-7);
}

}  // namespace
}  // namespace scree::contact
