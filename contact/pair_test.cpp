#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

#include "contact/candidates.hpp"
#include "contact/pair_evaluate.hpp"
#include "contact/test_bodies.hpp"

namespace scree::contact {
namespace {

using testing::random_rotation;
using testing::random_vector;
using testing::TestBody;
using Vec12 = Eigen::Matrix<double, 12, 1>;
using Mat12 = Eigen::Matrix<double, 12, 12>;

Interface test_interface(double damping_ratio, double mu) {
  Interface i;
  i.normal.threshold = 0.02;
  i.normal.stiffness = 3e9;
  i.normal.exponent = 3;
  i.normal.damping_ratio = damping_ratio;
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
      v.push_back({x, y, z});
  }
  std::vector<std::vector<int>> faces = {{0, 3, 2}, {0, 2, 1}, {0, 5, 4},   {0, 4, 3},
                                         {6, 8, 9}, {6, 7, 8}, {6, 10, 11}, {6, 9, 10}};
  for (int k = 0; k < 6; ++k) faces.push_back({k, (k + 1) % 6, 6 + (k + 1) % 6, 6 + k});
  return make_polyhedron("angle", v, faces);
}

struct TestPair {
  TestBody a, b;
  BodyPair pair;
  InterfaceLaw law;
  StepContext step{1e-3, 0};

