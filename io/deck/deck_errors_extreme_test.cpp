#include "io/deck/deck_fixture.hpp"
#include "io/deck/diagnostics.hpp"

namespace scree::test {
namespace {

using ::testing::HasSubstr;

class ExtremeMistake : public ::testing::TestWithParam<Mistake> {};

TEST_P(ExtremeMistake, IsNamed) { expect_refused(GetParam()); }

const char* const kMagnitude = "expected 0 or a magnitude between 1e-60 and 1e+60";

const std::vector<Mistake> kMistakes = {
    {"far_away",
     "/bodies/0/position",
     "[1e15, 0, 1]",
     "/bodies/0",
     {"position [1e+15, 0, 1]: double precision resolves 0.22 m there", "activation distance of 0.001 m"},
     2},
    {"far_away_upwards", "/bodies/1/position", "[0, 0, 1e12]", "/bodies/1", {"resolves 0.00022 m"}},
    {"too_fast",
     "/bodies/0/velocity",
     "[0, 1e12, 0]",
     "/bodies/0",
     {"velocity: got 1e+12 m/s; expected less than the speed of light, 299792458 m/s"}},
    {"turns_too_fast",
     "/bodies/0/angular_velocity",
     "[1e12, 0, 0]",
     "/bodies/0",
     {"at the bounding radius", "speed of light"}},
    {"fast_wall",
     "/boundaries/0/motion",
     R"({"velocity": [0, 0, -1e12]})",
     "/boundaries/0/motion/velocity",
     {"boundary \"floor\": got 1e+12 m/s; expected less than the speed of light"}},
    {"region_far_away",
     "/bodies/2/region",
     R"({"min": [1e15, 0, 2], "max": [1e15, 1, 3]})",
     "/bodies/2/region",
     {"corner [1e+15, 0, 2]: double precision resolves 0.22 m there"}},
    {"large_velocity",
     "/bodies/0/velocity",
     "[0, 1e300, 0]",
     "/bodies/0/velocity",
     {"got [0, 1e+300, 0]", kMagnitude}},
    {"small_radius", "/shapes/ball/radius", "1e-300", "/shapes/ball/radius", {"got 1e-300", kMagnitude}},
    {"large_density", "/materials/rock/density", "1e300", "/materials/rock/density", {kMagnitude}},
    {"large_gravity", "/gravity", "[0, 0, -1e300]", "/gravity", {kMagnitude}},
    {"long_time", "/time/end", "1e300", "/time/end", {kMagnitude}},
    {"small_mass", "/bodies/1/mass", "1e-300", "/bodies/1/mass", {kMagnitude}},
    {"many", "/bodies/2/count", "1e18", "/bodies/2/count", {"got 1e+18"}},
    {"cannot_fit",
     "/bodies/2/count",
     "100000",
     "/bodies/2",
     {"100000 bodies cannot fit: their volume is 100 m^3, but the region [-1, -1, 2] to [1, 1, 3]",
      "has 5.55"}},
    {"number_that_rounds_to_zero",
     "/gravity",
     "[0, 0, -1e-300]",
     "/gravity",
     {"got [0, 0, -1e-300]", kMagnitude}},
    {"step_without_end",
     "/time/step",
     "1e-30",
     "/time/step",
     {"got 1e-30; to \"end\", 1 s, are 1e+30 steps", "expected at most 2^53 steps: at least 1.11e-16 s"}},
    {"adaptive_step_without_end",
     "/time/step",
     R"({"initial": 1e-20, "min": 1e-22, "max": 1e-18})",
     "/time/step/max",
     {"got 1e-18", "at most 2^53 steps"}},
    {"body_without_a_name", "/bodies/1/name", "\"\"", "/bodies/1/name", {"got \"\"; expected a name that"}},
    {"boundary_without_a_name",
     "/boundaries/1/name",
     "\"\"",
     "/boundaries/1/name",
     {"got \"\"; expected a name that is not empty"}},
    {"name_with_a_line_break",
     "/bodies/1/name",
     "\"a\\nb\"",
     "/bodies/1/name",
     {"got \"a\\nb\"; expected a name without control characters"}},
    {"boundary_with_an_escape",
     "/boundaries/1/name",
     "\"a\\u001b[31m\"",
     "/boundaries/1/name",
     {"got \"a\\u001b[31m\"; expected a name without control characters"}},
    {"shape_with_a_delete",
     "/shapes/a\x7f",
     R"({"type": "sphere", "radius": 0.05})",
     "/shapes/a\x7f",
     {"got \"a\\u007f\"; expected a name without control characters"}},
    {"one_cannot_fit",
     "/bodies/2",
     R"({"shape": "block", "material": "rock", "count": 1, "region": {"min": [0, 0, 0.01], "max": [0, 0, 0.01]}})",
     "/bodies/2",
     {"does not fit", "bounds centres of mass"}},
    {"unknown_analysis_with_a_rigid_law",
     "/analysis",
     "\"contact_dynamics\"",
     "/analysis",
     {"contact-dynamics"}},
};

INSTANTIATE_TEST_SUITE_P(Deck, ExtremeMistake, ::testing::ValuesIn(kMistakes),
                         [](const auto& mistake) { return std::string(mistake.param.name); });

TEST(ExtremeDeck, UnknownAnalysisBesideARigidLawIsOneError) {
  nlohmann::json deck = good_deck();
  deck["analysis"] = "contact_dynamics";
  deck["interfaces"] = nlohmann::json::parse(R"([{"between": ["*", "*"], "normal": {"law": "rigid"}}])");
  const Folder folder;
  EXPECT_THAT(complaints(folder, deck.dump()), HasSubstr("/analysis: got \"contact_dynamics\""));
}

TEST(ExtremeDeck, NumbersThatRoundToZeroAreRefused) {
  std::string text = good_deck().dump();
  const std::string step = "\"step\":0.0001";
  const Folder folder;
  for (const char* number : {"1e-400", "0.00001E-999"}) {
    std::string deck = text;
    deck.replace(deck.find(step), step.size(), std::string("\"step\":") + number);
    EXPECT_THAT(complaints(folder, deck), HasSubstr(std::string("/time/step: got ") + number));
    EXPECT_THAT(complaints(folder, deck), HasSubstr(kMagnitude));
  }
  const std::string gravity = "-9.81";
  text.replace(text.find(gravity), gravity.size(), "0.0e-999");
  EXPECT_EQ(complaints(folder, text), "");
}

TEST(ExtremeDeck, ManyStepsAreANote) {
  nlohmann::json deck = good_deck();
  deck["time"]["step"] = 1e-10;
  const Folder folder;
  const auto notes_of = [&] { return read_deck(folder.write("deck.json", deck.dump())).model.notes; };
  EXPECT_THAT(notes_of(), ::testing::Contains(HasSubstr("/time/step: to \"end\", 1 s, are 1e+10 steps")));
  deck["time"]["step"] = 1e-8;
  EXPECT_THAT(notes_of(), ::testing::Not(::testing::Contains(HasSubstr("/time/step"))));
  deck["time"]["step"] = {{"initial", 1e-4}, {"min", 1e-17}, {"max", 1e-3}};
  EXPECT_THAT(notes_of(),
              ::testing::Contains(HasSubstr("/time/step/min: steps below 1.11e-16 s do not advance")));
  deck["time"]["step"]["min"] = 1e-15;
  EXPECT_THAT(notes_of(), ::testing::Not(::testing::Contains(HasSubstr("/time/step"))));
}

TEST(ExtremeDeck, EntriesAfterOneThatLacksMemoryKeepTheirBodies) {
  nlohmann::json deck = good_deck();
  deck["loads"] = nlohmann::json::array();
  deck["output"] = nlohmann::json::object();
  std::swap(deck["bodies"][0], deck["bodies"][2]);
  deck["bodies"][0]["count"] = 10000000;
  deck["bodies"][1]["inertia"] = {1, 1, 1};
  deck["bodies"][2]["fixed"] = {"rx", "ry", "rz"};  // which is no matter of the body before
  const ScarceMemory memory(1e9);
  const std::string all = complaints(Folder(), deck.dump());
  EXPECT_THAT(all, HasSubstr("/bodies/0/count: requires at least"));
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 0) << all;
}

TEST(ExtremeDeck, ItsTextsForgeNoLines) {
  nlohmann::json deck = good_deck();
  deck["a\x1b[2J\nd.json: good."] = 1;
  deck[std::string(5000, 'k')] = 1;
  deck["analysis"] = std::string(5000, 'v') + " v";
  const Folder folder;
  try {
    read_deck(folder.write("d.json", deck.dump()));
    FAIL() << "the deck was taken";
  } catch (const InputError& error) {
    const std::string text = report(error);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
    EXPECT_THAT(text, HasSubstr("/a\\u001b[2J\\nd.json: good.: unknown key"));
    EXPECT_THAT(text, HasSubstr(std::string("kkkk... (5000 bytes): unknown key")));
    EXPECT_THAT(text, HasSubstr(std::string("vvvv... (5002 bytes)\"; expected one of")));
    EXPECT_LT(text.size(), 3000U);
  }
  EXPECT_EQ(report_notes({"/a\nb: c"}), "note: /a\\nb: c\n");
  EXPECT_EQ(report_warnings({{"code", "/a\x1b", "c\nd"}}), "warning: /a\\u001b: c\\nd\n");
}

TEST(ExtremeDeck, WhatIsNoJsonSaysWhatWouldBe) {
  const Folder folder;
  EXPECT_THAT(complaints(folder, "{\"time\": NaN}"),
              HasSubstr("deck.json:1:10: NaN is not a number in JSON."));
  EXPECT_THAT(complaints(folder, "[nan]"), HasSubstr("nan is not a number in JSON."));
  EXPECT_THAT(complaints(folder, "[-Infinity]"), HasSubstr("Infinity is not a number in JSON."));
  EXPECT_THAT(complaints(folder, "{\"title\": \"K\xf6rner\"}"),
              HasSubstr("ill-formed UTF-8: save the file as UTF-8."));
  const std::string open = complaints(folder, "{\"title\": \"" + std::string(5000, 'a') + " b");
  EXPECT_THAT(open, HasSubstr("missing closing quote"));
  EXPECT_LT(open.size(), 400U);
}

TEST(ExtremeDeck, ATableWithoutRowsIsNoBody) {
  nlohmann::json deck = good_deck();
  deck["bodies"] = nlohmann::json::parse(R"([{"file": "b.csv", "shape": "ball", "material": "rock"}])");
  deck["output"] = nlohmann::json::object();
  deck["loads"] = nlohmann::json::array();
  const Folder folder;
  folder.write("b.csv", "x,y,z\n");
  EXPECT_THAT(complaints(folder, deck.dump()),
              HasSubstr("/bodies: no bodies defined (the table has no rows)"));
  nlohmann::json entering = deck;
  entering["inlets"] = nlohmann::json::parse(
      R"([{"region": {"min": [0, 0, 2], "max": [1, 1, 3]}, "rate": {"number": 2}, "shape": "ball",
           "material": "rock"}])");
  EXPECT_EQ(complaints(folder, entering.dump()), "");
  folder.write("b.csv", "x,y,z,name\n0,0,1,\"a\x1b[31m\"\n1e400,0,1,b\n");
  const std::string all = complaints(folder, deck.dump());
  EXPECT_THAT(all,
              HasSubstr("b.csv:2: column \"name\": got \"a\\u001b[31m\"; expected a name without control"));
  EXPECT_THAT(all, HasSubstr("b.csv:3: column \"x\": got \"1e400\", out of the range of double precision"));
}

TEST(ExtremeDeck, FastWithinMechanicsIsNoError) {
  nlohmann::json deck = good_deck();
  deck["bodies"][0]["velocity"] = {1e8, 0, 0};
  const Folder folder;
  EXPECT_EQ(complaints(folder, deck.dump()), "");
}

TEST(ExtremeDeck, ManyErrorsDoNotFloodTheTerminal) {
  nlohmann::json deck = good_deck();
  for (int k = 0; k < 50000; ++k) deck[std::string("k").append(std::to_string(k))] = 1;
  const Folder folder;
  const std::string all = complaints(folder, deck.dump());
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n') + 1, 21);
  EXPECT_THAT(all, HasSubstr("49980 more unknown keys"));
  std::vector<Diagnostic> many(250, {"/bodies", "wrong"});
  const std::string text = report(InputError(many));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 102);
  EXPECT_THAT(text, HasSubstr("... and 150 more\n250 errors; nothing was run.\n"));
}

}  // namespace
}  // namespace scree::test
