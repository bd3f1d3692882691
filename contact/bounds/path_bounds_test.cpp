/// Bodies on a path stop where they meet others, and only these. Overlap at the start.
#include "contact/bounds/path_bounds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "contact/boundary_ids.hpp"
#include "contact/bounds/overlap_check.hpp"
#include "contact/contacts.hpp"
#include "contact/forces/contact_forces.hpp"
#include "contact/geometry/placed_body.hpp"
#include "contact/neighbours/pair_gaps.hpp"
#include "contact/neighbours/pair_list.hpp"
#include "contact/neighbours/pair_switches.hpp"
#include "contact/search/candidates.hpp"
#include "contact/test_bodies.hpp"
#include "contact/test_interfaces.hpp"
#include "core/rotation_between.hpp"
#include "core/test_extremes.hpp"

namespace scree::contact {
namespace {

constexpr double kBoundsRadius = 0.1;

InterfaceLaw barrier_of(double threshold) {
  Interface interface;
  interface.normal = BarrierParameters{.threshold = threshold, .stiffness = 1e9};
  return InterfaceLaw(interface);
}

/// Spheres on the x-axis beside a wall at x = 0, with a barrier law.
struct Row {
  std::vector<Shape> shapes{make_sphere("ball", kBoundsRadius), make_plane("wall")};
  Bodies bodies;
  Contacts contacts;
  Path path;

  static InterfaceLaw law() { return barrier_of(1e-3); }

  explicit Row(const std::vector<double>& places) : contacts(shapes, {law()}, {{0}}, {{1e7, 0.3}}) {
    bodies.owned = static_cast<int>(places.size());
    bodies.boundaries = 1;
    for (int i = 0; i <= bodies.owned; ++i) {
      const bool wall = i == bodies.owned;
      BodyProperties properties;
      properties.id = wall ? kFirstBoundaryId : i;
      properties.shape = wall ? 1 : 0;
      properties.mass = 1;
      properties.inertia_B = 0.01 * Mat3::Identity();
      properties.length = wall ? 0 : kBoundsRadius;
      bodies.properties.push_back(properties);
      BodyState state;
      if (wall) {
        state.q = rotation::between(Vec3::UnitZ(), Vec3::UnitX());
      } else {
        state.x = Vec3(places[static_cast<std::size_t>(i)], 0, 0);
      }
      bodies.state.push_back(state);
      bodies.trial.push_back(testing::trial_from_rest(state, Vec3::Zero(), Vec3::Zero()));
    }
    path.du.assign(bodies.state.size(), Vec3::Zero());
    path.dalpha = path.du;
    contacts.list().search(bodies, 2);
    contacts.switches().set_boundaries(bodies, {1});
    contacts.gaps().update(bodies);
  }

