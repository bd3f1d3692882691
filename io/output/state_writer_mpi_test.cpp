#include "io/output/state_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/error.hpp"
#include "io/collective.hpp"
#include "io/output/fabricated_run.hpp"

namespace scree {
namespace {

class StateWriterTest : public FabricatedRun {
 protected:
  StateWriterTest() { model_.output.final_state = "final.csv"; }
};

TEST_F(StateWriterTest, BodiesStandInDeckOrderAndReadBackExactly) {
  const BodyId bodies = 2 * kGatherChunk + 123;  // several runs of ids, the last not full
  deal_bodies(bodies);
  model_.bodies[1].name = "b1";
  cut_model();
  write_state(at(1, 0.1, 10, true), (folder_ / "final.csv").string(), kComm);
  MPI_Barrier(kComm);
  if (rank_of(kComm) != 0) return;
  const auto rows = read_csv(folder_ / "final.csv");
  ASSERT_EQ(rows.size(), static_cast<std::size_t>(bodies) + 1);
  EXPECT_EQ(rows[0].size(), 16u);
  for (BodyId id = 0; id < bodies; ++id) {
    const auto& row = rows[id + 1];
    const BodyState s = state_of(id);
    ASSERT_EQ(row[0], id == 1 ? "b1" : std::to_string(id));
    ASSERT_EQ(row[14], model_.shapes[id % 3].name);
    ASSERT_EQ(row[15], "rock");
    const std::vector<double> expected = {s.x.x(), s.x.y(), s.x.z(), s.q.w(), s.q.x(), s.q.y(), s.q.z(),
                                          s.v.x(), s.v.y(), s.v.z(), s.w.x(), s.w.y(), s.w.z()};
    for (std::size_t k = 0; k < expected.size(); ++k) {
      ASSERT_EQ(std::strtod(row[k + 1].c_str(), nullptr), expected[k]) << rows[0][k + 1] << " of body " << id;
    }
  }
}

TEST_F(StateWriterTest, BodiesMayHaveComeAndGoneSinceTheDeckWasRead) {
  model_.bodies.resize(4);
  model_.bodies[0].name = "gone";
  model_.bodies[2].name = "stays";
  cut_model();
  const std::vector<BodyId> ids = {2, 5, kGatherChunk + 5, kGatherChunk + 6, 1'000'000'000'000};
  deal(ids);
  write_state(at(1, 0.1, 10, true), (folder_ / "final.csv").string(), kComm);
  MPI_Barrier(kComm);
  if (rank_of(kComm) != 0) return;
  const auto rows = read_csv(folder_ / "final.csv");
  ASSERT_EQ(rows.size(), ids.size() + 1);
  for (std::size_t k = 0; k < ids.size(); ++k) {
    EXPECT_EQ(rows[k + 1][0], k == 0 ? "stays" : std::to_string(ids[k]));
    EXPECT_EQ(std::strtod(rows[k + 1][1].c_str(), nullptr), state_of(ids[k]).x.x());
    EXPECT_EQ(rows[k + 1][14], model_.shapes[ids[k] % 3].name);
  }
}

TEST_F(StateWriterTest, ARunThatReachesItsEndLeavesTheFinalState) {
  deal_bodies(7);
  StateWriter writer(model_, kComm);
  writer.accepted(at(0, 0, 0));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "final.csv"));
  writer.accepted(at(1 - 1e-16, 0.1, 10, true));
  MPI_Barrier(kComm);
  EXPECT_EQ(read_csv(folder_ / "final.csv").size(), 8u);
  EXPECT_FALSE(std::filesystem::exists(folder_ / kLastStateFile));
}

TEST_F(StateWriterTest, ARunThatEndsEarlierLeavesItsLastState) {
  deal_bodies(7);
  model_.output.final_state = "";  // saved all the same
  StateWriter writer(model_, kComm);
  writer.accepted(at(0, 0, 0));
  writer.accepted(at(0.5, 0.1, 5));
  writer.accepted(at(0.5, 0.1, 5, true));
  MPI_Barrier(kComm);
  EXPECT_EQ(read_csv(folder_ / kLastStateFile).size(), 8u);
}

TEST_F(StateWriterTest, SavesAStateThatOtherOutputHasFailedAtButNoneBeforeTheFirst) {
  deal_bodies(7);
  StateWriter writer(model_, kComm);
  EXPECT_EQ(writer.rescue(at(0, 0, 0)), "");
  MPI_Barrier(kComm);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
  MPI_Barrier(kComm);
  writer.accepted(at(0, 0, 0));
  EXPECT_EQ(writer.rescue(at(0.5, 0.1, 5)), (folder_ / kLastStateFile).string());
  MPI_Barrier(kComm);
  EXPECT_EQ(read_csv(folder_ / kLastStateFile).size(), 8u);
}

TEST_F(StateWriterTest, AFileThatCannotBeWrittenIsARunErrorOnAllRanks) {
  deal_bodies(7);
  if (rank_of(kComm) == 0) block("final.csv");
  MPI_Barrier(kComm);
  StateWriter writer(model_, kComm);
  try {
    writer.accepted(at(1, 0.1, 10, true));
    FAIL() << "no error on rank " << rank_of(kComm);
  } catch (const RunError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("cannot be written: File exists"));
  }
  MPI_Barrier(kComm);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "final.csv"));
}

}  // namespace
}  // namespace scree
