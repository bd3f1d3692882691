/// Springs of friction where contacts succeed each other: what they carry, what they store and what is
/// booked.
#include "contact/pair/pair_history.hpp"
#include "core/test_extremes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <vector>

#include "contact/pair/pair_friction.hpp"
#include "contact/pair/test_pair.hpp"

namespace scree::contact {
namespace {

using testing::TestPair;
using testing::Vec12;

/// A pair with one donor and contacts that were created next to it. @param normal forces of the donor's
/// contact (none if negative) and of the others [N].
BodyPair family(double donor, const std::vector<double>& others) {
  BodyPair pair;
  pair.history.emplace_back();
  const auto add = [&](int entry, double normal) {
    Active contact;
    contact.history = entry;
    contact.normal = normal;
    pair.active.push_back(contact);
  };
  if (donor >= 0) add(0, donor);
  for (const double normal : others) {
    HistoryEntry entry;
    entry.fresh = true;
    entry.donor = 0;
    pair.history.push_back(entry);
    add(static_cast<int>(pair.history.size()) - 1, normal);
  }
  share_springs(pair);
  return pair;
}

TEST(SharedSprings, SharesAreThoseOfTheNormalForces) {
  const BodyPair pair = family(6, {3, 1});
  EXPECT_DOUBLE_EQ(pair.active[0].share, 0.6);
  EXPECT_DOUBLE_EQ(pair.active[1].share, 0.3);
  EXPECT_DOUBLE_EQ(pair.active[2].share, 0.1);
}

TEST(SharedSprings, TheOnlySuccessorOfAContactThatOpensHoldsAll) {
  EXPECT_EQ(family(-1, {3e-9}).active[0].share, 1);
}

/// Contacts whose terms cancel but for round-off change with every step: they must not take anything.
TEST(SharedSprings, AContactWithoutForceHoldsNothing) {
  const BodyPair pair = family(100, {1e-13, 0});
  EXPECT_NEAR(pair.active[0].share, 1, 1e-14);
  EXPECT_LT(pair.active[1].share, 1e-14);
  EXPECT_EQ(pair.active[2].share, 0);
  EXPECT_EQ(family(0, {0}).active[1].share, 0);
}

TEST(SharedSprings, ContactsWithoutSuccessorsKeepTheirs) {
  BodyPair pair = family(6, {2});
  pair.history.emplace_back();
  Active other;
  other.history = 2;
  other.normal = 17;
  pair.active.push_back(other);
  share_springs(pair);
  EXPECT_DOUBLE_EQ(pair.active[0].share, 0.75);
  EXPECT_EQ(pair.active[2].share, 1);
}

/// A body that is dragged over another one without turning; every step is accepted.
struct Dragged {
  TestPair t;
  PairWrench before;  ///< residual at the last accepted state
  double work = 0;    ///< done by what drags, in the mean of the forces at the ends of each step [J]
  double lost = 0;    ///< booked as loss of friction [J]
  double largest_loss = 0, smallest_loss = 0, largest_stored = 0;  ///< of a step; ever
  int successions = 0;                                             ///< contacts that succeeded another one

