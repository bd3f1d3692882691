/// Convex bodies with many faces: what their trees find against a look at every pair of features.
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "contact/geometry/closest_points.hpp"
#include "contact/pair/pair_terms.hpp"
#include "contact/search/candidates.hpp"
#include "contact/test_bodies.hpp"
#include "core/shapes/face_tree_of.hpp"
#include "core/test_extremes.hpp"

namespace scree::contact {
namespace {

using testing::egg;
using testing::random_rotation;
using testing::random_vector;
using Body = testing::TestBody;  // a test has a member of that name

TEST(ConvexTrees, FindTheItemsOfALookAtEverything) {
  const Shape shape = egg(14);
  ASSERT_TRUE(shape.convex);
  ASSERT_TRUE(has_face_tree(shape));
  ASSERT_FALSE(has_face_tree(make_box("cube", {1, 1, 1})));
  std::mt19937_64 random(11);
  constexpr double kReach = 0.012;
  int found = 0;
  for (int trial = 0; trial < 20; ++trial) {
    Body a, b;
    a.shape = b.shape = &shape;
    a.state.q = random_rotation(random);
    b.state.q = random_rotation(random);
    b.state.x = (0.2 + 0.003 * trial) * random_vector(random, 1).normalized();
    a.set(Vec3::Zero(), Vec3::Zero());
    b.set(Vec3::Zero(), Vec3::Zero());
    BodyPair pair;
    build_items(pair, a.view(), b.view(), kReach);
    using Key = std::tuple<ItemKind, int, int>;
    std::set<Key> expected, items;
    for (const Item& item : pair.items) {
      items.emplace(item.kind, item.kind == ItemKind::vertex_of_b ? -1 : item.a,
                    item.kind == ItemKind::vertex_of_a ? -1 : item.b);
    }
    EXPECT_EQ(items.size(), pair.items.size());
    const auto vertices = [&](const BodyView& points, const BodyView& solid, ItemKind kind) {
      for (int v = 0; v < static_cast<int>(shape.vertices.size()); ++v) {
        const Vec3 p = solid.to_local(points.vertex(v));
        double highest = -1, nearest = 1;
        for (int f = 0; f < static_cast<int>(shape.faces.size()); ++f) {
          test::keep_largest(highest, shape.faces[f].normal.dot(p) - shape.faces[f].offset);
          test::keep_smallest(nearest, nearest_on_face(shape, f, p).distance);
        }
        if (highest > 0 && nearest >= kReach) continue;
        expected.emplace(kind, kind == ItemKind::vertex_of_a ? v : -1,
                         kind == ItemKind::vertex_of_a ? -1 : v);
        int hint = -1;
        EXPECT_NEAR(nearest_on_convex(shape, p, hint).distance, highest > 0 ? nearest : highest, 1e-15);
      }
    };
    vertices(a.view(), b.view(), ItemKind::vertex_of_a);
    vertices(b.view(), a.view(), ItemKind::vertex_of_b);
    for (int i = 0; i < static_cast<int>(shape.edges.size()); ++i) {
      const Edge& e = shape.edges[i];
      for (int j = 0; j < static_cast<int>(shape.edges.size()); ++j) {
        const Edge& f = shape.edges[j];
        const Vec3 p = a.view().vertex(e.v0), u = a.trial.R * e.direction;
        const Vec3 q = b.view().vertex(f.v0), w = b.trial.R * f.direction;
        const SegmentPair near = nearest_on_segments(p, u, e.length, q, w, f.length);
        if ((p + near.s * u - q - near.t * w).norm() < kReach) expected.emplace(ItemKind::edges, i, j);
      }
    }
    EXPECT_EQ(items, expected) << "trial " << trial;
    found += static_cast<int>(items.size());
  }
  EXPECT_GT(found, 300);
}

TEST(ConvexTrees, AVertexThatIsInsideIsPushedOutThroughItsFace) {
  const Shape shape = egg(14);
  ASSERT_TRUE(has_face_tree(shape));
  Body solid;
  solid.shape = &shape;
  solid.set(Vec3::Zero(), Vec3::Zero());
  for (const Face& face : shape.faces) {
    Vec3 p = Vec3::Zero();
    for (const int v : face.loop) p += shape.vertices[v] / static_cast<double>(face.loop.size());
    p -= 1e-6 * face.normal;
    int hint = -1;
    const SurfacePoint point = nearest_on_convex(shape, p, hint);
    ASSERT_EQ(point.kind, FeatureKind::face);
    EXPECT_NEAR(point.distance, -1e-6, 1e-12);
    EXPECT_NEAR(vertex_on_b(p, point, solid.view(), 0).n.dot(face.normal), 1, 1e-12);
    EXPECT_NEAR(vertex_on_a(p, point, solid.view(), 0).n.dot(face.normal), -1, 1e-12);
  }
}

}  // namespace
}  // namespace scree::contact
