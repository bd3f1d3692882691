/// What a run may do to a folder that is there: looked at without a run.
#include "io/output/results_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "io/deck/deck_fixture.hpp"
#include "io/output/output_names.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;
using test::Folder;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class InspectFolder : public ::testing::Test {
 protected:
  InspectFolder() {
    fs::create_directory(results_);
    model_.deck_file = root_.write("deck.json", "{}").string();
    model_.files_read = {model_.deck_file};
    model_.output.directory = results_.string();
    model_.output.histories.resize(1);
    model_.output.histories[0].file = "energy.csv";
    model_.output.final_state = "final.csv";
  }

  /// A file in the results folder.
  void put(const std::string& name) const {
    fs::create_directories((results_ / name).parent_path());
    std::ofstream(results_ / name) << "1234567890";
  }
  /// Lists files as those of an earlier run.
  void list(const std::vector<std::string>& files, const std::string& deck = "") const {
    const ResultsList list(results_, {{deck.empty() ? deck_identity(model_.deck_file) : deck, files, {}}});
  }
  [[nodiscard]] std::string faults() const {
    std::string all;
    for (const Diagnostic& one : inspect_folder(model_).faults) all += one.where + ": " + one.message + '\n';
    return all;
  }

  Folder root_;
  const fs::path results_ = root_.path() / "results";
  Model model_;
};

TEST_F(InspectFolder, AFolderThatIsNotThereOrEmptyIsFine) {
  EXPECT_EQ(faults(), "");
  model_.output.directory = (results_ / "a/b").string();
  EXPECT_EQ(faults(), "");
  EXPECT_TRUE(fs::is_empty(results_));
}

TEST_F(InspectFolder, ListedFilesAreReplacedAndOthersLeftAlone) {
  for (const char* name : {"energy.csv", "report.json", "old.csv", "notes.txt", "final.csv.scree-tmp"})
    put(name);
  list({"report.json", "energy.csv", "old.csv", "final.csv", "gone.csv"});
  const FolderContent content = inspect_folder(model_);
  EXPECT_THAT(content.faults, IsEmpty());
  EXPECT_THAT(content.replaced, ElementsAre("energy.csv", "final.csv.scree-tmp", "old.csv", "report.json"));
  EXPECT_THAT(content.untouched, ElementsAre("notes.txt"));
  EXPECT_EQ(content.replaced_bytes, 40u);
  EXPECT_THAT(content.kept, IsEmpty());
}

TEST_F(InspectFolder, OfAnotherDeckOnlyWhatTheRunWritesIsReplaced) {
  for (const char* name : {"energy.csv", "report.json", "theirs.csv"}) put(name);
  list({"report.json", "energy.csv", "theirs.csv"}, "/other/deck.json");
  const FolderContent content = inspect_folder(model_);
  EXPECT_THAT(content.faults, IsEmpty());
  EXPECT_THAT(content.replaced, ElementsAre("energy.csv", "report.json"));
  EXPECT_THAT(content.untouched, ElementsAre("theirs.csv"));
  ASSERT_EQ(content.kept.size(), 1u);
  EXPECT_EQ(content.kept[0].deck, "/other/deck.json");
  EXPECT_THAT(content.kept[0].files, ElementsAre("theirs.csv"));
}

TEST_F(InspectFolder, FilesThatNoRunHasListedRefuseTheRun) {
  put("energy.csv");
  put("final.csv");
  EXPECT_THAT(
      faults(),
      AllOf(HasSubstr("/output/directory: "), HasSubstr("contains 2 files with names of this run's output"),
            HasSubstr("\"energy.csv\", \"final.csv\". Only files of earlier runs are replaced")));
  list({"energy.csv"});
  EXPECT_THAT(faults(), AllOf(HasSubstr("contains 1 file "), HasSubstr("\"final.csv\".")));
}

