/// Entry /coupling of a deck: surfaces that a run could not couple are errors of the deck.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/deck/deck_fixture.hpp"

namespace scree::coupling {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

/// A ball above a coupled plate, and a floor.
json coupled_deck() {
  return json::parse(R"({
    "time": {"end": 0.02, "step": 1e-3}, "gravity": [0, 0, -9.81], "materials": {"rock": {"density": 2500}},
    "shapes": {"ball": {"type": "sphere", "radius": 0.05}},
    "bodies": [{"shape": "ball", "material": "rock", "position": [0.03, 0.02, 0.0501]}],
    "boundaries": [{"name": "floor", "type": "plane", "point": [0, 0, -1], "normal": [0, 0, 1], "material": "rock"},
      {"type": "surface", "material": "rock", "motion": "coupled",
       "vertices": [[-0.5, -0.5, 0], [0.5, -0.5, 0], [0.5, 0.5, 0], [-0.5, 0.5, 0]], "faces": [[0, 1, 2], [0, 2, 3]]}],
    "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e4}}],
    "coupling": {"type": "precice", "config": "precice-config.xml", "participant": "Scree", "surfaces": [
      {"boundary": "boundary 1", "mesh": "Scree-Mesh", "displacement": "Displacement", "force": "Force"}]}})");
}

std::string complaint(const json& deck) { return test::complaints(test::Folder(), deck.dump()); }

TEST(PreciceParameters, SurfacesAreCoupledBoundaries) {
  json deck = coupled_deck();
  EXPECT_EQ(complaint(deck), "");
  const std::string pointer = "/coupling/surfaces/0/boundary";
  for (const char* name : {"floor", "flor"}) {
    deck["coupling"]["surfaces"][0]["boundary"] = name;
    EXPECT_THAT(complaint(deck),
                HasSubstr(pointer + ": got \"" + name +
                          "\"; expected a boundary with \"motion\": \"coupled\": \"boundary 1\"."));
  }
  deck["boundaries"].erase(1);
  EXPECT_THAT(complaint(deck), HasSubstr("\"motion\": \"coupled\", the deck has none."));
}

TEST(PreciceParameters, SurfacesAreListedOnce) {
  json deck = coupled_deck();
  deck["coupling"]["surfaces"].push_back(deck["coupling"]["surfaces"][0]);
  EXPECT_THAT(complaint(deck),
              HasSubstr("/coupling/surfaces/1/boundary: duplicate surface \"boundary 1\" (first "
                        "listed at /coupling/surfaces/0)."));
}

TEST(PreciceParameters, ErrorsElsewhereHideNone) {
  json deck = coupled_deck();
  deck["gravity"] = 9.81;
  deck["coupling"].erase("participant");
  deck["coupling"]["surfaces"][0].erase("force");
  const std::string all = complaint(deck);
  EXPECT_THAT(all, HasSubstr("/gravity: "));
  EXPECT_THAT(all, HasSubstr("/coupling: \"participant\" is missing"));
  EXPECT_THAT(all, HasSubstr("/coupling/surfaces/0: got both or neither of \"force\" and \"traction\""));
  deck = coupled_deck();
  deck["boundaries"][1].erase("material");  // what is wrong is one boundary, which may be the coupled one
  EXPECT_THAT(complaint(deck), ::testing::Not(HasSubstr("/coupling")));
}

TEST(PreciceParameters, TheConfigurationIsLookedForBesideTheDeck) {
  const test::Folder folder;
  EXPECT_EQ(test::read(folder, coupled_deck()).precice.value().config,
            (folder.path() / "precice-config.xml").string());
  json absolute = coupled_deck();
  absolute["coupling"]["config"] = "/there/precice-config.xml";
  EXPECT_EQ(test::read(folder, absolute).precice.value().config, "/there/precice-config.xml");
}

TEST(PreciceParameters, AStopCriterionIsRefused) {
  json deck = coupled_deck();
  deck["time"]["stop"] = {{"when", "at rest"}, {"unbalanced_force", 0.01}};
  EXPECT_THAT(complaint(deck), HasSubstr("/time/stop: cannot be combined with /coupling"));
}

}  // namespace
}  // namespace scree::coupling
