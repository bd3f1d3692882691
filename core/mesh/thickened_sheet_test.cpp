#include "core/mesh/thickened_sheet.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/shapes/shape.hpp"

namespace scree {
namespace {

Shape solid(const PolyhedronSurface& surface) {
  return make_polyhedron("test", surface.vertices, surface.loops);
}

TEST(ThickenedSheet, AFlatOneIsABox) {
  const PolyhedronSurface card{{{0, 0, 0}, {0.1, 0, 0}, {0.1, 0.06, 0}, {0, 0.06, 0}},
                               {{0, 1, 2}, {0, 2, 3}}};
  const Shape shape = solid(thickened(card, 3e-4));
  EXPECT_NEAR(shape.volume, 0.1 * 0.06 * 3e-4, 1e-18);
  EXPECT_TRUE(shape.convex);
  EXPECT_EQ(shape.faces.size(), 6u);
  EXPECT_NEAR((shape.shift - Vec3(0.05, 0.03, 0)).norm(), 0, 1e-16);
}

TEST(ThickenedSheet, AFoldKeepsTheThicknessOfBothWings) {
  // Two unit squares at a right angle: the outer corner is sharp.
  const PolyhedronSurface angle{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {0, 1, 1}},
                                {{0, 1, 2, 3}, {4, 0, 3, 5}}};
  const double t = 0.02;
  const Shape shape = solid(thickened(angle, t));
  EXPECT_NEAR(shape.volume, 2 * t, 1e-12);  // what is more outside is less inside
  EXPECT_FALSE(shape.convex);
  for (const Vec3& v : shape.vertices) {
    const Vec3 given = v + shape.shift;
    EXPECT_NEAR(std::min(std::abs(std::abs(given.z()) - t / 2), std::abs(std::abs(given.x()) - t / 2)), 0,
                1e-15);
  }
}

TEST(ThickenedSheet, ACurvedOneHasItsAreaTimesTheThickness) {
  PolyhedronSurface tube;  // half of a cylinder of radius 1
  constexpr int kCount = 48;
  for (int k = 0; k <= kCount; ++k) {
    const double angle = M_PI * k / kCount;
    for (const double y : {0.0, 1.0}) tube.vertices.emplace_back(std::cos(angle), y, std::sin(angle));
  }
  for (int k = 0; k < kCount; ++k) tube.loops.push_back({2 * k, 2 * k + 1, 2 * k + 3, 2 * k + 2});
  const Shape shape = solid(thickened(tube, 0.05));
  EXPECT_NEAR(shape.volume, M_PI * 0.05, 2e-4);
}

}  // namespace
}  // namespace scree
