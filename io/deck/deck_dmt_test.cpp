/// The law "dmt" in decks: what is read, and what is refused.
#include <gtest/gtest.h>

#include "io/deck/deck_fixture.hpp"

namespace scree {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

/// The good deck with spheres and rods only, and moduli.
json adhesive_deck() {
  json deck = test::good_deck();
  deck["materials"]["foam"] = {{"young", 1e6}, {"poisson", 0.1}, {"density", 30}};
  for (auto& body : deck["bodies"]) body["shape"] = body["shape"] == "block" ? "rod" : "ball";
  deck["interfaces"][0]["normal"] = {
      {"law", "dmt"}, {"surface_energy", 0.05}, {"range", 1e-5}, {"restitution", 0.4}};
  return deck;
}

std::string complaints(const json& deck) {
  const test::Folder folder;
  return test::complaints(folder, deck.dump());
}

TEST(DeckOfDmt, BecomesWhatTheDeckSaysAndMayHaveMindlinsSpring) {
  json deck = adhesive_deck();
  deck["interfaces"][0]["friction"]["stiffness"] = "mindlin";
  const test::Folder folder;
  const Model model = read_deck(folder.write("deck.json", deck.dump())).model;
  const auto& law = std::get<contact::DmtParameters>(model.interfaces[0].normal);
  EXPECT_EQ(law.surface_energy, 0.05);
  EXPECT_EQ(law.range, 1e-5);
  EXPECT_EQ(law.hertz.restitution, 0.4);
  EXPECT_EQ(model.interfaces[0].threshold(), 1e-5);
}

TEST(DeckOfDmt, RefusesKeysThatAreMissingOrOutOfRange) {
  struct Case {
    const char *key, *value, *message;
  };
  for (const Case& one :
       {Case{"surface_energy", "",
             "/interfaces/0/normal: \"surface_energy\" is missing; expected a "
             "number [J/m^2] > 0"},
        Case{"range", "", "/interfaces/0/normal: \"range\" is missing; expected a number [m] > 0"},
        Case{"surface_energy", "0", "/interfaces/0/normal/surface_energy: got 0; expected a number "},
        Case{"surface_energy", "-0.1", "/interfaces/0/normal/surface_energy: got -0.1; expected"},
        Case{"range", "0", "/interfaces/0/normal/range: got 0; expected a number [m] > 0"},
        Case{"range", "\"short\"", "/interfaces/0/normal/range: "},
        Case{"damping_ratio", "0.1", "cannot be combined with \"damping_ratio\""},
        Case{"threshold", "1e-3", "/interfaces/0/normal/threshold: not a key of \"dmt\""}}) {
    json deck = adhesive_deck();
    if (*one.value == '\0') {
      deck["interfaces"][0]["normal"].erase(one.key);
    } else {
      deck["interfaces"][0]["normal"][one.key] = json::parse(one.value);
    }
    EXPECT_THAT(complaints(deck), HasSubstr(one.message)) << one.key;
  }
}

TEST(DeckOfDmt, NeedsModuliAndRoundingsAndNoMidwayPoint) {
  json deck = adhesive_deck();
  deck["materials"]["foam"].erase("young");
  EXPECT_THAT(complaints(deck), HasSubstr("\"dmt\" requires \"young\" of material \"foam\""));
  deck = adhesive_deck();
  deck["bodies"][0]["shape"] = deck["bodies"][1]["shape"] = "block";
  EXPECT_THAT(complaints(deck), HasSubstr("\"dmt\" requires rounded bodies at boundaries"));
  deck = adhesive_deck();
  deck["shapes"]["grain"] = {
      {"type", "superquadric"}, {"half_axes", {0.1, 0.1, 0.1}}, {"blockiness", {4, 4}}};
  deck["bodies"][0]["shape"] = deck["bodies"][1]["shape"] = "grain";
  EXPECT_EQ(complaints(deck), "");
  deck["solver"]["superquadric"] = "midway";
  EXPECT_THAT(complaints(deck), HasSubstr("/solver/superquadric: \"midway\" requires the laws"));
}

}  // namespace
}  // namespace scree
