/// Where convex polyhedra touch: gaps against separating axes found otherwise, exact places of boxes.
#include "contact/geometry/manifold.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>

#include "contact/geometry/piercing.hpp"
#include "contact/pair/pair_terms.hpp"
#include "contact/pair/rigid_contacts.hpp"
#include "contact/search/candidates.hpp"
#include "contact/test_bodies.hpp"
#include "core/mesh/polyhedron_surface.hpp"
#include "core/test_extremes.hpp"

namespace scree::contact {
namespace {

using testing::random_rotation;
using testing::random_vector;
using testing::TestBody;

TestBody body_at(const Shape& shape, const Vec3& x, const Quat& q) {
  TestBody body;
  body.shape = &shape;
  body.state.x = x;
  body.state.q = q;
  body.set(Vec3::Zero(), Vec3::Zero());
  return body;
}

TEST(Manifold, SeparationIsThatOverAllAxes) {
  // polyhedra_separation tries every axis; the manifold only those of the Minkowski difference.
  std::mt19937_64 generator(5);
  const Shape box = make_box("box", {0.1, 0.14, 0.08});
  const Shape tet = make_polyhedron("tet", {{0, 0, 0}, {0.1, 0, 0}, {0, 0.12, 0}, {0, 0, 0.09}},
                                    {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}});
  int overlapping = 0;
  int crossing = 0;
  for (int k = 0; k < 400; ++k) {
    const Vec3 xa = random_vector(generator, 0.07), xb = random_vector(generator, 0.07);
    const auto a = body_at(k % 2 == 0 ? box : tet, xa, random_rotation(generator));
    const auto b = body_at(box, xb, random_rotation(generator));
    std::vector<ManifoldPoint> points;
    const double separation = manifold(a.view(), b.view(), 1.0, 0, points);
    const double exact = polyhedra_separation(a.view(), b.view());
    // A crossing of edges that separates by less than the preference more leaves the face's place.
    EXPECT_LE(separation, exact + 1e-14);
    // (Where corners or an edge and a corner are nearest, axes of no face of that difference may separate
    // more.)
    if (exact <= 0) {
      EXPECT_GE(separation, exact - 1e-5);
    }
    ASSERT_FALSE(points.empty());
    double least = 1;
    for (const ManifoldPoint& point : points) {
      test::keep_smallest(least, point.term.gap);
      EXPECT_NEAR(point.term.n.norm(), 1, 1e-14);
    }
    // Clipping takes corners away, the deepest too where bodies are beside each other.
    EXPECT_GE(least, separation - 1e-14);
    overlapping += separation < 0 ? 1 : 0;
    crossing += points[0].term.kind == TermKind::ee ? 1 : 0;
  }
  EXPECT_GT(overlapping, 40);
  EXPECT_GT(crossing, 40);
}

TEST(Manifold, BoxOnBoxTouchesAtTheCornersOfTheCommonFace) {
  const Shape lower = make_box("lower", {0.2, 0.2, 0.1});
  const Shape upper = make_box("upper", {0.2, 0.1, 0.1});
  for (const double gap : {1e-3, 0.0, -1e-4}) {
    const auto b = body_at(lower, Vec3::Zero(), Quat::Identity());
    const auto a = body_at(upper, {0.05, 0, 0.1 + gap}, Quat::Identity());
    std::vector<ManifoldPoint> points;
    EXPECT_NEAR(manifold(a.view(), b.view(), 0.01, 0, points), gap, 1e-15);
    ASSERT_EQ(points.size(), 4U);
    std::set<std::uint64_t> keys;
    for (const ManifoldPoint& point : points) {
      EXPECT_NEAR(point.term.gap, gap, 1e-15);
      EXPECT_NEAR((point.term.n - Vec3::UnitZ()).norm(), 0, 1e-15);
      const Vec3 p = contact_point(point.term, 0, 0);
      EXPECT_NEAR(std::abs(p.x() - 0.025), 0.075, 1e-14);  // from -0.05 to the lower box's edge at 0.1
      EXPECT_NEAR(std::abs(p.y()), 0.05, 1e-14);
      EXPECT_NEAR(p.z(), 0.05 + 0.5 * gap, 1e-14);
      keys.insert(point.key);
    }
    EXPECT_EQ(keys.size(), 4U);
  }
}

TEST(Manifold, ACubeFromAMeshInSinglePrecisionStandsOnItsWholeSides) {
  // Corners in and out in turn by round-off of such a mesh: no two triangles are in one plane.
  const Shape box = make_box("box", {0.1, 0.1, 0.1});
  std::vector<Vec3> vertices = box.vertices;
  for (std::size_t k = 0; k < vertices.size(); ++k)
    vertices[k] += ((k ^ (k >> 1U) ^ (k >> 2U)) & 1U) != 0 ? Vec3::Constant(5e-9) : Vec3::Constant(-5e-9);
  std::vector<std::vector<int>> triangles;
  for (const auto& t : box.triangles) triangles.emplace_back(t.begin(), t.end());
  const Shape cube = make_polyhedron("cube", vertices, triangles);
  ASSERT_EQ(cube.faces.size(), 12U);
  ASSERT_TRUE(cube.convex);
  for (const Shape* upper : {&box, &cube}) {
    for (const Shape* lower : {&box, &cube}) {
      const auto b = body_at(*lower, Vec3::Zero(), Quat::Identity());
      const auto a = body_at(*upper, {0.02, 0.01, 0.1 - 1e-6}, Quat::Identity());
      std::vector<ManifoldPoint> points;
      EXPECT_NEAR(manifold(a.view(), b.view(), 0.01, 0, points), -1e-6, 1e-7);
      EXPECT_EQ(points.size(), 4U);
      std::set<std::uint64_t> keys;
      for (const ManifoldPoint& point : points) {
        keys.insert(point.key);
        EXPECT_NEAR(point.term.gap, -1e-6, 1e-7);
        const Vec3 p = contact_point(point.term, 0, 0);
        EXPECT_NEAR(std::abs(p.x() - 0.01), 0.04, 1e-6);    // from -0.03 to the lower cube's edge at 0.05
        EXPECT_NEAR(std::abs(p.y() - 0.005), 0.045, 1e-6);  // from -0.04 to 0.05
      }
      EXPECT_EQ(keys.size(), points.size());
    }
  }
}

/// A prism over a regular polygon of radius 1 from z = 0 to 1, about its middle.
Shape prism(int corners) {
  std::vector<Vec3> vertices;
  std::vector<int> bottom, top;
  for (const double z : {0.0, 1.0}) {
    for (int k = 0; k < corners; ++k) {
      const double angle = 2 * M_PI * k / corners;
      vertices.emplace_back(std::cos(angle), std::sin(angle), z);
    }
  }
  std::vector<std::vector<int>> faces;
  for (int k = 0; k < corners; ++k) {
    const int next = (k + 1) % corners;
    bottom.push_back(corners - 1 - k);
    top.push_back(corners + k);
    faces.push_back({k, next, corners + next, corners + k});
  }
  faces.push_back(bottom);
  faces.push_back(top);
  return make_polyhedron("prism", vertices, faces);
}

TEST(Manifold, PointsOfABodyOf131072VerticesHaveKeysOfTheirOwn) {
  // The side of the box cuts off half of the prism's lower face, near to two opposite vertices, whose numbers
  // are 32,768 apart. The prism is lowest there, so that these points stand for those around them.
  constexpr int kCorners = 65536;
  const Shape large = prism(kCorners);
  ASSERT_EQ(large.vertices.size(), 2U * kCorners);
  ASSERT_TRUE(large.convex);
  const Shape box = make_box("box", {2, 4, 1});
  for (const double side : {-1.0, 1.0}) {
    const Quat tilt(Eigen::AngleAxisd(-side * 1e-5, Vec3::UnitY()));
    for (const double shift : {-1.5, -0.5, 0.5, 1.5}) {
      const double cut = shift * 2 * M_PI / kCorners;
      const auto b = body_at(box, {side + cut, 0, -0.5}, Quat::Identity());
      const auto a = body_at(large, {0, 0, 0.5 + 1e-3}, tilt);
      std::vector<ManifoldPoint> points;
      EXPECT_NEAR(manifold(a.view(), b.view(), 0.01, 0, points), 1e-3, 2e-5);
      std::set<std::uint64_t> keys;
      int at_ends = 0;
      for (const ManifoldPoint& point : points) {
        keys.insert(point.key);
        const Vec3 p = contact_point(point.term, 0, 0);
        at_ends += std::abs(p.x() - cut) < 1e-7 && std::abs(p.y()) > 0.99 ? 1 : 0;
      }
      EXPECT_EQ(at_ends, 2) << "where the side of the box cuts the outline";
      EXPECT_EQ(keys.size(), points.size()) << side << " " << shift;
    }
  }
}

TEST(ContactKeys, TellTheLargestNumbersApart) {
  constexpr int kMost = 3 * static_cast<int>(kMostCorners) + 1;
  std::set<std::uint64_t> keys;
  for (const ItemKind kind :
       {ItemKind::vertex_of_a, ItemKind::vertex_of_b, ItemKind::edges, ItemKind::smooth}) {
    for (const int a : {-1, 0, 1 << 30, kMost})
      for (const int b : {-1, 0, 1 << 30, kMost}) keys.insert(make_key(kind, a, b));
  }
  EXPECT_EQ(keys.size(), 64U);
}

TEST(Manifold, CrossedEdgesTouchAtOnePoint) {
  // Two boxes on edge, crosswise.
  const Shape box = make_box("box", {0.1, 0.1, 0.4});
  const Quat on_edge(Eigen::AngleAxisd(M_PI / 4, Vec3::UnitX()) * Eigen::AngleAxisd(M_PI / 2, Vec3::UnitY()));
  const Quat across(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitZ()) * on_edge);
  const double reach = 0.1 * std::sqrt(0.5);  // half a diagonal
  for (const double gap : {1e-3, -1e-4}) {
    const auto b = body_at(box, Vec3::Zero(), on_edge);
    const auto a = body_at(box, {0.01, 0.02, 2 * reach + gap}, across);
    std::vector<ManifoldPoint> points;
    EXPECT_NEAR(manifold(a.view(), b.view(), 0.01, 0, points), gap, 1e-14);
    ASSERT_EQ(points.size(), 1U);
    EXPECT_EQ(points[0].term.kind, TermKind::ee);
    const Vec3 p = contact_point(points[0].term, 0, 0);
    EXPECT_NEAR(p.x(), 0.01, 1e-14);
    EXPECT_NEAR(p.y(), 0, 1e-14);
    EXPECT_NEAR(p.z(), reach + 0.5 * gap, 1e-14);
  }
}