TEST_F(InspectFolder, SoDoNumberedFilesOfAnyNumberAndIncompleteOnes) {
  for (const char* name : {"contacts.000123.csv", "vtk/bodies_000007_3.vtp", "vtk/contacts_1000000.pvtp",
                           "vtk/mine.vtp", "contacts.mine.csv", "energy.csv.scree-tmp"})
    put(name);
  EXPECT_THAT(faults(), AllOf(HasSubstr("contains 1 file "), HasSubstr("\"energy.csv.scree-tmp\"")));
  fs::remove(results_ / "energy.csv.scree-tmp");
  EXPECT_EQ(faults(), "");  // the deck requests neither contacts nor vtk
  model_.output.contacts_every = model_.output.vtk_every = 0;
  EXPECT_THAT(faults(),
              AllOf(HasSubstr("contains 3 files "), HasSubstr("\"contacts.000123.csv\""),
                    HasSubstr("\"vtk/bodies_000007_3.vtp\""), HasSubstr("\"vtk/contacts_1000000.pvtp\"")));
}

TEST_F(InspectFolder, WhatTheDeckReadsIsNotWritten) {
  put("start.csv");
  model_.files_read.push_back((results_ / "../results/start.csv").string());
  EXPECT_EQ(faults(), "");
  model_.output.final_state = "start.csv";
  EXPECT_THAT(faults(), HasSubstr("/output/final_state: the deck reads \""));
  list({"start.csv"});  // nor if a run has written it
  EXPECT_THAT(faults(), HasSubstr("which is the output file"));
}

TEST_F(InspectFolder, NorThroughALinkThatTheDeckReads) {
  put("energy.csv");
  list({"energy.csv"});
  fs::create_symlink(results_ / "energy.csv", root_.path() / "start.csv");
  model_.files_read.push_back((root_.path() / "start.csv").string());
  EXPECT_THAT(faults(), HasSubstr("which is the output file"));
}

TEST_F(InspectFolder, AStateOfAnEarlierRunThatTheDeckStartsFromStays) {
  put("filled.csv");
  list({"filled.csv"});
  model_.files_read.push_back((results_ / "filled.csv").string());
  const FolderContent content = inspect_folder(model_);
  EXPECT_THAT(content.faults, IsEmpty());
  EXPECT_THAT(content.replaced, IsEmpty());
  ASSERT_EQ(content.kept.size(), 1u);
  EXPECT_THAT(content.kept[0].files, ElementsAre("filled.csv"));
}

TEST_F(InspectFolder, TheDeckIsSafeInItsOwnFolder) {
  model_.output.directory = root_.path().string();
  EXPECT_EQ(faults(), "");
  model_.output.histories[0].file = "deck.json";
  EXPECT_THAT(faults(), HasSubstr("/output/histories/0/file: the deck reads \""));
}

TEST_F(InspectFolder, LinksBelowTheFolderAreRefused) {
  const Folder elsewhere;
  fs::create_directory_symlink(elsewhere.path(), results_ / "sub");
  model_.output.histories[0].file = "sub/energy.csv";
  EXPECT_THAT(faults(),
              AllOf(HasSubstr("/output/histories/0/file: \""), HasSubstr("/sub\" is a symbolic link; ")));
  model_.output.histories[0].file = "energy.csv";
  fs::create_symlink(elsewhere.path() / "victim.csv", results_ / "energy.csv");  // dangling
  EXPECT_THAT(faults(), HasSubstr("energy.csv\" is a symbolic link; output does not follow links"));
  list({"energy.csv"});
  EXPECT_THAT(faults(), HasSubstr("energy.csv\" is a symbolic link; output does not follow links"));
  fs::remove(results_ / "energy.csv");
  model_.output.vtk_every = 0;
  fs::create_directory_symlink(elsewhere.path(), results_ / "vtk");
  EXPECT_THAT(faults(), AllOf(HasSubstr("/output/vtk: \""), HasSubstr("/vtk\" is a symbolic link; ")));
}

TEST_F(InspectFolder, AListDoesNotReachThroughLinks) {
  const Folder elsewhere;
  const fs::path victim = elsewhere.write("victim.csv", "mine");
  fs::create_directory_symlink(elsewhere.path(), results_ / "sub");
  fs::create_symlink(victim, results_ / "old.csv");
  list({"sub/victim.csv", "old.csv"});
  const FolderContent content = inspect_folder(model_);
  EXPECT_THAT(content.replaced, IsEmpty());
  EXPECT_THAT(content.untouched, ElementsAre("old.csv", "sub"));
}

