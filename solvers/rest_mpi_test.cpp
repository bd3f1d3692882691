/// Bodies at rest under the energy-consistent integrator: steps leave them where they are and do not evaluate
/// their contacts, until something moves them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <memory>

#include "assembly/test_ranks.hpp"
#include "contact/neighbours/pair_results.hpp"
#include "solvers/dynamic/impact_update.hpp"
#include "solvers/dynamic/nonlinear_step.hpp"
#include "solvers/simulation.hpp"
#include "solvers/test_compliant.hpp"
#include "solvers/test_energy.hpp"
#include "solvers/test_models.hpp"
#include "solvers/test_runs.hpp"

namespace scree {
namespace {

using test::add_cube;
using test::cubes_on_floor;
using test::with_energy;

/// Four towers of three cubes, a little apart, as they land on each other.
Model towers() {
  Model model = cubes_on_floor(0.3, 0.3);
  for (int k = 0; k < 12; ++k)
    add_cube(model, {0.103 * (k % 2), 0.103 * ((k / 2) % 2), 0.0507 + 0.1007 * std::floor(k / 4.0)});
  model = with_energy(model);
  model.time.step = 2e-3;
  return model;
}

void take_motion_steps(Model& model, double end) {
  model.time = {
      .end = end, .step = 1e-4, .adaptive = true, .min = 1e-9, .max = 2e-3, .control = StepMode::motion};
}

/// Solves a step whose bodies are graded, and accepts it.
void take(CompliantProblem& problem, NonlinearStep& newton, ImpactUpdate& impacts) {
  StepReport report = newton.solve();
  ASSERT_EQ(report.outcome, StepOutcome::converged) << report.cause;
  problem.reach_end(report);
  ImpactEnergy energy;
  ASSERT_EQ(impacts.apply(report.tolerance, energy), "");
  problem.commit();
}

TEST(Rest, ContactsBetweenBodiesAtRestAreNotEvaluated) {
  const Model model = towers();
  test::StartedProblem started(model);
  CompliantProblem& problem = started.problem;
  NonlinearStep newton(problem, {});
  ImpactUpdate impacts(problem);
  const double h = model.time.step;
  long evaluated[2] = {0, 0};
  for (int step = 0; step < 1000; ++step) {
    if (step == 980) evaluated[0] = problem.world().contacts().results().evaluations;
    problem.prepare(step * h, h, 1);
    problem.grade_bodies();
    ASSERT_NO_FATAL_FAILURE(take(problem, newton, impacts));
  }
  evaluated[1] = problem.world().contacts().results().evaluations;
  EXPECT_GT(evaluated[0], 0);
  EXPECT_EQ(evaluated[1], evaluated[0]);
  const Bodies& bodies = problem.world().bodies();
  for (int i = 0; i < bodies.owned; ++i) {
    EXPECT_TRUE(problem.at_rest().holds(i)) << i;
    EXPECT_EQ(bodies.state[i].v.norm(), 0) << i;
  }
  // They rest on each other, and their forces are still there.
  double force = problem.world().contacts().results().largest_force;
  MPI_Allreduce(MPI_IN_PLACE, &force, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  EXPECT_GT(force, 3 * 2 * 9.81 / 4 * 0.99);
}

/// Two balls that fall beside each other meet at less than the speed that weight makes in a step.
TEST(Rest, BodiesThatMeetInFreeFallHaveTheRestitutionOfTheDeck) {
  constexpr double kSpeed = 0.04, kRestitution = 0.9;
  Model model = with_energy(test_runs::balls_on_floor(0, 0));
  auto& hooke = std::get<contact::HookeParameters>(model.interfaces[0].normal);
  hooke.stiffness = 1e7;
  hooke.restitution = kRestitution;
  test_runs::add_ball(model, {0, 0, 10}, {kSpeed, 0, 0});
  test_runs::add_ball(model, {0.11, 0, 10}, {-kSpeed, 0, 0});
  model.time.end = 0.3;
  model.time.step = 5e-3;
  ASSERT_LT(2 * kSpeed, 3 * 9.81 * model.time.step);
  const test_runs::LastState last = test_runs::run_model(model, MPI_COMM_WORLD);
  for (const int k : {0, 1})
    EXPECT_NEAR(std::abs(last.velocity(k).x()), kRestitution * kSpeed, 1e-3 * kSpeed) << k;
}

/// Some twenty swings to and fro. Where it turns round it is slow for a moment, and is not coming to rest.
TEST(Rest, WhatRocksKeepsItsEnergyWhereItTurnsRound) {
  if (ranks::rank_count() > 1) GTEST_SKIP() << "one body";
  Model model = with_energy(test_runs::balls_on_floor(0, 0));
  model.shapes[0] = make_superquadric("pebble", {0.1, 0.08, 0.05}, 2, 2, 30);
  auto& hooke = std::get<contact::HookeParameters>(model.interfaces[0].normal);
  hooke.stiffness = 1e7;
  hooke.restitution = 0.5;
  model.interfaces[0].friction.static_coefficient = model.interfaces[0].friction.dynamic_coefficient = 0.8;
  model.interfaces[0].friction.stiffness = 1e7;
  constexpr double kTurned = 0.15;
  const double height = std::hypot(0.05 * std::cos(kTurned), 0.1 * std::sin(kTurned));
  BodyDescription pebble;
  pebble.position = {0, 0, height};
  pebble.orientation = Quat(Eigen::AngleAxisd(kTurned, Vec3::UnitY()));
  pebble.mass = 2000 * model.shapes[0].volume;
  pebble.inertia_B = 2000 * model.shapes[0].inertia_per_density;
  model.bodies = {pebble};
  const double swings = pebble.mass * 9.81 * (height - 0.05);  // [J]
  for (const double step : {2e-3, 5e-3}) {                     // the largest
    take_motion_steps(model, 3);
    model.time.max = step;
    RunReport report;
    test_runs::run_model(model, MPI_COMM_WORLD, &report);
    const double lost = report.energy.damping_loss + report.energy.friction_loss;
    EXPECT_LT(lost, 5e-3 * swings) << step;
    EXPECT_LT(std::abs(report.energy.closure_error()), 1e-5 * swings) << step;
  }
}

/// A floor hands no impact on: what lies on it elsewhere stays at rest.
TEST(Rest, AnImpactOnTheFloorElsewhereDisturbsNothing) {
  Model model = with_energy(test_runs::balls_on_floor(0, 0));
  auto& hooke = std::get<contact::HookeParameters>(model.interfaces[0].normal);
  hooke.stiffness = 1e8;
  hooke.restitution = 0.5;
  const double sunk = 9.81 / 1e8;
  for (const double x : {0.0, 1.0}) test_runs::add_ball(model, {x, 0, 0.05 - sunk});
  test_runs::add_ball(model, {5, 0, 0.08}, {0, 0, -1});
  model.time.step = 2e-3;
  test::StartedProblem started(model);
  CompliantProblem& problem = started.problem;
  NonlinearStep newton(problem, {});
  ImpactUpdate impacts(problem);
  const double h = model.time.step;
  int disturbed = 0, moved = 0;
  for (int step = 0; step < 60; ++step) {
    problem.prepare(step * h, h, 1);
    problem.grade_bodies();
    const Bodies& bodies = problem.world().bodies();
    for (int i = 0; i < bodies.owned; ++i) {
      const bool lies = bodies.properties[i].id < 2;
      if (step > 5 && lies && !problem.at_rest().holds(i)) ++disturbed;
      if (!lies && bodies.state[i].v.z() > 0.4) moved = 1;
    }
    ASSERT_NO_FATAL_FAILURE(take(problem, newton, impacts));
  }
  MPI_Allreduce(MPI_IN_PLACE, &moved, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
  EXPECT_EQ(moved, 1);
  EXPECT_EQ(disturbed, 0);
}

TEST(Rest, WhatFallsOntoThemMovesThemAsIfTheyHadBeenEvaluated) {
  // Face on face: other impacts of towers multiply what rounding leaves. A state that is saved begins without
  // what was found before: all contacts are evaluated.
  auto model = std::make_shared<Model>(towers());
  add_cube(*model, {0, 0, 6.0});
  take_motion_steps(*model, 1.3);
  model->solver.newton_relative = 1e-8;
  Simulation reused(model, PETSC_COMM_WORLD);
  Simulation fresh(model, PETSC_COMM_WORLD);
  double at_rest = 0;
  while (!reused.finished()) {
    reused.step();
    if (reused.time() > 1.05 && at_rest == 0) at_rest = reused.energy().kinetic();
  }
  while (!fresh.finished()) {
    if (fresh.time() > 0.6) (void)fresh.save();
    fresh.step();
  }
  EXPECT_NEAR(at_rest, 0.5 * 2 * std::pow(9.81 * 1.05, 2), 1);  // only one falls
  const auto a = test_runs::all_states(reused.view(false, true), PETSC_COMM_WORLD);
  const auto b = test_runs::all_states(fresh.view(false, true), PETSC_COMM_WORLD);
  const double difference = test_runs::largest_difference(a, b);
  std::printf("largest difference of states after the impact: %.1e\n", difference);
  EXPECT_LT(difference, 1e-6);
  EXPECT_LT(std::abs(reused.energy().closure_error()), 1e-6 * reused.energy().reference);
  EXPECT_GT(std::abs(reused.energy().damping_loss), 10);  // it did hit them
}

TEST(Rest, ABallAtRestLeavesAnImpactAsRestitutionHasIt) {
  if (ranks::rank_count() > 1) GTEST_SKIP() << "one rank runs it";
  constexpr double kRestitution = 0.8;
  for (const double h : {1e-4, 2e-3}) {
    Model model = cubes_on_floor(0.3, 0);
    model.shapes = {make_sphere("ball", 0.05)};
    contact::HookeParameters hooke;
    hooke.stiffness = 1e8;
    hooke.restitution = kRestitution;
    model.interfaces[0].normal = hooke;
    add_cube(model, {0, 0, 0.05});
    add_cube(model, {-2.1, 0, 0.05}, Quat::Identity(), {1, 0, 0});
    model = with_energy(model);
    take_motion_steps(model, 2.5);
    model.time.max = h;
    RunReport report;
    const test_runs::LastState last = test_runs::run_model(model, MPI_COMM_SELF, &report);
    std::printf("h = %g s: %.5f and %.5f m/s\n", h, last.velocity(0).x(), last.velocity(1).x());
    EXPECT_NEAR(last.velocity(0).x(), 0.5 * (1 + kRestitution), 1e-3);
    EXPECT_NEAR(last.velocity(1).x(), 0.5 * (1 - kRestitution), 1e-3);
    EXPECT_LT(std::abs(report.energy.closure_error()), 1e-6 * report.energy.reference);
  }
}

/// A grain of 1e-7 kg above the floor, beside a rock that its weight is nothing against.
Model grain_and_rock(double restitution) {
  Model model = cubes_on_floor(0.3, 0.3);
  std::get<contact::BarrierParameters>(model.interfaces[0].normal).restitution = restitution;
  add_cube(model, {0, 0, 0.0511});
  model.bodies[0].mass = 1e-7;
  model.bodies[0].inertia_B = model.bodies[0].mass * 0.01 / 6 * Mat3::Identity();
  add_cube(model, {1, 0, 1});
  model.bodies[1].fixed.fill(true);
  return model;
}

/// The first body rests on the floor, which is switched off at 0.3 s.
void falls_when_the_floor_goes(Model model) {
  model.boundaries[0].active_until = 0.3;
  take_motion_steps(model, 0.5);
  const test_runs::LastState last = test_runs::run_model(model, MPI_COMM_SELF);
  const double fall = 0.051 - last.position(0).z();
  std::printf("it fell %.4f m, %.4f by the law\n", fall, 0.5 * 9.81 * 0.04);
  EXPECT_NEAR(fall, 0.5 * 9.81 * 0.04, 0.02 * 0.5 * 9.81 * 0.04);
}

TEST(Rest, AGrainWithoutSupportFallsBesideARock) {
  const Model model = with_energy(grain_and_rock(0.5));
  falls_when_the_floor_goes(model);
}

TEST(Rest, AGrainKeepsItsEnergyBesideARock) {
  // It bounces by a tenth of a millimetre: 45 mm/s.
  for (const bool energy : {true, false}) {
    Model model = grain_and_rock(1);
    if (energy) model = with_energy(model);
    take_motion_steps(model, 0.5);
    if (!energy) model.time.control = StepMode::resolved;
    double fastest = 0;
    const auto shared = std::make_shared<const Model>(model);
    Simulation simulation(shared, MPI_COMM_SELF);
    while (!simulation.finished()) {
      simulation.step();
      test::keep_largest(fastest, simulation.bodies().state[0].v.norm());
    }
    std::printf("%s: at most %.4f m/s\n", energy ? "energy" : "newmark", fastest);
    EXPECT_LT(fastest, 0.05);
    EXPECT_GT(fastest, 0.04);
  }
}

TEST(Rest, AGrainFallsBesideARockWhereOtherBodiesAreBonded) {
  Model model = with_energy(grain_and_rock(0.5));
  model.shapes.push_back(make_sphere("ball", 0.05));
  for (const double x : {5.0, 5.1}) {
    add_cube(model, {x, 0, 9});
    model.bodies.back().shape = 1;
  }
  model.bonds = contact::BondParameters{.stiffness = 1e4, .within = 0.01};
  falls_when_the_floor_goes(model);
}

TEST(Rest, WeightlessBallsCollideAsIfNoOtherBodyHadALoad) {
  for (const bool energy : {true, false}) {
    Model model = cubes_on_floor(0, 0);
    model.gravity.setZero();
    model.boundaries.clear();
    model.boundary_parts.clear();
    model.shapes = {make_sphere("ball", 0.05)};
    contact::HookeParameters hooke;
    hooke.stiffness = 1e5;
    if (energy) hooke.restitution = 1;
    model.interfaces[0].normal = hooke;
    add_cube(model, {5, 0, 0}, Quat::Identity(), {0.1, 0, 0});
    add_cube(model, {5.11, 0, 0});
    for (BodyDescription& ball : model.bodies) {
      ball.mass = 1e-3;
      ball.inertia_B = ball.mass * 0.4 * 0.0025 * Mat3::Identity();
    }
    add_cube(model, {0, 0, 9});
    model.loads.push_back(elements::ForceLoad{.body = 2, .value = {0, 0, 1e5}});
    if (energy) model = with_energy(model);
    take_motion_steps(model, 0.2);
    if (!energy) model.time.control = StepMode::resolved;
    const test_runs::LastState last = test_runs::run_model(model, MPI_COMM_SELF);
    std::printf("%s: %.6f and %.6f m/s\n", energy ? "energy" : "newmark", last.velocity(0).x(),
                last.velocity(1).x());
    EXPECT_NEAR(last.velocity(0).x(), 0, 1e-3);
    EXPECT_NEAR(last.velocity(1).x(), 0.1, 1e-3);
    EXPECT_NEAR(last.velocity(2).z(), 0.2 * 1e5 / 2, 1e-6 * 1e4);
  }
}

TEST(Rest, CubesFallBesideOneWithALargeLoad) {
  // Of equal mass; the load is some ten thousand times their weight.
  Model model = with_energy(cubes_on_floor(0.3, 0.3));
  model.solver.newton_relative = 1e-4;
  add_cube(model, {0, 0, 0.0511});
  add_cube(model, {1, 0, 1});
  model.bodies[1].fixed.fill(true);
  model.loads.emplace_back(elements::ForceLoad{.body = 1, .value = {0, 0, -2e5}});
  falls_when_the_floor_goes(model);
}

TEST(Rest, AGrainHasItsRestitutionBesideARock) {
  Model model = cubes_on_floor(0.3, 0);
  model.shapes.push_back(make_sphere("grain", 2e-4));
  contact::HookeParameters hooke;
  hooke.stiffness = 1e4;
  hooke.restitution = 0.8;
  model.interfaces[0].normal = hooke;
  add_cube(model, {0, 0, 2e-4 + 1e-3});
  BodyDescription& grain = model.bodies[0];
  grain.shape = 1;
  grain.mass = 1e-7;
  grain.inertia_B = 0.4 * grain.mass * 4e-8 * Mat3::Identity();
  add_cube(model, {1, 0, 1});
  model.bodies[1].fixed.fill(true);
  model.bodies[1].mass = 1e5;
  model = with_energy(model);
  model.time.step = 2e-4;
  // At its peak after the first rebound.
  const double fall = std::sqrt(2 * 1e-3 / 9.81);
  model.time.end = 1.8 * fall;
  const test_runs::LastState last = test_runs::run_model(model, MPI_COMM_SELF);
  const double height = last.position(0).z() - 2e-4;
  std::printf("rebound to %.4f of the height of the fall, 0.64 by the law\n", height / 1e-3);
  EXPECT_NEAR(height, 0.64e-3, 0.02e-3);
}

}  // namespace
}  // namespace scree
