#include "io/checkpoint/hdf5_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include "contact/boundary_ids.hpp"
#include "core/error.hpp"
#include "io/checkpoint/restart.hpp"
#include "io/checkpoint/saved_run.hpp"
#include "io/output/fabricated_run.hpp"
#include "io/output/output_names.hpp"
#include "solvers/simulation.hpp"
#include "solvers/world/world.hpp"

namespace scree::checkpoint {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

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

  void write(std::size_t gathered = kGathered) { write({}, state_of_rank(rank_, ranks_), gathered); }

  void write(const StateNames& names, const BodiesState& state, std::size_t gathered = kGathered) {
    ColumnWriter common, own;
    common("names", names, "");
    own("world", state, "");
    write_file(file_, head_, common.columns(), own.columns(), kComm, gathered);
  }

  /// Two balls of shape "ball" and material "rock" of the first rank.
  [[nodiscard]] BodiesState two_balls() const {
    BodiesState state;
    for (BodyId id = 0; id < 2 && rank_ == 0; ++id) {
      BodyProperties& body = state.properties.emplace_back();
      body.id = id;
      body.mass = 1;
      body.inertia_B = 1e-3 * Mat3::Identity();
      body.length = 0.05;
      state.bodies.emplace_back();
    }
    return state;
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
  // A rank that has no part reads nothing of the bodies of others.
  EXPECT_EQ(read(file_, 0, 2 * ranks_).bodies.travel, 0.01);
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

TEST_F(CheckpointFile, WithoutOneAFolderIsRefused) {
  const auto fault = [&] {
    try {
      return "accepted: " + describe_folder(folder_);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_THAT(fault(), HasSubstr("no results of Scree"));
  change([&] { std::ofstream(folder_ / kListFile) << "a list"; });
  EXPECT_THAT(fault(), HasSubstr("it has no checkpoint"));
  change([&] { std::ofstream(file_) << "a text"; });
  EXPECT_THAT(fault(),
              AllOf(HasSubstr("none of its checkpoints can be read"), HasSubstr("it is no HDF5 file")));
}

TEST_F(CheckpointFile, ThatARunHasRemovedIsNotListed) {
  write();
  // Like one that goes between the look at the folder and the reading: its name is there, and no file.
  change([&] { fs::create_symlink("removed", folder_ / "checkpoint.000002.h5"); });
  const std::string text = describe_folder(folder_);
  EXPECT_THAT(text, HasSubstr("checkpoint.000001.h5: t = 0.1 s, step 17"));
  EXPECT_THAT(text, Not(HasSubstr("000002")));
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

TEST_F(CheckpointFile, WhoseBondsHaveAllBrokenGivesAnotherDeckNone) {
  BodiesState state = two_balls();
  if (rank_ == 0) state.bodies[1].x = {0.1002, 0, 0};
  StateNames names;
  names.shapes = {"ball"};
  names.materials = {"rock"};
  for (const bool bonded : {true, false}) {
    head_.deck = bonded ? R"({"bonds": {"stiffness": 1e5, "within": 0.01}})" : "{}";
    write(names, state);
    MPI_Barrier(kComm);
    const auto model = std::make_shared<Model>(read_deck_text(R"({
      "time": {"end": 1, "step": 1e-3}, "materials": {"rock": {"density": 2500}},
      "shapes": {"ball": {"type": "sphere", "radius": 0.05}},
      "bodies": [{"checkpoint": ")" + file_.string() + R"("},
                 {"shape": "ball", "material": "rock", "position": [-0.1002, 0, 0]}],
      "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e6, "damping": 20}}],
      "bonds": {"stiffness": 1e5, "within": 0.01}})",
                                                              "deck.json")
                                                   .model);
    Simulation simulation(model, kComm);
    EXPECT_EQ(simulation.view(true, false).bonds, bonded ? 0 : 2);
    EXPECT_EQ(bonded, std::any_of(model->notes.begin(), model->notes.end(), [](const std::string& note) {
                return note.find("/bonds/within") != std::string::npos;
              }));
    MPI_Barrier(kComm);
  }
}

/// One of two balls that touch has left the cell, and the floor of the other deck has another point.
TEST_F(CheckpointFile, GivesAnotherDeckMemoryInItsOwnCellsAndAtItsOwnWalls) {
  BodiesState state = two_balls();
  for (BodyId id = 0; id < 2 && rank_ == 0; ++id) {
    BodyState& at = state.bodies[static_cast<std::size_t>(id)];
    at.x = {id == 0 ? 0.01 : 0.9102, 0, 0.05};
    at.cell = {id == 0 ? 1 : 0, 0, 0};
    contact::PairMemory& pair = state.memory.contacts.emplace_back();  // with body 1, with the floor
    pair.id_b = id == 0 ? 1 : contact::kFirstBoundaryId;
    pair.image = {id == 0 ? 0 : 1, 0, 0};
    pair.entries.emplace_back().arm_a = {0, 0, -0.05};
    pair.entries.back().radius = 0.3;
    if (id == 0) state.memory.bonds.emplace_back().id_b = 1;
  }
  StateNames names;
  names.shapes = {"ball"};
  names.materials = {"rock"};
  names.boundaries = {"floor"};
  write(names, state);
  MPI_Barrier(kComm);
  const auto deck_with = [&](const std::string& more) {
    return read_deck_text(R"({
      "time": {"end": 1, "step": 1e-3}, "materials": {"rock": {"density": 2500}},
      "shapes": {"ball": {"type": "sphere", "radius": 0.05}}, "periodic": {"x": [0, 1]},
      "bodies": [{"checkpoint": ")" +
                              file_.string() + R"("}],
      "boundaries": [{"name": "floor", "type": "plane", "point": [0.5, 0, 0], "normal": [0, 0, 1],
                      "material": "rock"}],
      "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e6, "damping": 20}}])" +
                              more + "}",
                          "deck.json")
        .model;
  };
  const CellNumber before{-1, 0, 0};
  const Model bonded = deck_with(R"(, "bonds": {"stiffness": 1e5, "within": 0.01})");
  ASSERT_EQ(bonded.memory->bonds.size(), 1u);
  EXPECT_EQ(bonded.memory->bonds[0].image, before);
  const Model model = deck_with("");
  const World world(model, kComm);
  const Bodies& bodies = world.bodies();
  const PairMemories memory = world.memory();
  int found[2] = {0, 0};
  for (const contact::PairMemory& pair : memory.contacts) {
    ASSERT_EQ(pair.entries.size(), 1u);
    EXPECT_EQ(pair.entries[0].radius, 0) << "by the law of the deck that begins";
    const bool floor = pair.id_b != 1;
    ++found[floor ? 1 : 0];
    if (!floor) {
      EXPECT_EQ(pair.image, before);
      continue;
    }
    const auto wall = static_cast<std::size_t>(bodies.moving());
    const contact::HistoryEntry& entry = pair.entries[0];
    EXPECT_NEAR((bodies.state[wall].x + entry.arm_b - bodies.state[0].x - entry.arm_a).norm(), 0, 1e-15);
  }
  MPI_Allreduce(MPI_IN_PLACE, found, 2, MPI_INT, MPI_SUM, kComm);
  EXPECT_GE(found[0], 1);
  EXPECT_EQ(found[1], 1);
  MPI_Barrier(kComm);
}

/// Each body that enters has a shape of its own.
const char* const kInletOfSizes = R"({
  "time": {"end": 2, "step": 0.25}, "materials": {"rock": {"density": 2500}},
  "shapes": {"small": {"type": "sphere", "radius": 0.01}, "large": {"type": "sphere", "radius": 0.02}},
  "inlets": [{"shape": {"small": 0.5, "large": 0.5}, "scale": {"uniform": [0.8, 1.2]}, "material": "rock",
              "region": {"min": [-1, -1, 0], "max": [1, 1, 1]}, "rate": {"number": 10}, "velocity": [0, 0, -1]}],
  "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e6, "damping": 20}}]
})";

/// What a checkpoint file has of a simulation.
SavedRun saved_run_of(Simulation& simulation) {
  (void)simulation.save();
  ColumnWriter common, own;
  simulation.write(common, own);
  common("output", OutputCursors{}, "");
  common("names", StateNames(simulation.model()), "");
  SavedRun saved;
  saved.head.deck = kInletOfSizes;
  saved.head.deck_path = "deck.json";
  saved.head.time = simulation.time();
  saved.common = common.columns();
  ColumnReader reader(own.columns());
  reader("world", saved.bodies, "");
  return saved;
}

TEST(ContinuedRun, ToLaterEndsKeepsTheBodiesThatTheDeckSchedules) {
  const Model deck = read_deck_text(kInletOfSizes, "deck.json").model;
  ASSERT_EQ(deck.inlets.at(0).entries.size(), 20u);
  auto simulation = std::make_unique<Simulation>(std::make_shared<Model>(deck), MPI_COMM_WORLD);
  for (const int end : {3, 4}) {
    while (simulation->time() < end - 1.5) simulation->step();
    SavedRun saved = saved_run_of(*simulation);
    const auto longer = std::make_shared<Model>(deck_of(saved, "results", end).model);
    const auto& entries = longer->inlets.at(0).entries;
    ASSERT_EQ(entries.size(), static_cast<std::size_t>(10 * end));
    for (std::size_t k = 0; k < deck.inlets[0].entries.size(); ++k)
      EXPECT_EQ(longer->shapes[entries[k].shape].name, deck.shapes[deck.inlets[0].entries[k].shape].name);
    // What counted before continues to count: multiples, not the shapes that they are of.
    for (const Shape& shape : longer->shapes)
      EXPECT_EQ(shape.unused, shape.name == "small" || shape.name == "large") << shape.name;
    // Behind the shapes of the state there are only those that bodies will have.
    for (std::size_t s = simulation->model().shapes.size(); s < longer->shapes.size(); ++s) {
      EXPECT_TRUE(std::any_of(entries.begin(), entries.end(), [s](const InletDescription::Entry& entry) {
        return entry.shape == static_cast<int>(s);
      })) << longer->shapes[s].name;
    }
    simulation = std::make_unique<Simulation>(longer, MPI_COMM_WORLD);
    (void)continue_simulation(*simulation, saved, MPI_COMM_WORLD);
    EXPECT_EQ(simulation->time(), saved.head.time);
    const Bodies& bodies = simulation->bodies();
    for (int i = 0; i < bodies.owned; ++i) {
      const BodyProperties& body = bodies.properties[i];
      EXPECT_EQ(body.length, longer->shapes[body.shape].bounding_radius);
    }
  }
}

TEST(ContinuedRun, OfAStateWithOtherShapesNamesThem) {
  Model deck = read_deck_text(kInletOfSizes, "deck.json").model;
  Simulation simulation(std::make_shared<Model>(deck), MPI_COMM_WORLD);
  SavedRun saved = saved_run_of(simulation);
  deck.shapes[1].name = "other";
  Simulation next(std::make_shared<Model>(deck), MPI_COMM_WORLD);
  try {
    (void)continue_simulation(next, saved, MPI_COMM_WORLD);
    ADD_FAILURE();
  } catch (const RunError& error) {
    EXPECT_THAT(error.what(), HasSubstr("shape 1 is \"large\" in the state, but \"other\" in the deck"));
  }
}

using ContinuedFiles = FabricatedRun;

TEST_F(ContinuedFiles, BehindALinkThatLeadsElsewhereHaveChanged) {
  const fs::path link = folder_ / "mesh.stl";
  if (rank_of(kComm) != 0) return;
  std::ofstream(folder_ / "a.stl") << "a";
  std::ofstream(folder_ / "b.stl") << "b";
  fs::create_symlink(folder_ / "a.stl", link);
  model_.files_read = {"deck.json", link.string()};
  SavedRun saved;
  saved.head.files = hashes_of_files(model_);
  fs::remove(link);
  fs::create_symlink(folder_ / "b.stl", link);
  try {
    (void)deck_of(saved, folder_, {});
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(link.string() + ": the file has changed"));
  }
}

}  // namespace
}  // namespace scree::checkpoint
