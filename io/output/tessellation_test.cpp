#include "io/output/tessellation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "core/test_extremes.hpp"

namespace scree {
namespace {

/// Volume by the divergence theorem; only a closed surface with outward triangles gives the shape's.
double volume_of(const SurfaceMesh& mesh) {
  double volume = 0;
  for (const auto& [a, b, c] : mesh.triangles) {
    volume += mesh.points[a].dot(mesh.points[b].cross(mesh.points[c])) / 6;
  }
  return volume;
}

bool is_closed(const SurfaceMesh& mesh) {
  std::map<std::pair<int, int>, int> edges;
  for (const auto& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
  }
  for (const auto& [edge, count] : edges) {
    if (count != 1 || edges.count({edge.second, edge.first}) != 1) return false;
  }
  return true;
}

TEST(Tessellate, SphereIsClosedRoundAndAlmostFull) {
  const Shape ball = make_sphere("ball", 0.5);
  for (int refinement : {0, 1, 2, 3}) {
    const SurfaceMesh mesh = tessellate(ball, refinement);
    EXPECT_EQ(mesh.triangles.size(), 20u << (2 * refinement));
    EXPECT_TRUE(is_closed(mesh));
    for (const Vec3& p : mesh.points) EXPECT_NEAR(p.norm(), 0.5, 1e-15);
  }
  double lowest = 1;
  const SurfaceMesh fine = tessellate(ball, 2);
  for (const auto& [a, b, c] : fine.triangles) {
    test::keep_smallest(lowest, (fine.points[a] + fine.points[b] + fine.points[c]).norm() / 3 / 0.5);
  }
  EXPECT_GT(lowest, 0.98);  // what the header promises
  EXPECT_NEAR(volume_of(fine) / ball.volume, 1, 0.04);
  EXPECT_GT(volume_of(fine), 0);
}

TEST(Tessellate, CapsuleIsClosedAndFillsItsVolume) {
  const Shape rod = make_capsule("rod", 0.1, 0.4);
  const SurfaceMesh mesh = tessellate(rod, 2);
  EXPECT_TRUE(is_closed(mesh));
  EXPECT_NEAR(volume_of(mesh) / rod.volume, 1, 0.04);
  double top = 0;
  for (const Vec3& p : mesh.points) test::keep_largest(top, p.z());
  EXPECT_NEAR(top, 0.3, 1e-15);
  for (std::size_t k = 0; k < mesh.points.size(); ++k) {
    EXPECT_NEAR(mesh.normals[k].norm(), 1, 1e-12);
    EXPECT_GT(mesh.normals[k].dot(mesh.points[k]), 0);
  }
}

TEST(Tessellate, SuperquadricsAreClosedWithPointsOnTheirSurface) {
  for (const auto& [n1, n2] : {std::pair{2.0, 2.0}, {6.0, 2.0}, {8.0, 8.0}}) {
    const Shape body = make_superquadric("tablet", {0.4, 0.3, 0.2}, n1, n2, 30);
    const SurfaceMesh mesh = tessellate(body, 2);
    EXPECT_TRUE(is_closed(mesh));
    EXPECT_NEAR(volume_of(mesh) / body.volume, 1, 0.04) << n1 << " " << n2;
    for (const Vec3& p : mesh.points) EXPECT_NEAR(body.superquadric.shape_function(p).f, 0, 1e-12);
    ASSERT_EQ(mesh.normals.size(), mesh.points.size());
    for (const auto& [a, b, c] : mesh.triangles) {
      const Vec3 across = (mesh.points[b] - mesh.points[a]).cross(mesh.points[c] - mesh.points[a]);
      EXPECT_GT(across.dot(mesh.normals[a] + mesh.normals[b] + mesh.normals[c]), 0);
    }
  }
}

TEST(Tessellate, PolyhedronIsItsOwnSurfaceAndAPlaneHasNone) {
  const SurfaceMesh mesh = tessellate(make_box("box", Vec3(1, 2, 3)), 2);
  EXPECT_EQ(mesh.triangles.size(), 12u);
  EXPECT_NEAR(volume_of(mesh), 6, 1e-12);
  EXPECT_TRUE(tessellate(make_plane("floor"), 2).points.empty());
}

TEST(ClipPlane, GivesTheSectionOfARegionAnticlockwise) {
  std::vector<HalfSpace> cube;
  for (int axis = 0; axis < 3; ++axis) {
    cube.push_back({Vec3::Zero(), Vec3::Unit(axis)});
    cube.push_back({Vec3::Ones(), -Vec3::Unit(axis)});
  }
  const Vec3 normal = Vec3::Ones().normalized();
  const auto hexagon = clip_plane(Vec3::Constant(0.5), normal, 10, cube);
  ASSERT_EQ(hexagon.size(), 6u);
  Vec3 twice_area = Vec3::Zero();
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_NEAR(hexagon[k].sum(), 1.5, 1e-12);
    twice_area += hexagon[k].cross(hexagon[(k + 1) % 6]);
  }
  // The regular hexagon in a unit cube has the edge sqrt(1/2) and the area 3 sqrt(3)/4.
  EXPECT_NEAR(twice_area.dot(normal) / 2, 0.75 * std::sqrt(3.0), 1e-12);
  EXPECT_TRUE(clip_plane(Vec3::Constant(2), normal, 10, cube).empty());
}

}  // namespace
}  // namespace scree