  Dragged(const Shape& a, const Shape& b, const Interface& interface, const Vec3& start)
      : t(a, b, interface) {
    t.law.normal.set_scale(0.01);
    t.a.state.x = start;
    before = to(start);
    work = 0;
  }
  PairWrench to(const Vec3& x) {
    Vec12 d = Vec12::Zero();
    d.head<3>() = x - t.a.state.x;
    t.set(d);
    build_items(t.pair, t.a.view(), t.b.view(), 0.1);
    PairWrench w = t.at(d);
    for (const Active& c : t.pair.active) {
      if (c.history >= 0 && t.pair.history[c.history].donor >= 0) ++successions;
    }
    const double loss = commit(t.pair, t.a.view(), t.b.view(), t.law, t.step).friction;
    lost += loss;
    test::keep_largest(largest_loss, loss);
    test::keep_smallest(smallest_loss, loss);
    test::keep_largest(largest_stored, friction_energy(t.pair, t.law));
    work += 0.5 * (before.force + w.force).dot(Vec3(d.head<3>()));
    before = w;
    t.a.state.x = x;
    return w;
  }
  [[nodiscard]] double stored() const { return normal_energy(t.pair) + friction_energy(t.pair, t.law); }
};

Interface barrier(FrictionLimit limit) {
  Interface interface;
  interface.normal = BarrierParameters{.threshold = 0.01, .stiffness = 1e9, .exponent = 3};
  interface.friction = {.static_coefficient = 0.4, .dynamic_coefficient = 0.4, .stiffness = 2e5};
  interface.friction.limit = limit;
  return interface;
}

/// Where features meet at one place, one of them carries the force, and which one that is may change with
/// the rounding of the next step.
TEST(SharedSprings, ContactsBesideOneThatCarriesAThousandthOfAThousandthLeaveNoMemory) {
  const Shape ball = make_sphere("ball", 0.05);
  TestPair t(ball, ball, barrier(FrictionLimit::sum));
  t.law.normal.set_scale(0.01);
  const auto entry = [](std::uint64_t key, double force, const Vec3& at, const Vec3& n) {
    HistoryEntry one;
    one.key = key;
    one.acts = true;
    one.normal_n = force;
    one.arm_a = at;
    one.n = n;
    one.stiffness_n = 2;
    one.slip = {3, 0, 0};
    return one;
  };
  const Vec3 up = Vec3::UnitZ(), place(0.1, 0, 0);
  t.pair.history = {entry(1, 1, place, up),
                    entry(2, 1e-13, place, up),                     // forgotten
                    entry(3, -1e-9, place + Vec3(1e-9, 0, 0), up),  // forgotten
                    entry(4, 1e-5, place, up),                      // carries too much
                    entry(5, 1e-13, place + Vec3(1e-4, 0, 0), up),  // elsewhere
                    entry(6, 1e-13, place, Vec3::UnitX()),          // of another face
                    entry(7, 1e-13, Vec3(0.2, 0, 0), up)};          // has no other
  const double all = friction_energy(t.pair, t.law);
  const double lost = forget_shadowed(t.pair, t.law);
  std::vector<std::uint64_t> kept;
  for (const HistoryEntry& one : t.pair.history)
    if (one.acts) kept.push_back(one.key);
  EXPECT_EQ(kept, (std::vector<std::uint64_t>{1, 4, 5, 6, 7}));
  EXPECT_GT(lost, 0);
  EXPECT_NEAR(lost, all * 2 / 7, 1e-12 * all);
  EXPECT_EQ(forget_shadowed(t.pair, t.law), 0);
}

/// Over the ridge of a surface that is not convex: the contact with the face gives way to that with the edge,
/// at the same place and with the same force.
TEST(SharedSprings, AStepOverAnEdgeChangesNeitherForceNorEnergy) {
  const Shape ball = make_sphere("ball", 0.05);
  const Shape slab = testing::staple();
  double top = -1, side = -1;
  for (const Vec3& v : slab.vertices) {
    test::keep_largest(top, v.z());
    test::keep_largest(side, v.x());
  }
  // Near the edge of the upper face, and pulled along it so that the spring carries force.
  const double height = top + 0.05 + 0.006;
  Dragged ball_on(ball, slab, barrier(FrictionLimit::sum), {side - 1e-9, 0, height});
  ball_on.to({side - 1e-9, 1e-5, height});
  ASSERT_EQ(ball_on.t.pair.history.size(), 1);
  const std::uint64_t face = ball_on.t.pair.history[0].key;
  const double stored = friction_energy(ball_on.t.pair, ball_on.t.law);
  const double force = ball_on.before.force.y();
  EXPECT_NEAR(force, 2e5 * 1e-5, 1e-9 * force);
  ball_on.lost = 0;
  ball_on.to({side + 1e-9, 1e-5, height});
  ASSERT_EQ(ball_on.t.pair.history.size(), 1);
  EXPECT_NE(ball_on.t.pair.history[0].key, face);
  EXPECT_NEAR(ball_on.before.force.y(), force, 1e-6 * force);
  EXPECT_NEAR(friction_energy(ball_on.t.pair, ball_on.t.law), stored, 1e-6 * stored);
  EXPECT_NEAR(ball_on.lost, 0, 1e-6 * stored);
}

/// Two ridges along y with a valley between them, slopes of 0.3: not convex.
Shape ridges() {
  std::vector<Vec3> vertices;
  for (const double y : {-0.1, 0.1}) {
    for (int k = 0; k < 5; ++k) vertices.emplace_back(0.1 * k - 0.2, y, k % 2 == 0 ? 0.0 : 0.03);
    for (int k = 0; k < 5; ++k) vertices.emplace_back(0.1 * k - 0.2, y, -0.1);
  }
  std::vector<std::vector<int>> faces{{0, 10, 15, 5}, {4, 9, 19, 14}};
  for (int k = 0; k < 4; ++k) {
    faces.push_back({k, k + 1, k + 11, k + 10});
    faces.push_back({k + 5, k + 15, k + 16, k + 6});
    faces.push_back({k, k + 5, k + 6, k + 1});
    faces.push_back({k + 10, k + 11, k + 16, k + 15});
  }
  return make_polyhedron("ridges", vertices, faces);
}

/// Centre of a ball that follows the ridges at an even gap. @param top height of the ridges' feet [m].
Vec3 over_ridges(double part, double radius_and_gap, double top) {
  const double x = -0.15 + 0.3 * part;
  const double slope = std::hypot(1.0, 0.3);
  const double from_ridge = std::abs(std::abs(x) - 0.1);
  const double z = from_ridge < radius_and_gap * 0.3 / slope
                       ? 0.03 + std::sqrt(radius_and_gap * radius_and_gap - from_ridge * from_ridge)
                       : 0.03 - 0.3 * from_ridge + radius_and_gap * slope;
  return {x, -0.05 + 0.1 * part, top + z};
}

/// Work done = energy stored + losses booked, better with each halving of the step.
TEST(SharedSprings, TheBalanceOfABodyDraggedOverEdgesClosesWithTheStep) {
  const Shape ball = make_sphere("ball", 0.05);
  const Shape surface = ridges();
  const Shape cube = make_box("cube", {0.2, 0.2, 0.2});
  double top = 0;  // vertices are about the centre of mass
  for (const Vec3& v : surface.vertices) test::keep_largest(top, v.z() - 0.03);
  const auto on_ridges = [&](double part) { return over_ridges(part, 0.056, top); };
  const auto on_cube = [](double part) { return Vec3(0.06 + 0.135 * part, -0.07 + 0.16 * part, 0.2055); };
  struct Scene {
    const char* name;
    const Shape &a, &b;
    std::function<Vec3(double)> path;
  };
  const Scene scenes[] = {{"ball over ridges", ball, surface, on_ridges},
                          {"cube over the edges of a cube", cube, cube, on_cube}};
  for (const Scene& scene : scenes) {
    for (const FrictionLimit limit : {FrictionLimit::sum, FrictionLimit::spring, FrictionLimit::none}) {
      double first = 0;
      for (const int n : {400, 800, 1600}) {
        Dragged body(scene.a, scene.b, barrier(limit), scene.path(0));
        const double start = body.stored();
        body.lost = 0;
        for (int k = 1; k <= n; ++k) body.to(scene.path(static_cast<double>(k) / n));
        const double error = std::abs(start + body.work - body.lost - body.stored());
        std::printf("%s, %d steps: %d successions, lost %.4g J, stored up to %.3g J, error %.2e J\n",
                    scene.name, n, body.successions, body.lost, body.largest_stored, error);
        EXPECT_GT(body.successions, 0) << scene.name;
        EXPECT_GT(body.smallest_loss, -1e-3 * body.largest_stored) << scene.name;
        if (n == 400) first = error;
        if (n == 1600) {
          EXPECT_LT(error, 0.4 * first) << scene.name;
          EXPECT_LT(error, 0.02 * body.largest_stored) << scene.name;
        }
      }
    }
  }
}

TEST(PairHistory, KeepsTheNormalForceThatLimitsTheSpringsInStepsOfSecants) {
  const Shape ball = make_sphere("ball", 0.05);
  const Dragged pressed(ball, ball, barrier(FrictionLimit::sum), {0, 0, 0.106});
  ASSERT_EQ(pressed.t.pair.history.size(), 1);
  EXPECT_GT(pressed.t.pair.history[0].normal_n, 0);
  EXPECT_EQ(pressed.t.pair.history[0].normal_n, pressed.t.pair.active[0].pressing);
}

}  // namespace
}  // namespace scree::contact
