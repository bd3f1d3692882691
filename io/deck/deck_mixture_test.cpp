/// Generated bodies of several shapes and sizes: numbers, masses, and what a final state says of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "core/test_extremes.hpp"
#include "io/deck/deck_fixture.hpp"
#include "solvers/placement/convex_separation.hpp"

namespace scree {
namespace {

using nlohmann::json;
using test::complaints;
using test::Folder;
using test::good_deck;
using ::testing::HasSubstr;

json mixed(const json& keys) {
  json deck = good_deck();
  deck["bodies"] = {{{"shape", "block"},
                     {"material", "rock"},
                     {"count", 40},
                     {"region", {{"min", {-1.5, -1.5, 0.2}}, {"max", {1.5, 1.5, 3}}}}}};
  deck["bodies"][0].update(keys);
  deck["loads"] = json::array();
  deck["output"] = json::object();
  return deck;
}

double diameter(double volume) { return std::cbrt(6 * volume / std::numbers::pi); }

TEST(Mixture, ShapesComeInTheirFractions) {
  const Folder folder;
  const Deck deck = read(folder, mixed({{"shape", {{"block", 0.7}, {"ball", 0.25}, {"rod", 0.05}}}}));
  std::map<std::string, int> numbers;
  for (const auto& body : deck.model.bodies) ++numbers[deck.model.shapes[body.shape].name];
  EXPECT_EQ(numbers, (std::map<std::string, int>{{"ball", 10}, {"block", 28}, {"rod", 2}}));
  int changes = 0;
  for (std::size_t k = 1; k < deck.model.bodies.size(); ++k)
    changes += deck.model.bodies[k].shape != deck.model.bodies[k - 1].shape ? 1 : 0;
  EXPECT_GT(changes, 6) << "in random order: sorted ones change twice";
  ASSERT_FALSE(deck.model.notes.empty());
  EXPECT_THAT(deck.model.notes[0], HasSubstr("ball 0.25 (10) block 0.7 (28) rod 0.05 (2)"));
}

TEST(Mixture, UniformFactorsScaleLengthsMassesAndInertia) {
  const Folder folder;
  const Deck deck = read(folder, mixed({{"scale", {{"uniform", {0.5, 1.5}}}}}));
  double smallest = 2, largest = 0;
  for (const auto& body : deck.model.bodies) {
    const Shape& shape = deck.model.shapes[body.shape];
    const double edge = 2 * shape.vertices[0].cwiseAbs().maxCoeff();
    const double factor = edge / 0.1;
    test::keep_smallest(smallest, factor);
    test::keep_largest(largest, factor);
    EXPECT_NEAR(body.mass, 2 * std::pow(factor, 3), 1e-12);
    EXPECT_NEAR(body.inertia_B(0, 0), body.mass * edge * edge / 6, 1e-14);
    EXPECT_NEAR(shape.bounding_radius, std::sqrt(0.75) * edge, 1e-15);
    EXPECT_EQ(shape.name.substr(0, 6), "block*");
  }
  EXPECT_GE(smallest, 0.5);
  EXPECT_LT(smallest, 0.6);  // 40 draws: all above 0.6 with probability 1e-2 only, and the seed is fixed
  EXPECT_GT(largest, 1.4);
  EXPECT_LE(largest, 1.5);
}

TEST(Mixture, SizesAreByMass) {
  // Half of the mass in bodies of half the diameter: eight times as many.
  const Folder folder;
  const Deck deck = read(folder, mixed({{"count", 90},
                                        {"shape", {{"block", 0.5}, {"ball", 0.5}}},
                                        {"sizes", {{0.12, 0.5}, {0.06, 0.5}}}}));
  int large = 0, small = 0;
  for (const auto& body : deck.model.bodies) {
    const double d = diameter(deck.model.shapes[body.shape].volume);
    const bool is_large = d > 0.09;
    EXPECT_NEAR(d, is_large ? 0.12 : 0.06, 1e-12);
    (is_large ? large : small) += 1;
  }
  EXPECT_EQ(large, 10);
  EXPECT_EQ(small, 80);
  EXPECT_THAT(deck.model.notes.at(0), HasSubstr("volume fractions: 0.06 m: 0.5 0.12 m: 0.5"));
}

TEST(Mixture, TheSameSeedGivesTheSameAndAnotherAnother) {
  const Folder folder;
  const json keys = {{"scale", {{"uniform", {0.8, 1.2}}}}, {"shape", {{"block", 0.5}, {"tet", 0.5}}}};
  const auto first = read(folder, mixed(keys)).model, again = read(folder, mixed(keys)).model;
  json other = keys;
  other["seed"] = 2;
  const auto another = read(folder, mixed(other)).model;
  int same = 0;
  for (std::size_t k = 0; k < first.bodies.size(); ++k) {
    EXPECT_EQ(first.bodies[k].position, again.bodies[k].position);
    EXPECT_EQ(first.shapes[first.bodies[k].shape].name, again.shapes[again.bodies[k].shape].name);
    same += first.shapes[first.bodies[k].shape].name == another.shapes[another.bodies[k].shape].name ? 1 : 0;
  }
  EXPECT_LT(same, 3);
}

TEST(Mixture, AScaledShapeIsReadBackFromAStateByItsName) {
  const Folder folder;
  folder.write("state.csv", "x,y,z,shape\n0,0,1,block*1.25\n0.5,0,1,block\n");
  json deck = mixed(json::object());
  deck["bodies"] = {{{"file", "state.csv"}, {"material", "rock"}}};
  const Model model = read(folder, deck).model;
  EXPECT_NEAR(model.bodies[0].mass, 2 * std::pow(1.25, 3), 1e-12);
  EXPECT_NEAR(model.bodies[1].mass, 2, 1e-12);
  folder.write("state.csv", "x,y,z,shape\n0,0,1,blok*1.25\n");
  EXPECT_THAT(complaints(folder, deck.dump()), HasSubstr("unknown shape \"blok*1.25\""));
}

TEST(Mixture, ScaleAndSizesAreRefusedTogether) {
  const Folder folder;
  const json deck = mixed({{"scale", {{"uniform", {1, 2}}}}, {"sizes", {{0.1, 1}}}});
  EXPECT_THAT(complaints(folder, deck.dump()),
              HasSubstr("/bodies/0/sizes: cannot be combined with \"scale\""));
}

TEST(Mixture, ShapesOfTheirOwnTakeMemory) {
  const json keys = {{"shape", "ball"}, {"count", 2000}, {"scale", {{"uniform", {0.1, 0.11}}}}};
  const test::ScarceMemory memory(1.2 * 2000 * (sizeof(BodyDescription) + 2 * sizeof(PlacedBody)));
  EXPECT_THAT(complaints(Folder(), mixed(keys).dump()), HasSubstr("/bodies/0/count: requires at least"));
}

TEST(Mixture, MeshesOfTheirOwnTakeMemoryForTheirLists) {
  const json keys = {{"shape", "tet"}, {"count", 2000}, {"scale", {{"uniform", {0.1, 0.11}}}}};
  constexpr double kWithoutLists =
      sizeof(Shape) + 4 * sizeof(Vec3) + 6 * sizeof(Edge) + 4 * sizeof(Face) + 400;
  const test::ScarceMemory memory(2000 * (sizeof(BodyDescription) + 2 * sizeof(PlacedBody) + kWithoutLists));
  EXPECT_THAT(complaints(Folder(), mixed(keys).dump()), HasSubstr("/bodies/0/count: requires at least"));
}

TEST(Mixture, LawsAtOverlapNeedNoClearance) {
  // These balls take a quarter of the room; with a barrier's usual threshold of 1 mm around them it would be
  // 0.7.
  json deck = mixed({{"shape", "grain"},
                     {"count", 800},
                     {"region", {{"min", {0.2, 0.2, 0.2}}, {"max", {0.222, 0.222, 0.222}}}}});
  deck["shapes"]["grain"] = {{"type", "sphere"}, {"radius", 0.001}};
  deck["materials"]["rock"]["young"] = 1e7;
  deck["materials"]["rock"]["poisson"] = 0.3;
  for (auto& interface : deck["interfaces"]) interface["normal"] = {{"law", "hertz"}, {"restitution", 0.5}};
  // A law that nothing has keeps nothing apart.
  deck["materials"]["ice"] = json::object();
  deck["interfaces"].push_back({{"between", {"ice", "ice"}},
                                {"normal", {{"law", "barrier"}, {"threshold", 0.001}, {"stiffness", 1e9}}}});
  const Folder folder;
  EXPECT_EQ(read(folder, deck).model.bodies.size(), 800u);
}

TEST(Mixture, ARegionTooSmallSaysHowMuchItHolds) {
  const Folder folder;
  json deck = mixed({{"count", 45}, {"scale", {{"uniform", {0.9, 1.1}}}}});
  deck["bodies"][0]["region"] = {{"min", {0, 0, 0.2}}, {"max", {0.2, 0.2, 0.4}}};
  EXPECT_THAT(complaints(folder, deck.dump()), HasSubstr("of 45 bodies in the region"));
}

}  // namespace
}  // namespace scree
