#include "core/mesh/coincident_vertices.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace scree {
namespace {

using testing::HasSubstr;

/// Adds a square of two triangles with vertices of its own.
void add_square(PolyhedronSurface& surface, const Vec3& corner, const Vec3& first, const Vec3& second) {
  const int k = static_cast<int>(surface.vertices.size());
  for (const Vec3& v : {corner, Vec3(corner + first), Vec3(corner + first + second), Vec3(corner + second)})
    surface.vertices.push_back(v);
  surface.loops.push_back({k, k + 1, k + 2});
  surface.loops.push_back({k, k + 2, k + 3});
}

/// Two squares of edge 1 m beside each other, of which the second begins at `second`.
PolyhedronSurface two_squares(const Vec3& first, const Vec3& second) {
  PolyhedronSurface surface;
  add_square(surface, first, Vec3::UnitX(), Vec3::UnitY());
  add_square(surface, second, Vec3::UnitX(), Vec3::UnitY());
  return surface;
}

TEST(CoincidentVertices, OfASeamAreFoundUpToRoundOff) {
  for (const double gap : {0.0, 1e-17, 1e-12, 9e-7}) {
    const PolyhedronSurface seam = two_squares(Vec3::Zero(), Vec3(1 + gap, 0, 0));
    EXPECT_EQ(coincident_vertices(seam, "plate").size(), 2U) << gap;
    EXPECT_EQ(coincident_free_edges(seam), "1 pair of free edges coincides: from [1, 0, 0] to [1, 1, 0] m")
        << gap;
  }
  const auto exact = coincident_vertices(two_squares(Vec3::Zero(), Vec3(1, 0, 0)), "plate");
  ASSERT_EQ(exact.size(), 2U);
  EXPECT_EQ(exact[0].where, "plate");
  EXPECT_THAT(exact[0].message, HasSubstr("vertices 1 and 4 are both at [1, 0, 0]; expected one number"));
  EXPECT_THAT(exact[1].message, HasSubstr("vertices 2 and 7 are both at [1, 1, 0]"));
  const auto near = coincident_vertices(two_squares(Vec3::Zero(), Vec3(1 + 5e-7, 0, 0)), "plate");
  ASSERT_EQ(near.size(), 2U);
  EXPECT_THAT(near[0].message, HasSubstr("vertices 1 and 4 are 5e-07 m apart, at [1, 0, 0]"));
}

/// 34.33 m in single precision is 1.3e-6 m off, more than 1e-6 of an edge.
TEST(CoincidentVertices, OfASeamAreFoundIfOneSideHasSinglePrecision) {
  PolyhedronSurface seam = two_squares(Vec3(100. / 3, 0, 0), Vec3(103. / 3, 0, 0));
  for (std::size_t v = 4; v < 8; ++v) seam.vertices[v] = seam.vertices[v].cast<float>().cast<double>();
  ASSERT_GT((seam.vertices[4] - seam.vertices[1]).norm(), 1e-6);
  EXPECT_EQ(coincident_vertices(seam, "").size(), 2U);
  EXPECT_NE(coincident_free_edges(seam), "");
}

TEST(CoincidentVertices, OfSeparateSheetsAreNotFound) {
  for (const double far : {0.0, 200.0}) {
    const Vec3 corner(far, far, far);
    for (const Vec3& beside : {Vec3(0, 0, 1e-4), Vec3(1 + 1e-4, 0, 0)}) {
      const PolyhedronSurface sheets = two_squares(corner, corner + beside);
      EXPECT_TRUE(coincident_vertices(sheets, "").empty()) << far;
      EXPECT_EQ(coincident_free_edges(sheets), "") << far;
    }
  }
}

TEST(CoincidentVertices, AreNeitherThoseOfNoFaceNorAPlaceWhereSquaresOnlyTouch) {
  PolyhedronSurface surface = two_squares(Vec3::Zero(), Vec3(1, 1, 0));
  surface.vertices.emplace_back(0, 0, 0);
  EXPECT_EQ(coincident_vertices(surface, "").size(), 1U) << "2 and 4";
  EXPECT_EQ(coincident_free_edges(surface), "");
}

TEST(CoincidentVertices, OfAJunctionOfThreeSheetsAreNoSeam) {
  PolyhedronSurface surface = two_squares(Vec3::Zero(), Vec3(1, 0, 0));
  add_square(surface, Vec3(1, 0, 0), Vec3::UnitZ(), Vec3::UnitY());
  EXPECT_EQ(coincident_free_edges(surface), "");
  EXPECT_EQ(coincident_vertices(surface, "").size(), 4U);
}

TEST(CoincidentVertices, OfManyAFewAreListedAndTheOthersCounted) {
  PolyhedronSurface row;
  for (int k = 0; k < 7; ++k) add_square(row, Vec3(k, 0, 0), Vec3::UnitX(), Vec3::UnitY());
  const auto faults = coincident_vertices(row, "");
  ASSERT_EQ(faults.size(), 6U);
  EXPECT_EQ(faults[5].message, "and 7 more: vertices at one place.");
  EXPECT_THAT(coincident_free_edges(row), HasSubstr("6 pairs of free edges coincide: from [1, 0, 0] to "));
  EXPECT_THAT(coincident_free_edges(row), HasSubstr("to [3, 1, 0] ... m"));
}

}  // namespace
}  // namespace scree
