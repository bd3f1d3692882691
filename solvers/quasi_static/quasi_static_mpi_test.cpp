/// Quasi-static runs on 1, 2 and 4 ranks, against what statics says (theory 02 section 7, theory 05 section
/// 6).
#include "solvers/quasi_static/quasi_static.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>

#include "assembly/test_ranks.hpp"
#include "contact/forces/contact_work.hpp"
#include "core/rotation.hpp"
#include "core/test_extremes.hpp"
#include "solvers/quasi_static/quasi_static_runs.hpp"
#include "solvers/simulation.hpp"

namespace scree {
namespace {

using ranks::rank_count;
using ranks::this_rank;
using statics::add_cube;
using statics::force;
using statics::Seen;
using statics::still_cubes;
using statics::watched;

constexpr double kTotalWeight = 2 * 9.81;  // of a cube of cubes_on_floor [N]

TEST(QuasiStatic, ATiltedCubeComesToLieFlatAtTheGapOfItsWeight) {
  // Theory 02 section 7: 8 kg, f = 1e6 (2 mm - g)^1.5 N; 1.27255639 mm solves 4 f(g) = m g.
  Model model = still_cubes(0);
  model.shapes[0] = make_box("block", {0.2, 0.2, 0.2});
  model.interfaces[0].normal = contact::BarrierParameters{2e-3, 1e6, 1.5, 0.4, -2, 0};
  add_cube(model, {0, 0, 0.3}, Quat(Eigen::AngleAxisd(0.45, Vec3(1, 0.4, 0.2).normalized())));
  model.bodies[0].mass = 8;
  model.bodies[0].inertia_B = 8 * 0.04 / 6 * Mat3::Identity();
  const Seen watch = watched(model, MPI_COMM_WORLD);
  const double gap = 2e-3 - std::pow(8 * 9.81 / 4 / 1e6, 1 / 1.5);
  EXPECT_NEAR(gap, 1.27255639e-3, 0.5e-11);
  EXPECT_NEAR(watch.gaps.back(), gap, 1e-9 * gap);
  EXPECT_NEAR(watch.position(1, 0).z(), 0.1 + gap, 1e-9 * gap);
  const Quat q(Eigen::Map<const Quat>(&watch.poses.back()[3]));
  EXPECT_LT((q * Vec3::UnitZ()).head<2>().norm(), 1e-9);  // flat
  EXPECT_NEAR(watch.floor.back().z(), -8 * 9.81, 1e-8);
  EXPECT_EQ(watch.fastest, 0);
  EXPECT_EQ(watch.ledgers.back().kinetic(), 0);
}

TEST(QuasiStatic, APushedBlockCreepsElasticallyAndItsWorkIsStored) {
  // Theory 05 section 6: x = F / (n_c eps_t) below mu W. Pushed at the height of the friction forces.
  Model model = still_cubes(0.5);
  add_cube(model, {0, 0, 0.0508});
  model.loads.emplace_back(force({8, 0, 0}, {0, 0, -0.05}, {{0.2, 0}, {1, 1}}));
  model.time.step = 0.1;
  const Seen watch = watched(model, MPI_COMM_WORLD);
  ASSERT_EQ(watch.times.size(), 11u);
  for (std::size_t k = 3; k < watch.times.size(); ++k) {
    const double pushed = 8 * (watch.times[k] - 0.2) / 0.8;
    EXPECT_NEAR(watch.point(k, 0, {0, 0, -0.05047}).x(), pushed / (4 * 3e5), 1e-6 * pushed / (4 * 3e5));
    EXPECT_NEAR(watch.floor[k].x(), pushed, 1e-8);
  }
  const EnergyLedger& e = watch.ledgers.back();
  EXPECT_NEAR(e.work_of_loads, 0.5 * 8 * watch.point(10, 0, {0, 0, -0.05}).x(), 1e-6 * e.work_of_loads);
  EXPECT_NEAR(e.friction_elastic, 0.5 * 8 * 8 / (4 * 3e5), 1e-9 * e.friction_elastic);
  // All that the ramp put in is stored: nothing slides or snaps after the fall onto the floor.
  EXPECT_LT(std::abs(e.let_go - watch.ledgers[2].let_go), 1e-3 * e.work_of_loads);
  EXPECT_LT(std::abs(e.friction_loss), 1e-9 * e.work_of_loads);
}

TEST(QuasiStatic, ABlockPushedBeyondFrictionHasNoEquilibriumAndTheMessageSaysWhy) {
  Model model = still_cubes(0.5);
  add_cube(model, {0, 0, 0.0508});
  model.bodies[0].name = "block";
  model.loads.emplace_back(force({16, 0, 0}, {0, 0, -0.05}, {{0.1, 0}, {1, 1}}));
  model.time = {1, 0.1, true, 0.01, 0.1, StepMode::resolved, 1};
  std::string failure;
  const Seen watch = watched(model, MPI_COMM_WORLD, &failure);
  EXPECT_NE(failure.find("no equilibrium"), std::string::npos) << failure;
  EXPECT_NE(failure.find("body \"block\" moved"), std::string::npos) << failure;
  EXPECT_NE(failure.find("slides"), std::string::npos) << failure;
  // Load steps were reduced to the smallest: the last equilibrium is at mu W to within one of them.
  const double limit = 0.1 + 0.9 * 0.5 * kTotalWeight / 16;
  EXPECT_LE(watch.times.back(), limit);
  EXPECT_GT(watch.times.back(), limit - 0.02);
  // It is there again after the load steps that failed, metres away: state, memory and forces.
  const double pushed = 16 * (watch.times.back() - 0.1) / 0.9;
  const std::size_t last = watch.times.size() - 1;
  EXPECT_NEAR(watch.position(last, 0).x(), pushed / (4 * 3e5), 0.03 * pushed / (4 * 3e5));
  EXPECT_NEAR(watch.floor.back().x(), pushed, 1e-7);
}

/// Its weight counts for no tolerance: a light body would be in equilibrium wherever it is.
TEST(QuasiStatic, AHeavyFixedBodyHoldsNoLightOneInTheAir) {
  Model model = still_cubes(0.5);
  add_cube(model, {1, 0, 0.3});
  model.bodies[0].fixed.fill(true);
  model.bodies[0].mass = 1e9;
  add_cube(model, {0, 0, 0.1});
  const Seen watch = watched(model, MPI_COMM_WORLD);
  EXPECT_NEAR(watch.floor.back().z(), -kTotalWeight, 1e-6 * kTotalWeight);
}

TEST(QuasiStatic, ABodyThatNothingStopsEndsInAMessage) {
  Model model = still_cubes(0.5);
  model.boundaries.clear();
  model.boundary_parts.clear();
  add_cube(model, {0, 0, 0});
  add_cube(model, {0.2, 0, 0});
  model.time = {1, 1, true, 0.5, 1, StepMode::resolved, 1};
  std::string failure;
  watched(model, MPI_COMM_WORLD, &failure);
  EXPECT_NE(failure.find("falls without contact"), std::string::npos) << failure;
}

TEST(QuasiStatic, AHeavyLoadHoldsNoLightBodyInTheAir) {
  Model model = still_cubes(0.5);
  add_cube(model, {0, 0, 0.0508});
  add_cube(model, {0.5, 0, 0.3});
  model.loads.emplace_back(force({0, 0, -1e7}, Vec3::Zero(), {}));
  const Seen watch = watched(model, MPI_COMM_WORLD);
  EXPECT_LT(watch.position(watch.times.size() - 1, 1).z(), 0.0511);
}

/// Nothing depends on time: a smaller load step would have to find the same.
TEST(QuasiStatic, WhatNoLoadStepChangesIsLookedForOnce) {
  Model model = still_cubes(0.5);
  model.boundaries.clear();
  model.boundary_parts.clear();
  add_cube(model, {0, 0, 0});
  model.time = {1, 1, true, 0.01, 1, StepMode::resolved, 1};
  Simulation simulation(std::make_shared<const Model>(model), MPI_COMM_WORLD);
  EXPECT_NE(simulation.try_step(1).outcome, StepOutcome::converged);
  EXPECT_EQ(simulation.report().cuts, 1);
  // A ramp may be carried up to a part.
  model.loads.emplace_back(force({0, 0, -1}, Vec3::Zero(), {{0, 0}, {1, 1}}));
  Simulation loaded(std::make_shared<const Model>(model), MPI_COMM_WORLD);
  EXPECT_NE(loaded.try_step(1).outcome, StepOutcome::converged);
  EXPECT_GT(loaded.report().cuts, 3);
}

TEST(QuasiStatic, ALoadStepThatEndsAtARowOfATableOrARampIsAChange) {
  Model model = still_cubes(0.5);
  add_cube(model, {0, 0, 0.0508});
  const auto changes = [&](double from, double to) { return World(model, MPI_COMM_WORLD).changes(from, to); };
  const Vec3 down(0, 0, -1e-3), none = Vec3::Zero();
  model.boundaries[0].motion.table = {{0, none, none}, {1, down, none}, {2, down, none}, {3, none, none}};
  EXPECT_TRUE(changes(0, 1));
  EXPECT_FALSE(changes(1, 2));
  EXPECT_TRUE(changes(2, 3));
  model.boundaries[0].motion.table.clear();
  const auto loaded = [&](double factor) {
    model.loads = {force({0, 0, -1}, none, {{0, 1}, {1, factor}})};
    return changes(0, 1);
  };
  EXPECT_FALSE(loaded(1));
  EXPECT_TRUE(loaded(0.5));
  EXPECT_TRUE(loaded(-1));  // it is as large as before
}

/// Cubes above each other, every other one turned by 45 degrees, 2 mm apart.
Model loaded_pile(int cubes) {
  Model model = still_cubes(0.8);
  for (int k = 0; k < cubes; ++k) {
    add_cube(model, {0, 0, 0.052 + 0.102 * k},
             Quat(Eigen::AngleAxisd(k % 2 == 0 ? 0 : M_PI / 4, Vec3::UnitZ())));
  }
  return model;
}

TEST(QuasiStatic, APileStandsOnItsWeightTheSameOnAnyRanks) {
  constexpr int kCubes = 5;
  const Model model = loaded_pile(kCubes);
  const Seen together = watched(model, MPI_COMM_WORLD);
  const Seen alone = watched(model, MPI_COMM_SELF);
  const Seen again = watched(model, MPI_COMM_WORLD);
  EXPECT_NEAR(together.floor.back().z(), -kCubes * kTotalWeight, 1e-8 * kTotalWeight);
  EXPECT_LT(together.floor.back().head<2>().norm(), 1e-8 * kTotalWeight);
  double worst = 0;
  for (std::size_t k = 0; k < together.poses.back().size(); ++k)
    test::keep_largest(worst, std::abs(together.poses.back()[k] - alone.poses.back()[k]));
  // The tolerance, 4e-10 N, over the softest stiffness against tilting of the pile.
  EXPECT_LT(worst, 1e-9);
  EXPECT_EQ(together.poses.back(), again.poses.back());
  EXPECT_GT(together.ledgers.back().let_go, 0);
  if (this_rank() == 0) std::printf("%d ranks: largest difference to one rank %.1e\n", rank_count(), worst);
}

/// In the first proximal step all of them may come into contact, and no column does with another one.
TEST(QuasiStatic, FactorsTakeTheMemoryOfContactsNotOfAllPairsThatAreNear) {
  Model model = still_cubes(0.3);
  for (int layer = 0; layer < 2; ++layer)
    for (int y = 0; y < 10; ++y)
      for (int x = 0; x < 10; ++x) add_cube(model, {0.105 * x, 0.105 * y, 0.052 + 0.102 * layer});
  // Memory that MUMPS may take on a rank [MB]: not enough for a matrix of all those pairs.
  const std::array limits{"-scree_mat_mumps_icntl_23", "-scree_redundant_mat_mumps_icntl_23"};
  for (const char* limit : limits)
    petsc::check(PetscOptionsSetValue(nullptr, limit, "8"), "limiting the memory");
  std::string failure;
  const Seen seen = watched(model, MPI_COMM_WORLD, &failure);
  for (const char* limit : limits)
    petsc::check(PetscOptionsClearValue(nullptr, limit), "limiting the memory");
  ASSERT_EQ(failure, "");
  EXPECT_NEAR(seen.floor.back().z(), -200 * kTotalWeight, 1e-8 * 200 * kTotalWeight);
}

TEST(QuasiStatic, ALooseHeapFindsItsRestAndNeverGainsEnergy) {
  Model model = still_cubes(0.4);
  for (int k = 0; k < 4; ++k) {
    const Vec3 tilt(0.3 * std::sin(1.0 + k), 0.3 * std::cos(2.0 * k), 0.5 * std::sin(3.0 * k));
    const int layer = k / 2;
    add_cube(model, {0.2 * (k % 2) + 0.02 * std::sin(5.0 * k), 0, 0.1 + 0.19 * layer},
             rotation::quaternion(tilt));
  }
  model.solver.newton_relative = 1e-8;
  const Seen watch = watched(model, MPI_COMM_WORLD);
  EXPECT_NEAR(watch.floor.back().z(), -4 * kTotalWeight, 1e-6 * kTotalWeight);
  const EnergyLedger& e = watch.ledgers.back();
  EXPECT_GT(e.let_go, 0.1);
  EXPECT_GE(e.friction_loss, 0);
  EXPECT_LT(e.total(), e.initial_total);
}

TEST(QuasiStatic, IsWhereSlowAndHeavilyDampedDynamicsEnds) {
  if (rank_count() > 1) GTEST_SKIP() << "of one body, a long run";
  Model model = still_cubes(0.5);
  add_cube(model, {0, 0, 0.05094});
  model.loads.emplace_back(force({6, 2, 0}, {0, 0, 0.02}, {{0.05, 0}, {0.2, 1}}));
  model.time.end = 0.2;
  std::vector<double> still[2];
  for (int k = 0; k < 2; ++k) {
    model.time.step = k == 0 ? 0.02 : 0.005;
    still[k] = watched(model, MPI_COMM_WORLD).poses.back();
  }
  model.analysis = Analysis::dynamic;
  std::get<contact::BarrierParameters>(model.interfaces[0].normal).damping_ratio = 0.8;
  model.interfaces[0].friction.damping = 500;
  model.loads.emplace_back(elements::DragLoad{.coefficient = 300});
  model.time.end = 0.5;
  model.time.step = 2e-4;
  const std::vector<double> slow = watched(model, MPI_COMM_WORLD).poses.back();
  double worst[2] = {0, 0};
  for (int k = 0; k < 2; ++k) {
    for (std::size_t c = 0; c < 7; ++c) test::keep_largest(worst[k], std::abs(still[k][c] - slow[c]));
  }
  std::printf("largest difference of the pose %.1e, %.1e\n", worst[0], worst[1]);
  // It creeps by 1.4e-5 m, and two corners slide: where they end depends on the path, which load steps
  // resolve.
  EXPECT_GT(slow[0], 1e-5);
  EXPECT_LT(worst[0], 1e-7);
  EXPECT_LT(worst[1], 0.5 * worst[0]);
}

TEST(LoadStep, IsTakenBackWithStatesAndMemoryAlsoAfterBodiesChangedTheirRank) {
  Model model = still_cubes(0.5);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 4; ++x) add_cube(model, {0.13 * x, 0.13 * y, 0.0508});
  // Every cube is pushed, so that its contacts have a history; later the first six are pulled off the
  // floor, which leaves their ranks with little to do.
  for (int k = 0; k < 12; ++k) {
    model.loads.emplace_back(force({4.0 + 0.1 * k, 1, 0}, Vec3::Zero(), {{0, 1}}));
    std::get<elements::ForceLoad>(model.loads.back()).body = k;
  }
  for (int k = 0; k < 6; ++k) {
    model.loads.emplace_back(force({0, 0, 40}, Vec3::Zero(), {{1, 0}, {2, 1}}));
    std::get<elements::ForceLoad>(model.loads.back()).body = k;
  }
  World world(model, MPI_COMM_WORLD);
  PhaseClock clock;
  RunReport report;
  QuasiStatic quasi_static(world, clock, report);
  quasi_static.set_time(0);
  EnergyAccount energy_account(world, 0);
  const TimeStep first{0, 1, 1};
  ASSERT_EQ(quasi_static.solve(first).outcome, StepOutcome::converged);
  quasi_static.accept(first, energy_account);
  const auto states = [&world] {
    std::vector<double> all(std::size_t{12} * 7, 0.0);
    for (int i = 0; i < world.bodies().owned; ++i) {
      const BodyState& s = world.bodies().state[i];
      double* out = &all[7 * static_cast<std::size_t>(world.bodies().properties[i].id)];
      std::copy(s.x.begin(), s.x.end(), out);
      std::copy(s.q.coeffs().begin(), s.q.coeffs().end(), out + 3);
    }
    MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_SUM,
                  MPI_COMM_WORLD);
    return all;
  };
  const auto stored = [&world] {
    double energy = world.contacts().work().totals(world.bodies()).friction_energy;
    MPI_Allreduce(MPI_IN_PLACE, &energy, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return energy;
  };
  const auto owned = [&world] {
    std::vector<BodyId> ids;
    ids.reserve(static_cast<std::size_t>(world.bodies().owned));
    for (int i = 0; i < world.bodies().owned; ++i) ids.push_back(world.bodies().properties[i].id);
    return ids;
  };
  const std::vector<BodyId> mine = owned();
  const std::vector<double> before = states();
  const double energy = stored();
  ASSERT_GT(energy, 1e-6);
  const StepReport failed = quasi_static.solve({1, 2, 1});
  EXPECT_NE(failed.outcome, StepOutcome::converged);
  EXPECT_GT(failed.proximal_steps, 5);
  int changed = owned() != mine ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &changed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  EXPECT_EQ(changed, rank_count() > 1 ? 1 : 0) << "nothing migrated";
  EXPECT_EQ(states(), before);
  EXPECT_NEAR(stored(), energy, 1e-13 * energy);
  // And it continues from there as if nothing had been.
  const StepReport next = quasi_static.solve({1, 1.001, 1e-3});
  EXPECT_EQ(next.outcome, StepOutcome::converged) << next.cause;
  EXPECT_LE(next.proximal_steps, 4);
  // A converged load step is rejected as well.
  quasi_static.reject();
  EXPECT_EQ(states(), before);
  EXPECT_NEAR(stored(), energy, 1e-13 * energy);
}

}  // namespace
}  // namespace scree