  explicit TestPair(const Shape& sa, const Shape& sb, const Interface& i) : law(i) {
    a.shape = &sa;
    b.shape = &sb;
    pair.m_star = 1.3;
  }
  void set(const Vec12& d) {
    a.set(d.segment<3>(0), d.segment<3>(3));
    b.set(d.segment<3>(6), d.segment<3>(9));
    if (!step.frozen) return;
    a.freeze();
    b.freeze();
  }
  PairWrench at(const Vec12& d) {
    set(d);
    return evaluate(pair, a.view(), b.view(), law, step);
  }
  Vec12 both(const Vec12& d) {
    const PairWrench w = at(d);
    Vec12 all;
    all << w.force, w.moment, -w.force, -w.moment - (a.trial.x - b.trial.x).cross(w.force);
    return all;
  }
};

/// Moves A towards B until the smallest gap is as wanted. @returns false if it never gets there.
bool approach(TestPair& t, const Vec12& d, double gap) {
  for (int k = 0; k < 200; ++k) {
    t.set(d);
    build_items(t.pair, t.a.view(), t.b.view(), 0.5);
    const double now = smallest_gap(t.pair, t.a.view(), t.b.view());
    if (now < 0.3 * gap) return false;
    if (now < gap) return true;
    const Vec3 line = (t.b.state.x - t.a.state.x).normalized();
    t.a.state.x += std::min(0.7 * (now - 0.9 * gap), 0.02) * line;
  }
  return false;
}

double derivative_error(TestPair& t, const Vec12& d, std::map<TermKind, int>& kinds) {
  const Vec12 r0 = t.both(d);
  PairTangent ka;
  const PairWrench w = evaluate_tangent(t.pair, t.a.view(), t.b.view(), t.law, t.step, ka);
  for (const Active& c : t.pair.active) {
    for (int k = c.first; k < c.first + c.terms; ++k) ++kinds[t.pair.terms[k].kind];
  }
  Mat12 exact;
  exact << ka, reaction_tangent(ka, w, t.a.trial.x - t.b.trial.x, t.step.frozen);
  exact.middleCols<3>(3) *= t.a.trial.Xi;
  exact.rightCols<3>() *= t.b.trial.Xi;
  const std::size_t active = t.pair.active.size();
  EXPECT_NEAR((w.force - Vec3(r0.head<3>())).norm(), 0, 1e-9 * (1 + r0.norm()));
  EXPECT_NEAR((w.moment - Vec3(r0.segment<3>(3))).norm(), 0, 1e-9 * (1 + r0.norm()));
  Mat12 numeric;
  const double e = 5e-8;  // small against the thresholds of near-parallel windows
  for (int c = 0; c < 12; ++c) {
    Vec12 dp = Vec12::Zero();
    dp[c] = e;
    // Fourth order, so that the difference is limited by round-off.
    const Vec12 p1 = t.both(d + dp), m1 = t.both(d - dp), p2 = t.both(d + 2 * dp), m2 = t.both(d - 2 * dp);
    if (t.pair.active.size() != active) return 0;  // a kink is not differentiable
    numeric.col(c) = (8 * (p1 - m1) - (p2 - m2)) / (12 * e);
  }
  return (exact - numeric).norm() / (1 + exact.norm());
}

/// Shapes by name, so that every kind of body meets every other.
const std::map<std::string, Shape>& shapes() {
  static const std::map<std::string, Shape> all = {{"box", make_box("box", {0.2, 0.24, 0.3})},
                                                   {"tetrahedron", tetrahedron()},
                                                   {"sphere", make_sphere("sphere", 0.12)},
                                                   {"capsule", make_capsule("capsule", 0.07, 0.3)},
                                                   {"angle", angle_bar()}};
  return all;
}

TestPair random_pair(const Shape& a, const Shape& b, const Interface& interface, bool aligned,
                     std::mt19937_64& engine) {
  TestPair t(a, b, interface);
  t.a.rate = t.b.rate = 1600;
  t.b.state.q = random_rotation(engine);
  t.a.state.q = aligned ? Quat(t.b.state.q * rotation::quaternion(random_vector(engine, 0.04)))
                        : random_rotation(engine);
  t.a.state.x = random_vector(engine, 0.05) + 0.5 * random_vector(engine, 1).normalized();
  t.a.state.v = random_vector(engine, 0.5);
  t.a.state.w = random_vector(engine, 2);
  t.b.state.v = random_vector(engine, 0.5);
  t.b.state.w = random_vector(engine, 2);
  return t;
}

Vec12 random_increment(std::mt19937_64& engine) {
  Vec12 d;
  d << random_vector(engine, 1e-4), random_vector(engine, 1e-3), random_vector(engine, 1e-4),
      random_vector(engine, 1e-3);
  return d;
}

void give_memory(TestPair& t, std::mt19937_64& engine) {
  for (HistoryEntry& h : t.pair.history) {
    const Vec3 slip = random_vector(engine, 3e-5);
    h.slip = slip - h.n * h.n.dot(slip);
  }
}

TEST(PairTangent, MatchesDifferencesOfResidualForEveryPairOfShapes) {
  std::mt19937_64 engine(7);
  std::map<TermKind, int> kinds;
  double worst = 0;
  int states = 0, windowed = 0, composite = 0, slipping = 0;
  for (const auto& [name_a, shape_a] : shapes()) {
    for (const auto& [name_b, shape_b] : shapes()) {
      for (const double damping : {0.0, 0.3}) {
        for (const double mu : {0.0, 0.4}) {
          int here = 0;
          for (int trial = 0; trial < 300 && here < 12; ++trial) {
            // A third of the cases nearly aligned, so that windows and several contacts appear.
            TestPair t = random_pair(shape_a, shape_b, test_interface(damping, mu), trial % 3 == 0, engine);
            const Vec12 d = random_increment(engine);
            if (!approach(t, d, 0.012)) continue;
            t.both(d);
            if (t.pair.active.empty()) continue;
            give_memory(t, engine);
            const double error = derivative_error(t, d, kinds);
            worst = std::max(worst, error);
            EXPECT_LT(error, 1e-7) << name_a << " on " << name_b << " damping " << damping << " friction "
                                   << mu;
            ++here;
            ++states;
            for (const Active& c : t.pair.active) {
              windowed += c.window < 1 ? 1 : 0;
              composite += c.terms > 1 ? 1 : 0;
              slipping += c.slips ? 1 : 0;
            }
          }
          EXPECT_GE(here, 6) << name_a << " on " << name_b;
        }
      }
    }
  }
  for (const TermKind kind :
       {TermKind::vf, TermKind::fv, TermKind::ve, TermKind::ev, TermKind::vv, TermKind::ee}) {
    EXPECT_GT(kinds[kind], 20) << static_cast<int>(kind);
  }
  EXPECT_GT(windowed, 10);
  EXPECT_GT(composite, 10);
  EXPECT_GT(slipping, 10);
  std::printf("%d states, worst relative difference %.1e; windowed %d, composite %d, slipping %d\n", states,
              worst, windowed, composite, slipping);
}

/// The parts that integrators ask for: geometry of the step start, and velocities of zero.
TEST(PairTangent, MatchesDifferencesInFrozenStepsAndAtRest) {
  std::mt19937_64 engine(29);
  std::map<TermKind, int> kinds;
  double worst = 0;
  int states = 0, slipping = 0, sticking = 0, rated = 0;
  for (const auto& [frozen, at_rest] : {std::pair{true, false}, {false, true}, {true, true}}) {
    for (const auto& [name_a, shape_a] : shapes()) {
      for (const auto& [name_b, shape_b] : shapes()) {
        int here = 0;
        for (int trial = 0; trial < 300 && here < 6; ++trial) {
          TestPair t = random_pair(shape_a, shape_b, test_interface(0.3, 0.4), trial % 3 == 0, engine);
          t.a.rate = t.b.rate = 100;
          t.step.frozen = frozen;
          t.step.at_rest = at_rest;
          const Vec12 d = random_increment(engine);
          if (!approach(t, d, 0.012)) continue;
          t.both(d);
          if (t.pair.active.empty()) continue;
          give_memory(t, engine);
          const double error = derivative_error(t, d, kinds);
          worst = std::max(worst, error);
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
  const Shape& ball = shapes().at("sphere");
  int states = 0;
  for (int trial = 0; trial < 50; ++trial) {
    TestPair t = random_pair(ball, shapes().at("capsule"), test_interface(0.3, 0.4), false, engine);
    t.a.rate = t.b.rate = 100;
    if (!approach(t, Vec12::Zero(), 0.012)) continue;
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
