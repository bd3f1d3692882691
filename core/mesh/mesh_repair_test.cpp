#include "core/mesh/mesh_repair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/mesh/mesh_faults.hpp"
#include "core/mesh/orientation.hpp"
#include "core/mesh/polygon_triangles.hpp"
#include "core/mesh/polyhedron_surface.hpp"
#include "core/shapes/shape.hpp"

namespace scree {
namespace {

/// Triangles of a cube of edge 1 at `origin`, outward.
PolyhedronSurface cube(const Vec3& origin = Vec3::Zero(), double edge = 1) {
  PolyhedronSurface surface;
  for (int k = 0; k < 8; ++k)
    surface.vertices.emplace_back(origin + edge * Vec3(k & 1, (k >> 1) & 1, k >> 2));
  for (const std::vector<int>& face :
       {std::vector{0, 2, 3, 1}, std::vector{4, 5, 7, 6}, std::vector{0, 1, 5, 4}, std::vector{2, 6, 7, 3},
        std::vector{0, 4, 6, 2}, std::vector{1, 3, 7, 5}}) {
    surface.loops.push_back({face[0], face[1], face[2]});
    surface.loops.push_back({face[0], face[2], face[3]});
  }
  return surface;
}

void append(PolyhedronSurface& surface, const PolyhedronSurface& other) {
  const int first = static_cast<int>(surface.vertices.size());
  surface.vertices.insert(surface.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (std::vector<int> loop : other.loops) {
    for (int& v : loop) v += first;
    surface.loops.push_back(std::move(loop));
  }
}

void reverse(std::vector<int>& loop) { std::reverse(loop.begin(), loop.end()); }

double volume(const PolyhedronSurface& surface) {
  return make_polyhedron("test", surface.vertices, surface.loops).volume;
}

TEST(MeshParts, CavitiesAndPartsThatTouchAreNoSeparateOnes) {
  EXPECT_EQ(separate_parts(cube()), 1u);
  PolyhedronSurface cavity = cube(Vec3::Constant(0.25), 0.5);
  for (std::vector<int>& loop : cavity.loops) reverse(loop);
  PolyhedronSurface all = cube();
  append(all, cavity);
  append(all, cube(Vec3::Constant(0.4), 0.2));  // in the cavity
  EXPECT_EQ(separate_parts(all), 1u);
  append(all, cube(Vec3(2, 0, 0)));
  EXPECT_EQ(separate_parts(all), 2u);
  append(all, cube(Vec3(4, 0, 0)));
  EXPECT_EQ(separate_parts(all), 3u);
  // One that has a corner with the last one in common.
  const int corner = static_cast<int>(all.vertices.size()) - 1;
  append(all, cube(Vec3(5, 1, 1)));
  for (std::vector<int>& loop : all.loops) std::replace(loop.begin(), loop.end(), corner + 1, corner);
  EXPECT_EQ(separate_parts(all), 3u);
}

TEST(MeshRepair, AGoodMeshStaysAsItIs) {
  PolyhedronSurface surface = cube();
  const PolyhedronSurface before = surface;
  const MeshRepairs repairs = repair(surface, 1e-5, false);
  EXPECT_FALSE(repairs.any());
  EXPECT_EQ(surface.loops, before.loops);
  EXPECT_EQ(surface.vertices, before.vertices);
}

TEST(MeshRepair, ReversedFacesAgreeWithTheMostOfTheirPart) {
  PolyhedronSurface surface = cube();
  for (const int f : {1, 4, 7}) reverse(surface.loops[f]);
  EXPECT_FALSE(surface_faults(surface, "").empty());
  const MeshRepairs repairs = repair(surface, 0, false);
  EXPECT_EQ(repairs.reversed_faces, 3u);
  EXPECT_EQ(repairs.reversed_parts, 0u);
  EXPECT_DOUBLE_EQ(volume(surface), 1);
}

TEST(MeshRepair, PartsWithInwardNormalsAreTurnedWithTheCavitiesInside) {
  PolyhedronSurface hollow = cube(), hole = cube(Vec3(0.25, 0.25, 0.25), 0.5);
  for (auto& loop : hole.loops) reverse(loop);
  append(hollow, hole);
  for (auto& loop : hollow.loops) reverse(loop);
  append(hollow, cube(Vec3(3, 0, 0)));  // another part, as it has to be
  const MeshRepairs repairs = repair(hollow, 0, false);
  EXPECT_EQ(repairs.reversed_faces, 0u);
  EXPECT_EQ(repairs.reversed_parts, 2u);
  EXPECT_NEAR(volume(hollow), 1 - 0.125 + 1, 1e-14);
}

TEST(MeshRepair, ManyCavitiesAreTurnedWithTheirBody) {
  PolyhedronSurface hollow = cube(Vec3(-1, -1, -1), 12);
  constexpr int kAlong = 6;
  for (int k = 0; k < kAlong * kAlong * kAlong; ++k) {
    const int row = k / kAlong;
    PolyhedronSurface hole =
        cube(Eigen::Vector3i(k % kAlong, row % kAlong, row / kAlong).cast<double>() * 1.5);
    for (auto& loop : hole.loops) reverse(loop);
    append(hollow, hole);
  }
  const double expected = volume(hollow);
  EXPECT_NEAR(expected, 12 * 12 * 12 - kAlong * kAlong * kAlong, 1e-9);
  append(hollow, cube(Vec3(0.25, 0.25, 0.25), 0.5));  // in the first cavity
  for (auto& loop : hollow.loops) reverse(loop);
  EXPECT_EQ(repair(hollow, 0, false).reversed_parts, 2u + kAlong * kAlong * kAlong);
  EXPECT_NEAR(volume(hollow), expected + 0.125, 1e-9);
}

TEST(MeshRepair, AnInnerPartIsNotTakenForACavity) {
  PolyhedronSurface surface = cube();
  append(surface, cube(Vec3(0.25, 0.25, 0.25), 0.5));
  EXPECT_FALSE(repair(surface, 0, false).any());
  const MeshFaults faults = find_mesh_faults("test", surface, false);
  EXPECT_EQ(faults.enclosed_faces.size(), 12u);
}

TEST(MeshRepair, FacesWithoutAreaLeaveNoSlit) {
  PolyhedronSurface surface = cube();
  // The diagonal of one side gets a vertex on one of its triangles, and a triangle without area beside it.
  surface.vertices.emplace_back(0.5, 0.5, 0);
  const std::vector<int> first = surface.loops[0], second = surface.loops[1];
  surface.loops[0] = {0, 2, 8};
  surface.loops.push_back({2, 3, 8});
  surface.loops.push_back({0, 8, 3});  // flat
  surface.loops.push_back({5, 5, 7});
  EXPECT_FALSE(surface_faults(surface, "").empty());
  const MeshRepairs repairs = repair(surface, 0, false);
  EXPECT_EQ(repairs.removed_faces, 2u);
  EXPECT_TRUE(surface_faults(surface, "").empty());
  EXPECT_DOUBLE_EQ(volume(surface), 1);
}

TEST(MeshRepair, DuplicatesGoAndFinsWithThem) {
  PolyhedronSurface surface = cube();
  surface.loops.push_back(surface.loops[3]);
  surface.loops.push_back({0, 5, 6});  // a fin through the inside, on both sides
  surface.loops.push_back({0, 6, 5});
  const MeshRepairs repairs = repair(surface, 0, false);
  EXPECT_EQ(repairs.removed_duplicates, 3u);
  EXPECT_DOUBLE_EQ(volume(surface), 1);
}

TEST(MeshRepair, DuplicatePolygonsGoFromWhicheverCornerAndSide) {
  PolyhedronSurface surface = cube();
  surface.loops = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  surface.loops.push_back({7, 6, 4, 5});  // from another corner
  PolyhedronSurface inner = surface;
  EXPECT_EQ(repair(surface, 0, false).removed_duplicates, 1u);
  EXPECT_DOUBLE_EQ(volume(surface), 1);
  // A wall across the inside, on both sides.
  inner.loops.push_back({0, 2, 7, 5});
  inner.loops.push_back({2, 0, 5, 7});
  EXPECT_EQ(repair(inner, 0, false).removed_duplicates, 3u);
  EXPECT_DOUBLE_EQ(volume(inner), 1);
  // Of a surface with two sides one of both stays.
  PolyhedronSurface sheet{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2, 3}, {2, 1, 0, 3}}};
  EXPECT_EQ(repair(sheet, 0, true).removed_duplicates, 1u);
  EXPECT_EQ(sheet.loops.size(), 1u);
}

/// The loops of `surface` with copies of some of them, reversed, behind or before the others.
PolyhedronSurface with_reversed(PolyhedronSurface surface, const std::vector<int>& faces, bool before) {
  for (const int f : faces) {
    std::vector<int> copy = surface.loops[before ? surface.loops.size() - 12 + f : f];
    reverse(copy);
    surface.loops.insert(before ? surface.loops.begin() : surface.loops.end(), copy);
  }
  return surface;
}

TEST(MeshRepair, AFaceThatIsGivenInBothSensesStaysWhereItClosesTheSurface) {
  for (const bool before : {false, true}) {
    // One triangle, two sides of the cube with one edge between them, and all but one side.
    for (const std::vector<int>& faces :
         {std::vector{4}, std::vector{0, 1, 4, 5}, std::vector{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}) {
      PolyhedronSurface surface = with_reversed(cube(), faces, before);
      const MeshRepairs repairs = repair(surface, 1e-5, false);
      EXPECT_EQ(repairs.removed_duplicates, faces.size());
      EXPECT_EQ(repairs.reversed_faces + repairs.reversed_parts, 0u);
      EXPECT_TRUE(surface_faults(surface, "").empty());
      EXPECT_DOUBLE_EQ(volume(surface), 1);
    }
    // Three copies, the second time most of them against the neighbours.
    for (const bool against : {false, true}) {
      PolyhedronSurface surface = with_reversed(cube(), {4}, before);
      surface.loops.push_back(surface.loops[before ? 5 : 4]);
      if (against) reverse(surface.loops.back());
      const MeshRepairs repairs = repair(surface, 0, false);
      EXPECT_EQ(repairs.removed_duplicates, 2u);
      EXPECT_EQ(repairs.reversed_faces, 0u);
      EXPECT_DOUBLE_EQ(volume(surface), 1);
    }
  }
  PolyhedronSurface polygons{
      cube().vertices,
      {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}, {6, 4, 0, 2}}};
  EXPECT_EQ(repair(polygons, 0, false).removed_duplicates, 1u);
  EXPECT_DOUBLE_EQ(volume(polygons), 1);
}

TEST(MeshRepair, AFaceInBothSensesStaysBesideAHoleAndAFin) {
  PolyhedronSurface holed = with_reversed(cube(), {4}, false);
  holed.loops.erase(holed.loops.begin() + 5);
  EXPECT_EQ(repair(holed, 1e-5, false).removed_duplicates, 1u);
  EXPECT_EQ(find_mesh_faults("test", holed, false).free_edges.size(), 3u);
  PolyhedronSurface finned = with_reversed(cube(), {4}, false);
  finned.vertices.emplace_back(0.5, -1, -1);
  finned.loops.push_back({0, 1, 8});
  const MeshRepairs repairs = repair(finned, 1e-5, false);
  EXPECT_EQ(repairs.removed_duplicates, 1u);
  EXPECT_EQ(repairs.removed_fins, 1u);
  EXPECT_DOUBLE_EQ(volume(finned), 1);
}

TEST(MeshRepair, FacesBetweenPartsThatTouchGo) {
  // Two tetrahedra, the face between them also three times.
  for (const bool third : {false, true}) {
    PolyhedronSurface tets{
        {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}},
        {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}, {0, 1, 2}, {1, 0, 4}, {2, 1, 4}, {0, 2, 4}}};
    if (third) tets.loops.push_back({1, 2, 0});
    EXPECT_EQ(repair(tets, 0, false).removed_duplicates, third ? 3u : 2u);
    EXPECT_DOUBLE_EQ(volume(tets), 1.0 / 3);
  }
  // Eight cubes: walls of two triangles, which meet in the middle.
  PolyhedronSurface eight;
  for (int k = 0; k < 27; ++k) eight.vertices.emplace_back(k % 3, k / 3 % 3, k / 9);
  for (int c = 0; c < 8; ++c) {
    for (std::vector<int> loop : cube().loops) {
      for (int& v : loop)
        v = (c & 1) + (v & 1) + 3 * ((c >> 1 & 1) + (v >> 1 & 1)) + 9 * ((c >> 2) + (v >> 2));
      eight.loops.push_back(std::move(loop));
    }
  }
  PolyhedronSurface doubled = eight;
  const MeshRepairs repairs = repair(eight, 0, false);
  EXPECT_EQ(repairs.removed_duplicates, 48u);
  EXPECT_EQ(repairs.reversed_faces, 0u);
  EXPECT_DOUBLE_EQ(volume(eight), 8);
  // With an outer face in both senses.
  doubled.loops.push_back(doubled.loops[0]);
  reverse(doubled.loops.back());
  EXPECT_EQ(repair(doubled, 0, false).removed_duplicates, 49u);
  EXPECT_DOUBLE_EQ(volume(doubled), 8);
}

