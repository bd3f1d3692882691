#include "io/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "io/deck/input_file.hpp"
#include "io/deck/schema.hpp"

namespace scree {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(CommandLine, RunTakesDeckFolderAndOptionsForPetsc) {
  const Command c =
      parse_command_line({"run", "a.json", "--output", "there", "--", "-ksp_monitor", "-x", "run"});
  EXPECT_EQ(c.kind, Command::Kind::run);
  EXPECT_EQ(c.deck, "a.json");
  EXPECT_EQ(c.output, "there");
  EXPECT_THAT(c.petsc_options, ElementsAre("-ksp_monitor", "-x", "run"));
  EXPECT_FALSE(c.strict);
  EXPECT_TRUE(parse_command_line({"run", "--strict", "a.json"}).strict);
}

TEST(CommandLine, RunMayEndBeforeItsTime) {
  EXPECT_EQ(parse_command_line({"run", "a.json", "--end", "0.25"}).end, 0.25);
  EXPECT_EQ(parse_command_line({"run", "a.json"}).end, std::nullopt);
  EXPECT_THROW(parse_command_line({"run", "a.json", "--end", "soon"}), InputError);
  EXPECT_EQ(parse_command_line({"check", "a.json", "--end", "1"}).end, 1);
}

TEST(CommandLine, CheckSchemaVersionAndHelp) {
  EXPECT_EQ(parse_command_line({"check", "a.json"}).kind, Command::Kind::check);
  EXPECT_EQ(parse_command_line({"schema"}).text, json_schema());
  EXPECT_EQ(parse_command_line({"schema", "--markdown"}).text, input_reference());
  EXPECT_EQ(parse_command_line({"--version"}).text, std::string("scree ") + kVersion + "\n");
  EXPECT_THAT(parse_command_line({"--help"}).text, HasSubstr("check"));
  EXPECT_THAT(parse_command_line({"run", "--help"}).text, HasSubstr("--output"));
}

TEST(CommandLine, VersionIsThatOfTheBuild) {
  const auto cmake = read_text_file(SCREE_SOURCE_DIR "/CMakeLists.txt", "CMakeLists.txt");
  EXPECT_THAT(cmake, HasSubstr(std::string("project(scree VERSION ") + kVersion));
}

TEST(CommandLine, ResumeTakesAFolderAndAnEnd) {
  const Command command =
      parse_command_line({"resume", "results/hopper", "--end", "5", "--", "-ksp_monitor"});
  EXPECT_EQ(command.kind, Command::Kind::resume);
  EXPECT_EQ(command.deck, "results/hopper");
  EXPECT_EQ(command.end, 5.0);
  EXPECT_EQ(command.petsc_options, (std::vector<std::string>{"-ksp_monitor"}));
  EXPECT_THAT(parse_command_line({"resume", "--help"}).text, HasSubstr("scree resume"));
}

std::string complaint_of_command(const std::vector<std::string>& arguments) {
  try {
    parse_command_line(arguments);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(CommandLine, GivesAnOptionForPetscOnce) {
  EXPECT_THAT(complaint_of_command({"run", "a.json", "--", "-ksp_type", "cg", "-ksp_type", "gmres"}),
              HasSubstr("command line: duplicate option: \"-ksp_type gmres\" after \"-ksp_type cg\""));
}

TEST(CommandLine, WhatIsNotExpectedIsShownInItsOrder) {
  EXPECT_THAT(complaint_of_command({"resume", "results", "--output", "other"}),
              HasSubstr("not expected: --output other."));
  EXPECT_THAT(complaint_of_command({"run", "a.json", "b.json", "c.json"}),
              HasSubstr("not expected: b.json c.json."));
}

TEST(CommandLine, MistakesAreInputErrors) {
  EXPECT_THAT(complaint_of_command({}), HasSubstr("subcommand is required"));
  EXPECT_THAT(complaint_of_command({"rum", "a.json"}),
              HasSubstr("unknown command \"rum\". Did you mean \"run\"?"));
  EXPECT_THAT(complaint_of_command({"run"}), HasSubstr("deck is required"));
  EXPECT_THAT(complaint_of_command({"run", "a.json", "-ksp_monitor"}),
              HasSubstr("options for PETSc follow after \"--\""));
  EXPECT_THAT(complaint_of_command({"run", "a.json", "b.json"}), HasSubstr("b.json"));
  EXPECT_THAT(complaint_of_command({"schema", "--output", "x"}), HasSubstr("--output"));
  EXPECT_THAT(complaint_of_command({"run", "a.json", "--", "ksp_monitor"}),
              HasSubstr("command line: \"ksp_monitor\" does not belong to an option"));
  EXPECT_THAT(complaint_of_command({"check", "a.json", "--", "-log_view", ":a.json"}),
              HasSubstr("command line: \"-log_view :a.json\" would write or load a file"));
  for (const char* command : {"run", "check"})
    EXPECT_THAT(complaint_of_command({command, "a.json", "--output", ""}),
                HasSubstr("--output: got \"\"; expected"));
}

}  // namespace
}  // namespace scree
