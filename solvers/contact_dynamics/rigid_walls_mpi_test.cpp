/// Walls that turn, and steps that fail, in contact dynamics.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>

#include "assembly/test_ranks.hpp"
#include "core/error.hpp"
#include "core/test_extremes.hpp"
#include "solvers/simulation.hpp"
#include "solvers/test_models.hpp"
#include "solvers/test_runs.hpp"

namespace scree {
namespace {

constexpr double kWeight = 9.81;  // of a ball of balls_on_floor [N]

/// A floor of rigid contact.
Model rigid_floor(double friction) {
  Model model = test_runs::balls_on_floor(0, 0);
  model.analysis = Analysis::contact_dynamics;
  model.interfaces[0].normal = contact::RigidParameters{0, 1, 1};
  model.interfaces[0].friction = {.static_coefficient = friction, .dynamic_coefficient = friction};
  if (friction > 0) model.solver.method = RigidMethod::one_step;
  model.solver.lcp_tolerance = 1e-12;
  model.time.step = 2e-3;
  return model;
}

/// The chord of its material goes inwards: it lifted bodies, and "created" energy in each step.
TEST(RigidWalls, ABoreThatTurnsInItselfLeavesABallWhereItIs) {
  if (ranks::rank_count() > 2) GTEST_SKIP() << "few bodies, many steps";
  Model model = rigid_floor(0);
  model.walls = {make_bore("bore", 0.1)};
  model.boundary_parts = {{0, Vec3::Zero(), Vec3::UnitY(), 0}};
  model.boundaries[0].motion.angular_velocity = Vec3(0, 10, 0);
  test_runs::add_ball(model, {0, 0, -0.05});
  model.time.end = 0.2;
  const test_runs::LastState last = test_runs::run_model(model, MPI_COMM_WORLD);
  EXPECT_LT((last.position(0) - Vec3(0, 0, -0.05)).norm(), 1e-9);
}

/// The mean of the ends, with moments about two poles, was off by a part of the step.
TEST(RigidWalls, ATurntableDoesTheWorkOfItsForces) {
  if (ranks::rank_count() > 1) GTEST_SKIP() << "few bodies, many steps";
  Model model = test::cubes_on_floor(0, 0);
  const Model rigid = rigid_floor(0.5);
  model.analysis = rigid.analysis;
  model.interfaces = rigid.interfaces;
  model.solver = rigid.solver;
  model.boundaries[0].motion.angular_velocity = Vec3(0, 0, 2);
  test::add_cube(model, {1, 0, 0.05}, Quat::Identity(), {0, 1, 0});
  model.time.step = 5e-3;
  model.time.end = 0.5;
  Simulation simulation(std::make_shared<const Model>(model), MPI_COMM_WORLD);
  while (!simulation.finished()) simulation.step();
  const EnergyLedger& energy = simulation.energy();
  EXPECT_GT(std::abs(energy.work_of_boundaries), 0.5);
  EXPECT_NEAR(energy.closure_error(), 0, 1e-6 * std::abs(energy.work_of_boundaries));
}

/// The limit by the velocity of the start knows nothing of a body at rest whose support goes.
TEST(RigidWalls, AnAdaptiveStepMovesWhatWasAtRestByAPartOfItsSizeToo) {
  if (ranks::rank_count() > 2) GTEST_SKIP() << "few bodies, many steps";
  Model model = rigid_floor(0);
  model.boundaries.clear();
  model.boundary_parts.clear();
  test_runs::add_ball(model, {0, 0, 1});
  test_runs::take_adaptive_steps(model, 0.2);
  model.time.step = model.time.max = 0.1;
  Simulation simulation(std::make_shared<const Model>(model), MPI_COMM_WORLD);
  double longest = 0, z = 1;
  while (!simulation.finished()) {
    simulation.step();
    double now = simulation.bodies().owned > 0 ? simulation.bodies().state[0].x.z() : -1e300;
    MPI_Allreduce(MPI_IN_PLACE, &now, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    test::keep_largest(longest, z - now);
    z = now;
  }
  EXPECT_LT(longest, 0.3 * 0.05);
}

/// Forces that are round-off never settled: the first ball stopped the run at the start, the second one after
/// its impact.
TEST(RigidWalls, ABallThatTouchesOrHitsAWallFallsAlongIt) {
  if (ranks::rank_count() > 2) GTEST_SKIP() << "few bodies, many steps";
  for (const bool hits : {false, true}) {
    Model model = rigid_floor(0.3);
    model.boundaries.push_back({});
    model.boundaries[1].name = "wall";
    model.boundary_parts.push_back({1, Vec3(-0.05, 0, 0), Vec3::UnitX()});
    if (hits) {
      test_runs::add_ball(model, {0.01, 0, 1.2}, {-0.3, 0, -1});
    } else {
      test_runs::add_ball(model, {0, 0, 1.2});
    }
    model.time.end = 0.06;
    RunReport report;
    const test_runs::LastState last = test_runs::run_model(model, MPI_COMM_WORLD, &report);
    EXPECT_EQ(report.cuts, 0) << hits;
    // Friction of the impact takes off mu times the velocity along the normal.
    const double falls = hits ? -1 + 0.3 * 0.3 : 0;
    EXPECT_NEAR(last.velocity(0).z(), falls - kWeight * model.time.end, 1e-6) << hits;
    EXPECT_NEAR(last.velocity(0).x(), 0, 1e-6) << hits;
  }
}

/// A ball of 1 kg on the floor, and a lid that comes down on it.
Model ball_under_lid(double friction) {
  Model model = rigid_floor(friction);
  test_runs::add_ball(model, {0, 0, 0.05});
  model.boundaries.push_back({});
  model.boundaries[1].name = "lid";
  model.boundaries[1].motion.velocity = Vec3(0, 0, -0.1);
  model.boundary_parts.push_back({1, Vec3(0, 0, 0.1021), -Vec3::UnitZ()});
  model.time.end = 0.1;
  return model;
}

/// The keys of the LCP are errors in a deck with friction.
TEST(RigidWalls, AdviceForAFailedStepWithFrictionNamesNoKeyOfTheLcp) {
  if (ranks::rank_count() > 2) GTEST_SKIP() << "few bodies, many steps";
  const std::string what = test_runs::refusal<RunError>(ball_under_lid(0.3));
  EXPECT_NE(what.find("Try a smaller time/step."), std::string::npos) << what;
  EXPECT_EQ(what.find("solver/lcp"), std::string::npos) << what;
}

class RigidStepThatFails : public ::testing::TestWithParam<bool> {};

/// With bounds of forces requested, those of the rejected step were shown.
TEST_P(RigidStepThatFails, LeavesTheForcesOfTheLastState) {
  if (ranks::rank_count() > 2) GTEST_SKIP() << "few bodies, many steps";
  Model model = ball_under_lid(0);
  if (GetParam()) model.output.intervals.emplace_back(0, -1);
  Simulation simulation(std::make_shared<const Model>(model), MPI_COMM_WORLD);
  EXPECT_THROW(
      {
        while (!simulation.finished()) simulation.step();
      },
      RunError);
  double force = 0;
  for (const ContactRecord& contact : simulation.contacts())
    force += contact.normal_force * contact.normal.z();
  MPI_Allreduce(MPI_IN_PLACE, &force, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_NEAR(force, kWeight, 1e-6);
  const AcceptedState state = simulation.view(false, false);
  EXPECT_NEAR((*state.boundary_wrench)[0].force.z() + (*state.boundary_wrench)[1].force.z(), -kWeight, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Intervals, RigidStepThatFails, ::testing::Bool());

/// Balls in the air, without weight.
Model floating_balls(int count) {
  Model model = rigid_floor(0);
  model.gravity.setZero();
  model.boundaries.clear();
  model.boundary_parts.clear();
  for (int k = 0; k < count; ++k) test_runs::add_ball(model, {0.2 * k, 0, 0});
  model.time.end = 0.02;
  return model;
}

/// Steps of any size failed: contacts were looked for as far as forces move the body, which is nowhere.
TEST(RigidWalls, AMomentAloneTurnsABallFromRest) {
  Model model = floating_balls(1);
  const double moment = 1e-3;  // N m, over 1e-3 kg m^2
  model.loads.push_back(elements::MomentLoad{.value = Vec3(0, 0, moment)});
  RunReport report;
  const test_runs::LastState last = test_runs::run_model(model, MPI_COMM_WORLD, &report);
  EXPECT_LT((last.spin(0) - Vec3(0, 0, moment / 1e-3 * model.time.end)).norm(), 1e-12);
  EXPECT_EQ(report.repeats, 0);
}

/// Each exchange added the energy of the near field to the balance error.
TEST(RigidWalls, ABodyThatEntersFarAwayLeavesTheEnergyOfANearField) {
  Model model = floating_balls(2);
  model.near_fields.push_back({.attraction = 0.01, .attraction_exponent = 2, .cutoff = 1});
  InletDescription& inlet = model.inlets.emplace_back();
  inlet.name = "pipe";
  inlet.low = inlet.high = Vec3(5, 5, 5);
  inlet.entries.push_back({0.01, 0});
  inlet.largest_bound = 0.05;
  RunReport report;
  test_runs::run_model(model, MPI_COMM_WORLD, &report);
  EXPECT_EQ(report.population.bodies, 3);
  const double energy = -0.01 * (1 / 0.2 - 1);
  EXPECT_NEAR(report.energy.near_field, energy, 1e-2 * std::abs(energy));
  EXPECT_NEAR(report.energy.closure_error(), 0, 1e-3 * std::abs(energy));
}

/// They had the numbers of the step before: a state that was saved then could not be read.
TEST(RigidWalls, ForcesStayWithTheirBodiesWhereOthersLeave) {
  Model model = rigid_floor(0);
  test_runs::add_ball(model, {0, 0, 0.05}, {1, 0, 0});
  test_runs::add_ball(model, {-1, 0, 0.05});
  model.bodies[1].mass = 2;
  model.outlets.push_back({.name = "gate", .low = {0.1, -1, 0}, .high = {1, 1, 1}});
  model.output.intervals.emplace_back(0, 1);  // of no contact; the records are gone through for it
  model.time.end = 0.3;
  Simulation simulation(std::make_shared<const Model>(model), MPI_COMM_WORLD);
  while (simulation.time() < 0.15) {
    simulation.step();
    (void)simulation.largest_step();  // what enters and leaves between two steps has
    (void)simulation.contacts();
    // At least the ball that stays presses on the floor, also where the other one has just left.
    EXPECT_LT((*simulation.view(false, false).boundary_wrench)[0].force.z(), -1.9 * kWeight);
  }
  const AcceptedState state = simulation.view(false, false);
  const Bodies& bodies = *state.bodies;
  EXPECT_EQ(state.population->bodies, 1);
  ASSERT_EQ(state.body_wrench->size(), static_cast<std::size_t>(bodies.owned));
  for (const Wrench& wrench : *state.body_wrench) EXPECT_NEAR(wrench.force.z(), 2 * kWeight, 1e-6);
  Simulation other(std::make_shared<const Model>(model), MPI_COMM_WORLD);
  other.restore(simulation.save());
  other.step();
}

}  // namespace
}  // namespace scree
