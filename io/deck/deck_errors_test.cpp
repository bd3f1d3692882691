/// Wrong decks, each with its message. The table is the list of mistakes that a user can make.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/deck/deck_fixture.hpp"
#include "io/deck/diagnostics.hpp"

namespace scree {
namespace {

using nlohmann::json;
using test::complaints;
using test::expect_refused;
using test::Folder;
using test::good_deck;
using test::Mistake;
using ::testing::HasSubstr;

class WrongDeck : public ::testing::TestWithParam<Mistake> {};

TEST_P(WrongDeck, IsRefusedWithItsMessage) { expect_refused(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Keys, WrongDeck,
    ::testing::Values(
        Mistake{
            "unknown_key", "/gravitiy", "[0, 0, 1]", "/gravitiy", {"unknown key. Did you mean \"gravity\"?"}},
        Mistake{"unknown_key_far", "/wind", "1", "/wind", {"unknown key. Valid: ", "\"gravity\""}},
        Mistake{"unknown_key_in_law",
                "/interfaces/0/normal/stifness",
                "1",
                "/interfaces/0/normal/stifness",
                {"unknown key. Did you mean \"stiffness\"?"}},
        Mistake{"key_of_another_shape",
                "/shapes/ball/size",
                "[1, 1, 1]",
                "/shapes/ball/size",
                {"not a key of \"sphere\". Valid: \"radius\""}},
        Mistake{"key_of_another_kind_of_body",
                "/bodies/0/region",
                "{}",
                "/bodies/0/region",
                {"not a key of \"position\""}},
        Mistake{"missing_time",
                "/time",
                "",
                "",
                {"\"time\" is missing; expected an object with \"end\", \"step\""}},
        Mistake{"missing_step",
                "/time/step",
                "",
                "/time",
                {"\"step\" is missing; expected a number [s] > 0, or an object with \"initial\""}},
        Mistake{"missing_stiffness",
                "/interfaces/0/normal/stiffness",
                "",
                "/interfaces/0/normal",
                {"\"stiffness\" is missing; expected a number [N/m^exponent] > 0"}},
        Mistake{"missing_position",
                "/bodies/0/position",
                "",
                "/bodies/0",
                {"\"position\" is missing; expected three numbers [m]"},
                1},
        Mistake{"missing_type",
                "/shapes/ball/type",
                "",
                "/shapes/ball",
                {"\"type\" is missing; expected one of \"sphere\", \"capsule\", \"box\", \"polyhedron\""}},
        Mistake{
            "missing_material", "/boundaries/0/material", "", "/boundaries/0", {"\"material\" is missing"}},
        Mistake{"empty_name",
                "/shapes/",
                "{\"type\": \"sphere\", \"radius\": 1}",
                "/shapes/",
                {"\"\" cannot be a name"}},
        Mistake{"star_as_name", "/materials/*", "{}", "/materials/*", {"\"*\" cannot be a name"}}));

INSTANTIATE_TEST_SUITE_P(
    Kinds, WrongDeck,
    ::testing::Values(
        Mistake{"text_for_number",
                "/time/end",
                "\"2 s\"",
                "/time/end",
                {"got \"2 s\"; expected a number [s] > 0."}},
        Mistake{"number_for_object", "/time", "2", "/time", {"got 2; expected an object"}},
        Mistake{"object_for_list", "/bodies", "{}", "/bodies", {"got {}; expected a list"}},
        Mistake{"null", "/gravity", "null", "/gravity", {"got null; expected three numbers [m/s^2]"}},
        Mistake{"two_of_three_numbers",
                "/gravity",
                "[0, -9.81]",
                "/gravity",
                {"got [0, -9.81]; expected three numbers [m/s^2]"}},
        Mistake{"text_in_vector",
                "/bodies/0/position",
                "[0, 0, \"1\"]",
                "/bodies/0/position",
                {"expected three numbers [m]"}},
        Mistake{"part_of_a_body",
                "/bodies/2/count",
                "2.5",
                "/bodies/2/count",
                {"got 2.5; expected an integer in [1, "}},
        Mistake{"seed_that_is_not_exact",
                "/bodies/2/seed",
                "18446744073709551616",
                "/bodies/2/seed",
                {"expected an integer >= 0, at most 2^53 in size"}},
        Mistake{"no_bodies", "/bodies", "[]", "/bodies", {"no bodies defined", "inlets"}, 4},
        Mistake{"fixed_as_number",
                "/bodies/0/fixed",
                "1",
                "/bodies/0/fixed",
                {"got 1; expected true or false, or a list"}},
        Mistake{"three_materials_between",
                "/interfaces/0/between",
                "[\"*\", \"*\", \"*\"]",
                "/interfaces/0/between",
                {"got 3 items; expected 2"}}));

INSTANTIATE_TEST_SUITE_P(
    Ranges, WrongDeck,
    ::testing::Values(
        Mistake{"poisson",
                "/materials/rock/poisson",
                "0.7",
                "/materials/rock/poisson",
                {"got 0.7; expected a number in (-1, 0.5]."}},
        Mistake{"negative_radius",
                "/shapes/ball/radius",
                "-1",
                "/shapes/ball/radius",
                {"got -1; expected a number [m] > 0"}},
        Mistake{"flat_box",
                "/shapes/block/size",
                "[1, 0, 1]",
                "/shapes/block/size",
                {"expected three numbers [m] > 0"}},
        Mistake{"body_without_weight",
                "/bodies/1/mass",
                "0",
                "/bodies/1/mass",
                {"got 0; expected a number [kg] > 0"}},
        Mistake{"zero_end", "/time/end", "0", "/time/end", {"expected a number [s] > 0"}},
        Mistake{"barrier_fraction",
                "/interfaces/0/normal/barrier_fraction",
                "1",
                "/interfaces/0/normal/barrier_fraction",
                {"in (0, 1)"}},
        Mistake{"barrier_exponent",
                "/interfaces/0/normal/barrier_exponent",
                "2",
                "/interfaces/0/normal/barrier_exponent",
                {"<= -1"}},
        Mistake{
            "exponent", "/interfaces/0/normal/exponent", "0.5", "/interfaces/0/normal/exponent", {">= 1"}},
        Mistake{"negative_friction",
                "/interfaces/0/friction/static",
                "-0.1",
                "/interfaces/0/friction/static",
                {">= 0"}},
        Mistake{"negative_every",
                "/output/vtk/every",
                "-1",
                "/output/vtk/every",
                {"got -1; expected a number [s] >= 0"}},
        Mistake{"gamma", "/integrator/gamma", "0.4", "/integrator/gamma", {"in [0.5, 1]"}},
        Mistake{"resolution",
                "/time/step",
                R"({"initial": 1e-4, "min": 1e-6, "max": 1e-3, "resolution": 30})",
                "/time/step/resolution",
                {"got 30; expected a number in (0, 20]"}},
        Mistake{"newton",
                "/solver/newton",
                R"({"max_iterations": 0})",
                "/solver/newton/max_iterations",
                {"in [1, 1000]"}}));

INSTANTIATE_TEST_SUITE_P(
    Names, WrongDeck,
    ::testing::Values(Mistake{"shape",
                              "/bodies/0/shape",
                              "\"bal\"",
                              "/bodies/0/shape",
                              {"unknown shape \"bal\". Did you mean \"ball\"?"}},
                      Mistake{"shape_far",
                              "/bodies/0/shape",
                              "\"pyramid\"",
                              "/bodies/0/shape",
                              {"unknown shape \"pyramid\". Valid: ", "\"block\""}},
                      Mistake{"material",
                              "/boundaries/0/material",
                              "\"rok\"",
                              "/boundaries/0/material",
                              {"unknown material \"rok\". Did you mean \"rock\"?"}},
                      Mistake{"material_of_interface",
                              "/interfaces/0/between",
                              "[\"rock\", \"stone\"]",
                              "/interfaces/0/between/1",
                              {"unknown material \"stone\""}},
                      Mistake{"body_of_load",
                              "/loads/0/body",
                              "\"b2\"",
                              "/loads/0/body",
                              {"unknown body \"b2\". Did you mean \"b1\"?"}},
                      Mistake{"number_of_body_as_text",
                              "/loads/0/body",
                              "\"1\"",
                              "/loads/0/body",
                              {"unknown body \"1\". Numbers are written without quotes; valid: 0 to "}},
                      Mistake{"number_of_body",
                              "/loads/0/body",
                              "17",
                              "/loads/0/body",
                              {"body 17 does not exist; valid: 0 to 4"}},
                      Mistake{"boundary_of_history",
                              "/output/histories/2/boundary",
                              "\"flor\"",
                              "/output/histories/2/boundary",
                              {"unknown boundary \"flor\". Did you mean \"floor\"?"}},
                      Mistake{"column",
                              "/output/histories/0/columns",
                              R"(["time", "kinetic_enery"])",
                              "/output/histories/0/columns/1",
                              {"unknown column \"kinetic_enery\". Did you mean \"kinetic_energy\"?"}},
                      Mistake{"column_of_a_body",
                              "/output/histories/0/columns",
                              R"(["qw"])",
                              "/output/histories/0/columns/0",
                              {"unknown column \"qw\""}},
                      Mistake{"shape_type",
                              "/shapes/ball/type",
                              "\"spheer\"",
                              "/shapes/ball/type",
                              {"got \"spheer\"; expected one of", "Did you mean \"sphere\"?"}},
                      Mistake{"law",
                              "/interfaces/0/normal/law",
                              "\"barier\"",
                              "/interfaces/0/normal/law",
                              {"Did you mean \"barrier\"?"}},
                      Mistake{"side",
                              "/boundaries/1/open",
                              "[\"z\"]",
                              "/boundaries/1/open/0",
                              {"got \"z\"; expected one of", "\"+z\""}},
                      Mistake{"direction",
                              "/bodies/0/fixed",
                              "[\"rw\"]",
                              "/bodies/0/fixed/0",
                              {"got \"rw\"; expected one of", "\"rx\""}},
                      Mistake{"units", "/units", "\"mm\"", "/units", {"got \"mm\"; expected \"SI\""}},
                      Mistake{"two_bodies_of_a_name",
                              "/bodies/1/name",
                              "\"b1\"",
                              "/bodies/1",
                              {"duplicate body name \"b1\" (first defined at /bodies/0)"}},
                      Mistake{"two_boundaries_of_a_name",
                              "/boundaries/1/name",
                              "\"floor\"",
                              "/boundaries/1",
                              {"duplicate boundary name \"floor\""}},
                      Mistake{"number_as_name",
                              "/bodies/1/name",
                              "\"7\"",
                              "/bodies/1/name",
                              {"expected a name that is not a number"}},
                      Mistake{"number_as_name_of_a_boundary",
                              "/boundaries/1/name",
                              "\"7\"",
                              "/boundaries/1/name",
                              {"expected a name that is not a number"}},
                      Mistake{"body_and_boundary_of_a_name",
                              "/bodies/1/name",
                              "\"walls\"",
                              "/bodies/1",
                              {"\"walls\" is the name of this body and of the boundary /boundaries/1"}}));

TEST(DeckErrors, TheGoodDeckIsGood) {
  const Folder folder;
  EXPECT_EQ(complaints(folder, good_deck().dump()), "");
}

TEST(DeckErrors, SyntaxErrorsHaveLineAndColumn) {
  const Folder folder;
  EXPECT_THAT(complaints(folder, "{\n  \"time\": {\"end\": 1,}\n}"),
              HasSubstr("deck.json:2:21: syntax error"));
  EXPECT_THAT(complaints(folder, "{\"time\": 1"), HasSubstr("deck.json:1:11: syntax error"));
  EXPECT_THAT(complaints(folder, ""), HasSubstr("deck.json:1:1: syntax error"));
  EXPECT_THAT(complaints(folder, "[1, 2]"), HasSubstr("deck.json: got [1, 2]; expected an object"));
}

TEST(DeckErrors, KeysAreThereOnce) {
  const Folder folder;
  std::string text = good_deck().dump();
  text.insert(1, "\"title\": \"first\", ");
  EXPECT_THAT(complaints(folder, text), HasSubstr("/title: duplicate key \"title\"."));
}

TEST(DeckErrors, CommentsAreAllowed) {
  const Folder folder;
  EXPECT_EQ(complaints(folder, "// first\n/* and */" + good_deck().dump(2) + "// last"), "");
}

TEST(DeckErrors, AllAreToldAtOnce) {
  json deck = good_deck();
  deck["materials"]["rock"]["poisson"] = 0.7;
  deck["bodies"][0]["shape"] = "bal";
  deck["interfaces"][0]["normal"]["stifness"] = 1;
  deck["loads"][0]["body"] = "b7";
  const Folder folder;
  try {
    test::read(folder, deck);
    FAIL() << "the deck was taken";
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics().size(), 4u) << error.what();
    EXPECT_THAT(report(error), HasSubstr("4 errors; nothing was run.\n"));
  }
}

TEST(DeckErrors, WarningsAndNotesOfMeshesComeBeforeThem) {
  json deck = good_deck();
  deck["shapes"]["tet"] = {{"type", "polyhedron"}, {"file", "tet.obj"}};
  deck["materials"]["rock"]["poisson"] = 0.7;
  const Folder folder;
  folder.write("tet.obj", "v 0 0 0\nv 20 0 0\nv 0 20 0\nv 0 0 20\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  std::string all;
  try {
    test::read(folder, deck);
  } catch (const InputError& error) {
    all = report(error);
  }
  const std::size_t note = all.find("note: tet: tet.obj, 4 triangles"), warning = all.find("warning: "),
                    error = all.find("/materials/rock/poisson: got 0.7");
  EXPECT_LT(note, warning) << all;
  EXPECT_LT(warning, error) << all;
  EXPECT_NE(error, std::string::npos) << all;
  EXPECT_THAT(all, HasSubstr("1 error; nothing was run.\n"));
}

TEST(DeckErrors, ABodyWithoutItsShapeIsNotBehindAWall) {
  json deck = good_deck();
  deck["shapes"]["tet"]["faces"] = json::parse("[[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]");
  deck["bodies"][1]["shape"] = "tet";
  deck["bodies"][1]["position"] = {0.5, 0, -1};
  const Folder folder;
  const std::string all = complaints(folder, deck.dump());
  EXPECT_THAT(all, HasSubstr("inverted orientation"));
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 0) << all;
}

TEST(DeckErrors, MissingDeck) { EXPECT_THROW(read_deck("no_such_deck.json"), InputError); }

}  // namespace
}  // namespace scree
