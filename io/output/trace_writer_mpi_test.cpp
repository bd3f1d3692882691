#include "io/output/trace_writer.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "io/collective.hpp"

namespace scree {
namespace {

class TraceWriterTest : public testing::Test {
 protected:
  TraceWriterTest() {
    Shape point;
    point.kind = ShapeKind::sphere;
    point.radius = 0.25;
    point.vertices = {Vec3(0, 0, 0)};
    model_.shapes = {point};
    bodies_.owned = 1;
    bodies_.properties.resize(1);
    bodies_.state.resize(1);
    bodies_.state[0].x = Vec3(1, 2, 3);
    state_.model = &model_;
    state_.bodies = &bodies_;
    state_.first = true;
  }

  Model model_;
  Bodies bodies_;
  AcceptedState state_;
};

TEST_F(TraceWriterTest, HoldsTheGeometryOnceAndEveryState) {
  int rank = 0;  // each rank on its own, in files of its own
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::string file = testing::TempDir() + "scree_trace_writer_test_of_rank" + std::to_string(rank);
  TraceWriter writer(file, MPI_COMM_SELF);
  writer.accepted(state_);
  state_.first = false;
  state_.time = 0.5;
  writer.accepted(state_);
  std::ifstream in(file + ".0", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::filesystem::remove(file + ".0");
  EXPECT_EQ(bytes.substr(0, 8), "SCREETR2");
  // ranks, rank; shapes, kind, convex, radius, vertices, 3, faces; bodies, shape; walls
  const std::size_t header = 8 * (1 + 2 + 1 + 4 + 3 + 1 + 2 + 1);
  const std::size_t record = 8 * (2 + 1 + 3 + 4 + 3 + 3);
  ASSERT_EQ(bytes.size(), header + 2 * record);
  double time = 0, x = 0;
  std::memcpy(&time, bytes.data() + header + record, 8);
  std::memcpy(&x, bytes.data() + header + record + 8 * 3, 8);
  EXPECT_EQ(time, 0.5);
  EXPECT_EQ(x, 1.0);
}

TEST_F(TraceWriterTest, TellsTheShapesOfAllRanksByIdAndWhichIdsAreNone) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const BodyId apart = kGatherChunk - 1;  // more than one run of ids from two ranks on
  bodies_.properties[0].id = 1 + rank * apart;
  bodies_.properties[0].shape = rank;
  const std::string file = testing::TempDir() + "scree_trace_writer_test_np" + std::to_string(ranks);
  TraceWriter(file, MPI_COMM_WORLD).accepted(state_);
  const std::string mine = file + "." + std::to_string(rank);
  std::ifstream in(mine, std::ios::binary);
  in.seekg(8 * (1 + 2 + 1 + 4 + 3 + 1));
  std::vector<std::int64_t> table(1);
  in.read(reinterpret_cast<char*>(table.data()), 8);
  ASSERT_EQ(table[0], 2 + (ranks - 1) * apart);
  table.resize(table[0]);
  in.read(reinterpret_cast<char*>(table.data()), 8 * std::ssize(table));
  ASSERT_TRUE(in);
  for (BodyId id = 0; id < std::ssize(table); ++id) {
    const bool there = id % apart == 1;
    ASSERT_EQ(table[id], there ? id / apart : -1) << id;
  }
  std::filesystem::remove(mine);
}

TEST_F(TraceWriterTest, SaysWhichFileCannotBeOpened) {
  try {
    TraceWriter("/dev/null/trace", MPI_COMM_SELF).accepted(state_);
    FAIL() << "opened a file in something that is not a folder";
  } catch (const RunError& error) {
    EXPECT_NE(std::string(error.what()).find("/dev/null"), std::string::npos) << error.what();
  }
}

TEST_F(TraceWriterTest, ReplacesATraceAndNothingElse) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::string file = testing::TempDir() + "scree_trace_replaced_of_rank" + std::to_string(rank);
  const std::string mine = file + ".0";
  std::filesystem::remove(mine);
  TraceWriter writer(file, MPI_COMM_SELF);
  EXPECT_FALSE(std::filesystem::exists(mine));  // not before the first state
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(trace_fault(file, 0), "");
    TraceWriter(file, MPI_COMM_SELF).accepted(state_);
  }
  std::ofstream(mine) << "SCREE is also how my notes begin";
  EXPECT_NE(trace_fault(file, 0), "");
  EXPECT_THROW(TraceWriter(file, MPI_COMM_SELF).accepted(state_), RunError);
  std::string kept;
  std::ifstream in(mine);
  std::getline(in, kept);
  EXPECT_EQ(kept, "SCREE is also how my notes begin");
  std::filesystem::remove(mine);
  std::filesystem::create_symlink(file, mine);
  EXPECT_NE(trace_fault(file, 0), "");
  std::filesystem::remove(mine);
}

TEST_F(TraceWriterTest, IsOffWithoutTheVariable) {
  unsetenv("SCREE_TRACE");
  EXPECT_EQ(TraceWriter::from_environment(MPI_COMM_SELF), nullptr);
}

}  // namespace
}  // namespace scree
