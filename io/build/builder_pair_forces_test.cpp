/// Bonds and near-field forces of a deck: what arrives in the model, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/deck/deck_fixture.hpp"

namespace scree {
namespace {

using nlohmann::json;
using test::complaints;
using test::expect_refused;
using test::Folder;
using test::good_deck;
using test::Mistake;
using ::testing::HasSubstr;

/// The good deck with a second sphere, and bonds.
json bonded_deck() {
  json deck = good_deck();
  deck["bodies"][0]["shape"] = "ball";
  deck["bonds"] = {{"stiffness", 1e5}, {"within", 0.01}, {"break_force", 150}};
  return deck;
}

json near_field(const json& kappa, const json& lambda) {
  return {{"type", "near_field"}, {"kappa", kappa}, {"lambda", lambda}, {"cutoff", 0.2}};
}

TEST(DeckPairForces, ArriveInTheModel) {
  json deck = bonded_deck();
  deck["loads"].push_back(near_field({1e-3, 2e-5}, {1, 3}));
  deck["loads"].push_back(near_field({1e-3, 0}, {1, 0}));
  deck["loads"].back()["at_cutoff"] = "shifted";
  const Folder folder;
  const Model m = read_deck(folder.write("deck.json", deck.dump())).model;
  ASSERT_TRUE(m.bonds.has_value());
  EXPECT_DOUBLE_EQ(m.bonds->stiffness, 1e5);
  EXPECT_DOUBLE_EQ(m.bonds->within, 0.01);
  EXPECT_DOUBLE_EQ(m.bonds->break_force, 150);
  EXPECT_EQ(m.loads.size(), 2u);
  ASSERT_EQ(m.near_fields.size(), 2u);
  EXPECT_DOUBLE_EQ(m.near_fields[0].attraction, 1e-3);
  EXPECT_DOUBLE_EQ(m.near_fields[0].repulsion, 2e-5);
  EXPECT_DOUBLE_EQ(m.near_fields[0].attraction_exponent, 1);
  EXPECT_DOUBLE_EQ(m.near_fields[0].repulsion_exponent, 3);
  EXPECT_DOUBLE_EQ(m.near_fields[0].cutoff, 0.2);
  EXPECT_EQ(m.near_fields[0].at_cutoff, contact::AtCutoff::jump);
  EXPECT_EQ(m.near_fields[1].at_cutoff, contact::AtCutoff::shifted);
}

TEST(DeckPairForces, BondsThatNeverBreakAndNoBondsAtAll) {
  json deck = bonded_deck();
  deck["bonds"].erase("break_force");
  const Folder folder;
  EXPECT_FALSE(read_deck(folder.write("deck.json", deck.dump())).model.bonds->breakable());
  deck.erase("bonds");
  EXPECT_FALSE(read_deck(folder.write("deck.json", deck.dump())).model.bonds.has_value());
}

TEST(DeckPairForces, ABondThatWouldBreakInsideOfABarrierIsRefusedWithBothPlaces) {
  json deck = bonded_deck();
  deck["bonds"]["break_force"] = 90;
  const Folder folder;
  const std::string all = complaints(folder, deck.dump());
  EXPECT_THAT(all, HasSubstr("/bonds/break_force: got 90 N"));
  EXPECT_THAT(all, HasSubstr("expected >= 100 N"));
  EXPECT_THAT(all, HasSubstr("/interfaces/0/normal/threshold"));
}

class WrongPairForce : public ::testing::TestWithParam<Mistake> {};

TEST_P(WrongPairForce, IsRefusedWithItsMessage) { expect_refused(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    PairForces, WrongPairForce,
    ::testing::Values(
        Mistake{"bonds_without_stiffness",
                "/bonds",
                R"({"within": 0.01})",
                "/bonds",
                {"\"stiffness\" is missing; expected a number [N/m] > 0"}},
        Mistake{"bonds_within_nothing",
                "/bonds",
                R"({"stiffness": 1, "within": 0})",
                "/bonds/within",
                {"got 0; expected a number > 0"}},
        Mistake{"break_force_zero",
                "/bonds",
                R"({"stiffness": 1, "within": 0.1, "break_force": 0})",
                "/bonds/break_force",
                {"got 0; expected a number [N] > 0"}},
        Mistake{"bonds_unknown_key",
                "/bonds",
                R"({"stifness": 1, "stiffness": 1, "within": 0.1})",
                "/bonds/stifness",
                {"unknown key. Did you mean \"stiffness\"?", "the deck has one"},
                2},
        Mistake{"bonds_with_one_sphere",
                "/bonds",
                R"({"stiffness": 1, "within": 0.1})",
                "/bonds",
                {"the deck has one; /bodies/0 has the shape /shapes/block"}},
        Mistake{"near_field_without_cutoff",
                "/loads/0",
                R"({"type": "near_field", "kappa": [1, 0], "lambda": [1, 0]})",
                "/loads/0",
                {"\"cutoff\" is missing; expected a number [m] > 0"}},
        Mistake{"near_field_of_nothing",
                "/loads/0",
                R"({"type": "near_field", "kappa": [0, 0], "lambda": [1, 0], "cutoff": 1})",
                "/loads/0/kappa",
                {"got [0, 0]; expected at least one non-zero value"}},
        Mistake{"near_field_exponent",
                "/loads/0",
                R"({"type": "near_field", "kappa": [1, 0], "lambda": [-1, 0], "cutoff": 1})",
                "/loads/0/lambda",
                {"got [-1, 0]; expected two numbers >= 0"}},
        Mistake{"near_field_one_kappa",
                "/loads/0",
                R"({"type": "near_field", "kappa": [1], "lambda": [1, 0], "cutoff": 1})",
                "/loads/0/kappa",
                {"got [1]; expected two numbers [N m^lambda]"}},
        Mistake{"near_field_on_a_body",
                "/loads/0",
                R"({"type": "near_field", "body": "b1", "kappa": [1, 0], "lambda": [1, 0], "cutoff": 1})",
                "/loads/0/body",
                {"not a key of \"near_field\""}},
        Mistake{
            "near_field_all_taken_off",
            "/loads/0",
            R"({"type": "near_field", "kappa": [1, 0], "lambda": [0, 1], "cutoff": 1, "at_cutoff": "shifted"})",
            "/loads/0/at_cutoff",
            {"/loads/0/lambda 0 that is all of it"}},
        Mistake{
            "near_field_at_cutoff",
            "/loads/0",
            R"({"type": "near_field", "kappa": [1, 0], "lambda": [1, 1], "cutoff": 1, "at_cutoff": "shift"})",
            "/loads/0/at_cutoff",
            {"got \"shift\"; expected one of \"jump\", \"shifted\"", "Did you mean \"shifted\"?"}}));

}  // namespace
}  // namespace scree
