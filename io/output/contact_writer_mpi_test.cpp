#include "io/output/contact_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>

#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "core/test_extremes.hpp"
#include "io/collective.hpp"
#include "io/deck/deck.hpp"
#include "io/output/fabricated_run.hpp"
#include "solvers/simulation.hpp"

namespace scree {
namespace {

using Row = std::vector<std::string>;

class ContactWriterTest : public FabricatedRun {
 protected:
  ContactWriterTest() { model_.output.contacts_every = 0.1; }
};

TEST_F(ContactWriterTest, RowsAreInOneOrderOnAnyNumberOfRanks) {
  const BodyId bodies = kGatherChunk + 100;  // more than one run of ids
  deal_bodies(bodies);
  cut_model();
  ResultsFolder results(model_, kComm);
  ContactWriter writer(model_, kComm, results);
  writer.accepted(at(0, 0, 0));
  MPI_Barrier(kComm);
  if (rank_of(kComm) != 0) return;
  const auto rows = read_csv(folder_ / "contacts.000000.csv");
  ASSERT_EQ(rows.size(),
            static_cast<std::size_t>(3 * bodies - 1));  // a header; the last body has one contact
  EXPECT_EQ(rows[0], (Row{"body_a", "body_b", "x", "y", "z", "nx", "ny", "nz", "gap", "fn", "ftx", "fty",
                          "ftz", "weight", "share"}));
  for (BodyId id = 0; id + 1 < bodies; ++id) {
    // The floor is body -1, so it comes first; then the two contacts with the next body, by x.
    const std::string body = std::to_string(id), next = std::to_string(id + 1);
    const Row &floor = rows[3 * id + 1], &beside = rows[3 * id + 2], &ahead = rows[3 * id + 3];
    ASSERT_EQ((Row{floor[0], floor[1], beside[0], beside[1], ahead[0], ahead[1]}),
              (Row{body, "floor", body, next, body, next}));
    ASSERT_EQ(std::strtod(beside[2].c_str(), nullptr), static_cast<double>(id) - 0.5);
    ASSERT_EQ(std::strtod(ahead[2].c_str(), nullptr), static_cast<double>(id));
  }
  EXPECT_EQ(std::strtod(rows[1][8].c_str(), nullptr), 1e-3 / 3);
  EXPECT_EQ(std::strtod(rows[1][9].c_str(), nullptr), 10.0 / 7);
  EXPECT_EQ(rows[1][13], "0.25");
  EXPECT_EQ(rows[1][14], "1");
}

TEST_F(ContactWriterTest, RowsOfBodiesThatCameLaterAreThereToo) {
  model_.bodies.resize(2);
  cut_model();
  const std::vector<BodyId> ids = {1, 5, 1 + kGatherChunk, 2 + kGatherChunk, 1'000'000'000'000};
  deal(ids);
  ResultsFolder results(model_, kComm);
  ContactWriter writer(model_, kComm, results);
  writer.accepted(at(0, 0, 0));
  MPI_Barrier(kComm);
  if (rank_of(kComm) != 0) return;
  const auto rows = read_csv(folder_ / "contacts.000000.csv");
  ASSERT_EQ(rows.size(), 1 + 3 * (ids.size() - 1) + 1);
  for (std::size_t k = 0; k < ids.size(); ++k) {
    EXPECT_EQ(rows[1 + 3 * k][0], std::to_string(ids[k]));
    EXPECT_EQ(rows[1 + 3 * k][1], "floor");
  }
}

TEST_F(ContactWriterTest, TheIndexNamesEachFileWithItsTimeAndTheListEachFile) {
  deal_bodies(5);
  ResultsFolder results(model_, kComm);
  ContactWriter writer(model_, kComm, results);
  writer.accepted(at(0, 0, 0));
  writer.accepted(at(0.05, 0.05, 1));
  contacts_.clear();
  writer.accepted(at(0.11, 0.06, 2));
  MPI_Barrier(kComm);
  EXPECT_EQ(content_of(folder_ / "contacts_index.csv"),
            "file,time\ncontacts.000000.csv,0\ncontacts.000001.csv,0.11\n");
  EXPECT_EQ(read_csv(folder_ / "contacts.000001.csv").size(), 1u);  // no contacts: the header
  const std::vector<std::string> listed = read_results_list(folder_).at(0).files;
  for (const char* file : {"contacts_index.csv", "contacts.000000.csv", "contacts.000001.csv"})
    EXPECT_THAT(listed, testing::Contains(file));
}

TEST_F(ContactWriterTest, AFileThatCannotBeWrittenIsARunErrorOnAllRanksAndTheIndexNamesOnlyWholeFiles) {
  deal_bodies(5);
  ResultsFolder results(model_, kComm);
  ContactWriter writer(model_, kComm, results);
  writer.accepted(at(0, 0, 0));
  if (rank_of(kComm) == 0) block("contacts.000001.csv");
  MPI_Barrier(kComm);
  EXPECT_THROW(writer.accepted(at(0.1, 0.1, 1)), RunError);
  MPI_Barrier(kComm);
  EXPECT_EQ(content_of(folder_ / "contacts_index.csv"), "file,time\ncontacts.000000.csv,0\n");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "contacts.000001.csv"));
}

