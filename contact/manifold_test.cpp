/// Where convex polyhedra touch: gaps against separating axes found otherwise, exact places of boxes.
#include "contact/manifold.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "contact/candidates.hpp"
#include "contact/pair_terms.hpp"
#include "contact/rigid_contacts.hpp"
#include "contact/test_bodies.hpp"

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
    const double separation = manifold(a.view(), b.view(), 1.0, points);
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
      least = std::min(least, point.term.gap);
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
    EXPECT_NEAR(manifold(a.view(), b.view(), 0.01, points), gap, 1e-15);
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
    EXPECT_NEAR(manifold(a.view(), b.view(), 0.01, points), gap, 1e-14);
    ASSERT_EQ(points.size(), 1U);
    EXPECT_EQ(points[0].term.kind, TermKind::ee);
    const Vec3 p = contact_point(points[0].term, 0, 0);
    EXPECT_NEAR(p.x(), 0.01, 1e-14);
    EXPECT_NEAR(p.y(), 0, 1e-14);
    EXPECT_NEAR(p.z(), reach + 0.5 * gap, 1e-14);
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

}  // namespace
}  // namespace scree::contact
