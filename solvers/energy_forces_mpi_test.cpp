/// Bonds, near-field forces, rolling resistance and friction without a spring under the energy-consistent
/// integrator: no step makes energy, whatever its size (theory 11 sections 5 and 8).
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "assembly/test_ranks.hpp"
#include "core/test_extremes.hpp"
#include "elements/integrators/newmark.hpp"
#include "solvers/simulation.hpp"
#include "solvers/test_energy.hpp"
#include "solvers/test_models.hpp"
#include "solvers/test_runs.hpp"
#include "solvers/test_tangent.hpp"

namespace scree {
namespace {

using ranks::rank_count;
using ranks::this_rank;
using test::with_energy;
using test_runs::LastState;
using test_runs::run_model;

/// Balls of 5 cm radius and 1 kg in flight, Hooke's law of 1e6 N/m between them, undamped.
Model free_balls() {
  Model model = test_runs::balls_on_floor(0, 0);
  model.gravity.setZero();
  model.boundaries.clear();
  model.boundary_parts.clear();
  contact::HookeParameters hooke;
  hooke.stiffness = 1e6;
  model.interfaces[0].normal = hooke;
  model.solver.newton_relative = 1e-11;
  return with_energy(model);
}

/// A cube of eight bonded balls that turns and vibrates. @param lively speed of both: 1 stretches bonds by
/// some per cent, at any stiffness.
Model bonded_cube(double stiffness, double lively = 1) {
  Model model = free_balls();
  for (int k = 0; k < 8; ++k) {
    const Vec3 place(0.1 * (k % 2), 0.1 * (k / 2 % 2), 0.1 * (k / 4));
    const Vec3 arm = place - Vec3::Constant(0.05);
    const Vec3 spin = lively * Vec3(1, -2, 1.5);
    const Vec3 shake =
        0.002 * lively * std::sqrt(stiffness) * Vec3(std::cos(k), std::sin(2.0 * k), std::cos(3.0 * k));
    test_runs::add_ball(model, place, spin.cross(arm) + shake);
  }
  model.bonds = contact::BondParameters{.stiffness = stiffness, .within = 0.01};
  return model;
}

/// Largest change of the energy in a run of so many steps, relative; what it prints.
double energy_change(const Model& model, int steps, double* iterations = nullptr) {
  Model run = model;
  run.time.end = steps * run.time.step;
  RunReport report;
  const LastState last = run_model(run, MPI_COMM_SELF, &report);
  double largest = 0;
  for (const double energy : last.energies)
    test::keep_largest(largest, std::abs(energy / last.energies.front() - 1));
  if (iterations != nullptr)
    *iterations = static_cast<double>(report.newton_iterations) / static_cast<double>(report.steps);
  EXPECT_EQ(report.cuts, 0);
  return largest;
}

TEST(EnergyForces, ABondedAssemblyKeepsItsEnergyAtAnyStep) {
  constexpr double kStiffness = 1e4;
  const double omega = std::sqrt(2 * kStiffness);  // of a pair of 1 kg
  for (const double turn : {0.1, 1.0, 5.0, 20.0}) {
    // What moves far in a step is not solved at once: the steps here are those of the deck.
    Model model = bonded_cube(kStiffness, 0.02);
    model.time.step = turn / omega;
    double iterations = 0;
    const double change = energy_change(model, 300, &iterations);
    std::printf("h omega %.1f: energy changes by %.1e, %.1f iterations per step\n", turn, change, iterations);
    EXPECT_LT(change, 1e-8);
  }
}

TEST(EnergyForces, ABondThatBreaksTakesWhatItStores) {
  for (const double h : {2e-4, 2e-3, 2e-2}) {
    Model model = bonded_cube(1e4);
    model.bonds->break_force = 14;
    model.time.step = h;
    model.time.end = 60 * h;
    RunReport report;
    run_model(model, MPI_COMM_SELF, &report);
    EXPECT_GT(report.broken_bonds, 0) << h;
    EXPECT_GT(report.energy.bond_loss, 14 * 14 / 2e4 * static_cast<double>(report.broken_bonds));
    EXPECT_LT(std::abs(report.energy.closure_error()), 1e-8 * report.energy.initial_total);
    EXPECT_EQ(report.energy.largest_error < 1e-8 * report.energy.initial_total, true);
  }
}

TEST(EnergyForces, AdaptiveStepsLetABondBreakAtItsForce) {
  for (const bool energy : {true, false}) {
    Model model = free_balls();
    test_runs::add_ball(model, Vec3::Zero(), {-1, 0, 0});
    test_runs::add_ball(model, {0.1, 0, 0}, {1, 0, 0});
    model.bonds = contact::BondParameters{.stiffness = 1e5, .within = 0.01, .break_force = 100};
    if (!energy) {
      model.integrator = std::make_shared<elements::Newmark>();
      model.time.control = StepMode::resolved;
    }
    model.time.adaptive = true;
    model.time.step = 1e-3;
    model.time.min = 1e-9;
    model.time.max = 0.01;
    model.time.end = 0.1;
    RunReport report;
    const LastState last = run_model(model, MPI_COMM_SELF, &report);
    EXPECT_EQ(report.broken_bonds, 1);
    // At 1.05 times the force at most, 1.05^2 of its energy: relative speed^2 less F^2 / (k m*).
    const double least = std::sqrt(4 - 1.05 * 1.05 * 0.2), most = std::sqrt(4 - 0.2);
    EXPECT_GT(last.values[16] - last.values[3], least - 1e-6);
    EXPECT_LT(last.values[16] - last.values[3], most + 1e-6);
    EXPECT_LE(report.bond_load, 1.05);
    EXPECT_TRUE(report.warnings.empty());
    model.time.adaptive = false;
    run_model(model, MPI_COMM_SELF, &report);
    EXPECT_GT(report.bond_load, 1.2);
    EXPECT_EQ(report.warnings.size(), 1U);
  }
}

TEST(EnergyForces, BodiesThatAttractEachOtherKeepTheirEnergyAndMomenta) {
  if (ranks::rank_count() > 1) GTEST_SKIP() << "one rank runs it";
  // Fields whose force jumps at the cut-off, ends there, or reaches everywhere; bodies cross it.
  const std::vector<contact::NearFieldParameters> fields = {
      {0.5, 0, 2, 0, 5, contact::AtCutoff::jump},
      {0.5, 0, 1, 0, 0.25, contact::AtCutoff::jump},
      {0.05, 1e-4, 2, 4, 0.25, contact::AtCutoff::shifted}};
  for (const contact::NearFieldParameters& field : fields) {
    for (const double h : {1e-3, 2e-2}) {
      Model model = free_balls();
      for (int k = 0; k < 8; ++k) {
        const Vec3 place(0.18 * (k % 2), 0.18 * (k / 2 % 2), 0.18 * (k / 4));
        test_runs::add_ball(model, place,
                            0.4 * Vec3(std::cos(5.0 * k), std::sin(2.0 * k), std::cos(3.0 * k)));
      }
      model.near_fields = {field};
      model.time.step = h;
      Model run = model;
      run.time.end = 200 * h;
      RunReport report;
      const LastState last = run_model(run, MPI_COMM_SELF, &report);
      double change = 0;
      double scale = 0;  // energies of the field may be negative
      for (const double energy : last.energies)
        test::keep_largest(change, std::abs(energy - last.energies.front()));
      scale = report.energy.kinetic() + std::abs(report.energy.near_field);
      Vec3 before = Vec3::Zero(), after = Vec3::Zero(), turn_before = Vec3::Zero(), turn_after = Vec3::Zero();
      for (std::size_t k = 0; k < 8; ++k) {
        before += model.bodies[k].velocity;
        after += last.velocity(k);
        turn_before += model.bodies[k].position.cross(model.bodies[k].velocity);
        turn_after += last.position(k).cross(last.velocity(k)) + 0.4 * 0.05 * 0.05 * last.spin(k);
      }
      std::printf("exponent %.0f, h %.0e s: energy %.1e of it, momentum %.1e, angular %.1e\n",
                  field.attraction_exponent, h, change / scale, (after - before).norm(),
                  (turn_after - turn_before).norm());
      EXPECT_LT(change, 1e-8 * scale);
      EXPECT_LT((after - before).norm(), 1e-8);
      EXPECT_LT((turn_after - turn_before).norm(), 1e-8);
    }
  }
}

TEST(EnergyForces, TangentIsThatOfTheResidual) {
  // Bonds and a field, balls that touch and roll; friction through a spring and through a dashpot.
  for (const bool dashpot : {false, true}) {
    Model model = bonded_cube(1e4, 0.02);
    // The last one has no bonds and hits three others in the first step.
    model.bodies[7].position += Vec3::Constant(3e-5);
    model.bodies[7].velocity = Vec3(-0.2, -0.1, -0.3);
    model.bodies[7].angular_velocity = Vec3(5, -3, 2);
    model.near_fields = {{0.05, 1e-4, 2, 4, 0.25, contact::AtCutoff::shifted}};
    model.bonds->within = 1e-4;
    model.interfaces[0].rolling = {.coefficient = 0.1, .stiffness = 20, .damping_ratio = 0.3};
    model.interfaces[0].friction.static_coefficient = model.interfaces[0].friction.dynamic_coefficient = 0.5;
    if (dashpot) model.interfaces[0].friction.stiffness = 0;
    const double error = test::tangent_error(model, 1e-3, 2e-6);
    if (this_rank() == 0) std::printf("%s: %.1e\n", dashpot ? "dashpot" : "spring", error);
    EXPECT_LT(error, 1e-6);
  }
}

/// A ball that rolls on a floor, or from left to right against what stops it.
Model rolling_ball(double speed, double rolling_stiffness, double damping) {
  Model model = test_runs::balls_on_floor(0, 0.5);
  contact::HookeParameters hooke;
  hooke.stiffness = 1e6;
  hooke.restitution = 0.3;
  model.interfaces[0].normal = hooke;
  model.interfaces[0].friction.stiffness = 3e5;
  model.interfaces[0].friction.damping = 0;
  model.interfaces[0].rolling = {
      .coefficient = 0.05, .stiffness = rolling_stiffness, .damping_ratio = damping};
  test_runs::add_ball(model, {0, 0, 0.05 - 9.81e-6}, {speed, 0, 0}, {0, speed / 0.05, 0});
  model.time.end = 2.5;
  model.solver.newton_relative = 1e-10;
  return model;
}

TEST(EnergyForces, RollingResistanceStopsABallWhereTheClosedSolutionHasIt) {
  // The couple mu_r R N brakes m + I/R^2 = 1.4 m: v^2/2 = (mu_r g/1.4) x.
  const double speed = 0.5;
  const double expected = 1.4 * speed * speed / (2 * 0.05 * 9.81);
  for (const double turn : {0.1, 1.0, 10.0, 100.0}) {
    // Wound up over 0.4 mrad, or less.
    const double stiffness = turn > 1 ? 6e5 : 60;
    const double omega = std::sqrt(stiffness / (1.4 * 0.05 * 0.05));
    Model model = with_energy(rolling_ball(speed, stiffness, 0.3));
    model.time.step = turn / omega;
    RunReport report;
    const LastState last = run_model(model, MPI_COMM_SELF, &report);
    std::printf(
        "h omega %5.1f: %.4f m, closed solution %.4f, speed at the end %.1e m/s, made %.1e J of %.3f\n", turn,
        last.position(0).x(), expected, last.velocity(0).norm(), report.energy.largest_error,
        report.energy.reference);
    EXPECT_NEAR(last.position(0).x(), expected, 0.01 * expected);
    EXPECT_LT(last.velocity(0).norm(), 2e-3);
    EXPECT_LT(report.energy.largest_error, 1e-7 * report.energy.reference);
    EXPECT_GT(report.energy.smallest_error, -1e-7 * report.energy.reference);
    EXPECT_GT(report.energy.friction_loss, 0.9 * 0.7 * speed * speed);
  }
}

TEST(EnergyForces, RollingResistanceNeverMakesEnergyInHeapsOfBalls) {
  for (const double damping : {0.0, 0.3}) {
    for (const double h : {2e-4, 2e-3, 1e-2}) {
      Model model = test_runs::falling_balls(damping > 0 ? 20 : 0);
      contact::HookeParameters hooke;
      hooke.stiffness = 1e6;
      hooke.restitution = damping > 0 ? 0.5 : 1.0;
      model.interfaces[0].normal = hooke;
      model.interfaces[0].friction.stiffness = 3e5;
      model.interfaces[0].rolling = {.coefficient = 0.1, .stiffness = 20, .damping_ratio = damping};
      model = with_energy(model);
      model.time.step = h;
      model.time.end = 0.3;
      model.solver.newton_relative = 1e-9;
      RunReport report;
      run_model(model, MPI_COMM_SELF, &report);
      std::printf("damping %.1f, h %.0e s: balance %.1e to %.1e of %.1f J, friction took %.2f J\n", damping,
                  h, report.energy.smallest_error, report.energy.largest_error, report.energy.reference,
                  report.energy.friction_loss);
      EXPECT_LT(report.energy.largest_error, 1e-6 * report.energy.reference);
      EXPECT_GT(report.energy.smallest_error, -1e-6 * report.energy.reference);
      EXPECT_GT(report.energy.friction_loss, 0);
    }
  }
}

TEST(EnergyForces, FrictionByADashpotAloneActsAsUnderNewmark) {
  // A ball that slides, held against rotation: limit mu N while fast, then v' = -(c/m) v.
  const double c = 40, mu = 0.3, speed = 1;
  const auto model_of = [&] {
    Model model = test_runs::balls_on_floor(0, mu);
    contact::HookeParameters hooke;
    hooke.stiffness = 1e6;
    hooke.restitution = 0.3;
    model.interfaces[0].normal = hooke;
    model.interfaces[0].friction.stiffness = 0;
    model.interfaces[0].friction.damping = c;
    test_runs::add_ball(model, {0, 0, 0.05 - 9.81e-6}, {speed, 0, 0});
    model.bodies[0].fixed = {false, false, false, true, true, true};
    model.time.end = 0.8;
    model.solver.newton_relative = 1e-10;
    return model;
  };
  const double slow = mu * 9.81 / c;
  const double expected = (speed * speed - slow * slow) / (2 * mu * 9.81) + slow / c;
  for (const double h : {1e-4, 2e-3, 1e-2}) {
    Model model = with_energy(model_of());
    model.time.step = h;
    RunReport report;
    const LastState last = run_model(model, MPI_COMM_SELF, &report);
    std::printf("h %.0e s: %.5f m, closed solution %.5f\n", h, last.position(0).x(), expected);
    EXPECT_NEAR(last.position(0).x(), expected, (h > 5e-3 ? 0.05 : 0.01) * expected);
    EXPECT_LT(report.energy.largest_error, 1e-8 * report.energy.reference);
    EXPECT_NEAR(report.energy.friction_loss, 0.5 * speed * speed, 0.01);
  }
}

/// Lumps of bonded balls that fall onto a floor and each other and attract each other; some bonds break.
Model lumps_under_energy() {
  Model model = test_runs::balls_on_floor(20, 0.3);
  model.interfaces[0].rolling = {.coefficient = 0.1, .stiffness = 20, .damping_ratio = 0.3};
  for (int lump = 0; lump < 6; ++lump) {
    const Vec3 corner(0.24 * (lump % 2), 0.26 * (lump / 2 % 2), 0.055 + 0.25 * (lump / 4) + 0.02 * lump);
    for (int k = 0; k < 6; ++k) {
      const Vec3 place(0.1 * (k % 2), 0.1 * (k / 2 % 2), 0.1 * (k / 4));
      test_runs::add_ball(model, corner + place, {std::cos(5.0 * lump), 0.05, -1.5});
    }
  }
  model.bonds = contact::BondParameters{.stiffness = 2e5, .within = 0.01, .break_force = 20};
  model.near_fields = {{1e-2, 0, 1, 0, 0.3, contact::AtCutoff::jump}};
  model.time.step = 1e-3;
  model.time.end = 0.05;
  model.solver.newton_relative = 1e-11;
  return with_energy(model);
}

/// A ball in flight with a load, at steps that are longer than the rows of its ramp.
Model loaded_ball(const elements::Load& load) {
  Model model = free_balls();
  test_runs::add_ball(model, Vec3::Zero(), {0, 0.3, 0}, {1, 0, 2});
  model.loads.push_back(load);
  model.time.step = 0.01;
  model.time.end = 0.5;
  return model;
}

TEST(EnergyForces, AShortPulseOfALoadGivesItsImpulse) {
  // 50 N that rise and fall within 2 ms, beside the ends of steps.
  const elements::Ramp pulse{{0.1234, 0}, {0.1244, 1}, {0.1254, 0}};
  Model model = loaded_ball(elements::ForceLoad{.value = {50, 0, 0}, .ramp = pulse});
  for (const bool energy : {true, false}) {
    if (!energy) model.integrator = std::make_shared<elements::Newmark>();
    RunReport report;
    const LastState last = run_model(model, MPI_COMM_SELF, &report);
    EXPECT_NEAR(last.values[3], 50 * 1e-3, 1e-12);
    EXPECT_NEAR(report.energy.work_of_loads, 0.5 * 0.05 * 0.05, 1e-12);
    EXPECT_LT(std::abs(report.energy.closure_error()), 1e-12);
    if (!energy) continue;
    EXPECT_LT(std::abs(report.energy.smallest_error), 1e-12);
  }
}

TEST(EnergyForces, TheBalanceBooksWhatLoadsDo) {
  const elements::Load all[] = {
      elements::ForceLoad{.point_B = {0.02, 0, 0.04}, .value = {3, 0, 1}, .ramp = {{0, 0}, {0.3, 1}}},
      elements::MomentLoad{.value = {0, 0.02, 0.01}, .ramp = {{0, 1}, {0.25, -2}}},
      elements::DragLoad{2, {0, 0, 0}}, elements::DragLoad{2, {1, -2, 0.5}},
      elements::MagnusLoad{0.5, {0, 1, 0}}};
  for (const elements::Load& load : all) {
    RunReport report;
    run_model(loaded_ball(load), MPI_COMM_SELF, &report);
    const EnergyLedger& e = report.energy;
    EXPECT_GT(std::abs(e.kinetic() - e.initial_total), 1e-3);
    EXPECT_LT(std::abs(e.closure_error()), 1e-10 * e.reference);
  }
}

TEST(EnergyForces, AnyNumberOfRanksGivesTheSame) {
  const Model model = lumps_under_energy();
  RunReport report;
  const LastState together = run_model(model, MPI_COMM_WORLD, &report);
  const LastState alone = run_model(model, MPI_COMM_SELF);
  const double worst = test_runs::largest_difference(together.values, alone.values);
  if (this_rank() == 0)
    std::printf("%d ranks: %.1e to one, %ld bonds, %ld broke, balance %.1e J of %.1f\n", rank_count(), worst,
                report.bonds, report.broken_bonds, report.energy.closure_error(), report.energy.reference);
  EXPECT_GT(report.broken_bonds, 0);
  EXPECT_GT(report.bonds, 0);
  EXPECT_LT(worst, 1e-7);
  EXPECT_LT(std::abs(report.energy.closure_error()), 1e-7 * report.energy.reference);
}

TEST(EnergyForces, ASavedStateGoesOnToTheBit) {
  Simulation simulation(std::make_shared<const Model>(lumps_under_energy()), MPI_COMM_WORLD);
  while (simulation.time() < 0.03) simulation.step();
  const Snapshot middle = simulation.save();
  while (!simulation.finished()) simulation.step();
  const Snapshot first = simulation.save();
  simulation.restore(middle);
  while (!simulation.finished()) simulation.step();
  EXPECT_TRUE(simulation.save() == first);
}

}  // namespace
}  // namespace scree
