#include "io/checkpoint/hdf5_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "io/checkpoint/saved_run.hpp"
#include "io/output/fabricated_run.hpp"

namespace scree::checkpoint {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// Bodies of one rank: their number and IDs depend on it.
BodiesState state_of_rank(int rank, int ranks) {
  BodiesState state;
  for (int k = 0; k < 3 * rank + 2; ++k) {
    BodyProperties body;
    body.id = rank + static_cast<BodyId>(k) * ranks;
    body.mass = 1.0 / 3 + static_cast<double>(body.id);
    state.properties.push_back(body);
    state.bodies.emplace_back().x = {0.1, static_cast<double>(rank), static_cast<double>(k)};
    contact::PairMemory& pair = state.memory.contacts.emplace_back();
    pair.id_a = body.id;
    pair.id_b = body.id + 1;
    pair.entries.resize(static_cast<std::size_t>(k));
    for (auto& entry : pair.entries) entry.slip = {1e-3, 0, 1e-300};
  }
  state.travel = 0.01;
  return state;
}

class CheckpointFile : public FabricatedRun {
 protected:
  CheckpointFile() : file_(folder_ / "checkpoint.000001.h5") {
    MPI_Comm_rank(kComm, &rank_);
    MPI_Comm_size(kComm, &ranks_);
    head_.program = "1.2.3";
    head_.ranks = ranks_;
    head_.time = 0.1;
    head_.step = 17;
    head_.deck = "{\"title\": \"\xc3\xa4\"}\n";
    head_.deck_file = "deck.json";
    if (rank_ == 0) head_.files = std::string(300, 'f');  // one rank reads the files of a deck
  }

  void write(std::size_t gathered = kGathered) {
    ColumnWriter common, own;
    common("names", StateNames{}, "");
    own("world", state_of_rank(rank_, ranks_), "");
    write_file(file_, head_, common.columns(), own.columns(), kComm, gathered);
  }

  /// Changes the file on one rank, for all.
  template <class Change>
  void change(Change&& work) {
    MPI_Barrier(kComm);
    if (rank_ == 0) work();
    MPI_Barrier(kComm);
  }

  [[nodiscard]] std::string fault() const {
    try {
      (void)read(file_, rank_, ranks_);
    } catch (const UnreadableFile& error) {
      return error.what();
    }
    return "";
  }

