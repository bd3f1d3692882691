/// Inlets and outlets on 1, 2 and 4 ranks: insertion times, counts, and the energy balance.
#include "solvers/world/population.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "assembly/test_ranks.hpp"
#include "solvers/simulation.hpp"
#include "solvers/test_models.hpp"
#include "solvers/test_runs.hpp"

namespace scree {
namespace {

using test::add_cube;
using test::cubes_on_floor;

constexpr double kEdge = 0.1;

/// Cubes of the test models, `rate` per second, that come at 1 m/s downwards.
InletDescription inlet_of(double rate, double until, const Vec3& low, const Vec3& high) {
  InletDescription inlet;
  inlet.name = "pipe";
  inlet.low = low;
  inlet.high = high;
  inlet.velocity = {0, 0, -1};
  inlet.angular_velocity = {0.3, 0, 2};
  inlet.largest_bound = std::sqrt(0.75) * kEdge;
  for (int k = 0; k < std::lround(rate * until); ++k) inlet.entries.push_back({k / rate, 0});
  return inlet;
}

Model empty_model() {
  Model model = cubes_on_floor(0.3, 0.3);
  model.materials[0].density = 2000;
  return model;
}

/// The states of a run.
struct Told : Observer {
  void accepted(const AcceptedState& state) override {
    times.push_back(state.time);
    populations.push_back(*state.population);
    ledgers.push_back(state.energy);
    floors.push_back((*state.boundary_wrench)[0].force.z());
    gaps.push_back(state.min_gap);
  }
  std::vector<double> times, floors, gaps;
  std::vector<PopulationReport> populations;
  std::vector<EnergyLedger> ledgers;
};

RunReport watched_population(const Model& model, Told& told) { return run(model, {&told}, MPI_COMM_WORLD); }

TEST(Population, BodiesEnterWhenTheyAreDueAndFallFreely) {
  Model model = empty_model();
  model.time.end = 0.1;
  model.time.step = 1e-3;
  model.inlets = {inlet_of(50, 0.1, {-1, -1, 2}, {1, 1, 4})};
  Told told;
  const RunReport report = watched_population(model, told);
  ASSERT_EQ(report.population.inlets.size(), 1u);
  EXPECT_EQ(report.population.bodies, 5);
  EXPECT_EQ(report.population.inlets[0].bodies, 5);
  EXPECT_NEAR(report.population.inlets[0].mass, 5 * 2.0, 1e-12);
  EXPECT_EQ(report.population.inlets[0].waiting, 0);
  // One is there from its time on: the state at that time is still without it.
  for (std::size_t k = 0; k < told.times.size(); ++k) {
    const long wanted = std::lround(std::ceil(told.times[k] * 50 - 1e-9));
    EXPECT_EQ(told.populations[k].bodies, std::min(wanted, 5L)) << told.times[k];
  }
  const EnergyLedger& ledger = report.energy;
  EXPECT_GT(ledger.inflow, 5 * 2.0 * 9.81 * 2);
  EXPECT_NEAR(ledger.closure_error(), 0, 1e-11 * ledger.inflow);
  EXPECT_NEAR(ledger.total(), ledger.inflow, 1e-11 * ledger.inflow);
  EXPECT_EQ(ledger.outflow, 0);  // nothing left: round-off of what came is no outflow
}

TEST(Population, WhatFindsNoRoomWaits) {
  Model model = empty_model();
  model.gravity = Vec3::Zero();
  model.time.end = 0.4;
  model.time.step = 1e-3;
  // Room for one pole: the next enters when the one before has gone by its size, at 1 m/s.
  model.inlets = {inlet_of(1000, 0.01, {0, 0, 2}, {0, 0, 2})};
  model.inlets[0].angular_velocity.setZero();
  Told told;
  const RunReport report = watched_population(model, told);
  const long bodies = report.population.bodies;
  EXPECT_GE(bodies, 3);  // at most its diagonal and the threshold apart
  EXPECT_LE(bodies, 5);  // at least its edge apart
  EXPECT_EQ(report.population.inlets[0].waiting, 10 - bodies);
  EXPECT_EQ(report.max_contacts, 0);
}

TEST(Population, WhatLeavesIsCountedOnceAndTakesItsEnergyAlong) {
  Model model = empty_model();
  model.time.end = 0.6;
  model.time.step = 1e-3;
  for (int k = 0; k < 6; ++k) {
    add_cube(model, {0.3 * k, 0, 1.0});
    model.bodies.back().velocity = {0, 0, 0.5 * k};
  }
  OutletDescription upper{"upper", {0.5, -1, 0.5}, {5, 1, 0.8}}, rest{"rest", {-1, -1, 0.2}, {0.5, 1, 0.3}};
  model.outlets = {upper, rest};
  Told told;
  const RunReport report = watched_population(model, told);
  // The third and later ones come down through 0.8 m; the slow ones before them leave below. The fastest is
  // still on its way.
  const auto height = [&](int k) { return 1.0 + 0.5 * k * 0.6 - 0.5 * 9.81 * 0.36; };
  long down = 0;
  for (int k = 2; k < 6; ++k) down += height(k) < 0.8 ? 1 : 0;
  ASSERT_GT(down, 0);
  EXPECT_EQ(report.population.outlets[0].bodies, down);
  EXPECT_EQ(report.population.outlets[1].bodies, 2);
  EXPECT_NEAR(report.population.outlets[1].mass, 4.0, 1e-12);
  EXPECT_EQ(report.population.bodies, 4 - down);
  EXPECT_NEAR(report.energy.closure_error(), 0, 1e-10 * report.energy.initial_total);
  EXPECT_GT(report.energy.outflow, 0);
}

TEST(Population, ARunGoesOnWithoutBodies) {
  Model model = empty_model();
  model.time.end = 1.0;
  model.time.step = 1e-3;
  model.inlets = {inlet_of(4, 1.0, {-0.1, -0.1, 0.5}, {0.1, 0.1, 0.6})};
  model.outlets = {{"drain", {-1, -1, -1}, {1, 1, 0.35}}};
  Told told;
  const RunReport report = watched_population(model, told);
  EXPECT_EQ(report.population.inlets[0].bodies, 4);
  EXPECT_EQ(report.population.outlets[0].bodies, 4);
  EXPECT_EQ(report.population.bodies, 0);
  EXPECT_EQ(report.time, 1.0);
  EXPECT_TRUE(std::is_sorted(told.times.begin(), told.times.end()));
  EXPECT_NEAR(report.energy.closure_error(), 0, 1e-11 * report.energy.inflow);
  EXPECT_NEAR(report.energy.total(), 0, 1e-11 * report.energy.inflow);
}

TEST(Population, WithoutBodiesTimePassesToWhereAStepIsToEnd) {
  Model model = empty_model();
  model.time.end = 1.0;
  model.time.step = 1e-3;
  model.inlets = {inlet_of(4, 0.5, {-0.1, -0.1, 0.5}, {0.1, 0.1, 0.6})};
  model.inlets[0].entries.erase(model.inlets[0].entries.begin());  // the first one comes at 0.25 s
  model.outlets = {{"drain", {-1, -1, -1}, {1, 1, 0.35}}};
  Simulation simulation(std::make_shared<const Model>(model), MPI_COMM_WORLD);
  for (const double until : {0.05, 0.2, 0.25}) {
    EXPECT_EQ(simulation.step(until).outcome, StepOutcome::converged);
    EXPECT_EQ(simulation.time(), until);
    EXPECT_EQ(simulation.view(false, false).population->bodies, 0);
  }
  const Snapshot saved = simulation.save();
  simulation.step();
  EXPECT_NEAR(simulation.time(), 0.251, 1e-12);
  EXPECT_EQ(simulation.view(false, false).population->bodies, 1);
  simulation.restore(saved);
  // It falls through the drain, and an end is met although no body is left.
  while (simulation.time() < 0.9) simulation.step(0.9);
  EXPECT_EQ(simulation.time(), 0.9);
  EXPECT_FALSE(simulation.finished());
  EXPECT_EQ(simulation.report().population.bodies, 0);
  simulation.step();
  EXPECT_TRUE(simulation.finished());
}

TEST(Population, WhatStoodOnABodyThatLeftFalls) {
  Model model = empty_model();
  model.time.end = 0.3;
  model.time.step = 5e-4;
  add_cube(model, {0, 0, 0.0505});
  add_cube(model, {0, 0, 0.151});
  // The outlet holds the lower one's pole from the start, and takes it out at once.
  model.outlets = {{"trap", {-1, -1, 0}, {1, 1, 0.06}}};
  Told told;
  const RunReport report = watched_population(model, told);
  ASSERT_GT(told.populations.size(), 1u);
  EXPECT_EQ(told.populations[1].bodies, 1);
  EXPECT_EQ(report.population.bodies, 0);  // the upper one falls into the trap as well
  EXPECT_EQ(report.population.outlets[0].bodies, 2);
}

Model pile() {
  Model model = empty_model();
  model.time.end = 0.08;
  model.time.step = 5e-4;
  for (int k = 0; k < 8; ++k) add_cube(model, {0.12 * (k % 4), 0.12 * (k / 4), 0.0505});
  InletDescription inlet = inlet_of(100, 0.06, {-0.2, -0.2, 0.25}, {0.6, 0.3, 0.4});
  model.inlets = {inlet};
  model.outlets = {{"corner", {0.3, 0.1, 0}, {0.5, 0.2, 0.06}}};
  return model;
}

TEST(Population, RanksAgree) {
  const Model model = pile();
  const auto together = test_runs::run_model(model, MPI_COMM_WORLD);
  const auto alone = test_runs::run_model(model, MPI_COMM_SELF);
  ASSERT_EQ(together.values.size(), 13u * 14u);
  ASSERT_EQ(alone.values.size(), together.values.size());
  const double worst = test_runs::largest_difference(together.values, alone.values);
  EXPECT_LT(worst, 1e-7);
  EXPECT_EQ(Vec3(alone.position(7)), Vec3(Vec3::Zero()));  // the one in the corner has left
}

TEST(Population, RigidBodiesComeAndGoToo) {
  Model model = pile();
  model.analysis = Analysis::contact_dynamics;
  model.interfaces[0].normal = contact::RigidParameters{0, 1, 1};
  model.interfaces[0].friction = {};
  model.time.step = 2e-3;
  Told told;
  const RunReport report = watched_population(model, told);
  EXPECT_EQ(report.population.inlets[0].bodies, 6);
  EXPECT_EQ(report.population.outlets[0].bodies, 1);
  EXPECT_GT(report.deepest_overlap, -1e-4);
}

/// One body has left, the next found no room for a while: the run did not end, or its time went back.
TEST(Population, ABodyThatFoundNoRoomInAnEmptySceneEntersLater) {
  Model model = empty_model();
  model.time.end = 0.6;
  model.time.step = 1e-3;
  model.inlets.push_back(inlet_of(1, 1, {0, 0, 0.5}, {0, 0, 0.5}));
  model.inlets[0].entries = {{0, 0}, {0.3, 0}};
  model.outlets.push_back({.name = "below", .low = {-1, -1, 0.1}, .high = {1, 1, 0.3}});
  model.boundaries.push_back({});
  model.boundaries[1].name = "lid";
  model.boundaries[1].active_from = 0.28;
  model.boundaries[1].active_until = 0.45;
  model.boundary_parts.push_back({1, Vec3(0, 0, 0.5), -Vec3::UnitZ()});
  Told told;
  const RunReport report = watched_population(model, told);
  EXPECT_EQ(report.population.inlets[0].bodies, 2);
  EXPECT_EQ(report.time, 0.6);
  for (std::size_t k = 1; k < told.times.size(); ++k) EXPECT_GT(told.times[k], told.times[k - 1]);
  const auto second = std::find_if(told.populations.begin(), told.populations.end(),
                                   [](const PopulationReport& p) { return p.inlets[0].bodies == 2; });
  ASSERT_NE(second, told.populations.end());
  EXPECT_NEAR(told.times[static_cast<std::size_t>(second - told.populations.begin())], 0.451, 1e-9);
}

/// Bodies that enter are given to the rank of the nearest one: without more, the first rank has all.
TEST(Population, WhatEntersIsSharedAmongRanks) {
  if (ranks::rank_count() == 1) GTEST_SKIP() << "one rank has all";
  Model model = empty_model();
  model.inlets.push_back(inlet_of(1000, 0.2, {-2, -2, 0.2}, {2, 2, 2}));
  model.inlets[0].velocity.setZero();
  model.time.end = 0.21;
  model.time.step = 5e-3;
  const test_runs::LastState last = test_runs::run_model(model, MPI_COMM_WORLD);
  long most = last.owned, all = last.owned;
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_GT(all, 100);
  EXPECT_LT(static_cast<double>(most), 1.5 * static_cast<double>(all) / ranks::rank_count() + 8);
}

}  // namespace
}  // namespace scree