TEST(Manifold, WhatSlidesOntoAFlushBoxHasItsTopAsContact) {
  // Beside the lower box yet, 2 mm from its side; 3 mm further at the end of the step.
  const Shape box = make_box("box", {0.1, 0.1, 0.1});
  constexpr double kStep = 2e-3;
  for (const double above : {0.0, 1e-12, -1e-12, 1e-7, -1e-7}) {
    for (const double speed : {1.5, -1.5}) {
      const auto b = body_at(box, Vec3::Zero(), Quat::Identity());
      auto a = body_at(box, {-0.102, 0, 0.1 + above}, Quat::Identity());
      a.trial.v = {speed, 0, 0};
      std::vector<ManifoldPoint> points;
      EXPECT_NEAR(manifold(a.view(), b.view(), 0.01, kStep, points), 2e-3, 1e-15);
      int on_top = 0;
      for (const ManifoldPoint& point : points) {
        const bool top = std::abs(point.term.n.z() - 1) < 1e-14;
        on_top += top ? 1 : 0;
        // What moves away is kept apart by the side.
        EXPECT_TRUE(top || speed < 0) << above << ' ' << point.term.n.transpose();
        if (top) {
          EXPECT_NEAR(point.term.gap, above, 1e-15);
        }
      }
      EXPECT_EQ(on_top > 0, speed > 0) << above;
    }
  }
}

