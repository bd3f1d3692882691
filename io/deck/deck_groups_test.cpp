#include "io/deck/deck_fixture.hpp"

namespace scree {
namespace {

using nlohmann::json;
using test::Folder;
using test::good_deck;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

int law_between(const Model& model, int a, int b) {
  return model.interface_of[model.bodies[a].material][model.bodies[b].material];
}

TEST(DeckGroups, MaterialsWithoutContactNeedNoLaw) {
  const Folder folder;
  json deck = good_deck();
  const json law = deck["interfaces"][0];
  deck["interfaces"].push_back({{"between", {"rock", "foam"}}, {"none", true}});
  const Deck apart = read(folder, deck);
  EXPECT_LT(law_between(apart.model, 0, 1), 0);
  EXPECT_EQ(law_between(apart.model, 0, 2), 0);
  EXPECT_THAT(apart.model.notes, Not(Contains(HasSubstr("/interfaces/1"))));
  // Later entries bring it back.
  deck["interfaces"].push_back(law);
  deck["interfaces"][2]["between"] = {"foam", "rock"};
  EXPECT_THAT(test::complaints(folder, deck.dump()),
              HasSubstr("/interfaces/1: has no effect: later entries"));
  // No law at all: nothing meets.
  deck["interfaces"] = json::array({{{"between", {"*", "*"}}, {"none", true}}});
  EXPECT_LT(law_between(read(folder, deck).model, 0, 2), 0);
  deck["interfaces"][0]["between"] = {"rock", "*"};
  deck["bodies"].push_back(deck["bodies"][1]);
  deck["bodies"].back()["position"] = {1, 1, 1};
  EXPECT_THAT(test::complaints(folder, deck.dump()),
              HasSubstr("no contact law for materials \"foam\" and \"foam\""));
}

TEST(DeckGroups, MaterialsInGroupsAreUsed) {
  const Folder folder;
  json deck = good_deck();
  for (json& body : deck["bodies"]) body["group"] = "all";
  for (json& boundary : deck["boundaries"]) boundary["group"] = "all";
  deck["interfaces"].push_back({{"groups", {"all", "all"}}, {"none", true}});
  EXPECT_THAT(read(folder, deck).model.notes, Not(Contains(HasSubstr("unused materials"))));
}

TEST(DeckGroups, KeepBodiesAndBoundariesApart) {
  const Folder folder;
  json deck = good_deck();
  deck["bodies"][0]["group"] = "frame";
  deck["bodies"][1]["group"] = "frame";
  deck["boundaries"][0]["group"] = "ground";
  deck["interfaces"].push_back({{"groups", {"frame", "frame"}}, {"none", true}});
  deck["interfaces"].push_back({{"groups", {"ground", "*"}}, {"none", true}});
  // Through the floor, which does not matter now.
  deck["bodies"][1]["position"] = {0.5, 0, -1};
  const Deck result = read(folder, deck);
  const Model& model = result.model;
  EXPECT_LT(law_between(model, 0, 1), 0);
  EXPECT_EQ(law_between(model, 0, 2), 0);
  EXPECT_EQ(law_between(model, 1, 2), 0);
  EXPECT_EQ(model.materials[model.bodies[0].material].name, "rock@frame");
  EXPECT_EQ(model.bodies[0].mass, model.bodies[2].mass);
  for (const BodyDescription& body : model.bodies)
    EXPECT_LT(model.interface_of[body.material][model.boundaries[0].material], 0);
  EXPECT_EQ(model.interface_of[model.bodies[0].material][model.boundaries[1].material], 0);
  deck["interfaces"].erase(2);
  EXPECT_THAT(test::complaints(folder, deck.dump()), HasSubstr("on the wrong side of boundary \"floor\""));
}

TEST(DeckGroups, MayBeThoseOfFilesAndInlets) {
  const Folder folder;
  json deck = good_deck();
  folder.write("state.csv", "x,y,z,material\n0,0,1,rock@frame\n0.5,0,1,rock\n");
  deck["bodies"] = json::array({{{"file", "state.csv"}, {"shape", "block"}}});
  deck.erase("loads");
  deck["output"].erase("histories");
  deck["interfaces"].push_back({{"groups", {"frame", "*"}}, {"none", true}});
  EXPECT_LT(law_between(read(folder, deck).model, 0, 1), 0);
  deck["bodies"][0]["group"] = "frame";
  Deck both = read(folder, deck);
  EXPECT_EQ(both.model.bodies[0].material, both.model.bodies[1].material);
  deck["inlets"] =
      json::parse(R"([{"shape": "ball", "material": "rock", "group": "rain", "rate": {"number": 3},
                                    "region": {"min": [0, 0, 2], "max": [1, 1, 3]}}])");
  deck["interfaces"].push_back({{"groups", {"rain", "rain"}}, {"none", true}});
  both = read(folder, deck);
  const int rain = both.model.inlets[0].material;
  EXPECT_EQ(both.model.materials[rain].name, "rock@rain");
  EXPECT_LT(both.model.interface_of[rain][rain], 0);
}