TEST_F(ContactWriterTest, OfAnInterruptedStateThereIsNoFile) {
  deal_bodies(6);
  cut_model();
  ResultsFolder results(model_, kComm);
  ContactWriter writer(model_, kComm, results);
  request_interrupt();
  EXPECT_THROW(writer.accepted(at(0, 0, 0)), Interrupted);
  clear_interrupt();
  MPI_Barrier(kComm);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "contacts_index.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "contacts.000000.csv"));
  MPI_Barrier(kComm);
  writer.accepted(at(0, 0, 0));  // it is still due
  MPI_Barrier(kComm);
  EXPECT_EQ(content_of(folder_ / "contacts_index.csv"), "file,time\ncontacts.000000.csv,0\n");
  EXPECT_TRUE(std::filesystem::exists(folder_ / "contacts.000000.csv"));
}

TEST(ContactRows, HaveTheMomentOfTheBody) {
  Deck read = read_deck_text(R"({"time": {"end": 1, "step": 1e-4}, "gravity": [0, 0, -9.81],
    "integrator": {"type": "newmark"}, "materials": {"rock": {"density": 2000}},
    "shapes": {"ball": {"type": "sphere", "radius": 0.05}},
    "bodies": [{"shape": "ball", "material": "rock", "position": [0, 0, 0.0495], "velocity": [1, 0, 0]}],
    "boundaries": [{"name": "floor", "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1],
                    "material": "rock"}],
    "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e4, "damping": 20},
                    "friction": {"static": 0.5, "dynamic": 0.4, "stiffness": 5e3}}]})",
                             "deck.json");
  Simulation simulation(std::make_shared<Model>(std::move(read.model)), MPI_COMM_WORLD);
  for (int k = 0; k < 100; ++k) simulation.step();
  double worst = 0, largest = 0;
  const AcceptedState state = simulation.view(false, false);
  Vec3 moment = Vec3::Zero();  // the floor's contacts are on the rank of the ball
  for (const ContactRecord& row : simulation.contacts())
    moment += (row.point - state.bodies->state[0].x).cross(row.normal_force * row.normal + row.friction);
  for (int i = 0; i < state.bodies->owned; ++i) {
    test::keep_largest(worst, (moment - (*state.body_wrench)[0].moment).norm());
    test::keep_largest(largest, moment.norm());
  }
  EXPECT_LT(worst, 1e-12);
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  EXPECT_GT(largest, 1e-2);
}

TEST(ContactRows, AreNoneWhereDuplicatesHaveTakenTheContactOut) {
  if (ranks_of(MPI_COMM_WORLD) > 1) GTEST_SKIP() << "the same on any number of ranks";
  const std::filesystem::path deck = std::filesystem::path(SCREE_SOURCE_DIR) / "inputs/box_of_blocks.json";
  Simulation simulation(std::make_shared<Model>(read_deck(deck).model), MPI_COMM_WORLD);
  double farthest = 0;
  while (simulation.time() < 0.23) {
    simulation.step();
    for (const ContactRecord& row : simulation.contacts()) test::keep_largest(farthest, row.point.norm());
  }
  EXPECT_LT(farthest, 2);
}

}  // namespace
}  // namespace scree