  /// Looks until nobody has to stop any more. @param carry whether the wall may carry bodies. @returns number
  /// of looks.
  int stop(bool carry = true) {
    path.stops.assign(static_cast<std::size_t>(bodies.moving()), 1.0);
    std::vector<double> next;
    const std::vector<char> all(bodies.state.size(), 1);
    std::vector<double> carriers(carry ? path.stops.size() : 0, -1.0);
    for (int look = 1;; ++look) {
      const StoppedBodies found = contacts.path_bounds().stop_bodies(bodies, path, all, next, carriers);
      EXPECT_FALSE(found.in_vain);
      if (!found.any || look > 20) return look;
      path.stops = next;
    }
  }
};

TEST(PathBounds, ABodyStopsBeforeAWallAndOthersGoOn) {
  Row row({0.2, 0.45, 1.0});
  for (int i = 0; i < 3; ++i) row.path.du[i] = Vec3(-0.2, 0, 0);
  EXPECT_LT(row.contacts.path_bounds().clip(row.bodies, row.path).t, 0.6);  // of all bodies alike
  EXPECT_LE(row.stop(), 5);
  const std::vector<double>& stops = row.path.stops;
  EXPECT_GT(stops[0], 0.3);  // 0.1 m to the wall
  EXPECT_LT(stops[0], 0.5);
  EXPECT_GT(stops[1], stops[0]);  // 0.05 m behind: meets the one that has stopped
  const double gap = (0.45 - 0.2 * stops[1]) - (0.2 - 0.2 * stops[0]) - 2 * kBoundsRadius;
  EXPECT_GT(gap, 0);
  EXPECT_LT(gap, 0.03);
  EXPECT_EQ(stops[2], 1);  // never comes near
}

TEST(PathBounds, BodiesThatGoTogetherDoNotStopEachOther) {
  Row row({1.0, 1.0 + 2 * kBoundsRadius + 1e-6});
  for (int i = 0; i < 2; ++i) row.path.du[i] = Vec3(-0.5, 0, 0);
  EXPECT_EQ(row.stop(), 1);
  EXPECT_EQ(row.path.stops[0], 1);
  EXPECT_EQ(row.path.stops[1], 1);
}

TEST(PathBounds, ABodyStopsSoonerWhereAWallWouldRunOverItsStop) {
  // At 0.9 of its clear part the body and the wall have 0.81 of the gap behind them, and the wall continues.
  // It leaves at least a tenth of the gap before the place where the body begins.
  constexpr double kGap = 0.1;
  for (const double rise : {0.03, 0.05, 0.08}) {
    Row row({kBoundsRadius + kGap});
    row.path.du[0] = Vec3(-kGap, 0, 0);
    row.path.du[1] = Vec3(rise, 0, 0);
    EXPECT_LE(row.stop(false), 8) << rise;
    EXPECT_GT(kGap - kGap * row.path.stops[0] - rise, 0.05 * kGap) << rise;  // half of what has to remain
  }
}

/// One body of each shape at rest, the first at x, the others at the origin.
Bodies one_of_each(const std::vector<Shape>& shapes, const Vec3& x) {
  Bodies bodies;
  bodies.owned = static_cast<int>(shapes.size());
  for (int i = 0; i < bodies.owned; ++i) {
    BodyProperties properties;
    properties.id = properties.shape = i;
    properties.mass = 1;
    properties.inertia_B = 0.01 * Mat3::Identity();
    properties.length = shapes[static_cast<std::size_t>(i)].bounding_radius;
    bodies.properties.push_back(properties);
    BodyState state;
    if (i == 0) state.x = x;
    bodies.state.push_back(state);
    bodies.trial.push_back(testing::trial_from_rest(state, Vec3::Zero(), Vec3::Zero()));
  }
  return bodies;
}

TEST(PathBounds, AFineConvexBodyStopsAboveABoxWithoutAllVertices) {
  const std::vector<Shape> shapes{testing::egg(14), make_box("block", Vec3::Constant(0.2))};
  const Pose pose{Vec3::Zero(), Mat3::Identity()};
  PlacedBody placed;
  EXPECT_EQ(placed.set(shapes[0], pose, false).vertices, nullptr);
  EXPECT_NE(placed.set(shapes[0], pose, true).vertices, nullptr);
  double low = 0;
  for (const Vec3& v : shapes[0].vertices) test::keep_smallest(low, v.z());
  constexpr double kGap = 0.05;
  Contacts contacts(shapes, {Row::law()}, {{0}}, {{1e7, 0.3}});
  const Bodies bodies = one_of_each(shapes, {0, 0, 0.1 - low + kGap});
  Path path;
  path.du = {Vec3(0, 0, -2 * kGap), Vec3::Zero()};
  path.dalpha.assign(2, Vec3::Zero());
  contacts.list().search(bodies, 1.5);
  contacts.gaps().update(bodies);
  const double clear = contacts.path_bounds().clip(bodies, path).t;
  EXPECT_GT(clear, 0.15);
  EXPECT_LT(clear, 0.5);
  path.du[0] *= 0.2;
  EXPECT_EQ(contacts.path_bounds().clip(bodies, path).t, 1);
}

TEST(PathBounds, ATabletPassesOverAMeshThatIsFurtherThanItsLists) {
  // It begins so far away that a tenth of that is further than lists reach; over the mesh its ball meets that
  // of the mesh, and no feature is in reach.
  const std::vector<Shape> shapes{make_superquadric("tablet", {0.1, 0.1, 0.01}, 2, 2, 30), testing::staple()};
  ASSERT_FALSE(shapes[1].convex);
  double top = 0;
  for (const Vec3& v : shapes[1].vertices) test::keep_largest(top, v.z());
  constexpr double kGap = 0.05;
  Contacts contacts(shapes, {Row::law()}, {{0}}, {{1e7, 0.3}});
  const Bodies bodies = one_of_each(shapes, {-0.6, 0, top + 0.01 + kGap});
  Path path;
  path.du = {Vec3(1.2, 0, 0), Vec3::Zero()};
  path.dalpha.assign(2, Vec3::Zero());
  contacts.list().search(bodies, 1.5);
  contacts.gaps().update(bodies);
  const double reach = contacts.model().pair_reach(Row::law());
  ASSERT_GT(0.1 * contacts.list().pairs()[0].nearest, reach);
  ASSERT_GT(kGap, 2 * reach);
  EXPECT_EQ(contacts.path_bounds().clip(bodies, path).t, 1);
  path.du[0].z() = -0.2;  // into it, halfway
  EXPECT_LT(contacts.path_bounds().clip(bodies, path).t, 1);
}

/// Two bodies of one shape with thin gaps between them, `b` at the origin.
struct Two {
  std::vector<Shape> shapes;
  Contacts contacts;
  Bodies bodies;
  Path path;