TEST(MeshRepair, OfASheetOneCopyStaysThatAgreesWithItsNeighbours) {
  PolyhedronSurface sheet{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {2, 1, 0}},
                          {{2, 1, 0}, {0, 1, 2}, {0, 2, 3}, {1, 4, 2}}};
  const MeshRepairs repairs = repair(sheet, 1e-5, true);
  EXPECT_EQ(repairs.removed_duplicates, 1u);
  EXPECT_EQ(repairs.reversed_faces, 0u);
  EXPECT_EQ(sheet.loops, (std::vector<std::vector<int>>{{0, 1, 2}, {0, 2, 3}, {1, 4, 2}}));
}

TEST(MeshRepair, FacesThatHangOnAnEdgeOfAClosedSurfaceGo) {
  // Both orientations, outside and through the inside; of the surface with two sides they are a part.
  for (const bool turned : {false, true}) {
    for (const Vec3& tip : {Vec3(-1, 0.5, 0), Vec3(0.5, 0.5, 0.4)}) {
      PolyhedronSurface surface = cube();
      surface.vertices.push_back(tip);
      surface.loops.insert(surface.loops.begin() + 4, {0, 2, 8});
      if (turned) reverse(surface.loops[4]);
      const PolyhedronSurface given = surface;
      EXPECT_FALSE(surface_faults(surface, "").empty());
      const MeshRepairs repairs = repair(surface, 0, false);
      EXPECT_EQ(repairs.removed_fins, 1u);
      EXPECT_TRUE(surface_faults(surface, "").empty());
      EXPECT_DOUBLE_EQ(volume(surface), 1);
      PolyhedronSurface sheet = given;
      EXPECT_EQ(repair(sheet, 0, true).removed_fins, 0u);
      EXPECT_EQ(sheet.loops.size(), given.loops.size());
    }
  }
}