TEST(Manifold, WhatSpinsOnAnEqualBoxHasNoContactAtItsSides) {
  const Shape box = make_box("box", {0.1, 0.1, 0.1});
  for (int k = 0; k < 90; ++k) {
    for (const double above : {0.0, 1e-12, -1e-12}) {
      const auto b = body_at(box, Vec3::Zero(), Quat::Identity());
      auto a = body_at(box, {0, 0, 0.1 + above}, Quat(Eigen::AngleAxisd(k * M_PI / 180, Vec3::UnitZ())));
      a.trial.w = {0, 0, 5};
      std::vector<ManifoldPoint> points;
      manifold(a.view(), b.view(), 0.02, 2e-3, points);
      EXPECT_GE(points.size(), 4U);
      for (const ManifoldPoint& point : points) EXPECT_NEAR(point.term.n.z(), 1, 1e-12) << k << ' ' << above;
    }
  }
}

TEST(RigidContacts, PointOfUnequalSpheresLiesBetweenTheirSurfaces) {
  const Shape small = make_sphere("small", 0.01);
  const Shape large = make_sphere("large", 0.05);
  const auto b = body_at(large, Vec3::Zero(), Quat::Identity());
  const auto a = body_at(small, {0, 0, 0.058}, Quat::Identity());
  BodyPair pair;
  build_items(pair, a.view(), b.view(), 0.02);
  find_rigid_contacts(pair, a.view(), b.view(), 0.01);
  ASSERT_EQ(pair.terms.size(), 1U);
  EXPECT_NEAR(pair.terms[0].gap, -0.002, 1e-16);
  EXPECT_NEAR((contact_point(pair.terms[0], 0.01, 0.05) - Vec3(0, 0, 0.049)).norm(), 0, 1e-16);
}

