/// Lists of what is near at the ends of a long step against lists of all that is near on the way: the same
/// forces, to the last bit.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "contact/pair/body_over_step.hpp"
#include "contact/pair/pair_pose.hpp"
#include "contact/pair/test_pair.hpp"
#include "contact/search/step_candidates.hpp"
#include "contact/secant/secant_pair.hpp"

namespace scree::contact {
namespace {

using testing::egg;
using testing::random_rotation;
using testing::random_vector;
using testing::TestPair;
using testing::Vec12;

constexpr double kStepThreshold = 2e-3;
constexpr double kSkin = 1e-3;

/// A rough wall with borders.
Shape sheet_above() {
  std::vector<Vec3> vertices;
  std::vector<std::vector<int>> faces;
  constexpr int kSide = 15;
  for (int j = 0; j < kSide; ++j) {
    for (int i = 0; i < kSide; ++i)
      vertices.emplace_back(0.04 * (i - 7), 0.04 * (j - 7), 0.015 * std::sin(2.0 * i * (j + 3)));
  }
  for (int j = 0; j + 1 < kSide; ++j) {
    for (int i = 0; i + 1 < kSide; ++i) {
      const int k = kSide * j + i;
      faces.push_back({k, k + 1, k + kSide + 1});
      faces.push_back({k, k + kSide + 1, k + kSide});
    }
  }
  return make_surface("sheet", vertices, faces);
}

/// What an evaluation finds.
struct Found {
  PairWrench wrench;
  StoredForce stored;
  std::vector<std::uint64_t> keys;
  double nearest = 0;
  std::size_t items = 0, terms = 0;
};

bool evaluate_list(TestPair& t, Found& found) {
  t.pair.history.clear();
  try {
    found.wrench = evaluate_secant(t.pair, t.a.view(), t.b.view(), t.law, t.step);
  } catch (const RecoverableError&) {
    return false;
  }
  found.keys.clear();
  for (const Active& contact : t.pair.active) found.keys.push_back(contact.key);
  found.nearest = std::min(t.pair.nearest, kStepThreshold);
  found.items = t.pair.items.size();
  found.terms = t.pair.terms.size();
  return true;
}

/// Evaluates with a list of all that bodies pass.
bool evaluate_wide(TestPair& t, Found& found) {
  const BodyOverStep a(t.a.view()), b(t.b.view());
  const double motion = motion_from(pose_of(a.start(), b.start()), t.a.view(), t.b.view());
  build_items(t.pair, t.a.view(), t.b.view(), kStepThreshold + motion + kSkin);
  return evaluate_list(t, found);
}

struct Count {
  int acting = 0, begins = 0, wrong = 0;
  std::size_t items = 0, wide_items = 0;
  void compare(const Found& two_ends, const Found& wide) {
    const bool same = two_ends.wrench.force == wide.wrench.force &&
                      two_ends.wrench.moment == wide.wrench.moment && two_ends.keys == wide.keys &&
                      two_ends.nearest == wide.nearest && two_ends.terms == wide.terms;
    wrong += same ? 0 : 1;
    acting += wide.keys.empty() ? 0 : 1;
    items += two_ends.items;
    wide_items += wide.items;
  }
};

/// Moves A along a line until its gap is between a tenth and most of the threshold.
bool come_near(TestPair& t, const Vec3& line) {
  for (int k = 0; k < 200; ++k) {
    t.set(Vec12::Zero());
    build_items(t.pair, t.a.view(), t.b.view(), 2 * kStepThreshold);
    const double gap = t.pair.items.empty() ? t.pair.reach : smallest_gap(t.pair, t.a.view(), t.b.view());
    if (gap < 0.1 * kStepThreshold) return false;
    if (gap < 0.8 * kStepThreshold) return true;
    t.a.state.x += 0.7 * (gap - 0.3 * kStepThreshold) * line;
  }
  return false;
}

/// One step of a pair from near or to near, and iterates around its end.
void check_step(const Shape& sa, const Shape& sb, const Interface& law, std::mt19937_64& engine,
                Count& count) {
  std::uniform_real_distribution<double> part(0, 1);
  TestPair t(sa, sb, law);
  t.a.state.q = random_rotation(engine);
  t.b.state.q = random_rotation(engine);
  const bool wall = is_wall(sb);
  const Vec3 line = (wall ? Vec3(t.b.state.q * Vec3(0.2 * random_vector(engine, 1) + Vec3::UnitZ()))
                          : random_vector(engine, 1))
                        .normalized();
  const bool from_inside = sb.kind == ShapeKind::bore;
  if (!from_inside) t.a.state.x = (wall ? 0.4 : sa.bounding_radius + sb.bounding_radius) * line;
  if (!come_near(t, from_inside ? Vec3(t.b.state.q * Vec3::UnitX()) : Vec3(-line))) return;
  // Where it is near is the start of the step or its end, the other one is up to 20 skins away.
  const double size = 20 * kSkin * part(engine);
  Vec12 d;
  d << random_vector(engine, size), random_vector(engine, 10 * size), random_vector(engine, size),
      random_vector(engine, 10 * size);
  if (part(engine) < 0.5) {
    t.a.state.x += d.segment<3>(0);
    t.a.state.q = rotation::quaternion(d.segment<3>(3)) * t.a.state.q;
    d.segment<3>(0) *= -1;
    d.segment<3>(3) *= -1;
    d.tail<6>().setZero();
    ++count.begins;
  }
  t.set(d);
  const auto build = [&] {
    const BodyOverStep a(t.a.view()), b(t.b.view());
    build_items_of_step(t.pair, a.start(), b.start(), t.a.view(), t.b.view(), kStepThreshold + kSkin);
  };
  const auto holds = [&] {
    const BodyOverStep a(t.a.view()), b(t.b.view());
    return holds_step(t.pair, a.start(), b.start(), t.a.view(), t.b.view(), kSkin);
  };
  build();
  Found wide, two_ends;
  for (int iterate = 0; iterate < 3; ++iterate) {
    Vec12 more;
    more << random_vector(engine, 0.15 * kSkin), random_vector(engine, kSkin),
        random_vector(engine, 0.15 * kSkin), random_vector(engine, kSkin);
    t.set(d + iterate * more);
    if (!holds()) build();
    const BodyPair list = t.pair;
    const bool free = evaluate_list(t, two_ends);
    const BodyPair kept = t.pair;
    t.pair = list;
    ASSERT_EQ(evaluate_wide(t, wide), free);
    if (!free) return;
    count.compare(two_ends, wide);
    t.pair = kept;
  }
}

TEST(StepCandidates, GiveTheForcesOfListsOfTheWholeWay) {
  Interface barrier;
  barrier.normal = BarrierParameters{.threshold = kStepThreshold, .stiffness = 1e6, .exponent = 3};
  Interface hooke;
  hooke.normal = HookeParameters{.stiffness = 1e6};
  struct Kind {
    const char* name;
    Shape a, b;
    Interface law;
  };
  Shape rounded = egg(12, 0.1);
  rounded.radius = kStepThreshold;
  rounded.bounding_radius += kStepThreshold;
  const std::vector<Kind> kinds = {
      {"egg, egg", egg(14), egg(14), barrier},
      {"lumpy eggs", egg(20, 0.1), egg(20, 0.1), barrier},
      {"rounded lumpy eggs", rounded, rounded, hooke},
      {"stars", testing::star(0.1), testing::star(0.1), barrier},
      {"staple, lumpy egg", testing::staple(), egg(20, 0.1), barrier},
      {"lumpy egg, box", egg(20, 0.1), make_box("box", {0.1, 0.2, 0.1}), barrier},
      {"ball, lumpy egg", make_sphere("ball", 0.03), egg(20, 0.1), barrier},
      {"lumpy egg, plane", egg(20, 0.1), make_plane("plane"), barrier},
      {"lumpy egg, bore", egg(20, 0.1), make_bore("bore", 0.5), barrier},
      {"lumpy egg, sheet", egg(20, 0.1), sheet_above(), barrier},
      {"box, sheet", make_box("box", {0.1, 0.2, 0.1}), sheet_above(), barrier},
      {"ball, sheet", make_sphere("ball", 0.05), sheet_above(), barrier}};
  std::mt19937_64 engine(5);
  for (const Kind& kind : kinds) {
    Count count;
    for (int k = 0; k < 150; ++k) check_step(kind.a, kind.b, kind.law, engine, count);
    std::printf("%-20s %3d evaluations with contact, %2d steps begin apart, %zu candidates, of the way %zu\n",
                kind.name, count.acting, count.begins, count.items, count.wide_items);
    EXPECT_EQ(count.wrong, 0) << kind.name;
    EXPECT_GT(count.acting, 60) << kind.name;
    EXPECT_GT(count.begins, 20) << kind.name;
  }
}

}  // namespace
}  // namespace scree::contact
