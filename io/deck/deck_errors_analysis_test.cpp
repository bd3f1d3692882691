/// Wrong decks: analysis, rest criterion, drag and Magnus forces; and what right ones become.
#include <gtest/gtest.h>

#include "io/deck/deck_fixture.hpp"
#include "io/deck/diagnostics.hpp"

namespace scree {
namespace {

using test::complaints;
using test::expect_refused;
using test::Folder;
using test::good_deck;
using test::Mistake;

class WrongAnalysis : public ::testing::TestWithParam<Mistake> {};

TEST_P(WrongAnalysis, IsRefusedWithItsMessage) { expect_refused(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Deck, WrongAnalysis,
    ::testing::Values(
        Mistake{"analysis", "/analysis", "\"quasistatic\"", "/analysis", {"Did you mean \"quasi-static\"?"}},
        Mistake{"stop_when",
                "/time/stop",
                R"({"when": "done", "kinetic_energy": 1})",
                "/time/stop/when",
                {"got \"done\"; expected \"at rest\""}},
        Mistake{"stop_without_when", "/time/stop", R"({"kinetic_energy": 1})", "/time/stop", {"\"when\""}},
        Mistake{"stop_negative_energy",
                "/time/stop",
                R"({"when": "at rest", "kinetic_energy": -1})",
                "/time/stop/kinetic_energy",
                {"got -1; expected a number [J] >= 0"}},
        Mistake{"stop_force_zero",
                "/time/stop",
                R"({"when": "at rest", "unbalanced_force": 0})",
                "/time/stop/unbalanced_force",
                {"got 0; expected a number > 0"}},
        Mistake{"stop_after_the_end",
                "/time/stop",
                R"({"when": "at rest", "kinetic_energy": 1, "after": 2})",
                "/time/stop/after",
                {"got 2; expected a time [s] before /time/end, 1"}},
        Mistake{"stop_typing",
                "/time/stop",
                R"({"when": "at rest", "kinetic_enegry": 1})",
                "/time/stop/kinetic_enegry",
                {"Did you mean \"kinetic_energy\"?"}},
        Mistake{
            "drag_without_coefficient", "/loads/0", R"({"type": "drag"})", "/loads/0", {"\"coefficient\""}},
        Mistake{"drag_that_drives",
                "/loads/0",
                R"({"type": "drag", "coefficient": -1})",
                "/loads/0/coefficient",
                {"got -1; expected a number [N s/m] >= 0"}},
        Mistake{"drag_on_a_body",
                "/loads/0",
                R"({"type": "drag", "coefficient": 1, "body": "b1"})",
                "/loads/0/body",
                {"not a key of \"drag\". Valid: \"coefficient\", \"fluid_velocity\""}},
        Mistake{"fluid_velocity",
                "/loads/0",
                R"({"type": "magnus", "coefficient": 1, "fluid_velocity": 3})",
                "/loads/0/fluid_velocity",
                {"expected three numbers [m/s]"}}));

nlohmann::json quasi_static_deck() {
  nlohmann::json deck = good_deck();
  deck["analysis"] = "quasi-static";
  return deck;
}

TEST(AnalysisOfTheDeck, AWrongAnalysisBesideRigidContactIsAllThatIsWrong) {
  nlohmann::json deck = good_deck();
  deck["analysis"] = "dinamic";
  deck["interfaces"][0]["normal"] = {{"law", "rigid"}};
  EXPECT_THAT(complaints(Folder(), deck.dump()), ::testing::HasSubstr("/analysis: got \"dinamic\""));
}

TEST(AnalysisOfTheDeck, RestIsRefusedWhereEveryStateIsAtRest) {
  nlohmann::json deck = quasi_static_deck();
  deck["time"]["stop"] = {{"when", "at rest"}, {"kinetic_energy", 1}};
  const std::string all = complaints(Folder(), deck.dump());
  EXPECT_THAT(all, ::testing::HasSubstr("/time/stop: cannot be combined with \"analysis\": \"quasi-static\": "
                                        "every accepted state is in equilibrium"));
}

TEST(AnalysisOfTheDeck, FrictionWithoutStiffnessIsRefusedWithoutVelocities) {
  nlohmann::json deck = quasi_static_deck();
  deck["interfaces"][0]["friction"]["stiffness"] = 0;
  deck["interfaces"][0]["friction"]["damping"] = 10;
  const std::string all = complaints(Folder(), deck.dump());
  EXPECT_THAT(all, ::testing::HasSubstr("/interfaces/0/friction/stiffness: got 0; expected a stiffness"));
  EXPECT_THAT(all, ::testing::HasSubstr("quasi-static"));
}

TEST(AnalysisOfTheDeck, UnbalanceWithoutAWeightOrALoadNeedsAnEnergy) {
  nlohmann::json deck = good_deck();
  deck["time"]["stop"] = {{"when", "at rest"}};  // both limits have defaults
  EXPECT_EQ(complaints(Folder(), deck.dump()), "");
  deck["time"]["stop"]["unbalanced_force"] = 1e-4;
  EXPECT_EQ(complaints(Folder(), deck.dump()), "");
  deck["gravity"] = {0, 0, 0};
  EXPECT_EQ(complaints(Folder(), deck.dump()), "");
  deck["loads"] = nlohmann::json::parse(R"([{"type": "drag", "coefficient": 1}])");
  const std::string all = complaints(Folder(), deck.dump());
  EXPECT_THAT(all, ::testing::HasSubstr("/time/stop: requires \"kinetic_energy\" [J]"));
  EXPECT_THAT(all, ::testing::HasSubstr("/gravity"));
  EXPECT_THAT(all, ::testing::HasSubstr("/loads"));
  deck["time"]["stop"].erase("unbalanced_force");
  EXPECT_THAT(complaints(Folder(), deck.dump()),
              ::testing::HasSubstr("/time/stop: requires \"kinetic_energy\" [J]"));
  deck["time"]["stop"]["kinetic_energy"] = 1e-6;
  EXPECT_EQ(complaints(Folder(), deck.dump()), "");
}

TEST(AnalysisOfTheDeck, SaysThatVelocitiesAreNotUsed) {
  const Folder folder;
  const Deck deck = test::read(folder, quasi_static_deck());
  EXPECT_EQ(deck.model.analysis, Analysis::quasi_static);
  EXPECT_THAT(deck.model.notes,
              ::testing::Contains(::testing::HasSubstr(
                  "/bodies/0/velocity: has no effect with \"analysis\": \"quasi-static\"")));
}

TEST(AnalysisOfTheDeck, ReadsRestAndFluidForces) {
  nlohmann::json deck = good_deck();
  deck["time"]["stop"] = {{"when", "at rest"}, {"kinetic_energy", 1e-9}, {"after", 0.25}};
  deck["loads"].push_back({{"type", "drag"}, {"coefficient", 0.005}, {"fluid_velocity", {1, 2, 3}}});
  deck["loads"].push_back({{"type", "magnus"}, {"coefficient", -2}});
  const Folder folder;
  const Model model = test::read(folder, deck).model;
  EXPECT_EQ(model.analysis, Analysis::dynamic);
  EXPECT_TRUE(model.time.stop.wanted);
  EXPECT_EQ(model.time.stop.kinetic_energy, 1e-9);
  EXPECT_LT(model.time.stop.unbalanced_force, 0);
  EXPECT_EQ(model.time.stop.after, 0.25);
  ASSERT_EQ(model.loads.size(), 4u);
  const auto& drag = std::get<elements::DragLoad>(model.loads[2]);
  EXPECT_EQ(drag.coefficient, 0.005);
  EXPECT_EQ(drag.fluid_velocity, Vec3(1, 2, 3));
  const auto& magnus = std::get<elements::MagnusLoad>(model.loads[3]);
  EXPECT_EQ(magnus.coefficient, -2);
  EXPECT_EQ(magnus.fluid_velocity, Vec3(0, 0, 0));
}

}  // namespace
}  // namespace scree