TEST(RigidContacts, CapsuleOnPlaneTouchesWithBothEnds) {
  const Shape capsule = make_capsule("capsule", 0.01, 0.1);
  const Shape plane = make_plane("plane");
  const auto b = body_at(plane, Vec3::Zero(), Quat::Identity());
  const auto a = body_at(capsule, {0, 0, 0.0095}, Quat(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitY())));
  BodyPair pair;
  build_items(pair, a.view(), b.view(), 0.02);
  find_rigid_contacts(pair, a.view(), b.view(), 0.01);
  ASSERT_EQ(pair.active.size(), 2U);
  for (const Term& term : pair.terms) EXPECT_NEAR(term.gap, -5e-4, 1e-15);
}

TEST(FoldedContacts, StapleOnABarTouchesAtFourCrossings) {
  // The convex hull of the staple holds the bar.
  const Shape staple = testing::staple();
  const Shape bar = make_box("bar", {0.05, 0.4, 0.05});
  ASSERT_FALSE(staple.convex);
  for (const double gap : {1e-3, 1e-9, -1e-6}) {
    for (const double tilt : {0.0, 1e-3, -1e-3}) {
      const auto a = body_at(bar, Vec3::Zero(), Quat::Identity());
      const Quat turn(Eigen::AngleAxisd(tilt, Vec3::UnitY()));
      const auto b = body_at(staple, turn * staple.shift + Vec3(0, 0, gap + 0.025), turn);
      BodyPair pair;
      build_items(pair, a.view(), b.view(), 0.02);
      find_rigid_contacts(pair, a.view(), b.view(), 0.01);
      ASSERT_EQ(pair.terms.size(), 4U) << gap << " " << tilt;
      for (const Term& term : pair.terms) {
        const Vec3 p = contact_point(term, 0, 0);
        EXPECT_NEAR(std::abs(p.x()), 0.025, 1e-5);
        EXPECT_NEAR(std::abs(p.y()), 0.05, 1e-14);
        EXPECT_NEAR((term.n + turn * Vec3::UnitZ()).norm(), 0, 1e-14);
        // The back of the staple, at the edge of the bar.
        const double above = gap + 0.025 - std::copysign(0.025, p.x()) * std::tan(tilt) - 0.025;
        EXPECT_NEAR(term.gap, above * std::cos(tilt), 1e-14);
      }
    }
  }
}

TEST(FoldedContacts, AStapleAstrideASheetIsOnBothSidesOfIt) {
  const Shape staple = testing::staple();
  const Shape sheet = make_surface(
      "sheet", {{0, -0.2, -0.3}, {0, 0.2, -0.3}, {0, 0.2, -0.01}, {0, -0.2, -0.01}}, {{0, 1, 2}, {0, 2, 3}});
  // The sheet beside the inner side of the right leg, in the slot, and within the leg: through its corners.
  for (const double apart : {1e-2, 1e-4, -1e-4}) {
    for (const double side : {1.0, -1.0}) {
      const auto a = body_at(staple, staple.shift, Quat::Identity());
      const auto b = body_at(sheet, sheet.shift + side * Vec3(0.05 - apart, 0, 0), Quat::Identity());
      BodyPair pair;
      build_items(pair, a.view(), b.view(), 0.03);
      find_rigid_contacts(pair, a.view(), b.view(), 0.02);
      int corners = 0;
      for (const Term& term : pair.terms) {
        if (term.kind != TermKind::vf) continue;
        ++corners;
        EXPECT_NEAR(term.n.x(), side, 1e-12) << apart;
        EXPECT_NEAR(term.gap, apart, 1e-12);
      }
      EXPECT_GE(corners, 2) << apart;
    }
  }
}

