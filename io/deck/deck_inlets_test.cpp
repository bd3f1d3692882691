/// Inlets and outlets of a deck: what is due when, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "io/deck/deck.hpp"
#include "io/deck/deck_fixture.hpp"
#include "io/deck/diagnostics.hpp"

namespace scree {
namespace {

using nlohmann::json;
using test::Folder;
using test::Mistake;
using ::testing::HasSubstr;

json inlet() {
  return json::parse(
      R"({"shape": "ball", "material": "rock", "region": {"min": [-1, -1, 2], "max": [1, 1, 3]},
                         "rate": {"number": 4}, "velocity": [0, 0, -1], "from": 0.25, "until": 0.75})");
}

Model model_of(const json& one_inlet) {
  json deck = test::good_deck();
  deck["inlets"] = json::array({one_inlet});
  const Folder folder;
  return read_deck(folder.write("deck.json", deck.dump())).model;
}

TEST(DeckInlets, ByNumberBodiesAreDueInEvenTimes) {
  const Model model = model_of(inlet());
  ASSERT_EQ(model.inlets.size(), 1u);
  const InletDescription& made = model.inlets[0];
  EXPECT_EQ(made.name, "inlet 0");
  ASSERT_EQ(made.entries.size(), 2u);  // from 0.25 s, before 0.75 s
  EXPECT_DOUBLE_EQ(made.entries[0].due, 0.25);
  EXPECT_DOUBLE_EQ(made.entries[1].due, 0.5);
  EXPECT_EQ(made.velocity, Vec3(0, 0, -1));
  EXPECT_DOUBLE_EQ(made.largest_bound, 0.05);
}

TEST(DeckInlets, ByMassTheNextIsDueWhenThatOfAllBeforeHasBeenDue) {
  json given = inlet();
  const double ball = 2000 * 4 * std::numbers::pi / 3 * std::pow(0.05, 3);
  given["rate"] = {{"mass", 100 * ball}};
  given["scale"] = {{"uniform", {0.5, 1}}};
  const Model model = model_of(given);
  ASSERT_FALSE(model.notes.empty());
  EXPECT_THAT(model.notes[0], ::testing::HasSubstr("generated 200 bodies per batch"));
  const auto& entries = model.inlets[0].entries;
  double mass = 0;
  for (const auto& entry : entries) {
    EXPECT_NEAR(entry.due, 0.25 + mass / (100 * ball), 1e-12);
    mass += 2000 * model.shapes[entry.shape].volume;
  }
  EXPECT_GT(entries.size(), 100u);  // smaller than the ball: more than 50
  EXPECT_GE(mass, 50 * ball * (1 - 1e-9));
  EXPECT_LT(mass, 51 * ball);
}

TEST(DeckInlets, RareSizesOfARateByMassHaveTheirMass) {
  json given = inlet();
  given["rate"] = {{"mass", 0.1}};
  given["sizes"] = {{0.01, 0.5}, {0.001, 0.5}};  // one in 1001 bodies is large: fewer than one of a batch
  const Model model = model_of(given);
  double large = 0, small = 0;
  for (const InletDescription::Entry& entry : model.inlets[0].entries) {
    const Shape& shape = model.shapes[entry.shape];
    (shape.radius > 0.002 ? large : small) += 2000 * shape.volume;
  }
  const double grain = 2000 * std::numbers::pi / 6 * 1e-6;
  EXPECT_NEAR(large, small, grain);
  EXPECT_NEAR(large + small, 0.05, grain);
}

TEST(DeckInlets, ShapesThatNoBodyCanHaveAreMarked) {
  const auto unused = [](const json& one_inlet) {
    const Model model = model_of(one_inlet);
    std::string names;
    for (const Shape& shape : model.shapes)
      if (shape.unused) names += shape.name + ' ';
    return names;
  };
  json given = inlet();
  EXPECT_EQ(unused(given), "rod tet ");
  given["shape"] = "rod";
  EXPECT_EQ(unused(given), "tet ");
  given["shape"] = {{"rod", 0.9}, {"tet", 0.1}};  // of two bodies none is a tet
  EXPECT_EQ(unused(given), "");
  given["shape"] = "rod";
  given["scale"] = {{"uniform", {1.5, 2}}};  // the multiples count, what they are of does not
  EXPECT_EQ(unused(given), "rod tet ");
}

TEST(DeckInlets, ShapesOfTheirOwnTakeMemory) {
  json deck = test::good_deck();
  deck["inlets"] = json::array({inlet()});
  deck["inlets"][0]["scale"] = {{"uniform", {0.9, 1.1}}};
  constexpr double kBodies = 1e5;
  const test::ScarceMemory memory(kBodies * 200);
  const Folder folder;
  // In half a second; a ball has about 1 kg.
  for (const char* rate : {"number", "mass"}) {
    deck["inlets"][0]["rate"] = json::object({{rate, 2 * kBodies}});
    EXPECT_THAT(test::complaints(folder, deck.dump()), HasSubstr("/inlets/0/rate: requires at least"));
  }
}

TEST(DeckInlets, TakeThePlaceOfBodies) {
  json deck = test::good_deck();
  deck.erase("bodies");
  deck.erase("loads");
  deck["output"]["histories"].erase(1);
  deck["inlets"] = json::array({inlet()});
  const Folder folder;
  EXPECT_EQ(test::complaints(folder, deck.dump()), "");
  deck["output"]["histories"][1] = {{"file", "body.csv"}, {"body", 0}};
  EXPECT_THAT(test::complaints(folder, deck.dump()),
              HasSubstr("/output/histories/1/body: body 0 does not exist; the deck has none at the start. A "
                        "body that an inlet inserts has no history"));
}

TEST(DeckInlets, ASolidWithMotionAloneIsNoTableOfBodies) {
  json deck = test::good_deck();
  deck.erase("loads");
  deck["output"]["histories"].erase(1);
  deck["bodies"] = json::array({{{"shape", "block"},
                                 {"material", "rock"},
                                 {"position", {0, 0, 1}},
                                 {"motion", {{"velocity", {0, 0, 1}}}}}});
  EXPECT_THAT(test::complaints(Folder(), deck.dump()), HasSubstr("/bodies: no bodies defined; add"));
}

TEST(DeckInlets, AnUnknownEndOfTimeClosesNone) {
  json deck = test::good_deck();
  deck["inlets"] = json::array({inlet()});
  deck["inlets"][0].erase("until");
  deck["time"]["end"] = -1;
  const std::string all = test::complaints(Folder(), deck.dump());
  EXPECT_THAT(all, HasSubstr("/time/end: got -1"));
  EXPECT_THAT(all, ::testing::Not(HasSubstr("no body is scheduled")));
}

TEST(DeckInlets, BodiesThatEnterAreCheckedAsThoseOfTheStart) {
  json deck = test::good_deck();
  deck["materials"]["sand"] = {{"density", 1500}};
  deck["interfaces"][0]["between"] = {"rock", "*"};
  deck["interfaces"].push_back(deck["interfaces"][0]);
  deck["interfaces"][1]["between"] = {"foam", "foam"};
  deck["inlets"] = json::array({inlet()});
  const Folder folder;
  EXPECT_EQ(test::complaints(folder, deck.dump()), "");
  deck["inlets"][0]["material"] = "sand";
  EXPECT_THAT(test::complaints(folder, deck.dump()), HasSubstr("sand"));
  deck["inlets"][0]["material"] = "rock";
  deck["periodic"] = {{"x", {0, 0.09}}};
  EXPECT_THAT(test::complaints(folder, deck.dump()),
              HasSubstr("/inlets/0: a body would interact with its own image"));
}

/// @returns the warnings of a deck with an outlet at heights `low` to `high` [m], under the good deck's
/// bodies at 1 m and generated bodies and inlet at 2 m to 3 m.
std::string warnings_with_outlet(json deck, double low, double high) {
  deck["outlets"] = json::array({{{"region", {{"min", {-1, -1, low}}, {"max", {1, 1, high}}}}}});
  const Folder folder;
  return report_warnings(test::read(folder, deck).warnings);
}

TEST(DeckInlets, OutletsThatContainBodiesAtTheStartAreWarnedOf) {
  json deck = test::good_deck();
  EXPECT_THAT(
      warnings_with_outlet(deck, 0.5, 1.5),
      HasSubstr("/outlets/0: \"outlet 0\" removes 2 of 5 bodies at the start: their centres of mass are in "
                "the region [-1, -1, 0.5] to [1, 1, 1.5].\n"));
  EXPECT_THAT(warnings_with_outlet(deck, 1.9, 3.1), HasSubstr("removes 3 of 5 bodies")) << "generated ones";
  EXPECT_EQ(warnings_with_outlet(deck, 3.1, 4), "");
  EXPECT_EQ(warnings_with_outlet(deck, -2, -1), "");
  deck["periodic"] = {{"x", {-2, 2}}};
  deck["boundaries"].erase(1);
  deck["bodies"][1]["position"] = {4.5, 0, 1};
  EXPECT_THAT(warnings_with_outlet(deck, 0.5, 1.5), HasSubstr("removes 2 of 5 bodies"))
      << "0.5 m in the cell";
}

TEST(DeckInlets, InletsInOutletsAreWarnedOf) {
  json deck = test::good_deck();
  deck["inlets"] = json::array({inlet()});
  EXPECT_THAT(
      warnings_with_outlet(deck, 1.9, 3.1),
      HasSubstr("/inlets/0/region: lies in the region [-1, -1, 1.9] to [1, 1, 3.1] of outlet \"outlet 0\", "
                "which removes bodies inserted there in the next time step.\n"));
  EXPECT_THAT(warnings_with_outlet(deck, 2.9, 4), HasSubstr("/inlets/0/region: overlaps the region"));
  // With a face in common alone, no body is inserted in the outlet.
  EXPECT_EQ(warnings_with_outlet(deck, 3, 4), "");
  deck["inlets"][0]["region"]["min"][2] = 3;
  EXPECT_THAT(warnings_with_outlet(deck, 3, 4), HasSubstr("/inlets/0/region: lies in the region"));
}

class WrongInlet : public ::testing::TestWithParam<Mistake> {};

TEST_P(WrongInlet, IsRefused) {
  const Mistake& mistake = GetParam();
  json deck = test::good_deck();
  deck["inlets"] = json::array({inlet()});
  deck["outlets"] = json::parse(R"([{"name": "drain", "region": {"min": [-1, -1, -2], "max": [1, 1, -1]}}])");
  const json::json_pointer pointer(mistake.pointer);
  if (*mistake.value == '\0') {
    deck.at(pointer.parent_pointer()).erase(pointer.back());
  } else {
    deck[pointer] = json::parse(mistake.value);
  }
  const Folder folder;
  const std::string all = test::complaints(folder, deck.dump());
  EXPECT_THAT(all, HasSubstr(std::string("deck.json: ") + mistake.where + ": "));
  for (const char* part : mistake.says) EXPECT_THAT(all, HasSubstr(part));
}

INSTANTIATE_TEST_SUITE_P(
    Deck, WrongInlet,
    ::testing::Values(
        Mistake{"no_rate", "/inlets/0/rate", "", "/inlets/0", {"\"rate\" is missing"}},
        Mistake{"no_number", "/inlets/0/rate", "{}", "/inlets/0/rate", {"\"number\" is missing"}},
        Mistake{
            "rate_with_a_wrong_key",
            "/inlets/0/rate",
            R"({"massse": 4})",
            "/inlets/0/rate",
            {"\"number\" is missing", "(or \"mass\")", "/inlets/0/rate/massse: unknown key", "mean \"mass\""},
            2},
        Mistake{"rate_of_zero", "/inlets/0/rate/number", "0", "/inlets/0/rate/number", {"got 0", "> 0"}},
        Mistake{
            "rate_of_too_many", "/inlets/0/rate/number", "1e9", "/inlets/0/rate", {"inserts 5e+08 bodies"}},
        Mistake{
            "closed_before_it_opens", "/inlets/0/until", "0.1", "/inlets/0/until", {"no body is scheduled"}},
        Mistake{"opened_after_the_end",
                "/inlets/0",
                R"({"shape": "ball", "material": "rock", "from": 2,
          "region": {"min": [-1, -1, 2], "max": [1, 1, 3]}, "rate": {"number": 4}})",
                "/inlets/0/from",
                {"no body is scheduled", "closes at 1 s"}},
        Mistake{"region_upside_down",
                "/inlets/0/region",
                R"({"min": [0, 0, 3], "max": [1, 1, 2]})",
                "/inlets/0/region",
                {"must be smaller than"}},
        Mistake{"region_far_away",
                "/inlets/0/region/max",
                "[1e15, 1, 3]",
                "/inlets/0/region",
                {"corner [1e+15, 1, 3]: double precision resolves 0.22 m there"}},
        Mistake{"too_fast", "/inlets/0/velocity", "[0, 0, -1e12]", "/inlets/0", {"velocity: got 1e+12 m/s"}},
        Mistake{"turns_too_fast",
                "/inlets/0/angular_velocity",
                "[1e12, 0, 0]",
                "/inlets/0",
                {"angular_velocity 1e+12 rad/s at the bounding radius 0.05 m", "speed of light"}},
        Mistake{"no_name", "/inlets/0/name", "\"\"", "/inlets/0/name", {"expected a name that is not empty"}},
        Mistake{"region_in_the_floor",
                "/inlets/0/region",
                R"({"min": [0, 0, 0.04], "max": [1, 1, 0.05]})",
                "/inlets/0",
                {"does not fit between the boundaries", "\"ball\"", "0.05 m"}},
        Mistake{"shape_that_is_not_there",
                "/inlets/0/shape",
                "\"bal\"",
                "/inlets/0/shape",
                {"unknown shape \"bal\""}},
        Mistake{"material_without_density",
                "/inlets/0/material",
                "\"foam\"",
                "/inlets/0",
                {"density undefined", "/materials/foam"}},
        Mistake{"fractions_that_do_not_add_up",
                "/inlets/0/shape",
                R"({"ball": 0.5, "block": 0.4})",
                "/inlets/0/shape",
                {"sum to 0.9"}},
        Mistake{"outlet_upside_down",
                "/outlets/0/region",
                R"({"min": [0, 0, 3], "max": [1, 1, 2]})",
                "/outlets/0/region",
                {"must be smaller than"}},
        Mistake{"two_outlets_of_a_name",
                "/outlets/1",
                R"({"name": "drain", "region": {"min": [0, 0, 0], "max": [1, 1, 2]}})",
                "/outlets/1",
                {"duplicate outlet name \"drain\""}},
        Mistake{"history_of_no_outlet",
                "/output/histories/0",
                R"({"file": "a.csv", "outlet": "drian"})",
                "/output/histories/0/outlet",
                {"unknown outlet \"drian\"", "drain"}},
        Mistake{"history_of_outlet_and_body",
                "/output/histories/0",
                R"({"file": "a.csv", "outlet": "drain", "body": 1})",
                "/output/histories/0",
                {"cannot be combined: \"body\" and \"outlet\""}},
        Mistake{"with_bonds",
                "/bonds",
                R"({"stiffness": 1e5, "within": 0.1})",
                "/inlets",
                {"cannot be combined with /bonds"}},
        Mistake{"in_a_quasi_static_run", "/analysis", "\"quasi-static\"", "/inlets", {"quasi-static"}}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace scree
