/// Rolling resistance and friction over a step, on springs that the step before left: they never make energy,
/// and their tangent is the derivative (theory 11 section 5).
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>

#include "contact/pair/pair_friction.hpp"
#include "contact/pair/test_pair.hpp"
#include "contact/secant/secant_pair.hpp"

namespace scree::contact {
namespace {

using testing::random_pair;
using testing::random_vector;
using testing::TestPair;
using testing::Vec12;

Interface rolling_law(bool friction, double damping) {
  Interface i;
  i.normal = HookeParameters{.stiffness = 1e6};
  i.rolling = {.coefficient = 0.1, .stiffness = 50, .damping_ratio = 0};
  if (friction) {
    i.friction.static_coefficient = i.friction.dynamic_coefficient = 0.5;
    i.friction.stiffness = damping > 0 ? 0 : 3e5;
    i.friction.damping = damping;
  }
  return i;
}

struct Case {
  const char* name;
  Shape a, b;
  Interface law;
};

std::vector<Case> cases() {
  const Shape ball = make_sphere("ball", 0.04);
  const Shape plane = make_plane("plane");
  Shape rounded = make_box("rounded", {0.1, 0.08, 0.06});
  rounded.radius = 5e-3;
  rounded.bounding_radius += 5e-3;
  return {{"balls", ball, ball, rolling_law(false, 0)},
          {"balls with friction", ball, ball, rolling_law(true, 0)},
          {"balls with friction by a dashpot", ball, ball, rolling_law(true, 400)},
          {"ball, plane", ball, plane, rolling_law(true, 0)},
          {"rounded box, plane", rounded, plane, rolling_law(true, 0)}};
}

/// Bodies that touch, at a new place, with springs of some part of their limits.
bool rolling_touch(TestPair& t, std::mt19937_64& engine) {
  t.law.normal.set_scale(1e-3);
  if (!testing::approach(t, Vec12::Zero(), -2e-3, -2e-4)) return false;
  t.pair.r_star = t.pair.r_rolling = 0.02;
  t.set(Vec12::Zero());
  build_items(t.pair, t.a.view(), t.b.view(), 0.02);
  evaluate_secant(t.pair, t.a.view(), t.b.view(), t.law, t.step);
  commit_secant(t.pair, t.a.view(), t.b.view(), t.law, t.step);
  std::uniform_real_distribution<double> any(0, 1);
  for (HistoryEntry& entry : t.pair.history) {
    const auto spring = [&](double most) {
      const Vec3 v = random_vector(engine, 1);
      return Vec3((any(engine) * most) * (v - entry.n * entry.n.dot(v)).normalized());
    };
    if (t.law.friction.stiffness > 0) entry.slip = spring(0.5 * entry.normal_n / t.law.friction.stiffness);
    entry.roll = spring(t.law.rolling.coefficient * t.pair.r_star * entry.normal_n / t.law.rolling.stiffness);
  }
  return !t.pair.history.empty();
}

Vec12 random_rolling(std::mt19937_64& engine, double size, bool wall) {
  Vec12 d;
  d << random_vector(engine, 3e-4), random_vector(engine, size), random_vector(engine, 3e-4),
      random_vector(engine, size);
  if (wall) d.tail<6>().setZero();
  return d;
}

TEST(SecantRolling, FrictionDoesNotJumpWhereBodiesAtRestComeApart) {
  // Damping of rest leaves the normal force at the end of the step, which is zero if the gap opens. The limit
  // of friction is that of the last step on both sides of it.
  std::mt19937_64 engine(5);
  for (const Case& one : cases()) {
    double strongest = 0;
    int seen = 0;
    for (int k = 0; k < 100; ++k) {
      TestPair t = random_pair(one.a, one.b, one.law, false, engine);
      if (!rolling_touch(t, engine) || t.pair.history.size() != 1) continue;
      const HistoryEntry entry = t.pair.history[0];
      std::array<PairWrench, 2> w;
      for (const int side : {0, 1}) {
        Vec12 d = Vec12::Zero();
        d.head<3>() =
            ((side == 0 ? -1e-11 : 1e-11) - entry.gap_n) * entry.n + 1e-5 * entry.n.unitOrthogonal();
        t.set(d);
        t.a.trial.end_weight = t.b.trial.end_weight = 1;
        w[side] = evaluate_secant(t.pair, t.a.view(), t.b.view(), t.law, t.step);
      }
      ASSERT_EQ(t.pair.active.size(), 1u);
      EXPECT_LT(t.pair.active[0].normal, 1e-3);
      test::keep_largest(strongest, w[0].force.norm() + w[0].moment.norm());
      EXPECT_LT((w[1].force - w[0].force).norm() + (w[1].moment - w[0].moment).norm(), 1e-3) << one.name;
      ++seen;
    }
    EXPECT_GT(seen, 30) << one.name;
    EXPECT_GT(strongest, 0.1) << one.name;
  }
}

TEST(SecantRolling, TakesWhatItDoesNotStore) {
  std::mt19937_64 engine(1);
  for (const Case& one : cases()) {
    double made = 0;
    int rolled = 0, held = 0;
    for (int k = 0; k < 400; ++k) {
      TestPair t = random_pair(one.a, one.b, one.law, false, engine);
      if (!rolling_touch(t, engine)) continue;
      const double normal_n = [&] {
        t.set(Vec12::Zero());
        evaluate_secant(t.pair, t.a.view(), t.b.view(), t.law, t.step);
        return normal_energy(t.pair);
      }();
      roll_back(t.pair);
      const double springs_n = friction_energy(t.pair, t.law);
      // From steps that wind the spring up to those that roll far.
      t.set(random_rolling(engine, k % 2 == 0 ? 0.02 : 0.3, one.b.kind == ShapeKind::plane));
      const PairWrench w = evaluate_secant(t.pair, t.a.view(), t.b.view(), t.law, t.step);
      const Vec3 arm = (t.a.trial.x - 0.5 * t.a.trial.u) - (t.b.trial.x - 0.5 * t.b.trial.u);
      const PairWrench on_b = reaction(w, arm);
      const double work = w.force.dot(t.a.trial.u) + w.moment.dot(t.a.trial.alpha) +
                          on_b.force.dot(t.b.trial.u) + on_b.moment.dot(t.b.trial.alpha);
      const double normal = normal_energy(t.pair);
      for (const Active& contact : t.pair.active) {
        if (contact.history < 0 || contact.rolling_limit == 0) continue;
        ++(contact.rolls ? rolled : held);
      }
      const StepLosses losses = commit_secant(t.pair, t.a.view(), t.b.view(), t.law, t.step);
      const double springs = friction_energy(t.pair, t.law);
      const double size = std::abs(normal) + std::abs(normal_n) + springs + springs_n + 1e-9;
      // What bodies lose is stored or counted as lost, and losses are not negative.
      EXPECT_NEAR(work, normal - normal_n + springs - springs_n + losses.friction + losses.damping,
                  1e-9 * size);
      test::keep_largest(made, -losses.friction / size);
    }
    std::printf("%-34s rolled %d, held %d, made %.1e\n", one.name, rolled, held, made);
    EXPECT_GT(rolled, 40);
    EXPECT_GT(held, 20);
    EXPECT_LT(made, 1e-9);
  }
}

TEST(SecantRolling, TangentIsTheDerivative) {
  std::mt19937_64 engine(2);
  for (const Case& one : cases()) {
    const bool wall = one.b.kind == ShapeKind::plane;
    double largest = 0;
    int seen = 0, rolled = 0, slid = 0;
    for (int k = 0; k < 400 && seen < 60; ++k) {
      TestPair t = random_pair(one.a, one.b, one.law, false, engine);
      t.step.h = 1e-4;  // curvature is far below inertia
      if (!rolling_touch(t, engine)) continue;
      const Vec12 d = random_rolling(engine, k % 2 == 0 ? 3e-3 : 0.05, wall);
      bool limits = false;
      const auto both = [&](const Vec12& at) {
        t.set(at);
        const PairWrench w = evaluate_secant(t.pair, t.a.view(), t.b.view(), t.law, t.step);
        const Vec3 arm = (t.a.trial.x - 0.5 * t.a.trial.u) - (t.b.trial.x - 0.5 * t.b.trial.u);
        const PairWrench on_b = reaction(w, arm);
        Vec12 all;
        all << w.force, w.moment, on_b.force, on_b.moment;
        for (const Active& contact : t.pair.active) limits = limits || contact.rolls || contact.slips;
        return all;
      };
      const Vec12 r = both(d);
      if (t.pair.active.empty()) continue;
      const auto branch = [&] {
        std::vector<int> all;
        for (const Active& c : t.pair.active)
          all.push_back((c.rolls ? 1 : 0) + (c.slips ? 2 : 0) + (c.normal_positive ? 4 : 0) + 8 * c.terms +
                        64 * static_cast<int>(t.pair.terms[static_cast<std::size_t>(c.first)].kind));
        return all;
      };
      const std::vector<int> here = branch();
      for (const Active& contact : t.pair.active) {
        rolled += contact.rolls ? 1 : 0;
        slid += contact.slips ? 1 : 0;
      }
      PairTangent ka, kb;
      secant_tangent(t.pair, t.a.view(), t.b.view(), t.law, t.step, ka, kb);
      testing::Mat12 exact;
      exact << ka, kb;
      exact.middleCols<3>(3) *= t.a.trial.Xi;
      exact.rightCols<3>() *= t.b.trial.Xi;
      testing::Mat12 numeric;
      constexpr double kStep = 1e-7;
      bool kink = false;
      for (int c = 0; c < 12; ++c) {
        Vec12 e = Vec12::Zero();
        e[c] = kStep;
        const Vec12 more = both(d + e);
        kink = kink || branch() != here;
        const Vec12 less = both(d - e);
        kink = kink || branch() != here;
        numeric.col(c) = (more - less) / (2 * kStep);
      }
      if (kink || std::abs(t.pair.terms[0].gap) < 10 * kStep) continue;  // the law begins there
      if (wall) {                                                        // does not move
        exact.rightCols<6>().setZero();
        numeric.rightCols<6>().setZero();
      }
      ++seen;
      // Moments apart: rolling resistance is small beside the forces at their arms.
      const auto moments = [](const testing::Mat12& m) { return m.middleRows<3>(3); };
      test::keep_largest(largest, (exact - numeric).norm() / (1 + exact.norm() + r.norm()));
      const Eigen::Matrix3d turn = moments(exact).middleCols<3>(3) - moments(numeric).middleCols<3>(3);
      test::keep_largest(largest, turn.norm() / (1 + moments(exact).middleCols<3>(3).norm()));
    }
    std::printf("%-34s %d states, %d at the rolling limit, %d sliding: %.1e\n", one.name, seen, rolled, slid,
                largest);
    EXPECT_GT(seen, 40);
    EXPECT_GT(rolled, 10);
    EXPECT_LT(largest, 1e-5);
  }
}

}  // namespace
}  // namespace scree::contact
