/// What each rank keeps of the deck's bodies on 1, 2 and 4 ranks, and runs that begin from it.
#include "solvers/model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>

#include "assembly/test_ranks.hpp"
#include "solvers/test_models.hpp"
#include "solvers/test_runs.hpp"
#include "solvers/world/world.hpp"

namespace scree {
namespace {

using ranks::rank_count;
using ranks::this_rank;
using ::testing::HasSubstr;

Model cut(Model model) {
  model.keep_own_block(this_rank(), rank_count());
  return model;
}

/// Bodies of which every third has a name.
Model numbered_bodies(BodyId count) {
  Model model;
  for (BodyId id = 0; id < count; ++id) {
    BodyDescription& body = model.bodies.emplace_back();
    if (id % 3 == 0) body.name = "b" + std::to_string(id);
    body.where = "/bodies/" + std::to_string(id);
  }
  return model;
}

TEST(KeepOwnBlock, EachDescriptionStaysOnOneRankAndNoneHasMoreThanItsShare) {
  for (const long count : {0, 1, 3, 4, 7, 100, 101}) {
    const Model model = cut(numbered_bodies(count));
    const long held = std::ssize(model.bodies);
    EXPECT_LE(held, (count + rank_count() - 1) / rank_count());
    EXPECT_EQ(static_cast<long>(model.bodies.capacity()), held);
    EXPECT_EQ(model.body_count(), count);
    std::vector<int> keepers(static_cast<std::size_t>(count));
    long found = 0;
    for (BodyId id = 0; id < count; ++id) {
      const BodyDescription* body = model.description_of(id);
      EXPECT_EQ(model.name_of(id), id % 3 == 0 ? "b" + std::to_string(id) : "");
      if (body == nullptr) continue;
      EXPECT_EQ(body->where, "/bodies/" + std::to_string(id));
      ++keepers[static_cast<std::size_t>(id)];
      ++found;
    }
    EXPECT_EQ(found, held);
    MPI_Allreduce(MPI_IN_PLACE, keepers.data(), static_cast<int>(count), MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_THAT(keepers, ::testing::Each(1));
    EXPECT_EQ(model.description_of(-1), nullptr);
    EXPECT_EQ(model.description_of(count), nullptr);
    EXPECT_EQ(model.body_in_words(count + 5), "body " + std::to_string(count + 5));
  }
}

TEST(KeepOwnBlock, IsDoneOnce) {
  Model model = cut(numbered_bodies(7));
  EXPECT_THROW(model.keep_own_block(this_rank(), rank_count()), std::logic_error);
}

TEST(FaultyModel, IsRefusedOnAllRanks) {
  Model model = test_runs::falling_balls();
  model.solver.nonlinear = NonlinearChoice::fixed_point;
  EXPECT_THAT(test_runs::refusal(model), HasSubstr("/solver/nonlinear: \"fixed-point\" requires"));
  EXPECT_THAT(test_runs::refusal(cut(model)), HasSubstr("/solver/nonlinear: \"fixed-point\" requires"));
}

TEST(KeepOwnBlock, ARunThatBeginsFromTheBlocksIsTheSameToTheBit) {
  Model whole = test_runs::falling_balls();
  whole.time.end = 0.02;  // from 0.01 s on they touch
  const test_runs::LastState expected = test_runs::run_model(whole, MPI_COMM_WORLD);
  const test_runs::LastState found = test_runs::run_model(cut(whole), MPI_COMM_WORLD);
  ASSERT_EQ(found.values.size(), 13 * whole.bodies.size());
  EXPECT_EQ(std::memcmp(found.values.data(), expected.values.data(), 8 * expected.values.size()), 0);
  EXPECT_EQ(found.energies, expected.energies);
}

/// Cubes in a row, in an order that has nothing to do with their places.
Model scattered_cubes() {
  Model model = test::cubes_on_floor(0.3, 0.3);
  constexpr int kCubes = 24;
  for (int k = 0; k < kCubes; ++k) {
    test::add_cube(model, {0.3 * (7 * k % kCubes), 0, 0.06});
    model.bodies.back().name = "cube " + std::to_string(k);
    model.bodies.back().where = "/bodies/" + std::to_string(k);
  }
  model.time.end = 1;
  return model;
}

TEST(KeepOwnBlock, BodiesTakeAlongWhereTheyBegan) {
  const Model whole = scattered_cubes();
  const Model model = cut(whole);
  const World world(model, MPI_COMM_WORLD);
  const Bodies& bodies = world.bodies();
  int elsewhere = 0;  // not where their description is
  for (int i = 0; i < bodies.moving(); ++i) {
    const BodyId id = bodies.properties[i].id;
    EXPECT_EQ(bodies.properties[i].start, whole.bodies[static_cast<std::size_t>(id)].position);
    if (model.description_of(id) == nullptr) ++elsewhere;
  }
  MPI_Allreduce(MPI_IN_PLACE, &elsewhere, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(elsewhere > 0, rank_count() > 1);
}

TEST(KeepOwnBlock, OverlapAtTheStartIsRefusedWithNamesDepthAndPointerOnEveryRank) {
  const Model whole = scattered_cubes();
  for (std::size_t k = 0; k < whole.bodies.size(); k += 3) {
    Model model = whole;
    const std::size_t other = (k + 5) % model.bodies.size();
    model.bodies[other].position = model.bodies[k].position + Vec3(0.095, 0, 0);
    model = cut(std::move(model));
    const std::string text = test_runs::refusal(model);
    const auto lower = static_cast<BodyId>(std::min(k, other));
    EXPECT_THAT(text, HasSubstr("/bodies/" + std::to_string(lower) + ": "));
    EXPECT_THAT(text, HasSubstr("body \"cube " + std::to_string(k) + '"'));
    EXPECT_THAT(text, HasSubstr("body \"cube " + std::to_string(other) + '"'));
    EXPECT_THAT(text, HasSubstr("overlap of 0.005 m at t = 0"));
  }
}

TEST(KeepOwnBlock, ARunOnOtherRanksThanItWasCutForIsRefused) {
  if (rank_count() == 1) GTEST_SKIP() << "one rank keeps all";
  const Model model = cut(test_runs::falling_balls());
  EXPECT_THROW(test_runs::run_model(model, MPI_COMM_SELF), std::logic_error);
}

}  // namespace
}  // namespace scree
