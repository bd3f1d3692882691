/// Runs that end at rest (deck: time/stop), on 1, 2 and 4 ranks.
#include "solvers/run/at_rest.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "assembly/test_ranks.hpp"
#include "solvers/test_models.hpp"
#include "solvers/time_loop.hpp"

namespace scree {
namespace {

using test::add_cube;
using test::cubes_on_floor;

struct Watch : Observer {
  void accepted(const AcceptedState& state) override {
    times.push_back(state.time);
    kinetic.push_back(state.energy.kinetic());
    contacts.push_back(state.contacts);
    if (state.at_rest) rest = state.time;
  }
  std::vector<double> times, kinetic;
  std::vector<long> contacts;
  double rest = -1;
};

RunReport watched(const Model& model, Watch& watch, MPI_Comm comm = MPI_COMM_WORLD) {
  return run(model, {&watch}, comm);
}

/// Two cubes that are released just above the floor and lie after about 0.1 s.
Model dropped() {
  Model model = cubes_on_floor(0.7, 0.5);
  add_cube(model, {0, 0, 0.056});
  add_cube(model, {0.3, 0, 0.053});
  model.interfaces[0].friction.damping = 100;
  model.time = {1, 2e-4, false, 0, 0, StepMode::resolved, 1};
  model.time.stop.wanted = true;
  model.solver.newton_relative = 1e-9;
  return model;
}

TEST(AtRest, EndsTheRunWhenBothCriteriaHaveHeldForSomeSteps) {
  Model model = dropped();
  model.time.stop.kinetic_energy = 1e-8;
  model.time.stop.unbalanced_force = 1e-3;
  Watch watch, alone;
  const RunReport report = watched(model, watch);
  EXPECT_TRUE(report.rest.reached);
  EXPECT_FALSE(report.interrupted);
  EXPECT_LT(report.time, 0.6);
  EXPECT_EQ(watch.rest, report.time);
  EXPECT_LE(report.rest.kinetic_energy, 1e-8);
  EXPECT_LE(report.rest.unbalanced_force, 1e-3);
  EXPECT_LE(report.unbalanced_force, 1e-3);  // measured the other way: of the body's own weight
  // Not a moment of little energy between two bounces.
  const std::size_t last = watch.kinetic.size() - 1;
  for (std::size_t k = last + 1 - AtRest::kRestSteps; k <= last; ++k) EXPECT_LE(watch.kinetic[k], 1e-8);
  EXPECT_EQ(watch.contacts.back(), 8);
  watched(model, alone, MPI_COMM_SELF);
  EXPECT_NEAR(alone.rest, watch.rest, 2 * model.time.step);
}

TEST(AtRest, WhatIsFixedCountsForNoScale) {
  Model model = dropped();
  model.time.stop = {};
  model.time.end = 0.01;
  Watch watch;
  const double free = watched(model, watch).rest_energy;
  add_cube(model, {2, 0, 0.3});
  model.bodies.back().fixed.fill(true);
  model.bodies.back().mass = 1e9;
  EXPECT_EQ(watched(model, watch).rest_energy, free);
}

TEST(AtRest, BodiesThatAreLetGoAreNotAtRestThoughTheyHaveNoEnergyYet) {
  // 1e-3 J is what they have after 3 ms of fall: 16 steps that energy alone would take for rest.
  Model model = dropped();
  model.time.stop.kinetic_energy = 1e-3;
  Watch watch;
  const RunReport report = watched(model, watch);
  EXPECT_TRUE(report.rest.reached);
  ASSERT_GT(watch.times.size(), 30u);
  EXPECT_LT(watch.kinetic[10], 1e-3);
  EXPECT_EQ(watch.contacts.back(), 8);
}

TEST(AtRest, FreeFlightIsNotRestThoughNothingIsUnbalanced) {
  Model model = dropped();
  model.gravity.setZero();
  elements::ForceLoad load;  // what unbalance is a part of; zero until long after the run
  load.body = 1;
  load.value = {0, 0, -20};
  load.ramp = {{10, 0}, {11, 1}};
  model.loads.emplace_back(load);
  model.bodies[0].velocity = {0, 0, 0.05};
  model.bodies[1].velocity = {0, 0, 0.05};
  model.time.end = 0.1;
  model.time.stop.unbalanced_force = 1e-3;
  Watch watch;
  const RunReport flying = watched(model, watch);
  EXPECT_FALSE(flying.rest.reached);
  EXPECT_EQ(flying.rest.unbalanced_force, 0);
  EXPECT_NEAR(flying.rest.kinetic_energy, 2 * 0.05 * 0.05, 1e-10);  // Newton: 2e-8 N
  EXPECT_EQ(flying.time, model.time.end);
  model.bodies[0].velocity.setZero();
  model.bodies[1].velocity.setZero();
  Watch still;
  EXPECT_TRUE(watched(model, still).rest.reached);
  EXPECT_EQ(still.times.size(), 1u + AtRest::kRestSteps);
}

TEST(AtRest, FreeFlightIsNotRestWhateverTheLimits) {
  for (const double limit : {1.0, 1.5}) {  // the ratio of a body that falls is 1
    Model model = dropped();
    for (BodyDescription& body : model.bodies) body.position.z() = 1;
    model.time.end = 0.02;
    model.time.stop.kinetic_energy = 1e9;
    model.time.stop.unbalanced_force = limit;
    Watch watch;
    const RunReport falling = watched(model, watch);
    EXPECT_FALSE(falling.rest.reached);
    EXPECT_EQ(falling.time, model.time.end);
    EXPECT_EQ(falling.rest.balanced, AtRest::kRestForce);
    model.gravity.setZero();  // the same by a load
    elements::ForceLoad load;
    load.body = 1;
    load.value = {0, 0, -20};
    model.loads.emplace_back(load);
    EXPECT_FALSE(watched(model, watch).rest.reached);
  }
  Model model = dropped();
  model.time.stop.kinetic_energy = 1e9;
  model.time.stop.unbalanced_force = 1;
  Watch watch;
  const RunReport carried = watched(model, watch);
  EXPECT_TRUE(carried.rest.reached);
  EXPECT_EQ(carried.rest.balanced, 1);
  EXPECT_GT(watch.contacts.back(), 4);  // both cubes
}

TEST(AtRest, WaitsForItsTime) {
  Model model = dropped();
  model.time.stop.kinetic_energy = 1e-8;
  model.time.stop.unbalanced_force = 1e-3;
  model.time.stop.after = 0.3;
  Watch watch;
  EXPECT_TRUE(watched(model, watch).rest.reached);
  EXPECT_NEAR(watch.rest, 0.3 + (AtRest::kRestSteps - 1) * model.time.step, 1.5 * model.time.step);
}

TEST(AtRest, SaysHowFarARunWasFromItAtTheEndOfItsTime) {
  Model model = dropped();
  model.time.end = 0.02;  // still falling
  model.time.stop.kinetic_energy = 1e-8;
  Watch watch;
  const RunReport report = watched(model, watch);
  EXPECT_TRUE(report.rest.wanted);
  EXPECT_FALSE(report.rest.reached);
  EXPECT_NEAR(report.rest.unbalanced_force, 1, 1e-9);
  EXPECT_NEAR(report.rest.kinetic_energy, 2 * 0.5 * 2 * std::pow(9.81 * 0.02, 2), 1e-9);
}

TEST(AtRest, ALoadThatHasNotBegunMakesNothingBalanced) {
  Model model = dropped();
  elements::ForceLoad press;
  press.body = 1;
  press.value = {0, 0, -1e5};
  press.ramp = {{1, 0}, {1.5, 1}};
  model.loads.emplace_back(press);
  model.time.end = 0.02;  // still falling
  model.time.stop.unbalanced_force = 1e-3;
  Watch watch;
  const RunReport report = watched(model, watch);
  EXPECT_FALSE(report.rest.reached);
  EXPECT_NEAR(report.rest.unbalanced_force, 1, 1e-9);
  EXPECT_LT(report.rest_energy, 1e-3);
}

TEST(AtRest, WhatALoadOnAnotherBodyIsMuchAgainstIsNotBalancedInTheAir) {
  Model model = dropped();
  elements::ForceLoad press;
  press.body = 0;
  press.value = {0, 0, -1e5};
  model.loads.emplace_back(press);
  model.bodies[1].position.z() = 5;
  model.time.end = 0.02;
  model.time.stop.kinetic_energy = 1e9;
  model.time.stop.unbalanced_force = 1e-3;
  Watch watch;
  EXPECT_FALSE(watched(model, watch).rest.reached);
}

TEST(AtRest, WaitsForWhatIsStillToHappen) {
  Model model = dropped();
  model.time.stop.kinetic_energy = 1e-8;
  model.time.stop.unbalanced_force = 1e-3;
  elements::ForceLoad load;
  load.body = 0;
  load.value = {0, 0, -1};
  load.ramp = {{0.5, 1}, {0.6, 2}, {model.time.end, 2}};  // the end of the run is no event
  model.loads.emplace_back(load);
  Watch watch;
  EXPECT_TRUE(watched(model, watch).rest.reached);
  EXPECT_GE(watch.rest, 0.6);
  EXPECT_LT(watch.rest, 0.9);
}

}  // namespace
}  // namespace scree
