#include "io/output/results_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "core/error.hpp"
#include "io/output/fabricated_run.hpp"
#include "io/output/output_names.hpp"
#include "io/output/output_volume.hpp"

namespace scree {
namespace {

/// @returns the diagnostic of the check; fails the test without one.
Diagnostic refusal(const Model& model) {
  try {
    probe_results_folder(model, MPI_COMM_WORLD);
  } catch (const InputError& error) {
    return error.diagnostics().at(0);
  }
  ADD_FAILURE() << "not refused on rank " << rank_of(MPI_COMM_WORLD);
  return {};
}

using ProbeResultsFolder = FabricatedRun;
using ResultsFolderTest = FabricatedRun;

TEST_F(ProbeResultsFolder, LeavesNothingBehind) {
  model_.output.directory = (folder_ / "a/b").string();
  model_.output.final_state = "c/final.csv";
  model_.output.vtk_every = 0;
  probe_results_folder(model_, kComm);
  MPI_Barrier(kComm);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(ProbeResultsFolder, LeavesFoldersThatWereThere) {
  model_.output.final_state = "c/final.csv";
  if (rank_of(kComm) == 0) std::filesystem::create_directory(folder_ / "c");
  MPI_Barrier(kComm);
  probe_results_folder(model_, kComm);
  MPI_Barrier(kComm);
  EXPECT_TRUE(std::filesystem::is_directory(folder_ / "c"));
}

TEST_F(ProbeResultsFolder, RefusesAFolderThatCannotBeMadeOnAllRanks) {
  model_.output.directory = "/dev/null/results";
  const Diagnostic diagnostic = refusal(model_);
  EXPECT_EQ(diagnostic.where, "/output/directory");
  EXPECT_THAT(diagnostic.message,
              testing::HasSubstr("\"/dev/null/results/\" cannot be created (Not a directory)"));
}

TEST_F(ProbeResultsFolder, RefusesAFolderThatMayNotBeWritten) {
  const uid_t user = geteuid();
  if (rank_of(kComm) == 0) {
    std::filesystem::permissions(folder_,
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    if (user == 0) {  // root may write everywhere, nobody may not
      ASSERT_EQ(seteuid(65534), 0);
    }
  }
  MPI_Barrier(kComm);
  const Diagnostic diagnostic = refusal(model_);
  ASSERT_EQ(seteuid(user), 0);
  if (rank_of(kComm) == 0) std::filesystem::permissions(folder_, std::filesystem::perms::owner_all);
  EXPECT_EQ(diagnostic.where, "/output/directory");
  EXPECT_THAT(diagnostic.message, testing::HasSubstr("Permission denied"));
}

TEST_F(ResultsFolderTest, ReplacesFilesOfAnEarlierRunAtTheFirstStateAndNotBefore) {
  model_.output.contacts_every = 0;
  model_.output.histories.resize(1);
  model_.output.histories[0].file = "sub/energy.csv";
  const auto write = [&](const char* name) { std::ofstream(folder_ / name) << "old"; };
  if (rank_of(kComm) == 0) {
    ResultsFolder earlier(model_, MPI_COMM_SELF);
    earlier.add({"contacts.000000.csv", "contacts.000017.csv"});
    std::filesystem::create_directory(folder_ / "sub");
    for (const char* name : {"sub/energy.csv", "contacts.000000.csv", "contacts.000017.csv", "last_state.csv",
                             "contacts_index.csv.scree-tmp", "mine.csv"})
      write(name);
  }
  MPI_Barrier(kComm);
  model_.output.histories.clear();
  {
    ResultsFolder results(model_, kComm);
    MPI_Barrier(kComm);
    EXPECT_TRUE(std::filesystem::exists(folder_ / "contacts.000017.csv"));
    MPI_Barrier(kComm);
    results.accepted(at(0, 0, 0));
    if (rank_of(kComm) == 0) results.add({"contacts.000000.csv"});
    MPI_Barrier(kComm);
    std::vector<std::string> left;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      left.push_back(entry.path().filename());
    EXPECT_THAT(left, testing::UnorderedElementsAre("mine.csv", kListFile,
                                                    kReserveFile));  // the empty folder is gone too
    const std::vector<ListedRun> listed = read_results_list(folder_);
    ASSERT_EQ(listed.size(), 1u);
    EXPECT_THAT(listed[0].files, testing::UnorderedElementsAre("report.json", "last_state.csv", kReserveFile,
                                                               "contacts_index.csv", "contacts.000000.csv"));
    MPI_Barrier(kComm);
  }
}

TEST_F(ResultsFolderTest, AFolderInWhichAFileOfTheUserLiesStays) {
  model_.output.final_state = "sub/final.csv";
  for (int run = 0; run < 2; ++run) {
    ResultsFolder results(model_, kComm);
    results.accepted(at(0, 0, 0));
    MPI_Barrier(kComm);
    if (rank_of(kComm) == 0 && run == 0) {
      std::filesystem::create_directory(folder_ / "sub");
      std::ofstream(folder_ / "sub/final.csv") << "old";
      std::ofstream(folder_ / "sub/mine.csv") << "mine";
    }
    MPI_Barrier(kComm);
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "sub/final.csv"));
  EXPECT_EQ(content_of(folder_ / "sub/mine.csv"), "mine");
}

TEST_F(ResultsFolderTest, AForeignFileThatAppearedSinceTheCheckEndsTheRunOnAllRanks) {
  ResultsFolder results(model_, kComm);
  if (rank_of(kComm) == 0) std::ofstream(folder_ / "report.json") << "mine";
  MPI_Barrier(kComm);
  EXPECT_THROW(results.accepted(at(0, 0, 0)), RunError);
  MPI_Barrier(kComm);
  EXPECT_EQ(content_of(folder_ / "report.json"), "mine");
  EXPECT_FALSE(std::filesystem::exists(folder_ / kListFile));
}

TEST_F(ResultsFolderTest, IsContinuedOnlyWithTheFilesThatGrowAndElseStaysAsItIs) {
  if (rank_of(kComm) == 0) {
    ResultsFolder earlier(model_, MPI_COMM_SELF);
    earlier.add({"checkpoint.000001.h5", "energy.csv", "report.json"});
    std::ofstream(folder_ / "energy.csv") << "time\n0\n";
    std::ofstream(folder_ / "report.json") << "{}";
  }
  MPI_Barrier(kComm);
  const auto complaint = [&](const char* file, long bytes) -> std::string {
    OutputCursors cursors;
    cursors.series[file].bytes = bytes;
    cursors.series[kCheckpoints].files = 2;
    ResultsFolder results(model_, kComm);
    try {
      results.continue_from(cursors);
    } catch (const InputError& error) {
      EXPECT_EQ(content_of(folder_ / "report.json"), "{}");
      MPI_Barrier(kComm);
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(
      complaint("energy.csv", 8),
      testing::HasSubstr("\"energy.csv\" has 7 bytes; at the checkpoint it had 8 bytes. Put the file"));
  EXPECT_THAT(complaint("none.csv", 8), testing::HasSubstr("\"none.csv\" is missing; at the checkpoint"));
  EXPECT_THAT(complaint(kContactFiles, 8), testing::HasSubstr("\"contacts_index.csv\" is missing"));
  EXPECT_EQ(complaint("energy.csv", 7), "");
  MPI_Barrier(kComm);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "report.json"));
}

TEST_F(ResultsFolderTest, KeepsRoomForTheLastStateAndTheReport) {
  const std::filesystem::path reserve = folder_ / kReserveFile;
  const auto size = [&] {
    MPI_Barrier(kComm);
    const auto bytes =
        static_cast<double>(std::filesystem::exists(reserve) ? std::filesystem::file_size(reserve) : 0);
    MPI_Barrier(kComm);
    return bytes;
  };
  for (const bool fails : {false, true}) {
    population_.bodies = 1000;
    ResultsFolder results(model_, kComm);
    results.accepted(at(0, 0, 0));
    EXPECT_EQ(size(), last_state_bytes(1000));
    population_.bodies = 2000;
    results.accepted(at(0.5, 0.1, 5));
    EXPECT_EQ(size(), last_state_bytes(2000));
    if (fails) {
      EXPECT_EQ(results.rescue(at(0.5, 0.1, 5)), "");
    } else {
      results.accepted(at(1, 0.1, 10, true));
    }
    EXPECT_EQ(size(), last_state_bytes(0));  // for the report
    results.finished(RunReport{});
    EXPECT_EQ(size(), 0);
    results.accepted(at(0.5, 0.1, 5));  // left by a run that was killed, or threw
  }
  EXPECT_EQ(size(), 0);
}

TEST_F(ResultsFolderTest, ADiskOnWhichTheLastStateWouldNotFitEndsTheRunBeforeItsEnd) {
  ResultsFolder results(model_, kComm);
  population_.bodies = 1'000'000'000'000'000;
  results.accepted(at(1, 0.1, 10, true));  // the last state is written, or says itself that it cannot be
  try {
    results.accepted(at(0.5, 0.1, 5));
    FAIL() << "no error on rank " << rank_of(kComm);
  } catch (const RunError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("is nearly full: "),
                                             testing::HasSubstr("the last state require 1.8e+05 TB")));
  }
}

}  // namespace
}  // namespace scree
