/// Wrong interfaces, each with its message, and what right ones become.
#include <gtest/gtest.h>

#include <set>

#include "io/deck/deck_fixture.hpp"

namespace scree {
namespace {

using nlohmann::json;
using test::expect_refused;
using test::Mistake;

class WrongInterface : public ::testing::TestWithParam<Mistake> {};

TEST_P(WrongInterface, IsRefusedWithItsMessage) { expect_refused(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Values, WrongInterface,
    ::testing::Values(
        Mistake{"restitution_above_one",
                "/interfaces/0/normal",
                R"({"law": "hooke", "stiffness": 1e5, "restitution": 1.5})",
                "/interfaces/0/normal/restitution",
                {"got 1.5; expected a number in [0, 1]"}},
        Mistake{"negative_restitution",
                "/interfaces/0/normal",
                R"({"law": "hertz", "restitution": -0.1})",
                "/interfaces/0/normal/restitution",
                {"got -0.1; expected a number in [0, 1]"}},
        Mistake{"hooke_without_stiffness",
                "/interfaces/0/normal",
                R"({"law": "hooke"})",
                "/interfaces/0/normal",
                {"\"stiffness\" is missing; expected a number [N/m] > 0"}},
        Mistake{"exponent_that_leaves_no_force",
                "/interfaces/0/normal/exponent",
                "110",
                "/interfaces/0/normal/exponent",
                {"got 110; with \"threshold\" 0.001 m", "constants of the law are 0 or infinite",
                 "nearer to 1."}},
        Mistake{"exponent_of_an_infinite_barrier",
                "/interfaces/0/normal/barrier_exponent",
                "-200",
                "/interfaces/0/normal/barrier_exponent",
                {"got -200; with \"threshold\" 0.001 m", "nearer to -1."}},
        Mistake{"threshold_of_hooke",
                "/interfaces/0/normal",
                R"({"law": "hooke", "stiffness": 1e5, "threshold": 1e-3})",
                "/interfaces/0/normal/threshold",
                {"not a key of \"hooke\"", "\"restitution\""},
                2},
        Mistake{"radius_of_hertz",
                "/interfaces/0/normal/law",
                "\"hertz\"",
                "/interfaces/0/normal/threshold",
                {"not a key of \"hertz\""},
                5},
        Mistake{"radius_for_superquadrics",
                "/interfaces/0/normal",
                R"({"law": "hertz", "radius": "gauss"})",
                "/interfaces/0/normal/radius",
                {"got \"gauss\"; expected one of \"mean\", \"gaussian\""}},
        Mistake{"radius_limit_of_zero",
                "/interfaces/0/normal",
                R"({"law": "hertz", "radius_limit": 0})",
                "/interfaces/0/normal/radius_limit",
                {"got 0; expected a number > 0"}},
        Mistake{"poisson_of_minus_one",
                "/materials/rock/poisson",
                "-1",
                "/materials/rock/poisson",
                {"got -1; expected a number in (-1, 0.5]"}},
        Mistake{"rule_of_stiffness",
                "/interfaces/0/friction/stiffness",
                "\"midlin\"",
                "/interfaces/0/friction/stiffness",
                {"got \"midlin\"; expected one of \"mindlin\", \"paper\"", "Did you mean \"mindlin\"?"}},
        Mistake{"limit_of_friction",
                "/interfaces/0/friction/limit",
                "\"coulom\"",
                "/interfaces/0/friction/limit",
                {"Did you mean \"coulomb\"?"}},
        Mistake{"spring_of_friction",
                "/interfaces/0/friction/spring",
                "\"slipp\"",
                "/interfaces/0/friction/spring",
                {"Did you mean \"slip\"?"}},
        Mistake{"friction_as_a_number",
                "/interfaces/0/friction",
                "0.5",
                "/interfaces/0/friction",
                {"got 0.5; expected an object with \"static\", \"dynamic\""}},
        Mistake{"no_static_coefficient",
                "/interfaces/0/friction/static",
                "",
                "/interfaces/0/friction",
                {"\"static\" is missing; expected a number >= 0, or \"limit\": \"none\""}},
        Mistake{"nothing_without_limit",
                "/interfaces/0/friction",
                R"({"limit": "none"})",
                "/interfaces/0/friction",
                {"friction requires \"stiffness\" [N/m] > 0 or \"damping\""}},
        Mistake{"rolling_without_keys",
                "/interfaces/0/rolling",
                "{}",
                "/interfaces/0/rolling",
                {"\"coefficient\" is missing; expected a number >= 0", "\"stiffness\" is missing"},
                2},
        Mistake{"rolling_without_stiffness",
                "/interfaces/0/rolling",
                R"({"coefficient": 0.1, "stiffness": 0})",
                "/interfaces/0/rolling/stiffness",
                {"got 0; expected a number [N m/rad] > 0"}}));

INSTANTIATE_TEST_SUITE_P(
    Conflicts, WrongInterface,
    ::testing::Values(
        Mistake{"damping_twice",
                "/interfaces/0/normal",
                R"({"law": "hooke", "stiffness": 1e5, "damping": 10, "restitution": 0.5})",
                "/interfaces/0/normal/restitution",
                {"cannot be combined with \"damping\" (/interfaces/0/normal/damping)"},
                2},
        Mistake{"damping_ratio_twice",
                "/interfaces/0/normal",
                R"({"law": "hertz", "damping_ratio": 0.1, "restitution": 0.5})",
                "/interfaces/0/normal/restitution",
                {"cannot be combined with \"damping_ratio\" (/interfaces/0/normal/damping_ratio)"},
                4},
        Mistake{"sharp_bodies_under_hooke",
                "/interfaces/0/normal",
                R"({"law": "hooke", "stiffness": 1e5})",
                "/interfaces/0/normal/law",
                {"requires a rounding radius on at least one side, but /shapes/block and /shapes/block"}},
        Mistake{"sharp_bodies_under_hertz",
                "/interfaces/0/normal",
                R"({"law": "hertz"})",
                "/interfaces/0/normal/law",
                {"\"hertz\" requires a rounding radius on at least one side, but /shapes/block and",
                 "\"hertz\" requires rounded bodies at boundaries, but shape \"block\"",
                 "\"hertz\" requires \"young\" of material \"foam\", /materials/foam"},
                3},
        Mistake{
            "mindlin_without_hertz",
            "/interfaces/0/friction/stiffness",
            "\"mindlin\"",
            "/interfaces/0/friction/stiffness",
            {"\"mindlin\" requires the law", "\"hertz\"", ", but /interfaces/0/normal/law is \"barrier\""}},
        Mistake{"rolling_of_sharp_bodies",
                "/interfaces/0/rolling",
                R"({"coefficient": 0.1, "stiffness": 10})",
                "/interfaces/0/rolling",
                {"rolling resistance requires a rounding radius on at least one side, but /shapes/block",
                 "rolling resistance requires rounded bodies at boundaries, but shape \"block\""},
                2}));

/// The good deck with spheres and rods only, which every law is for.
json rounded_deck() {
  json deck = test::good_deck();
  deck["materials"]["foam"] = {{"young", 1e6}, {"poisson", 0.1}, {"density", 30}};
  for (auto& body : deck["bodies"]) body["shape"] = body["shape"] == "block" ? "rod" : "ball";
  return deck;
}

TEST(Interfaces, LawsAtOverlapBecomeWhatTheDeckSays) {
  json deck = rounded_deck();
  deck["interfaces"][0]["normal"] = {{"law", "hooke"}, {"stiffness", 2e5}, {"damping", 30}};
  deck["interfaces"][0]["friction"] = {{"limit", "none"}, {"stiffness", 1e5}, {"damping", 3}};
  deck["interfaces"].push_back(
      {{"between", {"rock", "rock"}},
       {"normal", {{"law", "hertz"}, {"restitution", 0.4}, {"no_tension", false}}},
       {"friction", {{"static", 0.5}, {"dynamic", 0.3}, {"stiffness", "paper"}}},
       {"rolling", {{"coefficient", 0.1}, {"stiffness", 7}, {"damping_ratio", 0.3}}}});
  const test::Folder folder;
  const Model model = test::read(folder, deck).model;
  const auto& hooke = std::get<contact::HookeParameters>(model.interfaces[0].normal);
  EXPECT_EQ(hooke.stiffness, 2e5);
  EXPECT_EQ(hooke.damping, 30);
  EXPECT_FALSE(hooke.restitution || hooke.no_tension);
  EXPECT_FALSE(model.interfaces[0].friction.limited());
  EXPECT_EQ(model.interfaces[0].threshold(), 0);
  const auto& hertz = std::get<contact::HertzParameters>(model.interfaces[1].normal);
  EXPECT_EQ(hertz.restitution, 0.4);
  EXPECT_FALSE(hertz.no_tension);
  EXPECT_EQ(model.interfaces[1].friction.rule, contact::TangentialStiffness::paper);
  EXPECT_EQ(model.interfaces[1].rolling.stiffness, 7);
  EXPECT_EQ(model.interfaces[1].rolling.damping_ratio, 0.3);
}

TEST(Interfaces, HertzNeedsPoissonOfBodiesAndNothingOfARigidWall) {
  json deck = rounded_deck();
  deck["interfaces"][0]["normal"] = {{"law", "hertz"}};
  deck["materials"]["wall"] = json::object();
  for (auto& boundary : deck["boundaries"]) boundary["material"] = "wall";
  const test::Folder folder;
  EXPECT_EQ(test::complaints(folder, deck.dump()), "");
  deck["materials"]["rock"].erase("poisson");
  EXPECT_THAT(test::complaints(folder, deck.dump()),
              ::testing::HasSubstr("\"hertz\" requires \"poisson\" of material \"rock\", /materials/rock"));
}

TEST(Interfaces, ASharpBodyMayOverlapRoundedOnesUnderHooke) {
  json deck = rounded_deck();
  deck["interfaces"][0]["normal"] = {{"law", "hooke"}, {"stiffness", 2e5}};
  deck["bodies"][0]["shape"] = "block";
  const test::Folder folder;
  EXPECT_EQ(test::complaints(folder, deck.dump()), "");
  deck["bodies"][1]["shape"] = "tet";
  EXPECT_THAT(test::complaints(folder, deck.dump()),
              ::testing::HasSubstr("but /shapes/tet and /shapes/block, which can come into contact"));
}

TEST(Interfaces, SharpBodiesOfManySizesAreOneError) {
  json deck = test::good_deck();
  deck["interfaces"][0]["normal"] = {{"law", "hooke"}, {"stiffness", 1e5}};
  deck["bodies"][2].update({{"count", 40}, {"scale", {{"uniform", {0.5, 1}}}}});
  const std::string all = test::complaints(test::Folder(), deck.dump());
  EXPECT_THAT(all, ::testing::HasSubstr("but /shapes/block and /shapes/block, which can come into contact"));
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 0) << all;
}

TEST(Interfaces, ValuesOfAWrongKindAreErrorsOfTheDeck) {
  json deck = test::good_deck();
  deck.erase("integrator");  // the default looks at more keys of interfaces
  json& interfaces = deck["interfaces"];
  interfaces[0]["friction"] = {{"static", 0.5}, {"stiffness", 3e5}};
  interfaces.push_back({{"none", true}, {"between", {"foam", "foam"}}});
  std::set<json::json_pointer> places;
  const json flat = interfaces.flatten();
  for (const auto& [pointer, value] : flat.items()) {
    for (json::json_pointer at(pointer); !at.empty(); at = at.parent_pointer()) places.insert(at);
  }
  const test::Folder folder;
  for (const json::json_pointer& at : places) {
    for (const json& wrong : {json(0.5), json::array(), json(true), json()}) {
      json spoilt = deck;
      spoilt["interfaces"][at] = wrong;
      // Anything else than an error of the deck is an exception that nothing catches here.
      EXPECT_NO_THROW((void)test::complaints(folder, spoilt.dump())) << at.to_string() << ": " << wrong;
    }
  }
}

/// Two fixed boxes and a ball between them, under Hertz's law.
json fixed_boxes() {
  return json::parse(R"({
    "time": {"end": 1, "step": 1e-4},
    "materials": {"m": {"density": 2000, "young": 1e8, "poisson": 0.3}},
    "shapes": {"ball": {"type": "sphere", "radius": 0.05}, "box": {"type": "box", "size": [0.2, 0.2, 0.2]}},
    "bodies": [{"shape": "ball", "material": "m", "position": [0, 0, 0]},
               {"shape": "box", "material": "m", "position": [-0.2, 0, 0], "fixed": true},
               {"shape": "box", "material": "m", "position": [0.2, 0, 0], "fixed": true}],
    "interfaces": [{"between": ["*", "*"], "normal": {"law": "hertz"}}]
  })");
}

TEST(Interfaces, FixedBodiesDoNotInteract) {
  json deck = fixed_boxes();
  const test::Folder folder;
  EXPECT_EQ(test::complaints(folder, deck.dump()), "");
  deck["bodies"][1].erase("fixed");
  EXPECT_THAT(test::complaints(folder, deck.dump()),
              ::testing::HasSubstr("but /shapes/box and /shapes/box, which can come into contact"));
  deck["bodies"][1]["motion"] = {{"velocity", {0.1, 0, 0}}};
  EXPECT_EQ(test::complaints(folder, deck.dump()), "");
  deck["bodies"][2].erase("fixed");
  EXPECT_THAT(test::complaints(folder, deck.dump()),
              ::testing::HasSubstr("\"hertz\" requires rounded bodies at boundaries, but shape \"box\""));
}

TEST(Interfaces, ASharpBodyMayHaveNoContactWithABoundary) {
  json deck = fixed_boxes();
  deck["bodies"].erase(2);
  deck["bodies"][1]["fixed"] = {"x", "y", "rx", "ry", "rz"};
  deck["materials"]["floor"] = json::object();
  deck["boundaries"] = json::parse(
      R"([{"name": "floor", "type": "plane", "point": [0, 0, -1], "normal": [0, 0, 1], "material": "floor"}])");
  const test::Folder folder;
  EXPECT_THAT(test::complaints(folder, deck.dump()),
              ::testing::HasSubstr("(/shapes/box) has sharp edges; use \"barrier\", or use \"none\" between "
                                   "separate materials if they do not come into contact."));
  deck["materials"]["plate"] = deck["materials"]["m"];
  deck["bodies"][1]["material"] = "plate";
  deck["interfaces"].push_back({{"between", {"plate", "floor"}}, {"none", true}});
  EXPECT_EQ(test::complaints(folder, deck.dump()), "");
}

TEST(Interfaces, HookeRefusesSharpBodiesAtBoundariesWithoutOverlapDistance) {
  json deck = fixed_boxes();
  deck["bodies"] = {{{"shape", "box"}, {"material", "m"}, {"position", {0, 0, 0.3}}}};
  deck["interfaces"][0]["normal"] = {{"law", "hooke"}, {"stiffness", 1e5}};
  const auto with = [&](const char* boundary) {
    json spoilt = deck;
    spoilt["boundaries"] = json::array({json::parse(boundary)});
    spoilt["boundaries"][0].update({{"name", "wall"}, {"material", "m"}});
    return test::complaints(test::Folder(), spoilt.dump());
  };
  const auto refused = ::testing::AllOf(
      ::testing::HasSubstr("/interfaces/0/normal/law: "),
      ::testing::HasSubstr("shape \"box\" (/shapes/box) has sharp edges, and boundary \"wall\" "
                           "(/boundaries/0)"),
      ::testing::HasSubstr("use \"barrier\""));
  EXPECT_EQ(with(R"({"type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1]})"), "");
  EXPECT_EQ(with(R"({"type": "sphere", "point": [0, 0, -1], "radius": 1, "inside": false})"), "");
  EXPECT_EQ(with(R"({"type": "cylinder", "point": [0, 0, -1], "axis": [0, 1, 0], "radius": 1,
                     "inside": false})"),
            "");
  EXPECT_THAT(with(R"({"type": "sphere", "point": [0, 0, 1], "radius": 1, "inside": true})"), refused);
  EXPECT_THAT(with(R"({"type": "cylinder", "point": [0, 0, 1], "axis": [0, 1, 0], "radius": 1,
                       "inside": true})"),
              refused);
  EXPECT_THAT(with(R"({"type": "surface", "vertices": [[-1, -1, 0], [1, -1, 0], [1, 1, 0]],
                       "faces": [[0, 1, 2]]})"),
              refused);
  EXPECT_THAT(with(R"({"type": "cone", "point": [0, 0, 0], "axis": [0, 0, 1], "length": 1,
                       "radius": [0.1, 1]})"),
              refused);
  deck["bodies"].push_back(
      {{"shape", "box"}, {"material", "m"}, {"position", {0, 0, -1}}, {"motion", {{"velocity", {0, 0, 1}}}}});
  EXPECT_THAT(test::complaints(test::Folder(), deck.dump()),
              ::testing::HasSubstr("(/bodies/1) is not one of these"));
  deck["bodies"][1]["shape"] = "ball";
  EXPECT_EQ(test::complaints(test::Folder(), deck.dump()), "");
}

