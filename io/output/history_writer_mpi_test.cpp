#include "io/output/history_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "core/error.hpp"
#include "io/output/fabricated_run.hpp"

namespace scree {
namespace {

using Subject = HistoryDescription::Subject;
using HistoryRow = std::vector<std::string>;

double number(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

class HistoryWriterTest : public FabricatedRun {
 protected:
  HistoryWriterTest() {
    deal_bodies(11);
    cut_model();
  }
};

TEST_F(HistoryWriterTest, SystemRowsHaveTheColumnsAskedForInTheirOrder) {
  model_.output.histories = {
      {"energy.csv", Subject::system, -1, -1, 0.1, {"contacts", "time", "total_energy", "min_gap"}}};
  HistoryWriter writer(model_, kComm);
  state_.contacts = 123456;
  state_.energy.translational = 0.1;
  state_.energy.rotational = 0.2;
  state_.energy.potential = -1.0 / 3;
  state_.energy.contact = 1e-9;
  state_.energy.friction_elastic = 1e-10;
  state_.min_gap = std::numeric_limits<double>::infinity();
  writer.accepted(at(0, 0, 0));
  writer.accepted(at(0.05, 0.05, 1));
  writer.accepted(at(0.1, 0.05, 2));
  writer.accepted(at(0.13, 0.03, 3));
  writer.accepted(at(0.13, 0.03, 3, true));
  MPI_Barrier(kComm);
  const auto rows = read_csv(folder_ / "energy.csv");
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0], (HistoryRow{"contacts", "time", "total_energy", "min_gap"}));
  EXPECT_EQ(rows[1][0], "123456");
  EXPECT_EQ(number(rows[1][2]), state_.energy.total());
  EXPECT_EQ(rows[1][3], "inf");
  EXPECT_EQ(rows[2][1], "0.1");
  EXPECT_EQ(rows[3][1], "0.13");
}

TEST_F(HistoryWriterTest, BodyRowsReadBackExactlyWhoeverOwnsTheBody) {
  for (const BodyId id : {0, 3, 10}) {
    model_.output.histories.push_back(
        {std::to_string(id) + ".csv", Subject::body, id, -1, 0, body_columns()});
  }
  bodies_.periodic.length = Vec3(1, 0, 0);  // poles are wrapped into the cell, displacements are not
  HistoryWriter writer(model_, kComm);
  writer.accepted(at(0, 0, 0));
  writer.accepted(at(1.0 / 3, 1.0 / 3, 1));
  MPI_Barrier(kComm);
  for (const BodyId id : {0, 3, 10}) {
    const auto rows = read_csv(folder_ / (std::to_string(id) + ".csv"));
    ASSERT_EQ(rows.size(), 3u);
    const BodyState s = state_of(id);
    const Wrench w = wrench_of(id);
    const Vec3 way = s.x - start_of(id);
    std::vector<double> expected = {1.0 / 3, 1.0 / 3, s.x.x() - std::floor(s.x.x()),
                                    s.x.y(), s.x.z(), s.q.w(),
                                    s.q.x(), s.q.y(), s.q.z()};
    for (const Vec3& v : {s.v, s.w, w.force, w.moment, way})
      expected.insert(expected.end(), {v.x(), v.y(), v.z()});
    std::vector<double> found;
    for (const auto& field : rows[2]) found.push_back(number(field));
    EXPECT_EQ(found, expected) << "body " << id;
  }
}

TEST_F(HistoryWriterTest, BoundaryRowsHaveForceMomentAndPlace) {
  model_.boundaries[0].reference = Vec3(0, 0, -0.25);
  model_.boundaries[0].motion.velocity = Vec3(0, 0, 0.5);
  model_.output.histories = {{"deep/floor.csv", Subject::boundary, -1, 0, 0, {"time", "fz", "mx", "z"}}};
  HistoryWriter writer(model_, kComm);
  writer.accepted(at(0, 0, 0));
  writer.accepted(at(0.25, 0.25, 1));
  MPI_Barrier(kComm);
  const auto rows = read_csv(folder_ / "deep/floor.csv");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(number(rows[1][1]), -1.0 / 3);
  EXPECT_EQ(rows[1][2], "0.1");
  EXPECT_EQ(rows[1][3], "-0.25");
  EXPECT_EQ(rows[2][3], "-0.125");
}

TEST_F(HistoryWriterTest, ABoundaryThatDoesNotMoveIsWhereTheStateHasIt) {
  model_.boundaries[0].reference = Vec3(0, 0, -0.25);
  model_.output.histories = {{"floor.csv", Subject::boundary, -1, 0, 0, {"z"}}};
  bodies_.boundaries = 1;
  bodies_.state.emplace_back().x = Vec3(0, 0, 0.5);
  HistoryWriter writer(model_, kComm);
  writer.accepted(at(0, 0, 0));
  MPI_Barrier(kComm);
  const auto rows = read_csv(folder_ / "floor.csv");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1][0], "0.25");
}

TEST_F(HistoryWriterTest, AFileThatWasThereIsNotTouchedAndARunErrorOnAllRanks) {
  if (rank_of(kComm) == 0) std::ofstream(folder_ / "energy.csv") << "mine";
  MPI_Barrier(kComm);
  model_.output.histories = {{"energy.csv", Subject::system, -1, -1, 0, {"time"}}};
  HistoryWriter writer(model_, kComm);
  try {
    writer.accepted(at(0, 0, 0));
    FAIL() << "no error on rank " << rank_of(kComm);
  } catch (const RunError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("energy.csv: cannot be written: File exists"));
  }
  MPI_Barrier(kComm);
  EXPECT_EQ(content_of(folder_ / "energy.csv"), "mine");
}

TEST_F(HistoryWriterTest, ABodyThatNoRankOwnsIsARunErrorOnAllRanks) {
  model_.output.histories = {{"b.csv", Subject::body, 11, -1, 0, {"x"}}};
  HistoryWriter writer(model_, kComm);
  EXPECT_THROW(writer.accepted(at(0, 0, 0)), RunError);
}

TEST_F(HistoryWriterTest, MoreHistoriesThanOpenFilesAreAnErrorWithTheNumbers) {
  model_.output.histories.resize(1010);
  std::vector<Diagnostic> faults;
  check_open_files(model_, 1110, faults);
  EXPECT_TRUE(faults.empty());
  check_open_files(model_, 1024, faults);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].where, "/output/histories");
  EXPECT_THAT(faults[0].message, testing::HasSubstr("1010 histories, which require 1110 open files"));
  EXPECT_THAT(faults[0].message, testing::HasSubstr("may have 1024"));
}

TEST_F(HistoryWriterTest, AnUnknownColumnIsAnInputErrorWithItsPlace) {
  model_.output.histories = {{"b.csv", Subject::boundary, -1, 0, 0, {"time", "vx"}}};
  try {
    HistoryWriter writer(model_, kComm);
    FAIL() << "boundaries have no column vx";
  } catch (const InputError& error) {
    ASSERT_EQ(error.diagnostics().size(), 1u);
    EXPECT_EQ(error.diagnostics()[0].where, "/output/histories/0/columns/1");
  }
}

}  // namespace
}  // namespace scree
