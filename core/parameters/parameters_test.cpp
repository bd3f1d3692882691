#include "core/parameters/parameters.hpp"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

#include "core/shapes/shape_parameters.hpp"

namespace scree {
namespace {

TEST(Range, OpenAndClosedEnds) {
  EXPECT_FALSE(range::positive().contains(0));
  EXPECT_TRUE(range::not_negative().contains(0));
  const Range poisson{.low = -1, .high = 0.5, .low_open = true};
  EXPECT_TRUE(poisson.contains(0.5));
  EXPECT_FALSE(poisson.contains(-1));
  EXPECT_EQ(poisson.to_text(), "in (-1, 0.5]");
  EXPECT_EQ(range::positive().to_text(), "> 0");
  EXPECT_EQ((Range{.high = -1}).to_text(), "<= -1");
  EXPECT_EQ(Range{}.to_text(), "");
  static constexpr std::array<double, 2> kNumbers{1, 1.5};
  const Range some{.only = kNumbers};
  EXPECT_TRUE(some.contains(1) && some.contains(1.5));
  EXPECT_FALSE(some.contains(1.25));
  EXPECT_EQ(some.to_text(), "1 or 1.5");
}

TEST(Parameters, ExpectationsHaveUnitAndRange) {
  const ParameterSpec density{.key = "density", .unit = "kg/m^3", .range = range::positive()};
  EXPECT_EQ(expectation(density), "a number [kg/m^3] > 0");
  const ParameterSpec ratio{.key = "ratio", .unit = "-", .range = {.low = 0, .high = 1}};
  EXPECT_EQ(expectation(ratio), "a number in [0, 1]");
}

TEST(Value, MembersKeepTheirOrderAndMistakesOfTheProgramThrow) {
  Value object = Value::object();
  object.append("b", 1.5);
  object.append("a", Vec3(1, 2, 3));
  EXPECT_EQ(object.keys(), (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(object.vector("a"), Vec3(1, 2, 3));
  EXPECT_EQ(to_text(object), "{\"b\": 1.5, \"a\": [1, 2, 3]}");
  EXPECT_THROW(static_cast<void>(object.at("c")), std::logic_error);
  EXPECT_THROW(static_cast<void>(object.string("b")), std::logic_error);
  EXPECT_EQ(pointer_to("/materials", "a/b~c"), "/materials/a~1b~0c");
}

TEST(ShapeParameters, EveryShapeIsMadeOfItsSpecification) {
  const MeshReader no_mesh{.read = [](const Value&) { return PolyhedronSurface{}; }};
  Value box = Value::object();
  box.append("size", Vec3(1, 2, 3));
  EXPECT_DOUBLE_EQ(find_registered(registered_shapes(), "box")->make("b", box, no_mesh).volume, 6);
  EXPECT_EQ(find_registered(registered_shapes(), "ellipsoid"), nullptr);
  for (const auto& specification : shape_specifications()) {
    EXPECT_EQ(specification.available, find_registered(registered_shapes(), specification.name) != nullptr);
  }
}

}  // namespace
}  // namespace scree