  static InterfaceLaw thin() { return barrier_of(5e-6); }

  Two(const Shape& shape, const Vec3& x) : shapes(2, shape), contacts(shapes, {thin()}, {{0}}, {{1e7, 0.3}}) {
    bodies = one_of_each(shapes, x);
    path.du.assign(2, Vec3::Zero());
    path.dalpha = path.du;
    contacts.list().search(bodies, 1.5);
    contacts.gaps().update(bodies);
  }
  ClearPart clip() { return contacts.path_bounds().clip(bodies, path); }
};

TEST(PathBounds, BodiesOfLargeFacesPassFarFromEachOtherInFewLooks) {
  // The boxes around the faces overlap all along, and lists reach a thousandth of what is between the bodies.
  Two two(testing::staple(), {0, 0.15, 0});
  ASSERT_FALSE(two.shapes[0].convex);
  ASSERT_LT(two.contacts.model().pair_reach(Two::thin()), 1e-3 * 0.05);
  two.path.du[0] = Vec3(0.1, 0, 0.02);
  two.path.dalpha[0] = Vec3(0, 0.3, 0);
  const ClearPart clear = two.clip();
  EXPECT_EQ(clear.t, 1);
  EXPECT_FALSE(clear.short_of_end);
  two.path.du[0].y() = -0.1;  // into it, halfway
  EXPECT_NEAR(two.clip().t, 0.5, 0.05);
  EXPECT_FALSE(two.clip().short_of_end);
}

TEST(PathBounds, BodiesThatTurnTogetherAreClearWhateverTheGap) {
  constexpr double kThin = 1e-8;
  for (const bool convex : {true, false}) {
    Two two(convex ? make_box("box", Vec3::Constant(0.1)) : testing::staple(), {0, 0.1 + kThin, 0});
    // As one body about the pole of b, to second order of the turn.
    const Vec3 turn(0.01, 0.02, 0.1);
    two.path.dalpha.assign(2, turn);
    two.path.du[0] = rotation::matrix(turn) * Vec3(0, 0.1 + kThin, 0) - Vec3(0, 0.1 + kThin, 0);
    two.path.du[0].y() += 6e-4;  // the chord begins inside of the arc, by the square of the turn: 5.2e-4
    const ClearPart clear = two.clip();
    EXPECT_EQ(clear.t, 1) << convex;
    EXPECT_FALSE(clear.short_of_end) << convex;
  }
}

TEST(PathBounds, NothingMeetsOnTheClearPartOfNearlyCommonMotions) {
  // The bound of theory 03 section 6 that leaves out common motion, against all separating axes.
  std::mt19937_64 engine(11);
  std::uniform_real_distribution<double> uniform(0, 1);
  const Shape box = make_box("box", Vec3(0.1, 0.14, 0.12));
  int whole = 0, part = 0;
  for (int n = 0; n < 300; ++n) {
    const double gap = std::pow(10, -1 - 5 * uniform(engine));
    Two two(box, {0, 0.14 + gap, 0});
    const Vec3 turn = testing::random_vector(engine, 0.5 * uniform(engine));
    const Vec3 alpha = testing::random_vector(engine, 0.3 * uniform(engine));
    const double apart = std::pow(10, -4 * uniform(engine));
    for (int i = 0; i < 2; ++i) {
      BodyTrial& trial = two.bodies.trial[i];
      trial = testing::trial_from_rest(
          two.bodies.state[i], rotation::matrix(alpha) * two.bodies.state[i].x - two.bodies.state[i].x,
          alpha);
      two.path.dalpha[i] = turn + apart * testing::random_vector(engine, 0.1);
    }
    const Vec3 arm = two.bodies.trial[0].x - two.bodies.trial[1].x;
    two.path.du[1] = testing::random_vector(engine, 0.1);
    two.path.du[0] =
        two.path.du[1] + two.path.dalpha[1].cross(arm) + apart * testing::random_vector(engine, 0.1);
    two.contacts.gaps().update(two.bodies);
    const ClearPart clear = two.clip();
    (clear.t == 1 ? whole : part) += 1;
    PlacedBody a, b;
    for (int k = 0; k <= 50; ++k) {
      const auto pose = [&](int i) {
        const BodyTrial& trial = two.bodies.trial[i];
        const double t = clear.t * k / 50;
        return Pose{trial.x + t * two.path.du[i],
                    rotation::matrix(trial.alpha + t * two.path.dalpha[i]) * trial.Q.transpose() * trial.R};
      };
      EXPECT_GT(polyhedra_separation(a.set(box, pose(0), true), b.set(box, pose(1), true)), 0)
          << n << ", " << k;
    }
  }
  std::printf("whole path clear %d, part of it %d\n", whole, part);
  EXPECT_GT(whole, 50);
  EXPECT_GT(part, 50);
}

TEST(OverlapCheck, FindsTheAxisOfARodInAFineConvexBodyByTheFacesThatItPasses) {
  const std::vector<Shape> shapes{make_capsule("rod", 0.01, 0.3), testing::egg(60)};
  ASSERT_TRUE(shapes[1].convex);
  ASSERT_GT(shapes[1].edges.size(), 10000U);
  Interface interface;
  interface.normal = HookeParameters{.stiffness = 1e6, .restitution = 0.5};
  Contacts contacts(shapes, {InterfaceLaw(interface)}, {{0}}, {{1e7, 0.3}});
  const auto find = [&](const Vec3& x) {
    const Bodies bodies = one_of_each(shapes, x);
    contacts.list().search(bodies, 0.1);
    return contacts.overlaps().find(bodies);
  };
  const auto through = find({0.013, 0.007, 0});
  ASSERT_TRUE(through.has_value());
  EXPECT_NEAR(through->depth, 0.021, 0.002);  // of the end outside; sideways out it is 0.085
  EXPECT_FALSE(find({0, 0, 0.13 + 0.15 + 0.005}).has_value());  // half of the rounding is left
}

}  // namespace
}  // namespace scree::contact