TEST(MeshRepair, AHoleIsNoFin) {
  PolyhedronSurface surface = cube();
  surface.loops.erase(surface.loops.begin() + 5);
  EXPECT_EQ(repair(surface, 0, false).removed_fins, 0u);
  EXPECT_FALSE(surface_faults(surface, "").empty());
}

/// The cube with its upper side apart, shifted by `gap`.
PolyhedronSurface cracked(const Vec3& gap) {
  PolyhedronSurface surface = cube();
  for (int k = 4; k < 8; ++k) surface.vertices.emplace_back(surface.vertices[k] + gap);
  for (const int f : {2, 3}) {
    for (int& v : surface.loops[f]) v += 4;
  }
  return surface;
}

TEST(MeshRepair, HairlineCracksAreClosedAndWiderOnesAreFaults) {
  const Vec3 gap(3e-6, 0, 4e-6);
  PolyhedronSurface surface = cracked(gap);
  const MeshRepairs repairs = repair(surface, 6e-6, false);
  EXPECT_EQ(repairs.joined_vertices, 4u);
  EXPECT_NEAR(repairs.widest_crack, 5e-6, 1e-15);
  EXPECT_NEAR(volume(surface), 1, 1e-5);
  for (const double crack : {0.0, 4e-6}) {
    PolyhedronSurface open = cracked(gap);
    EXPECT_FALSE(repair(open, crack, false).any());
    EXPECT_EQ(find_mesh_faults("test", open, false).free_edges.size(), 8u);
  }
}