  fs::path file_;
  Head head_;
  int rank_ = 0, ranks_ = 1;
};

TEST_F(CheckpointFile, GivesEachRankItsBodiesAgainToTheBit) {
  for (const std::size_t gathered : {kGathered, std::size_t{0}}) {  // made by one rank, written by all
    write(gathered);
    const SavedRun run = read(file_, rank_, ranks_);
    EXPECT_FALSE(run.redistribute);
    EXPECT_EQ(to_bytes(run.bodies), to_bytes(state_of_rank(rank_, ranks_)));
    EXPECT_EQ(run.head.deck, head_.deck);
    EXPECT_EQ(run.head.time, 0.1);
    EXPECT_EQ(run.head.step, 17);
    EXPECT_EQ(run.head.ranks, ranks_);
    EXPECT_EQ(run.head.program, "1.2.3");
    EXPECT_EQ(run.head.files.size(), 300u);
    EXPECT_FALSE(fs::exists(file_.string() + ".scree-tmp"));
    MPI_Barrier(kComm);
  }
}

TEST_F(CheckpointFile, GivesAnyNumberOfRanksAllBodiesOnce) {
  write();
  std::size_t expected = 0;
  for (int rank = 0; rank < ranks_; ++rank) expected += state_of_rank(rank, ranks_).bodies.size();
  for (const int others : {1, 2, 3, 5, 8}) {
    std::vector<BodyId> ids;
    for (int other = 0; other < others; ++other) {
      const SavedRun run = read(file_, other, others);
      EXPECT_EQ(run.redistribute, others != ranks_);
      EXPECT_EQ(run.bodies.travel, 0.01);
      BodyId before = -1;
      for (const BodyProperties& body : run.bodies.properties) {
        EXPECT_LT(before, body.id);
        ids.push_back(before = body.id);
      }
    }
    std::sort(ids.begin(), ids.end());
    EXPECT_EQ(std::unique(ids.begin(), ids.end()), ids.end());
    EXPECT_EQ(ids.size(), expected) << others;
  }
}

TEST_F(CheckpointFile, OfEqualStatesIsTheSameFile) {
  write();
  MPI_Barrier(kComm);
  const std::string first = content_of(file_);
  MPI_Barrier(kComm);
  write();
  MPI_Barrier(kComm);
  EXPECT_FALSE(first.empty());
  EXPECT_TRUE(first == content_of(file_));
}

TEST_F(CheckpointFile, ThatIsCutIsNotRead) {
  write();
  change([&] { fs::resize_file(file_, fs::file_size(file_) - 1); });
  EXPECT_THAT(fault(), HasSubstr("it is not whole"));
  change([&] { fs::resize_file(file_, 100); });
  EXPECT_THAT(fault(), HasSubstr("checkpoint.000001.h5: it is"));
}

TEST_F(CheckpointFile, WithAByteChangedIsNotRead) {
  write();
  change([&] {
    const std::string x(reinterpret_cast<const char*>(state_of_rank(0, ranks_).bodies[1].x.data()), 24);
    std::fstream stream(file_, std::ios::binary | std::ios::in | std::ios::out);
    const std::string all(std::istreambuf_iterator<char>(stream), {});
    const std::size_t at = all.find(x);
    ASSERT_NE(at, std::string::npos);
    stream.clear();
    stream.seekp(static_cast<std::streamoff>(at + 3));
    stream.put('\x55');
  });
  if (rank_ != 0) return;
  EXPECT_THAT(fault(), HasSubstr("damaged at \"world/bodies/position\""));
}

TEST_F(CheckpointFile, OfAnotherProgramOrNoneIsNotRead) {
  EXPECT_THAT(fault(), HasSubstr("there is no such file"));
  change([&] { std::ofstream(file_) << "x,y,z\n"; });
  EXPECT_THAT(fault(), HasSubstr("it is no HDF5 file"));
  change([&] {
    const hid_t other = H5Fcreate(file_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(other);
  });
  EXPECT_THAT(fault(), HasSubstr("HDF5 file of another program"));
}

TEST_F(CheckpointFile, OfANewerOrOlderFormatSaysSo) {
  for (const auto& [number, text] : {std::pair(kFormatVersion + 1, "a newer"), std::pair(0, "an older")}) {
    write();
    change([&, format = number] {
      const hid_t file = H5Fopen(file_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
      const hid_t attribute = H5Aopen(file, "format_version", H5P_DEFAULT);
      H5Awrite(attribute, H5T_NATIVE_INT, &format);
      H5Aclose(attribute);
      H5Fclose(file);
    });
    EXPECT_THAT(fault(), HasSubstr(std::string(text) + " version of Scree (1.2.3)"));
    MPI_Barrier(kComm);
  }
}

TEST_F(CheckpointFile, ThatCannotBeWrittenLeavesTheOneBefore) {
  write();
  change([&] { fs::create_directory(file_.string() + ".scree-tmp"); });
  EXPECT_THROW(write(), RunError);
  EXPECT_EQ(fault(), "");
  change([&] { fs::remove(file_.string() + ".scree-tmp"); });
}

TEST(MergedStates, HaveContactsThatTwoRanksKnowOnce) {
  BodiesState a = state_of_rank(0, 2), b = state_of_rank(1, 2);
  b.memory.contacts.push_back(a.memory.contacts[1]);
  const std::size_t contacts = a.memory.contacts.size() + b.memory.contacts.size() - 1;
  const BodiesState all = merged({a, b});
  EXPECT_EQ(all.memory.contacts.size(), contacts);
  EXPECT_EQ(all.properties.size(), a.properties.size() + b.properties.size());
}

}  // namespace
}  // namespace scree::checkpoint
