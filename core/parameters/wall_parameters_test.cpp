#include "core/parameters/wall_parameters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/parameters/parameters.hpp"

namespace scree {
namespace {

Shape cone(double first, double second, double length, int faces) {
  Value values = Value::object();
  values.append("point", Vec3(1, 2, 3));
  values.append("axis", Vec3(0, 3, 4));
  values.append("length", length);
  values.append("radius", Value::list_of({first, second}));
  values.append("faces", faces);
  for (const auto& entry : registered_walls())
    if (entry.specification.name == "cone") return *entry.make("funnel", values, {}).walls.at(0).shape;
  throw std::logic_error("there is no cone");
}

double area_of_end(const Shape& shape, const Vec3& axis, double height) {
  // Corners at this height, in the order in which they were made: around the axis.
  std::vector<Vec3> ring;
  for (const Vec3& v : shape.vertices)
    if (std::abs(axis.dot(v + shape.shift - Vec3(1, 2, 3)) - height) < 1e-12) ring.push_back(v);
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 0; k < ring.size(); ++k) sum += 0.5 * ring[k].cross(ring[(k + 1) % ring.size()]);
  return std::abs(axis.dot(sum));
}

TEST(Cone, IsOfFlatFacesThatLeanAllAlikeAndItsEndsHaveTheAreasOfTheirCircles) {
  const Vec3 axis(0, 0.6, 0.8);
  for (const int faces : {3, 16, 64, 720}) {
    const Shape shape = cone(0.5, 2, 3, faces);
    ASSERT_EQ(shape.faces.size(), static_cast<std::size_t>(faces));
    EXPECT_TRUE(shape.open);
    EXPECT_NEAR(area_of_end(shape, axis, 0), std::numbers::pi * 0.25, 1e-12);
    EXPECT_NEAR(area_of_end(shape, axis, 3), std::numbers::pi * 4, 1e-11);
    for (const Face& face : shape.faces) {
      EXPECT_EQ(face.loop.size(), 4u);
      EXPECT_NEAR(axis.dot(face.normal), axis.dot(shape.faces[0].normal), 1e-12);
    }
  }
}

TEST(Cone, MayEndInATip) {
  for (const auto& [first, second] : {std::pair(0.0, 1.0), std::pair(1.0, 0.0)}) {
    const Shape shape = cone(first, second, 1, 12);
    EXPECT_EQ(shape.vertices.size(), 13u);
    EXPECT_EQ(shape.faces.size(), 12u);
    for (const Face& face : shape.faces) EXPECT_EQ(face.loop.size(), 3u);
  }
}

}  // namespace
}  // namespace scree
