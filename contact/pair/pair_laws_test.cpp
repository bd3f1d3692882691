/// Every registered law with every kind of friction and rolling resistance, between all shapes that it is
/// for: exact tangents, and forces that do not ask from where one looks.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "contact/pair/pair_constants.hpp"
#include "contact/pair/pair_friction.hpp"
#include "contact/pair/test_pair.hpp"
#include "contact/test_interfaces.hpp"
#include "core/test_extremes.hpp"

namespace scree::contact {
namespace {

using testing::approach;
using testing::derivative_error;
using testing::give_slip;
using testing::NamedInterface;
using testing::random_increment;
using testing::random_pair;
using testing::random_rotation;
using testing::random_vector;
using testing::TestPair;
using testing::Vec12;

const std::map<std::string, Shape>& shapes() {
  static const std::map<std::string, Shape> all = {
      {"box", make_box("box", {0.2, 0.24, 0.3})},
      {"sphere", make_sphere("sphere", 0.12)},
      {"capsule", make_capsule("capsule", 0.07, 0.3)},
      {"tablet", make_superquadric("tablet", {0.15, 0.12, 0.09}, 5, 3, 10)},
      {"sharp", make_superquadric("sharp", {0.15, 0.12, 0.09}, 3, 4, 1000)},
      {"plane", make_plane("plane")}};
  return all;
}

/// Whether a deck may have this interface between these shapes.
bool is_allowed(const Interface& interface, const Shape& a, const Shape& b) {
  // The midway point is that of the sharp bodies; against the others these are superquadrics like the tablet.
  const bool sharp_a = a.name == "sharp", sharp_b = b.name == "sharp";
  if (interface.midway != sharp_a || interface.midway != sharp_b) return false;
  const bool plane = b.kind == ShapeKind::plane;
  const double ra = typical_radius(a), rb = typical_radius(b);
  const bool rounded = plane ? ra > 0 : ra + rb > 0;  // what is sharp is flat to what is round
  if (interface.traits().rounding == RoundingNeed::also_at_boundaries || interface.rolling.coefficient > 0)
    return rounded;
  if (interface.friction.rule != TangentialStiffness::constant) return false;
  return !interface.traits().overlap || plane || ra + rb > 0;
}

void set_constants(TestPair& t) {
  static const BodyProperties body{.mass = 2, .inertia_B = 0.02 * Mat3::Identity()};
  const bool wall = t.b.shape->kind == ShapeKind::plane;
  const Elasticity soft{1e7, 0.3}, other{3e7, 0.2};
  static_cast<PairConstants&>(t.pair) =
      pair_constants({&body, t.a.shape, soft, false}, {&body, t.b.shape, other, wall}, t.law);
  t.law.normal.set_scale(0.01);
}

/// Memory of all springs, of sizes around their limits.
void give_memory(TestPair& t, std::mt19937_64& engine) {
  give_slip(t, t.law.normal.allows_overlap() ? 1e-3 : 3e-5, engine);
  for (HistoryEntry& h : t.pair.history) {
    h.stiffness_n = t.pair.tangential * std::sqrt(0.003) * (1 + random_vector(engine, 0.5).x());
    const Vec3 roll = random_vector(engine, 2e-3);
    h.roll = roll - h.n * h.n.dot(roll);
    h.fresh = random_vector(engine, 1).x() > 0;
    // Far enough that the dashpot rises in some.
    h.approach = h.fresh ? std::pow(10, random_vector(engine, 2).x() - 2) : 0;
    h.rolling = random_vector(engine, 1).x() > 0.5;
  }
  // Some of those created in the step succeed another one.
  for (HistoryEntry& h : t.pair.history) {
    for (std::size_t k = 0; h.fresh && k < t.pair.history.size(); ++k) {
      if (t.pair.history[k].fresh || random_vector(engine, 1).x() < 0) continue;
      h.donor = static_cast<int>(k);
      h.approach = 0;
    }
  }
}

std::vector<NamedInterface> all_interfaces() {
  std::vector<NamedInterface> all;
  for (const NamedInterface& law : testing::normal_laws()) {
    for (const auto& [name, friction] : testing::frictions()) {
      for (const bool rolls : {false, true}) {
        if (friction.rule != TangentialStiffness::constant && !law.interface.traits().moduli) continue;
        NamedInterface one{law.name + ", " + name + (rolls ? ", rolling" : ""), law.interface};
        one.interface.friction = friction;
        if (rolls) one.interface.rolling = testing::some_rolling();
        if (one.interface.traits().midway) {
          all.push_back({one.name + ", midway", one.interface});
          all.back().interface.midway = true;
        }
        all.push_back(std::move(one));
      }
    }
  }
  return all;
}

/// Puts A at a gap where the law acts. @param apart where it attracts from a distance, if it does. @returns
/// false if it cannot.
bool touch(TestPair& t, const Vec12& d, bool apart = false) {
  const double reach = t.law.normal.threshold();
  if (apart && reach > t.law.normal.onset()) return approach(t, d, 0.2 * reach, 0.8 * reach);
  return t.law.normal.allows_overlap() ? approach(t, d, -0.004, -0.002) : approach(t, d, 0.0036, 0.012);
}

TEST(PairLaws, TangentsOfEveryRegisteredLawMatchDifferences) {
  std::mt19937_64 engine(41);
  std::map<TermKind, int> kinds;
  std::map<std::string, int> of_law;
  int states = 0, slipping = 0, sticking = 0, rolling = 0, sticking_roll = 0, clipped = 0, windowed = 0;
  int beginning = 0;
  int sharing = 0;
  int kinks = 0;
  double worst = 0;
  for (const NamedInterface& one : all_interfaces()) {
    for (const auto& [name_a, a] : shapes()) {
      for (const auto& [name_b, b] : shapes()) {
        if (a.kind == ShapeKind::plane || !is_allowed(one.interface, a, b)) continue;
        int here = 0;
        for (int trial = 0; trial < 60 && here < 3; ++trial) {
          TestPair t = random_pair(a, b, one.interface, trial % 3 == 0, engine);
          set_constants(t);
          const int context = trial % 4;
          t.step.frozen = context == 1;
          t.step.at_rest = context == 2;
          if (trial % 2 == 0) t.a.state.v *= 200;  // closes much more than its overlap in the step
          if (t.step.frozen) t.a.rate = t.b.rate = 100;
          const Vec12 d = random_increment(engine);
          if (!touch(t, d, trial % 2 != 0)) continue;
          t.both(d);
          if (t.pair.active.empty()) continue;
          give_memory(t, engine);
          const double error = derivative_error(t, d, kinds);
          if (error < 0) {
            ++kinks;
            continue;
          }
          test::keep_largest(worst, error);
          EXPECT_LT(error, 1e-7) << one.name << ": " << name_a << " on " << name_b << " context " << context;
          ++here;
          ++states;
          ++of_law[one.name];
          for (const Active& c : t.pair.active) {
            slipping += c.slips ? 1 : 0;
            sticking += !c.slips && c.friction.norm() > 0 ? 1 : 0;
            rolling += c.rolls ? 1 : 0;
            sticking_roll += !c.rolls && c.rolling.norm() > 0 ? 1 : 0;
            clipped += c.damping_clipped ? 1 : 0;
            windowed += c.window < 1 ? 1 : 0;
            beginning += c.damping_begins ? 1 : 0;
            sharing += c.share > 0.01 && c.share < 0.99 ? 1 : 0;
          }
        }
        EXPECT_EQ(here, 3) << one.name << ": " << name_a << " on " << name_b;
      }
    }
    EXPECT_GT(of_law[one.name], 0) << one.name;
  }
  for (const int seen : {slipping, sticking, rolling, sticking_roll, clipped, windowed, beginning, sharing})
    EXPECT_GT(seen, 10);
  EXPECT_LT(kinks, states / 20);
  EXPECT_GT(kinds[TermKind::midway], 100);
  std::printf(
      "%zu interfaces, %d states, worst relative difference %.1e; slipping %d, sticking %d, rolling at the "
      "limit "
      "%d, below %d, limited %d, windowed %d, sharing a spring %d\n",
      of_law.size(), states, worst, slipping, sticking, rolling, sticking_roll, clipped, windowed, sharing);
}

TEST(PairLaws, NothingActsBeyondTheThreshold) {
  std::mt19937_64 engine(43);
  for (const NamedInterface& one : all_interfaces()) {
    TestPair t = random_pair(shapes().at("sphere"), shapes().at("capsule"), one.interface, false, engine);
    set_constants(t);
    const double threshold = t.law.normal.threshold();
    ASSERT_TRUE(approach(t, Vec12::Zero(), threshold, threshold + 5e-3)) << one.name;
    EXPECT_EQ(t.both(Vec12::Zero()).norm(), 0) << one.name;
    EXPECT_TRUE(t.pair.active.empty());
  }
}

/// A common rotation about any point, any axis, in one step: forces turn with the pair, nothing is lost.
TEST(PairLaws, ACommonRotationTurnsTheForcesAndNothingElse) {
  std::mt19937_64 engine(47);
  double worst = 0, most_lost = 0;
  int states = 0;
  for (const NamedInterface& one : all_interfaces()) {
    for (const char* name_b : {"sphere", "capsule"}) {
      const Shape& a = shapes().at("sphere");
      const Shape& b = shapes().at(name_b);
      TestPair t = random_pair(a, b, one.interface, false, engine);
      set_constants(t);
      t.a.rate = t.b.rate = 0;
      t.a.state.v = t.a.state.w = t.b.state.v = t.b.state.w = Vec3::Zero();
      if (!touch(t, Vec12::Zero())) continue;
      t.both(Vec12::Zero());
      if (t.pair.active.empty()) continue;
      give_memory(t, engine);
      t.both(Vec12::Zero());
      commit(t.pair, t.a.view(), t.b.view(), t.law, t.step);
      // Below the limits, so that the memory is what acts.
      for (HistoryEntry& h : t.pair.history) {
        h.sliding = false;
        h.slip *= 0.5;
        h.roll *= 0.5;
      }
      const Vec12 before = t.both(Vec12::Zero());
      commit(t.pair, t.a.view(), t.b.view(), t.law, t.step);
      const double energy = friction_energy(t.pair, t.law) + normal_energy(t.pair);
      const Vec3 alpha = random_vector(engine, 0.3);
      const Vec3 about = random_vector(engine, 0.2);
      const Mat3 q = rotation::matrix(alpha);
      Vec12 d;
      d << (q - Mat3::Identity()) * (t.a.state.x - about), alpha,
          (q - Mat3::Identity()) * (t.b.state.x - about), alpha;
      t.both(d);
      const StepLosses losses = commit(t.pair, t.a.view(), t.b.view(), t.law, t.step);
      for (testing::TestBody* body : {&t.a, &t.b}) {
        body->state.x = body->trial.x;
        body->state.q = rotation::quaternion(alpha) * body->state.q;
      }
      const Vec12 after = t.both(Vec12::Zero());
      Vec12 turned;
      for (int k = 0; k < 12; k += 3) turned.segment<3>(k) = q * before.segment<3>(k);
      test::keep_largest(worst, (after - turned).norm() / before.norm());
      EXPECT_LT((after - turned).norm(), 1e-10 * before.norm()) << one.name << " on " << name_b;
      const double lost = std::abs(losses.friction) + std::abs(losses.damping);
      test::keep_largest(most_lost, lost / std::abs(energy));
      EXPECT_LT(lost, 1e-10 * std::abs(energy)) << one.name;
      EXPECT_NEAR(friction_energy(t.pair, t.law) + normal_energy(t.pair), energy, 1e-10 * std::abs(energy))
          << one.name;
      ++states;
    }
  }
  EXPECT_GT(states, 50);
  std::printf("%d states, worst relative change %.1e, lost %.1e of the energy\n", states, worst, most_lost);
}

/// The same pair the other way round: what acts on A is then what acted on B.
TEST(PairLaws, ActionIsReaction) {
  std::mt19937_64 engine(53);
  int states = 0;
  for (const NamedInterface& one : all_interfaces()) {
    for (const char* name_b : {"capsule", "box"}) {
      const Shape& b = shapes().at(name_b);
      if (!is_allowed(one.interface, shapes().at("sphere"), b)) continue;
      // Places of all kinds: ends and sides of the capsule, corners, edges and faces of the box.
      for (int place = 0; place < 4; ++place) {
        TestPair t = random_pair(shapes().at("sphere"), b, one.interface, false, engine);
        set_constants(t);
        if (!touch(t, Vec12::Zero())) continue;
        t.both(Vec12::Zero());
        give_memory(t, engine);
        const Vec12 w = t.both(Vec12::Zero());
        TestPair other(*t.b.shape, *t.a.shape, one.interface);
        other.a = t.b;
        other.b = t.a;
        set_constants(other);
        static_cast<PairConstants&>(other.pair) = t.pair;
        other.pair.share = 1 - t.pair.share;
        other.set(Vec12::Zero());
        build_items(other.pair, other.a.view(), other.b.view(), 0.5);
        other.both(Vec12::Zero());
        ASSERT_EQ(other.pair.history.size(), t.pair.history.size()) << one.name;
        for (std::size_t k = 0; k < t.pair.history.size(); ++k) {
          HistoryEntry& h = other.pair.history[k];
          const HistoryEntry& given = t.pair.history[k];
          h.slip = -given.slip;
          h.roll = -given.roll;
          h.stiffness_n = given.stiffness_n;
          h.rolling = given.rolling;
          h.fresh = given.fresh;
          h.approach = given.approach;
        }
        const Vec12 mirrored = other.both(Vec12::Zero());
        EXPECT_LE((w.head<6>() - mirrored.tail<6>()).norm(), 1e-9 * w.norm()) << one.name << " on " << name_b;
        EXPECT_LE((w.tail<6>() - mirrored.head<6>()).norm(), 1e-9 * w.norm()) << one.name;
        ++states;
      }
    }
  }
  EXPECT_GT(states, 200);
}

}  // namespace
}  // namespace scree::contact