TEST(MeshRepair, EdgesAreDividedWhereTheOtherSideHasVertices) {
  PolyhedronSurface surface = cube();
  // Edge 4-5 with two vertices on the side of the upper faces only, off it by a hair.
  surface.vertices.emplace_back(0.3, 1e-6, 1);
  surface.vertices.emplace_back(0.6, 1e-6, 1);
  surface.loops[2] = {4, 8, 7};
  surface.loops.push_back({8, 9, 7});
  surface.loops.push_back({9, 5, 7});
  PolyhedronSurface open = surface;
  EXPECT_FALSE(repair(open, 0, false).any());
  EXPECT_EQ(find_mesh_faults("test", open, false).free_edges.size(), 4u);
  const MeshRepairs repairs = repair(surface, 1e-5, false);
  EXPECT_EQ(repairs.split_edges, 2u);
  EXPECT_NEAR(repairs.widest_crack, 1e-6, 1e-15);
  EXPECT_TRUE(surface_faults(surface, "").empty());
  EXPECT_NEAR(volume(surface), 1, 1e-6);
}

TEST(MeshRepair, OpenSurfacesKeepTheirBordersAndMoebiusStripsTheirFault) {
  PolyhedronSurface sheet{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 3, 2}}};
  const MeshRepairs repairs = repair(sheet, 1e-5, true);
  EXPECT_EQ(repairs.reversed_faces, 1u);
  EXPECT_TRUE(surface_faults(sheet, "", true).empty());
  PolyhedronSurface strip;
  constexpr int kCount = 12;
  for (int k = 0; k < kCount; ++k) {
    const double angle = 2 * M_PI * k / kCount;
    const Vec3 out(std::cos(angle), std::sin(angle), 0);
    const Vec3 half = 0.2 * (std::cos(angle / 2) * out + std::sin(angle / 2) * Vec3::UnitZ());
    strip.vertices.emplace_back(out - half);
    strip.vertices.emplace_back(out + half);
  }
  for (int k = 0; k < kCount; ++k) {
    const bool last = k + 1 == kCount;
    const int a = 2 * k, b = a + 1, c = last ? 1 : a + 2, d = last ? 0 : a + 3;
    strip.loops.push_back({a, c, b});
    strip.loops.push_back({b, c, d});
  }
  EXPECT_EQ(repair(strip, 0, true).reversed_faces, 0u);
  EXPECT_EQ(find_mesh_faults("test", strip, true).clashing_edges.size(), 1u);
}