TEST(Interfaces, BodiesOfManySizesAreOneErrorAtAWall) {
  json deck = fixed_boxes();
  deck["bodies"] =
      json::parse(R"([{"shape": "box", "material": "m", "count": 20, "scale": {"uniform": [0.5, 0.9]},
                                    "region": {"min": [-1, -1, 2], "max": [1, 1, 4]}}])");
  deck["boundaries"] = json::parse(R"([{"name": "wall", "type": "sphere", "point": [0, 0, 0], "radius": 9,
                                        "inside": true, "material": "m"}])");
  const test::Folder folder;
  const auto expect_once = [&](const std::string& part) {
    const std::string all = test::complaints(folder, deck.dump());
    EXPECT_THAT(all, ::testing::HasSubstr(part));
    EXPECT_EQ(all.find("boundar"), all.find(part) + part.find("boundar")) << all;
    EXPECT_EQ(all.find("boundar", all.find(part) + part.size()), std::string::npos) << all;
  };
  expect_once("at boundaries, but shape \"box\" (/shapes/box) has sharp edges; use \"barrier\"");
  deck["interfaces"][0]["normal"] = {{"law", "hooke"}, {"stiffness", 1e5}};
  expect_once("(/shapes/box) has sharp edges, and boundary \"wall\" (/boundaries/0)");
  deck["bodies"][0]["shape"] = "ball";
  deck["boundaries"][0]["radius"] = 0.02;
  expect_once(
      "/boundaries/0/radius: inner radius 0.02 m is too small for shape \"ball\" (/shapes/ball): "
      "expected more than its largest radius");
}

TEST(Interfaces, TheMidwayPointIsForLawsAtOverlap) {
  json deck = rounded_deck();
  deck["shapes"]["grain"] = {
      {"type", "superquadric"}, {"half_axes", {0.1, 0.1, 0.1}}, {"blockiness", {4, 4}}};
  deck["bodies"][0]["shape"] = deck["bodies"][1]["shape"] = "grain";
  deck["solver"]["superquadric"] = "midway";
  deck["interfaces"][0]["normal"] = {{"law", "hooke"}, {"stiffness", 2e5}};
  const test::Folder folder;
  EXPECT_EQ(test::complaints(folder, deck.dump()), "");
  deck["interfaces"][0]["normal"] = {{"law", "barrier"}, {"stiffness", 2e5}};
  EXPECT_THAT(
      test::complaints(folder, deck.dump()),
      ::testing::HasSubstr("/solver/superquadric: \"midway\" requires the laws \"hooke\" and \"hertz\""));
}

}  // namespace
}  // namespace scree