TEST(DeckGroups, ThoseThatNoInterfaceNamesAreNoted) {
  const Folder folder;
  json deck = good_deck();
  deck["bodies"][0]["group"] = "frame";
  deck["bodies"][1]["group"] = "frame";
  EXPECT_THAT(
      read(folder, deck).model.notes,
      Contains(HasSubstr("/interfaces: no entry has \"groups\" with the group \"frame\": it has no")));
  deck["boundaries"][0]["group"] = "ground";
  EXPECT_THAT(read(folder, deck).model.notes,
              Contains(HasSubstr("the groups \"frame\", \"ground\": they have no effect in this deck.")));
  deck["interfaces"].push_back({{"groups", {"frame", "*"}}, {"none", true}});
  EXPECT_THAT(read(folder, deck).model.notes, Contains(HasSubstr("the group \"ground\": it has no effect")));
  deck["interfaces"].push_back({{"groups", {"ground", "ground"}}, {"none", true}});
  EXPECT_THAT(read(folder, deck).model.notes, Not(Contains(HasSubstr("/interfaces"))));
}

TEST(DeckGroups, NamesStandBehindTheLastAtOfAMaterial) {
  const Folder folder;
  json deck = good_deck();
  for (const char* group : {"", "a@b", "*", "a\nb"}) {
    deck["bodies"][0]["group"] = group;
    EXPECT_THAT(test::complaints(folder, deck.dump()), HasSubstr("/bodies/0/group: got \"")) << group;
  }
  deck["bodies"][0]["group"] = "frame";
  deck["materials"]["rock@frame"] = json::object();
  EXPECT_THAT(
      test::complaints(folder, deck.dump()),
      HasSubstr("/materials/rock@frame: \"rock@frame\" is also material \"rock\" in group \"frame\""));
  deck["materials"].erase("rock@frame");
  deck["materials"]["rock@2"] = deck["materials"]["rock"];
  deck["bodies"][0]["material"] = "rock@2";
  deck["bodies"][1] = {{"file", "state.csv"}, {"shape", "ball"}};
  deck["loads"].erase(1);
  folder.write("state.csv", "x,y,z,material\n0.5,0,1,rock@2@frame\n");
  const Deck both = read(folder, deck);
  EXPECT_EQ(both.model.bodies[1].material, both.model.bodies[0].material);
  folder.write("state.csv", "x,y,z,material\n0.5,0,1,rock@*\n");
  EXPECT_THAT(test::complaints(folder, deck.dump()), HasSubstr("unknown material \"rock@*\""));
}

TEST(DeckGroups, MistakesAreNamed) {
  const Folder folder;
  const auto complaint = [&](const json& entry) {
    json deck = good_deck();
    deck["bodies"][0]["group"] = "frame";
    deck["interfaces"].push_back(entry);
    return test::complaints(folder, deck.dump());
  };
  EXPECT_THAT(complaint({{"groups", {"frame", "fram"}}, {"none", true}}),
              HasSubstr("/interfaces/1/groups/1: unknown group \"fram\": no body, inlet or boundary has it. "
                        "Did you mean \"frame\"?"));
  EXPECT_THAT(complaint({{"groups", {"frame", 1}}, {"none", true}}),
              HasSubstr("/interfaces/1/groups/1: got 1; expected"));
  EXPECT_THAT(complaint({{"groups", {"frame", "*"}}, {"none", false}}),
              HasSubstr("/interfaces/1/none: got false; expected true, or a contact law"));
  EXPECT_THAT(complaint({{"none", true}}), HasSubstr("/interfaces/1: expected \"between\" or \"groups\"."));
  EXPECT_THAT(complaint({{"groups", {"frame", "*"}}, {"between", {"*", "*"}}, {"none", true}}),
              HasSubstr("/interfaces/1: \"between\" and \"groups\" cannot be combined"));
}

}  // namespace
}  // namespace scree