/// Distance of two surfaces that do not cut each other, from all vertices, edges and faces of both.
double brute_distance(const TestBody& a, const TestBody& b) {
  double least = 1e9;
  const auto corners = [&](const TestBody& points, const TestBody& surface) {
    for (const Vec3& p : points.vertices)
      for (int f = 0; f < static_cast<int>(surface.shape->faces.size()); ++f)
        test::keep_smallest(least, nearest_on_face(*surface.shape, f, surface.view().to_local(p)).distance);
  };
  corners(a, b);
  corners(b, a);
  for (int i = 0; i < static_cast<int>(a.shape->edges.size()); ++i)
    for (int j = 0; j < static_cast<int>(b.shape->edges.size()); ++j) {
      const Segment e = segment_of(a.view(), i, b.view());
      const Segment f = segment_of(b.view(), j, a.view());
      const SegmentPair p =
          nearest_on_segments(e.start, e.direction, e.length, f.start, f.direction, f.length);
      test::keep_smallest(least, (e.at(p.s) - f.at(p.t)).norm());
    }
  return least;
}

/// Whether a point is inside, by the solid angle of the triangles: another way than nearest_on_closed.
bool surrounds(const Shape& shape, const Vec3& p) {
  double angle = 0;
  for (const auto& t : shape.triangles) {
    const Vec3 u = (shape.vertices[t[0]] - p).normalized(), v = (shape.vertices[t[1]] - p).normalized(),
               w = (shape.vertices[t[2]] - p).normalized();
    angle += 2 * std::atan2(u.dot(v.cross(w)), 1 + u.dot(v) + v.dot(w) + w.dot(u));
  }
  return angle > 2 * M_PI;
}

/// Moves A along the nearest normal until it is 1e-5 m too far. @returns whether a contact knows, and how
/// far.
bool is_pushed_back(const Shape& first, const Shape& second, const TestBody& a, const TestBody& b,
                    const BodyPair& pair) {
  const Term& nearest = *std::min_element(pair.terms.begin(), pair.terms.end(),
                                          [](const Term& s, const Term& t) { return s.gap < t.gap; });
  constexpr double kTooFar = 1e-5;
  const auto moved = body_at(first, a.state.x - (nearest.gap + kTooFar) * nearest.n, a.state.q);
  const auto other = body_at(second, b.state.x, b.state.q);
  BodyPair touching;
  build_items(touching, moved.view(), other.view(), 0.1);
  touching.covered = 0.1;
  find_rigid_contacts(touching, moved.view(), other.view(), 1e-3);
  double deepest = 0;
  for (const Term& term : touching.terms) test::keep_smallest(deepest, term.gap);
  return deepest < 0 && deepest > -1.01 * kTooFar && touching.nearest > -20 * kTooFar;
}

TEST(FoldedContacts, SmallestGapIsTheDistanceAndOverlapIsSeen) {
  std::mt19937_64 generator(11);
  const Shape star = testing::star(0.8476);
  const Shape staple = testing::staple();
  const Shape box = make_box("box", {0.5, 0.6, 0.4});
  ASSERT_FALSE(star.convex);
  const std::array<std::array<const Shape*, 2>, 4> pairs{
      {{&star, &star}, {&staple, &star}, {&star, &box}, {&box, &star}}};
  int apart = 0, overlapping = 0, pushed = 0;
  for (int k = 0; k < 4000; ++k) {
    const auto& [first, second] = pairs[k % 4];
    const auto b = body_at(*second, Vec3::Zero(), random_rotation(generator));
    const auto a = body_at(*first, random_vector(generator, 0.8), random_rotation(generator));
    BodyPair pair;
    build_items(pair, a.view(), b.view(), 2.0);
    pair.covered = 2.0;
    find_rigid_contacts(pair, a.view(), b.view(), 2.0);
    bool inside = false;
    for (const Vec3& p : a.vertices) inside = inside || surrounds(*b.shape, b.view().to_local(p));
    for (const Vec3& p : b.vertices) inside = inside || surrounds(*a.shape, a.view().to_local(p));
    const bool cut = inside || piercing_depth(a.view(), b.view()) > 0;
    if (cut) {
      ++overlapping;
      EXPECT_LT(pair.nearest, 0) << k;
    } else {
      ++apart;
      EXPECT_NEAR(pair.nearest, brute_distance(a, b), 1e-13) << k;
      pushed += is_pushed_back(*first, *second, a, b, pair) ? 1 : 0;
    }
  }
  EXPECT_GT(apart, 400);
  EXPECT_GT(overlapping, 400);
  EXPECT_EQ(pushed, apart);
}

}  // namespace
}  // namespace scree::contact
