/// A run that never was, for tests of output: bodies dealt over the ranks like cards, with values that follow
/// from their ids, so that a test knows what any number of ranks has to write.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "core/shapes/shape.hpp"
#include "io/output/output_names.hpp"
#include "solvers/model.hpp"
#include "solvers/observer.hpp"

namespace scree {

inline int rank_of(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

inline int ranks_of(MPI_Comm comm) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  return ranks;
}

inline std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// @returns the fields of a CSV file without quotes, by row; empty if there is no file.
inline std::vector<std::vector<std::string>> read_csv(const std::filesystem::path& file) {
  std::vector<std::vector<std::string>> rows;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
    rows.push_back(fields);
  }
  return rows;
}

/// Files of the test that runs, in a folder that all ranks share and that is empty at the start.
class FabricatedRun : public testing::Test, private StateQueries {
 private:
  const std::vector<ContactRecord>& contacts() override { return contacts_; }

 protected:
  static inline const MPI_Comm kComm = MPI_COMM_WORLD;

  FabricatedRun() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("scree_" + std::string(test->name()) + "_np" + std::to_string(ranks_of(kComm)));
    if (rank_of(kComm) == 0) {
      std::filesystem::remove_all(folder_);
      std::filesystem::create_directories(folder_);
    }
    MPI_Barrier(kComm);
    model_.title = "a fabricated run";
    model_.deck_file = "fabricated.json";
    model_.shapes = {make_box("block", Vec3(0.1, 0.2, 0.3)), make_sphere("ball", 0.05),
                     make_capsule("rod", 0.02, 0.1)};
    model_.materials = {Material{"rock", 2000, 0, 0}};
    model_.boundaries.resize(1);
    model_.boundaries[0].name = "floor";
    model_.boundary_parts.resize(1);
    model_.time.end = 1;
    model_.output.directory = folder_.string();
    state_.model = &model_;
    state_.population = &population_;
    state_.bodies = &bodies_;
    state_.body_wrench = &body_wrench_;
    state_.boundary_wrench = &boundary_wrench_;
    state_.queries = this;
    boundary_wrench_ = {Wrench{Vec3(0, 0, -1.0 / 3), Vec3(0.1, 0, 0)}};
  }

  ~FabricatedRun() override {
    MPI_Barrier(kComm);
    if (rank_of(kComm) == 0) std::filesystem::remove_all(folder_);
  }

  /// Body `id` of the run: round-off in every digit, so that only exact writing reads back.
  static BodyState state_of(BodyId id) {
    const double s = static_cast<double>(id);
    BodyState state;
    state.x = Vec3(std::sqrt(s), -s / 3, 1e-9 * s);
    state.q = Quat(Eigen::AngleAxisd(s, Vec3(1, 2, 3).normalized()));
    state.v = Vec3(0.1 * s, s / 7, -s);
    state.w = Vec3(std::sin(s), std::cos(s), 1e22 * s);
    return state;
  }
  static Wrench wrench_of(BodyId id) {
    return {Vec3(1.0 / (1.0 + static_cast<double>(id)), 0, 2), Vec3(0, 0.3, static_cast<double>(id))};
  }
  /// Two contacts between `id` and the next body, and one with the floor.
  static std::vector<ContactRecord> contacts_of(BodyId id, BodyId bodies) {
    const double s = static_cast<double>(id);
    ContactRecord next{id, id + 1, Vec3(s, 2, 1), Vec3::UnitX(), 1e-3 / 3, 10.0 / 7, Vec3(0, 0.1, 0), 0.25};
    ContactRecord beside = next, floor = next;
    beside.point.x() -= 0.5;
    floor.body_b = -1;
    if (id + 1 == bodies) return {floor};
    return {next, floor, beside};
  }

  /// Makes the file `name` one that cannot be written. One rank calls it.
  void block(const std::string& name) const {
    std::ofstream(folder_ / (name + std::string(kTemporarySuffix))) << "of another program";
  }

  static Vec3 start_of(BodyId id) { return {0.1, static_cast<double>(id) / 9, -2}; }

  /// A deck of `number` bodies, dealt over the ranks.
  void deal_bodies(BodyId number) {
    population_.bodies = population_.numbers = number;
    model_.bodies.assign(static_cast<std::size_t>(number), BodyDescription{});
    for (BodyId id = 0; id < number; ++id) model_.bodies[id].shape = static_cast<int>(id % 3);
    std::vector<BodyId> ids(static_cast<std::size_t>(number));
    std::iota(ids.begin(), ids.end(), 0);
    deal(ids);
  }

  /// What the program does between making the observers and the run.
  void cut_model() { model_.keep_own_block(rank_of(kComm), ranks_of(kComm)); }

  /// Deals bodies over the ranks; ghosts follow the owned ones, as in a run. @param ids ascending.
  void deal(const std::vector<BodyId>& ids) {
    for (const bool owned : {true, false}) {
      for (const BodyId id : ids) {
        const bool mine = id % ranks_of(kComm) == rank_of(kComm);
        if (mine != owned || (!owned && id % 5 != 0)) continue;
        BodyProperties properties;
        properties.id = id;
        properties.shape = static_cast<int>(id % 3);
        properties.start = start_of(id);
        bodies_.properties.push_back(properties);
        bodies_.state.push_back(state_of(id));
        ++(owned ? bodies_.owned : bodies_.ghosts);
        if (!owned) continue;
        body_wrench_.push_back(wrench_of(id));
        for (const auto& contact : contacts_of(id, ids.back() + 1))
          contacts_.insert(contacts_.begin(), contact);
      }
    }
  }

  /// The next accepted state. @param number of the step; step 0 is the first state.
  AcceptedState& at(double time, double step, long number, bool last = false) {
    state_.time = time;
    state_.step = step;
    state_.step_number = number;
    state_.first = number == 0;
    state_.last = last;
    return state_;
  }

  std::filesystem::path folder_;
  Model model_;
  Bodies bodies_;
  PopulationReport population_;
  std::vector<Wrench> body_wrench_, boundary_wrench_;
  std::vector<ContactRecord> contacts_;
  AcceptedState state_;
};

}  // namespace scree