TEST(MeshRepair, ACombOf3000CornersIsCutIntoTrianglesOfItsArea) {
  std::vector<Vec3> vertices = {{0, 0, 0}};
  constexpr int kTeeth = 1000;
  for (int k = 0; k < kTeeth; ++k) {
    vertices.emplace_back(k + 0.1, -1 - 0.1 * (k % 7), 0);
    vertices.emplace_back(k + 0.8, -1, 0);
    vertices.emplace_back(k + 1, 0, 0);
  }
  vertices.emplace_back(0.5 * kTeeth, 3, 0);
  std::vector<int> loop(vertices.size());
  std::iota(loop.begin(), loop.end(), 0);
  double twice = 0, sum = 0;
  for (std::size_t k = 0; k < loop.size(); ++k)
    twice += vertices[k].cross(vertices[(k + 1) % loop.size()]).z();
  const auto triangles = triangles_of(vertices, loop);
  EXPECT_EQ(triangles.size(), loop.size() - 2);
  for (const auto& t : triangles) {
    const double area = (vertices[t[1]] - vertices[t[0]]).cross(vertices[t[2]] - vertices[t[0]]).z();
    EXPECT_GT(area, 0);
    sum += area;
  }
  EXPECT_NEAR(sum / twice, 1, 1e-12);
}

TEST(MeshRepair, BentAndConcavePolygonsBecomeTriangles) {
  PolyhedronSurface surface = cube();
  surface.loops = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  surface.vertices[7] = Vec3(1.2, 1.1, 1.1);  // three faces are bent
  EXPECT_EQ(repair(surface, 0, false).split_polygons, 3u);
  EXPECT_EQ(surface.loops.size(), 9u);
  EXPECT_TRUE(surface_faults(surface, "").empty());
  // An L: five triangles would be one too many.
  PolyhedronSurface l{{{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}},
                      {{0, 1, 2, 3, 4, 5}}};
  EXPECT_EQ(repair(l, 0, true).split_polygons, 1u);
  ASSERT_EQ(l.loops.size(), 4u);
  double area = 0;
  for (const auto& t : l.loops)
    area += 0.5 * (l.vertices[t[1]] - l.vertices[t[0]]).cross(l.vertices[t[2]] - l.vertices[t[0]]).z();
  EXPECT_DOUBLE_EQ(area, 3);
}

TEST(SurfaceCorners, AreAsManyAsKeysOfContactsCanHold) {
  EXPECT_EQ(too_many_corners(0), "");
  EXPECT_EQ(too_many_corners(kMostCorners), "");
  EXPECT_EQ(too_many_corners(kMostCorners + 1),
            "has 715827882 face corners; expected at most 715827881. Use a coarser mesh.");
}

}  // namespace
}  // namespace scree
