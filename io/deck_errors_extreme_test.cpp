#include "io/deck_fixture.hpp"
#include "io/diagnostics.hpp"

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
     {"position [1e+15, 0, 1]: numbers of double precision are 0.22 m apart there",
      "activation distance of 0.001 m"},
     2},
    {"far_away_upwards", "/bodies/1/position", "[0, 0, 1e12]", "/bodies/1", {"0.00022 m apart"}},
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
     "/boundaries",
     {"boundary \"floor\": got 1e+12 m/s; expected less than the speed of light"}},
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
