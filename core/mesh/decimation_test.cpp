#include "core/mesh/decimation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/mesh/polyhedron_surface.hpp"
#include "core/mesh/surface_distance.hpp"
#include "core/shapes/shape.hpp"
#include "core/test_extremes.hpp"

namespace scree {
namespace {

/// Unit sphere of n x n points between two poles.
PolyhedronSurface sphere(int n, bool quadrilaterals = false) {
  PolyhedronSurface surface;
  surface.vertices.emplace_back(0, 0, 1);
  for (int row = 1; row < n; ++row) {
    const double polar = M_PI * row / n;
    for (int k = 0; k < n; ++k) {
      const double angle = 2 * M_PI * k / n;
      surface.vertices.emplace_back(std::sin(polar) * std::cos(angle), std::sin(polar) * std::sin(angle),
                                    std::cos(polar));
    }
  }
  surface.vertices.emplace_back(0, 0, -1);
  const int last = static_cast<int>(surface.vertices.size()) - 1;
  const auto at = [n](int row, int k) { return 1 + (row - 1) * n + k % n; };
  for (int k = 0; k < n; ++k) {
    surface.loops.push_back({0, at(1, k), at(1, k + 1)});
    for (int row = 1; row + 1 < n; ++row) {
      if (quadrilaterals) {
        surface.loops.push_back({at(row, k), at(row + 1, k), at(row + 1, k + 1), at(row, k + 1)});
        continue;
      }
      surface.loops.push_back({at(row, k), at(row + 1, k), at(row + 1, k + 1)});
      surface.loops.push_back({at(row, k), at(row + 1, k + 1), at(row, k + 1)});
    }
    surface.loops.push_back({at(n - 1, k), last, at(n - 1, k + 1)});
  }
  return surface;
}

TEST(Decimation, OfASphereKeepsAClosedSurfaceNearIt) {
  PolyhedronSurface surface = sphere(60);
  const Decimation done = decimate(surface, {.triangles = 500});
  EXPECT_EQ(done.before, 2u * 60 * 59);
  EXPECT_EQ(done.after, 500u);
  EXPECT_EQ(surface.loops.size(), 500u);
  EXPECT_TRUE(surface_faults(surface, "").empty());
  const double volume = make_polyhedron("sphere", surface.vertices, surface.loops).volume;
  EXPECT_NEAR(volume / (4 * M_PI / 3), 1, 0.02);
  // A regular mesh of so many triangles is 0.012 off; vertices stay near the sphere.
  EXPECT_GT(done.distance, 0.005);
  EXPECT_LT(done.distance, 0.04);
  for (const Vec3& v : surface.vertices) EXPECT_NEAR(v.norm(), 1, done.distance + 0.002);
}

TEST(Decimation, LeavesATetrahedronOfEachPart) {
  PolyhedronSurface surface;
  for (const double x : {0.0, 3.0}) {
    const int first = static_cast<int>(surface.vertices.size());
    for (const Vec3& v : {Vec3(0, 0, 0), Vec3(1, 1, 0), Vec3(1, 0, 1), Vec3(0, 1, 1)})
      surface.vertices.emplace_back(v + Vec3(x, 0, 0));
    for (const std::vector<int>& t :
         {std::vector{1, 3, 2}, std::vector{0, 1, 2}, std::vector{0, 2, 3}, std::vector{0, 3, 1}})
      surface.loops.push_back({first + t[0], first + t[1], first + t[2]});
  }
  EXPECT_EQ(decimate(surface, {.triangles = 6}).after, 8u);
  EXPECT_TRUE(surface_faults(surface, "").empty());
}

TEST(Decimation, ToADistanceKeepsItAndUsesIt) {
  for (const double limit : {2e-3, 1e-2}) {
    const PolyhedronSurface original = sphere(60);
    PolyhedronSurface surface = original;
    const Decimation done = decimate(surface, {.distance = limit});
    EXPECT_LE(done.distance, limit);
    EXPECT_GE(done.distance, 0.5 * limit);
    EXPECT_EQ(done.distance, surface_distance(original, surface));
    EXPECT_LT(done.after, done.before / 2);
  }
}

TEST(Decimation, OfQuadrilateralsToADistanceUsesItToo) {
  PolyhedronSurface triangles = sphere(40), quadrilaterals = sphere(40, true), both = quadrilaterals;
  const Decimation expected = decimate(triangles, {.distance = 2e-3});
  const Decimation done = decimate(quadrilaterals, {.distance = 2e-3});
  EXPECT_EQ(done.before, expected.before);
  EXPECT_LT(done.after, done.before * 3 / 4);  // other diagonals, and so another search for the error
  EXPECT_LE(done.distance, 2e-3);
  EXPECT_GT(done.distance, 0);
  const Decimation limited = decimate(both, {.triangles = expected.before * 3 / 4, .distance = 2e-2});
  EXPECT_LE(limited.after, expected.before * 3 / 4);
}

constexpr int kCellsOfSheet = 20;

/// Square of kCellsOfSheet^2 cells of 1 m.
PolyhedronSurface plane_sheet() {
  PolyhedronSurface sheet;
  constexpr int kCount = kCellsOfSheet;
  for (int i = 0; i <= kCount; ++i) {
    for (int j = 0; j <= kCount; ++j) sheet.vertices.emplace_back(i, j, 0);
  }
  const auto at = [](int i, int j) { return i * (kCount + 1) + j; };
  for (int i = 0; i < kCount; ++i) {
    for (int j = 0; j < kCount; ++j) {
      sheet.loops.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      sheet.loops.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return sheet;
}

TEST(Decimation, OfASheetKeepsItsOutline) {
  PolyhedronSurface sheet = plane_sheet();
  const Decimation done = decimate(sheet, {.distance = 1e-9});
  EXPECT_LE(done.after, 12u);
  EXPECT_LE(done.rounds, 3) << "a larger quadric error removes no more triangles within the distance";
  EXPECT_LE(done.distance, 1e-9);
  double area = 0;
  for (const auto& t : sheet.loops) {
    area +=
        0.5 *
        (sheet.vertices[t[1]] - sheet.vertices[t[0]]).cross(sheet.vertices[t[2]] - sheet.vertices[t[0]]).z();
  }
  EXPECT_NEAR(area, kCellsOfSheet * kCellsOfSheet, 1e-6);
}

TEST(Decimation, OfAPlaneMakesNoHub) {
  PolyhedronSurface sheet = plane_sheet();
  EXPECT_LE(decimate(sheet, {.triangles = 200}).after, 200u);
  std::vector<int> faces_at(sheet.vertices.size(), 0);
  for (const auto& loop : sheet.loops) {
    for (const int v : loop) ++faces_at[v];
  }
  // In the order of the vertices, one of them gets more than 30.
  int most = 0;
  for (const int count : faces_at) test::keep_largest(most, count);
  EXPECT_LE(most, 16);
}

TEST(SurfaceDistance, IsTheLargestOfBothDirections) {
  EXPECT_DOUBLE_EQ(distance_to_triangle({0.2, 0.2, 3}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}), 3);
  EXPECT_DOUBLE_EQ(distance_to_triangle({2, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}), 1);
  EXPECT_DOUBLE_EQ(distance_to_triangle({1, 1, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}), std::sqrt(1.5));
  EXPECT_DOUBLE_EQ(distance_to_triangle({5, 0, 0}, {0, 0, 0}, {1, 0, 0}, {2, 0, 0}), 3);  // without area
  const PolyhedronSurface small{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  const PolyhedronSurface large{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 1, 2}}};
  EXPECT_DOUBLE_EQ(surface_distance(small, large), 3);
  EXPECT_DOUBLE_EQ(surface_distance(large, small), 3);
}

TEST(SurfaceDistance, IsMeasuredAtTheMiddleOfFreeEdgesInBothDirections) {
  // A notch at the middle of the edge from vertex 2 to vertex 0.
  const PolyhedronSurface notched{{{0, 0, 0}, {1, 0.3, 0}, {1, 1, 0}, {2, 0, 0}}, {{0, 1, 2}, {3, 2, 1}}};
  const double depth = 0.3 / std::sqrt(1.09);
  for (const std::vector<int>& loop : {std::vector{0, 1, 2}, std::vector{0, 2, 1}}) {
    const PolyhedronSurface whole{{{0, 0, 0}, {1, 1, 0}, {2, 0, 0}}, {loop}};
    EXPECT_NEAR(surface_distance(whole, notched), depth, 1e-15);
  }
}

}  // namespace
}  // namespace scree
