#include "contact/geometry/cores.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "contact/geometry/closest_points.hpp"
#include "contact/test_bodies.hpp"
#include "core/infinity.hpp"
#include "core/interrupt.hpp"

namespace scree::contact {
namespace {

/// An L of three cubes of edge 1, whose centre of mass lies near its inner edge.
Shape hook() {
  const double x[6] = {0, 2, 2, 1, 1, 0}, y[6] = {0, 0, 1, 1, 2, 2};
  std::vector<Vec3> vertices;
  for (const double z : {0.0, 1.0}) {
    for (int k = 0; k < 6; ++k) vertices.emplace_back(x[k], y[k], z);
  }
  std::vector<std::vector<int>> faces = {{5, 4, 3, 0}, {3, 2, 1, 0}, {6, 9, 10, 11}, {6, 7, 8, 9}};
  for (int k = 0; k < 6; ++k) faces.push_back({k, (k + 1) % 6, (k + 1) % 6 + 6, k + 6});
  return make_polyhedron("hook", vertices, faces);
}

std::vector<Vec3> stretched(std::vector<Vec3> vertices) {
  for (Vec3& v : vertices) v.x() *= 1.1;
  return vertices;
}

std::vector<std::vector<int>> loops_of(const Shape& shape) {
  std::vector<std::vector<int>> loops;
  for (const Face& face : shape.faces) loops.push_back(face.loop);
  return loops;
}

TEST(Core, LiesInsideByItsMargin) {
  const Shape box = make_box("plate", {0.4, 0.3, 0.02});
  const Core core = core_of(box);
  ASSERT_EQ(core.parts.size(), 1u);
  EXPECT_NEAR(core.margin, 0.003, 1e-12);
  int hint = -1;
  for (const Vec3& v : core.parts[0].shape.vertices)
    EXPECT_LE(nearest_on_convex(box, v, hint).distance, -core.margin * (1 - 1e-9));
  EXPECT_NEAR(core_of(make_sphere("ball", 0.1)).margin, 0.03, 1e-12);
  EXPECT_NEAR(core_of(make_capsule("rod", 0.1, 1)).margin, 0.03, 1e-12);
}

TEST(Core, OfAFoldedBodyIsMadeOfBallsInItsLimbs) {
  const Shape shape = hook();
  const Core core = core_of(shape);
  ASSERT_GT(core.parts.size(), 4u);
  EXPECT_GT(core.margin, 0.05);
  for (const Core::Part& part : core.parts) {
    const double depth = -nearest_on_closed(shape, part.offset).distance;
    EXPECT_GE(depth - part.shape.radius, core.margin * (1 - 1e-9));
  }
}

TEST(Core, OfALargerBodyIsThatOfTheSmallerOneTimesTheFactor) {
  const std::vector<Shape> shapes = {
      hook(), scaled(hook(), "large", 2.7), make_sphere("ball", 1),
      make_polyhedron("stretched", stretched(hook().vertices), loops_of(hook()))};
  Cores cores(shapes);
  for (const int s : {1, 0, 2, 3}) {
    const Core& kept = cores.of(s);
    const Core made = core_of(shapes[static_cast<std::size_t>(s)]);
    ASSERT_EQ(kept.parts.size(), made.parts.size()) << s;
    EXPECT_NEAR(kept.margin, made.margin, 1e-12);
    for (std::size_t k = 0; k < made.parts.size(); ++k) {
      EXPECT_NEAR((kept.parts[k].offset - made.parts[k].offset).norm(), 0, 1e-12);
      EXPECT_NEAR(kept.parts[k].shape.radius, made.parts[k].shape.radius, 1e-12);
    }
    EXPECT_EQ(&kept, &cores.of(s));
  }
}

TEST(Core, MarginIsKnownWithoutTheCore) {
  const std::vector<Shape> shapes = {make_box("plate", {0.4, 0.3, 0.02}), hook(), make_sphere("ball", 0.1),
                                     make_plane("plane")};
  Cores cores(shapes);
  for (const int again : {0, 1}) {
    for (const int s : {0, 1, 2})
      EXPECT_EQ(cores.margin_of(s), core_of(shapes[static_cast<std::size_t>(s)]).margin) << again;
    EXPECT_EQ(cores.margin_of(3), kInfinity);
  }
}

TEST(Core, OfAFineBodyIsMadeAlthoughTheUserAskedToStop) {
  const std::vector<Shape> shapes = {testing::egg(48)};
  ASSERT_GT(shapes[0].faces.size(), 4096U);  // more than its tree takes without a look at requests
  Cores cores(shapes);
  request_interrupt();
  EXPECT_NO_THROW((void)cores.of(0));
  clear_interrupt();
  EXPECT_EQ(cores.of(0).parts.size(), 1U);
}

TEST(Core, OfAWallIsEmpty) {
  EXPECT_TRUE(core_of(make_plane("plane")).parts.empty());
  EXPECT_TRUE(core_of(make_cylinder("rod", 0.1)).parts.empty());
  EXPECT_TRUE(core_of(make_surface("sheet", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}})).parts.empty());
}

}  // namespace
}  // namespace scree::contact
