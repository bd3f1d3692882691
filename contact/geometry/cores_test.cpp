#include "contact/geometry/cores.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

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
  ASSERT_GE(core.parts.size(), 3u);
  for (const Vec3& cube : {Vec3(0.5, 0.5, 0.5), Vec3(1.5, 0.5, 0.5), Vec3(0.5, 1.5, 0.5)}) {
    EXPECT_TRUE(std::any_of(core.parts.begin(), core.parts.end(),
                            [&](const Core::Part& part) {
                              return (part.offset + shape.shift - cube).cwiseAbs().maxCoeff() < 0.5;
                            }))
        << "no ball in the cube at " << cube.transpose();
  }
  EXPECT_GT(core.margin, 0.05);
  for (const Core::Part& part : core.parts) {
    const double depth = -nearest_on_closed(shape, part.offset).distance;
    EXPECT_GE(depth - part.shape.radius, core.margin * (1 - 1e-9));
  }
}

/// A ring about the z axis; its faces in the order of `order`.
Shape ring(int around, int across, std::mt19937_64* order) {
  std::vector<Vec3> vertices;
  std::vector<std::vector<int>> faces;
  for (int i = 0; i < around; ++i) {
    for (int j = 0; j < across; ++j) {
      const double a = 2 * M_PI * i / around, b = 2 * M_PI * j / across;
      const double out = 1 + 0.1 * std::cos(b);
      vertices.emplace_back(out * std::cos(a), out * std::sin(a), 0.1 * std::sin(b));
      const auto at = [&](int k, int l) { return (k % around) * across + l % across; };
      faces.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      faces.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  if (order != nullptr) {
    std::shuffle(faces.begin(), faces.end(), *order);
    // One side first.
    std::stable_partition(faces.begin(), faces.end(), [&](const auto& f) { return vertices[f[0]].x() > 0; });
  }
  return make_polyhedron("ring", vertices, faces);
}

TEST(Core, OfAFineBodyHasBallsInEachLimbWhateverTheOrderOfItsFaces) {
  std::mt19937_64 engine(5);
  const Core first = core_of(ring(60, 10, nullptr));
  for (int n = 0; n < 4; ++n) {
    const Shape shape = ring(60, 10, n == 0 ? nullptr : &engine);
    const Core core = core_of(shape);
    // Faces on the edge between two cells are in one or the other by rounding.
    EXPECT_NEAR(static_cast<double>(core.parts.size()), static_cast<double>(first.parts.size()),
                0.2 * static_cast<double>(first.parts.size()));
    EXPECT_NEAR(core.margin, first.margin, 0.2 * first.margin);
    EXPECT_GT(core.margin, 0.02);  // of a tube of 0.1
    constexpr int kSectors = 16;
    std::vector<int> balls(kSectors, 0);
    for (const Core::Part& part : core.parts) {
      const double angle = std::atan2(part.offset.y(), part.offset.x()) + M_PI;
      ++balls[static_cast<std::size_t>(std::min(angle / (2 * M_PI), 0.999999) * kSectors)];
      EXPECT_GE(-nearest_on_closed(shape, part.offset).distance - part.shape.radius,
                core.margin * (1 - 1e-9));
    }
    for (const int number : balls) EXPECT_GE(number, 1);
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
