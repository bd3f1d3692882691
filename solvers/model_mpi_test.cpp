/// What each rank keeps of the deck's bodies on 1, 2 and 4 ranks, and runs that begin from it.
#include "solvers/model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "assembly/test_ranks.hpp"
#include "contact/contacts.hpp"
#include "contact/neighbours/contact_model.hpp"
#include "contact/neighbours/pair_list.hpp"
#include "solvers/test_models.hpp"
#include "solvers/test_runs.hpp"
#include "solvers/world/balance.hpp"
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

/// Balls in a row that do not move. @param gap between neighbours [m].
Model balls_apart(double gap) {
  Model model = test_runs::balls_on_floor(20, 0);
  for (int k = 0; k < 16; ++k) test_runs::add_ball(model, {(0.1 + gap) * k, 0, 0.5});
  model.time.end = 1;
  return model;
}

TEST(World, HasGhostsOfThoseBodiesAloneThatListsReach) {
  double margin = 0;  // between surfaces, up to which bodies are in the lists
  {
    const Model model = balls_apart(1);
    const World world(model, MPI_COMM_WORLD);
    margin = world.contacts().model().largest_threshold() + 2 * world.contacts().list().covered_travel();
  }
  for (const double part : {0.9, 1.5}) {
    const Model model = balls_apart(part * margin);
    const World world(model, MPI_COMM_WORLD);
    int ghosts = world.bodies().ghosts;
    MPI_Allreduce(MPI_IN_PLACE, &ghosts, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(ghosts > 0, part < 1 && rank_count() > 1) << part;
  }
}

constexpr int kLatticeSide = 12;

/// Bodies of a cubic lattice: those of this rank, then all others, and the pairs of neighbours.
struct Lattice {
  Bodies bodies;
  std::vector<contact::BodyPair> pairs;
};

/// @param owner_of called with the three numbers of a body along the axes.
template <class OwnerOf>
Lattice lattice_owned_by(OwnerOf&& owner_of) {
  constexpr int kCount = kLatticeSide * kLatticeSide * kLatticeSide;
  Lattice lattice;
  Bodies& bodies = lattice.bodies;
  std::vector<int> local(kCount);
  const auto place = [](int id) {
    return std::array{id % kLatticeSide, id / kLatticeSide % kLatticeSide, id / kLatticeSide / kLatticeSide};
  };
  for (const bool own : {true, false}) {
    for (int id = 0; id < kCount; ++id) {
      const auto [x, y, z] = place(id);
      if ((owner_of(x, y, z) == this_rank()) != own) continue;
      local[static_cast<std::size_t>(id)] = static_cast<int>(bodies.state.size());
      bodies.properties.emplace_back().id = id;
      bodies.state.emplace_back().x = Vec3(x, y, z);
      bodies.trial.emplace_back();
      ++(own ? bodies.owned : bodies.ghosts);
    }
  }
  for (int id = 0; id < kCount; ++id) {
    int step = 1;
    for (const int k : place(id)) {
      const int a = local[static_cast<std::size_t>(id)];
      const int next = id + step;
      step *= kLatticeSide;
      if (k + 1 == kLatticeSide) continue;
      const int b = local[static_cast<std::size_t>(next)];
      if (!bodies.is_owned(a) && !bodies.is_owned(b)) continue;
      contact::BodyPair& pair = lattice.pairs.emplace_back();
      pair.a = a;
      pair.b = b;
      pair.items.resize(1);
    }
  }
  return lattice;
}

TEST(BalancedOwners, AreFoundWhereTheBodiesOfRanksHaveMixed) {
  const Lattice slabs = lattice_owned_by([](int x, int, int) { return x * rank_count() / kLatticeSide; });
  EXPECT_FALSE(balanced_owners(MPI_COMM_WORLD, slabs.bodies, slabs.pairs, {}).has_value());
  const Lattice mixed = lattice_owned_by([](int x, int y, int z) { return (x + y + z) % rank_count(); });
  EXPECT_EQ(balanced_owners(MPI_COMM_WORLD, mixed.bodies, mixed.pairs, {}).has_value(), rank_count() > 1);
  // In a loose packing, a few pairs across ranks are no mixture.
  Lattice loose = lattice_owned_by([](int x, int, int) { return x * rank_count() / kLatticeSide; });
  std::erase_if(loose.pairs, [&](const contact::BodyPair& pair) {
    return loose.bodies.is_owned(pair.a) && loose.bodies.is_owned(pair.b);
  });
  if (loose.pairs.size() > 1) loose.pairs.erase(loose.pairs.begin() + 1, loose.pairs.end());
  EXPECT_FALSE(balanced_owners(MPI_COMM_WORLD, loose.bodies, loose.pairs, {}).has_value() &&
               rank_count() > 1);
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
