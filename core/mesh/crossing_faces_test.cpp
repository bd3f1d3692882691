/// Surfaces that pass through themselves, and some that only look like it.
#include "core/mesh/crossing_faces.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "core/shapes/shape.hpp"

namespace scree {
namespace {

/// A tetrahedron over a triangle in z = 0, its top at `top`.
void add_tetrahedron(PolyhedronSurface& surface, const Vec3& shift, const Vec3& top) {
  const int n = static_cast<int>(surface.vertices.size());
  for (const Vec3& v : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), top})
    surface.vertices.push_back(v + shift);
  for (const auto& loop : {std::vector{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}) {
    surface.loops.emplace_back();
    for (const int v : loop) surface.loops.back().push_back(n + v);
  }
}

TEST(CrossingFaces, ATetrahedronHasNone) {
  PolyhedronSurface surface;
  add_tetrahedron(surface, Vec3::Zero(), {0.2, 0.2, 1});
  EXPECT_TRUE(crossing_faces(surface, 9).empty());
}

TEST(CrossingFaces, OfTwoSolidsThatOverlapAreFoundWithAPointOnBoth) {
  PolyhedronSurface surface;
  add_tetrahedron(surface, Vec3::Zero(), {0.2, 0.2, 1});
  add_tetrahedron(surface, {0.15, 0.12, 0.4}, {0.2, 0.2, 1});
  const auto found = crossing_faces(surface, 99);
  ASSERT_FALSE(found.empty());
  for (const FaceCrossing& crossing : found) {
    EXPECT_LT(crossing.a, 4);
    EXPECT_GE(crossing.b, 4);
    for (const int f : {crossing.a, crossing.b}) {
      const Vec3 n = polygon_normal(surface.vertices, surface.loops[f]);
      EXPECT_NEAR(n.dot(crossing.at - surface.vertices[surface.loops[f][0]]), 0, 1e-14);
    }
  }
  EXPECT_EQ(crossing_faces(surface, 2).size(), 2u);
}

TEST(CrossingFaces, ATouchIsNone) {
  PolyhedronSurface surface;
  add_tetrahedron(surface, Vec3::Zero(), {0, 0, 1});
  add_tetrahedron(surface, {0.2, 0.2, -1}, {0, 0, 1});  // its tip in the bottom face of the first
  EXPECT_TRUE(crossing_faces(surface, 9).empty());
  surface.vertices[7].z() += 1e-3;
  EXPECT_FALSE(crossing_faces(surface, 9).empty());
}

TEST(CrossingFaces, AVertexPulledThroughTheOppositeFaceIsRefusedAsAShape) {
  // A spike of a star pulled through its body: closed, oriented, volume positive.
  PolyhedronSurface surface;
  surface.vertices = {{1, 0, 0}, {0, 1, 0}, {-1, -1, 0}, {0.1, 0.1, 1}, {0, 0, -0.2}};
  surface.loops = {{0, 1, 3}, {1, 2, 3}, {2, 0, 3}, {1, 0, 4}, {2, 1, 4}, {0, 2, 4}};
  EXPECT_TRUE(crossing_faces(surface, 9).empty());
  EXPECT_NO_THROW((void)make_polyhedron("star", surface.vertices, surface.loops));
  surface.vertices[4] = {0.6, 0.6, 0.3};  // beyond the face 0-1-3
  try {
    (void)make_polyhedron("star", surface.vertices, surface.loops);
    FAIL() << "accepted a surface that passes through itself";
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("self-intersection"), std::string::npos) << text;
    EXPECT_NE(text.find("faces 0 and"), std::string::npos) << text;
  }
}

TEST(CrossingFaces, AFaceFoldedBackIsFound) {
  PolyhedronSurface surface;
  surface.vertices = {{0, 0, 0}, {1, 0, 0}, {0.3, 1, 0}, {0.4, 0.5, 0}};
  surface.loops = {{0, 1, 2}, {1, 0, 3}};
  ASSERT_EQ(crossing_faces(surface, 9).size(), 1u);
}

}  // namespace
}  // namespace scree
