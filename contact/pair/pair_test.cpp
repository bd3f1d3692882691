#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

#include "contact/pair/test_pair.hpp"
#include "core/test_extremes.hpp"

namespace scree::contact {
namespace {

using testing::approach;
using testing::derivative_error;
using testing::give_slip;
using testing::random_increment;
using testing::random_pair;
using testing::star;
using testing::TestPair;
using testing::Vec12;

Interface test_interface(double damping_ratio, double mu) {
  Interface i;
  i.normal =
      BarrierParameters{.threshold = 0.02, .stiffness = 3e9, .exponent = 3, .damping_ratio = damping_ratio};
  i.friction.static_coefficient = mu;
  i.friction.dynamic_coefficient = mu;
  i.friction.stiffness = 3e5;
  i.friction.damping = 20;
  return i;
}

Shape tetrahedron() {
  return make_polyhedron("tetrahedron", {{0, 0, 0}, {0.3, 0, 0}, {0.05, 0.32, 0}, {0.1, 0.08, 0.28}},
                         {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}});
}

/// L-shaped prism: a non-convex body with one concave edge.
Shape angle_bar() {
  const double s = 0.1;
  std::vector<Vec3> v;
  for (const double z : {-s, s}) {
    for (const auto& [x, y] : {std::pair{0., 0.}, {2 * s, 0.}, {2 * s, s}, {s, s}, {s, 2 * s}, {0., 2 * s}})
      v.emplace_back(x, y, z);
  }
  std::vector<std::vector<int>> faces = {{0, 3, 2}, {0, 2, 1}, {0, 5, 4},   {0, 4, 3},
                                         {6, 8, 9}, {6, 7, 8}, {6, 10, 11}, {6, 9, 10}};
  for (int k = 0; k < 6; ++k) faces.push_back({k, (k + 1) % 6, 6 + (k + 1) % 6, 6 + k});
  return make_polyhedron("angle", v, faces);
}

Shape tablet() { return make_superquadric("tablet", {0.15, 0.12, 0.09}, 5, 3, 10); }
Shape ellipsoid() { return make_superquadric("ellipsoid", {0.1, 0.14, 0.19}, 2, 2, 30); }

/// Shapes by name, so that every kind of body meets every other.
const std::map<std::string, Shape>& pair_shapes() {
  static const std::map<std::string, Shape> all = {{"box", make_box("box", {0.2, 0.24, 0.3})},
                                                   {"tetrahedron", tetrahedron()},
                                                   {"sphere", make_sphere("sphere", 0.12)},
                                                   {"capsule", make_capsule("capsule", 0.07, 0.3)},
                                                   {"angle", angle_bar()},
                                                   {"star", star(0.2)},
                                                   {"tablet", tablet()},
                                                   {"ellipsoid", ellipsoid()}};
  return all;
}

TEST(PairTangent, MatchesDifferencesOfResidualForEveryPairOfShapes) {
  std::mt19937_64 engine(7);
  std::map<TermKind, int> kinds;
  double worst = 0;
  int states = 0, windowed = 0, composite = 0, slipping = 0, limited = 0;
  for (const auto& [name_a, shape_a] : pair_shapes()) {
    for (const auto& [name_b, shape_b] : pair_shapes()) {
      for (const double damping : {0.0, 0.3}) {
        for (const double mu : {0.0, 0.4}) {
          int here = 0;
          for (int trial = 0; trial < 300 && here < 12; ++trial) {
            // A third of the cases nearly aligned, so that windows and several contacts appear.
            TestPair t = random_pair(shape_a, shape_b, test_interface(damping, mu), trial % 3 == 0, engine);
            const Vec12 d = random_increment(engine);
            if (!approach(t, d, 0.0036, 0.012)) continue;
            t.both(d);
            if (t.pair.active.empty()) continue;
            give_slip(t, 3e-5, engine);
            const double error = derivative_error(t, d, kinds);
            test::keep_largest(worst, error);
            EXPECT_LT(error, 1e-7) << name_a << " on " << name_b << " damping " << damping << " friction "
                                   << mu;
            ++here;
            ++states;
            for (const Active& c : t.pair.active) {
              windowed += c.window < 1 ? 1 : 0;
              composite += c.terms > 1 ? 1 : 0;
              limited += c.part < 1 ? 1 : 0;
              slipping += c.slips ? 1 : 0;
            }
          }
          EXPECT_GE(here, 6) << name_a << " on " << name_b;
        }
      }
    }
  }
  for (const TermKind kind : {TermKind::vf, TermKind::fv, TermKind::ve, TermKind::ev, TermKind::vv,
                              TermKind::ee, TermKind::smooth}) {
    EXPECT_GT(kinds[kind], 20) << static_cast<int>(kind);
  }
  EXPECT_GT(windowed, 10);
  EXPECT_GT(composite, 10);
  EXPECT_GT(slipping, 10);
  EXPECT_GT(limited, 10);
  std::printf(
      "%d states, worst relative difference %.1e; windowed %d, composite %d, slipping %d, taking off %d\n",
      states, worst, windowed, composite, slipping, limited);
}

/// The parts that integrators require: geometry of the step start, and velocities of zero.
TEST(PairTangent, MatchesDifferencesInFrozenStepsAndAtRest) {
  std::mt19937_64 engine(29);
  std::map<TermKind, int> kinds;
  double worst = 0;
  int states = 0, slipping = 0, sticking = 0, rated = 0;
  for (const auto& [frozen, at_rest] : {std::pair{true, false}, {false, true}, {true, true}}) {
    for (const auto& [name_a, shape_a] : pair_shapes()) {
      for (const auto& [name_b, shape_b] : pair_shapes()) {
        int here = 0;
        for (int trial = 0; trial < 300 && here < 6; ++trial) {
          TestPair t = random_pair(shape_a, shape_b, test_interface(0.3, 0.4), trial % 3 == 0, engine);
          t.a.rate = t.b.rate = 100;
          t.step.frozen = frozen;
          t.step.at_rest = at_rest;
          const Vec12 d = random_increment(engine);
          if (!approach(t, d, 0.0036, 0.012)) continue;
          t.both(d);
          if (t.pair.active.empty()) continue;
          give_slip(t, 3e-5, engine);
          const double error = derivative_error(t, d, kinds);
          test::keep_largest(worst, error);
          EXPECT_LT(error, 1e-7) << name_a << " on " << name_b << " frozen " << frozen << " rest " << at_rest;
          ++here;
          ++states;
          for (const Active& c : t.pair.active) {
            slipping += c.slips ? 1 : 0;
            sticking += c.slips ? 0 : 1;
            rated += c.rate != 0 ? 1 : 0;
            EXPECT_TRUE(!at_rest || c.damping == 0);
          }
        }
        EXPECT_GE(here, 3) << name_a << " on " << name_b;
      }
    }
  }
  EXPECT_GT(slipping, 10);
  EXPECT_GT(sticking, 10);
  EXPECT_GT(rated, 10);
  std::printf("%d states, worst relative difference %.1e; slipping %d, sticking %d\n", states, worst,
              slipping, sticking);
}

/// Conservative part plus what velocities add is the whole, and a frozen step sees the accepted pose.
TEST(PairContext, FrozenForcesAreThoseOfTheAcceptedPoseWithTheVelocitiesOfTheTrial) {
  std::mt19937_64 engine(31);
  const Shape& ball = pair_shapes().at("sphere");
  int states = 0;
  for (int trial = 0; trial < 50; ++trial) {
    TestPair t = random_pair(ball, pair_shapes().at("capsule"), test_interface(0.3, 0.4), false, engine);
    t.a.rate = t.b.rate = 100;
    if (!approach(t, Vec12::Zero(), 0.0036, 0.012)) continue;
    ++states;
    const Vec12 d = random_increment(engine);
    t.step = {1e-3, 0, true, false};
    const PairWrench frozen = t.at(d);
    const Vec3 va = t.a.trial.v, wa = t.a.trial.w, vb = t.b.trial.v, wb = t.b.trial.w;
    // The same velocities without any increment.
    TestPair still = t;
    still.a.rate = still.b.rate = 0;
    still.a.state.v = va;
    still.a.state.w = wa;
    still.b.state.v = vb;
    still.b.state.w = wb;
    const PairWrench again = still.at(Vec12::Zero());
    EXPECT_LT((frozen.force - again.force).norm(), 1e-12 * frozen.force.norm());
    EXPECT_LT((frozen.moment - again.moment).norm(), 1e-12 * frozen.moment.norm());
    // At rest they are those of the step without velocities: potential and springs.
    t.step = {1e-3, 0, true, true};
    const PairWrench rest = t.at(d);
    still.step = {1e-3, 0, false, false};
    still.a.state.v = still.a.state.w = still.b.state.v = still.b.state.w = Vec3::Zero();
    const PairWrench potential = still.at(Vec12::Zero());
    EXPECT_LT((rest.force - potential.force).norm(), 1e-12 * rest.force.norm());
    EXPECT_GT((rest.force - frozen.force).norm(), 1e-6 * rest.force.norm());
  }
  EXPECT_GT(states, 20);
}

}  // namespace
}  // namespace scree::contact
