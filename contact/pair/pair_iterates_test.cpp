/// Tangents of a pair within a solve: the derivative where iterates stay where they are, semi-definite where
/// they do not, without what would soften a contact more than inertia can carry.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cstdio>

#include "contact/pair/pair_constants.hpp"
#include "contact/pair/test_pair.hpp"
#include "contact/test_interfaces.hpp"

namespace scree::contact {
namespace {

using testing::approach;
using testing::Mat12;
using testing::random_increment;
using testing::random_pair;
using testing::random_vector;
using testing::TestPair;
using testing::Vec12;

Mat12 tangent_of(TestPair& t) {
  PairTangent ka;
  const PairWrench w = evaluate_tangent(t.pair, t.a.view(), t.b.view(), t.law, t.step, ka);
  Mat12 k;
  k << ka, reaction_tangent(ka, w, t.a.trial.x - t.b.trial.x, t.step.frozen);
  return k;
}

void follow(TestPair& t, long solve) {
  begin_iterate(t.pair, solve);
  follow_iterate(t.pair, t.a.view(), t.b.view(), t.law, t.step);
}

double least_eigenvalue(const Mat12& k) {
  return Eigen::SelfAdjointEigenSolver<Mat12>(0.5 * (k + k.transpose())).eigenvalues().minCoeff();
}

/// Two spheres under Hertz's law with friction and rolling resistance, at an overlap of 2 %.
bool rough_spheres(TestPair& t, const Vec12& d) {
  static const BodyProperties body{.mass = 2, .inertia_B = 0.02 * Mat3::Identity()};
  const Elasticity soft{1e7, 0.3};
  static_cast<PairConstants&>(t.pair) =
      pair_constants({&body, t.a.shape, soft, false}, {&body, t.b.shape, soft, false}, t.law);
  t.law.normal.set_scale(0.01);
  return approach(t, d, -0.004, -0.002);
}

Interface hertz(double friction, bool rolls) {
  Interface interface;
  interface.normal = HertzParameters{};
  interface.friction.static_coefficient = interface.friction.dynamic_coefficient = friction;
  interface.friction.rule = TangentialStiffness::mindlin;
  if (rolls) interface.rolling = testing::some_rolling();
  return interface;
}

TEST(PairIterates, ARepeatedIterateHasTheDerivative) {
  const Shape ball = make_sphere("ball", 0.12);
  std::mt19937_64 engine(17);
  int slipping = 0, rolling = 0;
  for (int trial = 0; trial < 200; ++trial) {
    TestPair t = random_pair(ball, ball, hertz(0.02, true), false, engine);
    const Vec12 d = random_increment(engine);
    if (!rough_spheres(t, d)) continue;
    t.at(d);
    if (t.pair.active.empty()) continue;
    testing::give_slip(t, 1e-3, engine);
    for (HistoryEntry& h : t.pair.history) {
      const Vec3 roll = random_vector(engine, 2e-2);
      h.roll = roll - h.n * h.n.dot(roll);
      h.stiffness_n = 1e6;
    }
    t.at(d);
    const Mat12 derivative = tangent_of(t);
    follow(t, 1);
    const Mat12 first = tangent_of(t);
    follow(t, 1);
    const Mat12 second = tangent_of(t);
    EXPECT_LT((second - derivative).norm(), 1e-12 * derivative.norm());
    const Active& contact = t.pair.active[0];
    slipping += contact.slips ? 1 : 0;
    rolling += contact.rolls ? 1 : 0;
    // Along the slip the derivative has nothing but the normal force; the first iterate resists.
    if (contact.slips) {
      EXPECT_GT((first - derivative).norm(), 1e-9 * derivative.norm());
    }
    // The next solve starts from the stored force again.
    follow(t, 2);
    EXPECT_EQ((tangent_of(t) - first).norm(), 0);
    t.pair.iterates.clear();
    EXPECT_EQ((tangent_of(t) - derivative).norm(), 0);
  }
  EXPECT_GT(slipping, 50);
  EXPECT_GT(rolling, 20);
}

TEST(PairIterates, NoContactSoftensMoreThanInertiaCarries) {
  const Shape ball = make_sphere("ball", 0.12);
  std::mt19937_64 engine(19);
  int seen = 0;
  for (int trial = 0; trial < 60; ++trial) {
    TestPair t = random_pair(ball, ball, hertz(0, false), false, engine);
    if (!rough_spheres(t, Vec12::Zero())) continue;
    for (const double rate : {1e-3, 1e3}) {
      t.a.rate = t.b.rate = rate;
      t.at(Vec12::Zero());
      ASSERT_EQ(t.pair.active.size(), 1U);
      const Mat12 derivative = tangent_of(t);
      EXPECT_LT(least_eigenvalue(derivative), -1e-3 * derivative.norm());
      follow(t, 1);
      const Mat12 within = tangent_of(t);
      if (rate < 1) {
        EXPECT_GT(least_eigenvalue(within), -1e-12 * derivative.norm());
      } else {
        EXPECT_EQ((within - derivative).norm(), 0);
      }
      t.pair.iterates.clear();
      ++seen;
    }
  }
  EXPECT_GT(seen, 60);
}

}  // namespace
}  // namespace scree::contact
