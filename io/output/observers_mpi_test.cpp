#include "io/output/observers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "core/error.hpp"
#include "io/output/fabricated_run.hpp"
#include "io/output/run_log.hpp"

namespace scree {
namespace {

using MakeObservers = FabricatedRun;
using RunLogWarnings = FabricatedRun;

TEST_F(MakeObservers, WriteAllThatTheDeckAsksForAndNothingBeforeTheFirstState) {
  deal_bodies(6);
  model_.output.histories = {{"energy.csv", HistoryDescription::Subject::system, -1, -1, 0, {"time"}}};
  model_.output.vtk_every = 0.5;
  model_.output.contacts_every = 0.5;
  model_.output.final_state = "final.csv";
  RunReport report;
  report.steps = 2;
  report.time = 1;
  testing::internal::CaptureStdout();
  {
    const auto observers = make_observers(model_, kComm);
    cut_model();
    MPI_Barrier(kComm);
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
    MPI_Barrier(kComm);
    for (const auto& observer : observers) observer->accepted(at(0, 0, 0));
    for (const auto& observer : observers) observer->accepted(at(1, 0.5, 2, true));
    for (const auto& observer : observers) observer->finished(report);
  }
  const std::string said = testing::internal::GetCapturedStdout();
  MPI_Barrier(kComm);
  for (const char* file : {"energy.csv", "bodies.pvd", "contacts.pvd", "boundaries.pvd", "contacts_index.csv",
                           "contacts.000001.csv", "final.csv", "report.json"}) {
    EXPECT_TRUE(std::filesystem::exists(folder_ / file)) << file;
  }
  EXPECT_EQ(nlohmann::json::parse(content_of(folder_ / "report.json"))["ranks"], ranks_of(kComm));
  EXPECT_EQ(nlohmann::json::parse(content_of(folder_ / "report.json"))["bodies"], 6);
  if (rank_of(kComm) == 0) {
    EXPECT_THAT(said, testing::StartsWith("Scree: a fabricated run\n"));
    EXPECT_THAT(said, testing::HasSubstr("6 (2 x block, 2 x ball, 2 x rod)"));
    EXPECT_THAT(said, testing::HasSubstr("t = 1 s (100.0 %)"));
    EXPECT_THAT(said, testing::HasSubstr("Completed: end time reached at t = 1 s"));
  } else {
    EXPECT_EQ(said, "");
  }
}

TEST_F(MakeObservers, ARunWithoutAStateLeavesTheReportOfAnotherAsItIs) {
  deal_bodies(3);
  testing::internal::CaptureStdout();
  RunLog(model_, kComm, Screen{}).finished(RunReport{});
  testing::internal::GetCapturedStdout();
  MPI_Barrier(kComm);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "report.json"));
}

TEST_F(MakeObservers, ADeckThatAsksForNothingLeavesOnlyTheReportAndTheList) {
  deal_bodies(3);
  testing::internal::CaptureStdout();
  for (const auto& observer : make_observers(model_, kComm)) {
    observer->accepted(at(0, 0, 0));
    observer->accepted(at(1, 1, 1, true));
    observer->finished(RunReport{});
  }
  testing::internal::GetCapturedStdout();
  MPI_Barrier(kComm);
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    files.push_back(entry.path().filename());
  EXPECT_THAT(files, testing::UnorderedElementsAre("report.json", kListFile));
}

TEST_F(RunLogWarnings, AWarningIsPrintedOnceWhenItIsRaised) {
  deal_bodies(3);
  model_.warnings = {{"deck", "box.json", "printed when the deck was read", 0}};
  for (const int width : {0, 80}) {
    std::ostringstream out;
    std::ostringstream err;
    RunLog log(model_, kComm, Screen{&out, width, [] { return 0.0; }, &err});
    Warnings warnings(model_.warnings);
    state_.warnings = &warnings.all();
    log.accepted(at(0, 0, 0));
    EXPECT_EQ(err.str(), "");
    warnings.raise({"a", "here", "raised in the run", 1});
    log.accepted(at(0.5, 0.5, 1));
    log.accepted(at(0.75, 0.25, 2));
    EXPECT_EQ(err.str(), "warning: here: raised in the run\n");
    warnings.raise({"a", "here", "final numbers", 2});
    log.accepted(at(1, 0.25, 3, true));
    warnings.raise({"b", "there", "raised at the end", 2});
    RunReport report;
    report.warnings = warnings.all();
    log.finished(report);
    // On a terminal the summary follows at once.
    EXPECT_EQ(err.str(), std::string("warning: here: raised in the run\n") +
                             (width == 0 ? "warning: there: raised at the end\n" : ""));
    EXPECT_THAT(out.str(),
                testing::HasSubstr("warning: here: final numbers\nwarning: there: raised at the end\n"));
  }
}

}  // namespace
}  // namespace scree