TEST_F(InspectFolder, TheFolderItselfMayBeALink) {
  fs::create_directory_symlink(results_, root_.path() / "link");
  model_.output.directory = (root_.path() / "link").string();
  put("energy.csv");
  list({"energy.csv"});
  EXPECT_EQ(faults(), "");
  EXPECT_THAT(inspect_folder(model_).replaced, ElementsAre("energy.csv"));
}

TEST_F(InspectFolder, FoldersAndFilesDoNotTakeEachOthersPlace) {
  fs::create_directory(results_ / "energy.csv");
  EXPECT_THAT(faults(), HasSubstr("/output/histories/0/file: \"" + (results_ / "energy.csv").string() +
                                  "\" is a directory; expected a file name"));
  fs::remove(results_ / "energy.csv");
  put("sub");
  model_.output.histories[0].file = "sub/energy.csv";
  EXPECT_THAT(faults(), HasSubstr("/sub\" is a file; expected a directory"));
}

TEST_F(InspectFolder, ADamagedListRefusesTheRun) {
  root_.write("results/scree_files.txt", "file ../../victim.csv\n");
  EXPECT_THAT(faults(), AllOf(HasSubstr("/output/directory: "), HasSubstr("not written by Scree")));
}

TEST_F(InspectFolder, ARunUnderWayRefusesAnother) {
  const ResultsList running(results_, {});
  EXPECT_THAT(faults(), HasSubstr("another run is writing to"));
}

TEST_F(InspectFolder, ANameThatIsTooLongOrNoFolderIsRefused) {
  const std::string above(200, 'a');
  std::string deep = root_.path().string();
  while (deep.size() < 4080) deep += "/" + above;
  model_.output.directory = deep;
  EXPECT_THAT(faults(), HasSubstr("bytes; expected less than"));
  for (const char* below : {"", "/deeper"}) {
    model_.output.directory = (root_.path() / std::string(300, 'a')).string() + below;
    EXPECT_THAT(faults(), HasSubstr("cannot be created (File name too long); expected a directory that"));
  }
  if (fs::exists("/sys/kernel")) {
    model_.output.directory = "/sys/kernel/results";
    EXPECT_THAT(faults(), HasSubstr("cannot be created ("));
  }
  model_.output.directory = model_.deck_file + "/results";
  EXPECT_THAT(faults(), HasSubstr("cannot be created (Not a directory)"));
  model_.output.directory = model_.deck_file;
  EXPECT_THAT(faults(), HasSubstr("(Not a directory)"));
  model_.output.directory = "";
  EXPECT_THAT(faults(), HasSubstr("got \"\"; expected the name of a folder"));
}

TEST_F(InspectFolder, ATraceDoesNotReplaceOtherFiles) {
  ::setenv("SCREE_TRACE", (root_.path() / "trace").c_str(), 1);
  EXPECT_NO_THROW(check_output(model_, 2));
  root_.write("trace.1", "not a trace");
  EXPECT_NO_THROW(check_output(model_, 1));
  EXPECT_THROW(check_output(model_, 2), InputError);
  fs::remove(root_.path() / "trace.1");
  model_.inlets.resize(1);
  EXPECT_THROW(check_output(model_, 1), InputError);
  model_.inlets.clear();
  model_.output.histories[0].file = "trace.0";
  model_.output.directory = root_.path().string();
  EXPECT_THROW(check_output(model_, 1), InputError);
  ::unsetenv("SCREE_TRACE");
  EXPECT_NO_THROW(check_output(model_, 1));
}

TEST_F(InspectFolder, TheCheckSaysWhatIsReplacedAndWhatIsLeftAlone) {
  for (const char* name : {"energy.csv", "notes.txt"}) put(name);
  list({"energy.csv"});
  const OutputCheck check = check_output(model_, 1);
  EXPECT_THAT(check.notes,
              ::testing::Contains(HasSubstr("1 file of an earlier run in \"" + results_.string() +
                                            "\" is replaced: \"energy.csv\"")));
  EXPECT_THAT(check.notes, ::testing::Contains(HasSubstr("1 other entry in \"" + results_.string() +
                                                         "\" is kept: \"notes.txt\"")));
  EXPECT_TRUE(fs::exists(results_ / "energy.csv"));
}

}  // namespace
}  // namespace scree
