/// Wrong names of output files, each with its message.
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

class WrongOutput : public ::testing::TestWithParam<Mistake> {};

TEST_P(WrongOutput, IsRefusedWithItsMessage) { expect_refused(GetParam()); }

constexpr const char* kFinal = "/output/final_state";
constexpr const char* kHistory = "/output/histories/1/file";

INSTANTIATE_TEST_SUITE_P(
    Names, WrongOutput,
    ::testing::Values(
        Mistake{"above",
                kFinal,
                "\"../../victim.csv\"",
                kFinal,
                {"got \"../../victim.csv\"; expected a name below"}},
        Mistake{"above_in_the_middle", kHistory, "\"x/../b1.csv\"", kHistory, {"without \"..\""}},
        Mistake{"absolute",
                kHistory,
                "\"/tmp/b1.csv\"",
                kHistory,
                {"relative to output/directory, not an absolute"}},
        Mistake{"empty", kHistory, "\"\"", kHistory, {"got \"\"; expected the name of a file"}},
        Mistake{"folder", kHistory, "\"sub/\"", kHistory, {"expected the name of a file, not of a folder"}},
        Mistake{"null_character",
                kHistory,
                "\"a\\u0000.csv\"",
                kHistory,
                {"got \"a\\u0000.csv\"; expected a name without control"}},
        Mistake{
            "line_break", kHistory, "\"a\\n.csv\"", kHistory, {"expected a name without control characters"}},
        Mistake{"report",
                kHistory,
                "\"report.json\"",
                kHistory,
                {"the program itself writes \"report.json\" there"}},
        Mistake{"last_state",
                kFinal,
                "\"./last_state.csv\"",
                kFinal,
                {"the program itself writes \"last_state.csv\""}},
        Mistake{
            "list", kFinal, "\"scree_files.txt\"", kFinal, {"the program itself writes \"scree_files.txt\""}},
        Mistake{"series", kFinal, "\"bodies.pvd\"", kFinal, {"the program itself writes \"bodies.pvd\""}},
        Mistake{"frame",
                kFinal,
                "\"vtk/bodies_000012_0.vtp\"",
                kFinal,
                {"the program itself writes \"vtk/bodies_000012_0.vtp\""}},
        Mistake{"folder_of_frames", kFinal, "\"vtk\"", kFinal, {"the program itself writes \"vtk\""}},
        Mistake{"contact_file", kHistory, "\"contacts.000000.csv\"", kHistory, {"the program itself writes"}},
        Mistake{"below_the_report",
                kHistory,
                "\"report.json/b1.csv\"",
                kHistory,
                {"the program itself writes \"report.json\""}},
        Mistake{"incomplete",
                kHistory,
                "\"energy.csv.scree-tmp\"",
                kHistory,
                {"marks files that are not complete"}},
        Mistake{"same_after_all",
                kHistory,
                "\"./final.csv\"",
                kHistory,
                {"output file \"./final.csv\" is already used by /output/final_state"}},
        Mistake{"file_as_folder",
                kHistory,
                "\"final.csv/b1.csv\"",
                kHistory,
                {"\"final.csv\" (/output/final_state) cannot both be files"}},
        Mistake{"directory_with_null",
                "/output/directory",
                "\"a\\u0000b\"",
                "/output/directory",
                {"expected a name without control characters"}},
        Mistake{"no_directory",
                "/output/directory",
                "\"\"",
                "/output/directory",
                {"got \"\"; expected the name of a folder"}},
        Mistake{"states",
                "/output/states",
                R"({"every": 0.1})",
                "/output/states",
                {"\"states\" is not available in this version; available: ", "\"checkpoint\""}}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(WrongOutput, AnUnknownAnalysisRulesOutNoColumn) {
  json deck = good_deck();
  deck["analysis"] = "dynamc";
  deck["output"]["histories"][0]["columns"] = {"time", "complementarity"};
  const std::string all = complaints(Folder(), deck.dump());
  EXPECT_THAT(all, ::testing::HasSubstr("/analysis: got \"dynamc\""));
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 0) << all;
}

TEST(WrongOutput, AColumnOfLoadStepsIsANoteWithoutThem) {
  json deck = good_deck();
  deck["output"]["histories"][0] = {{"file", "energy.csv"}, {"columns", {"time", "proximal_steps"}}};
  const Folder folder;
  const std::vector<std::string> notes = read_deck(folder.write("deck.json", deck.dump())).model.notes;
  EXPECT_THAT(notes, ::testing::Contains(::testing::HasSubstr(
                         "/output/histories/0/columns/1: the column \"proximal_steps\" is 0")));
}

TEST(WrongOutput, NamesAreKeptAsTheSystemSeesThem) {
  json deck = good_deck();
  deck["output"]["histories"][0]["file"] = "./sub//energy.csv";
  const Folder folder;
  EXPECT_EQ(read_deck(folder.write("deck.json", deck.dump())).model.output.histories[0].file,
            "sub/energy.csv");
}

TEST(WrongOutput, TheModelKnowsAllFilesThatTheDeckReads) {
  json deck = good_deck();
  const Folder folder;
  folder.write("start.csv", "x,y,z\n0.8,0.8,0.3\n");
  folder.write("shake.csv", "time,x,y,z\n0,0,0,0\n1,0,0,0\n");
  folder.write(
      "tet.stl",
      "solid t\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendloop\nendfacet\n"
      "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet\n"
      "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nvertex 0 1 0\nendloop\nendfacet\n"
      "facet normal 0 0 0\nouter loop\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\nendloop\nendfacet\nendsolid "
      "t\n");
  deck["shapes"]["tet"] = {{"type", "polyhedron"}, {"file", "tet.stl"}, {"scale", 0.1}};
  deck["bodies"].push_back({{"shape", "ball"}, {"material", "rock"}, {"file", "start.csv"}});
  deck["boundaries"][1].erase("active");
  deck["boundaries"][1]["motion"] = {{"table", "shake.csv"}};
  const auto file = folder.write("deck.json", deck.dump());
  const auto at = [&](const char* name) { return (folder.path() / name).string(); };
  EXPECT_THAT(
      read_deck(file).model.files_read,
      ::testing::UnorderedElementsAre(at("deck.json"), at("tet.stl"), at("start.csv"), at("shake.csv")));
}

}  // namespace
}  // namespace scree
