/// A vertex beside an edge and the edge pair that takes it off again: together they push, are damped and rub
/// as one straight contact.
#include "contact/pair/shared_corners.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "contact/pair/test_pair.hpp"
#include "contact/secant/secant_pair.hpp"

namespace scree::contact {
namespace {

using testing::random_vector;
using testing::TestPair;
using testing::Vec12;

constexpr double kFlushReach = 1e-3;

Interface flush_barrier(bool friction) {
  Interface i;
  i.normal = BarrierParameters{.threshold = kFlushReach, .stiffness = 2.8e13, .damping_ratio = 0.3};
  if (friction) {
    i.friction.static_coefficient = i.friction.dynamic_coefficient = 0.4;
    i.friction.stiffness = 1e6;
  }
  return i;
}

/// A cube on another one, beside it by parts of the threshold, turned a little and moving.
TestPair almost_flush(const Shape& cube, const Interface& interface, bool turned, std::mt19937_64& engine) {
  std::uniform_real_distribution<double> part(0.05, 0.4);
  TestPair t(cube, cube, interface);
  t.a.rate = t.b.rate = 1600;
  t.a.state.x = {part(engine) * kFlushReach, 0.02, 0.1 + 0.5 * kFlushReach};
  if (turned) t.a.state.q = rotation::quaternion(random_vector(engine, 1e-3));
  t.a.state.v = {0, 0, -0.3};
  return t;
}

int grouped(const BodyPair& pair) {
  int count = 0;
  for (const Active& contact : pair.active) count += contact.corner >= 0 ? 1 : 0;
  return count;
}

TEST(SharedCorners, DashpotsOfCubesThatLieAlmostFlushDoNotPushThemAside) {
  std::mt19937_64 engine(1);
  const Shape cube = make_box("cube", {0.1, 0.1, 0.1});
  for (int k = 0; k < 50; ++k) {
    TestPair t = almost_flush(cube, flush_barrier(false), false, engine);
    t.set(Vec12::Zero());
    build_items(t.pair, t.a.view(), t.b.view(), 0.01);
    const PairWrench all = evaluate(t.pair, t.a.view(), t.b.view(), t.law, t.step);
    ASSERT_GE(grouped(t.pair), 2);
    double damping = 0;
    for (const Active& contact : t.pair.active) damping += std::abs(contact.damping);
    EXPECT_GT(damping, 0);
    EXPECT_LT(all.force.head<2>().norm(), 1e-9 * damping);
  }
}

TEST(SharedCorners, FrictionOfCubesThatCloseStraightDoesNotPushThemAside) {
  std::mt19937_64 engine(2);
  const Shape cube = make_box("cube", {0.1, 0.1, 0.1});
  double loads = 0;
  for (int k = 0; k < 50; ++k) {
    TestPair t = almost_flush(cube, flush_barrier(true), false, engine);
    t.set(Vec12::Zero());
    build_items(t.pair, t.a.view(), t.b.view(), 0.01);
    // Limits are those of the step before.
    evaluate_secant(t.pair, t.a.view(), t.b.view(), t.law, t.step);
    commit_secant(t.pair, t.a.view(), t.b.view(), t.law, t.step);
    Vec12 d = Vec12::Zero();
    d[2] = -0.2 * kFlushReach;
    t.set(d);
    const PairWrench all = evaluate_secant(t.pair, t.a.view(), t.b.view(), t.law, t.step);
    double limit = 0;
    for (const Active& contact : t.pair.active) limit += contact.limit;
    EXPECT_GT(limit, 0);
    EXPECT_LT(all.force.head<2>().norm(), 1e-6 * limit);
    loads += limit;
  }
  EXPECT_GT(loads, 1);
}

TEST(SharedCorners, TangentsMatchDifferences) {
  std::mt19937_64 engine(3);
  const Shape cube = make_box("cube", {0.1, 0.1, 0.1});
  std::map<TermKind, int> kinds;
  double worst = 0;
  int seen = 0;
  for (int k = 0; k < 400 && seen < 60; ++k) {
    TestPair t = almost_flush(cube, flush_barrier(k % 2 == 0), true, engine);
    t.a.state.v += random_vector(engine, 0.2);
    t.a.state.w = random_vector(engine, 1);
    Vec12 d;
    d << random_vector(engine, 1e-5), random_vector(engine, 1e-4), random_vector(engine, 1e-5),
        random_vector(engine, 1e-4);
    t.set(d);
    build_items(t.pair, t.a.view(), t.b.view(), 0.01);
    t.both(d);
    if (grouped(t.pair) < 2) continue;
    const double error = derivative_error(t, d, kinds);
    if (error < 0) continue;
    ++seen;
    test::keep_largest(worst, error);
  }
  std::printf("%d states, %.1e\n", seen, worst);
  EXPECT_EQ(seen, 60);
  EXPECT_LT(worst, 1e-7);
}

TEST(SharedCorners, ContactsElsewhereShareNone) {
  std::mt19937_64 engine(4);
  const Shape cube = make_box("cube", {0.1, 0.1, 0.1});
  TestPair t(cube, cube, flush_barrier(false));
  t.a.state.x = {0.03, 0.02, 0.1 + 0.5 * kFlushReach};
  t.set(Vec12::Zero());
  build_items(t.pair, t.a.view(), t.b.view(), 0.01);
  evaluate(t.pair, t.a.view(), t.b.view(), t.law, t.step);
  EXPECT_GE(t.pair.active.size(), 4U);
  EXPECT_EQ(grouped(t.pair), 0);
}

}  // namespace
}  // namespace scree::contact
