/// Bonds and near-field forces in whole runs: exact solutions, energy, breaking, and any number of ranks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <numbers>

#include "assembly/test_ranks.hpp"
#include "core/error.hpp"
#include "core/test_extremes.hpp"
#include "elements/integrators/newmark.hpp"
#include "elements/integrators/trapezoidal.hpp"
#include "elements/integrators/variational_midpoint.hpp"
#include "elements/integrators/variational_start.hpp"
#include "solvers/simulation.hpp"
#include "solvers/test_energy.hpp"
#include "solvers/test_models.hpp"
#include "solvers/test_runs.hpp"

namespace scree {
namespace {

using ranks::rank_count;
using ranks::this_rank;
using test_runs::LastState;
using test_runs::run_model;

constexpr double kRadius = 0.05;
constexpr double kMass = 2;

/// Spheres of 0.1 m and 2 kg that fly free, barrier between them.
Model spheres(const std::vector<Vec3>& positions, const std::vector<Vec3>& velocities) {
  Model model = test::cubes_on_floor(0, 0);
  model.gravity.setZero();
  model.boundaries.clear();
  model.boundary_parts.clear();
  model.shapes = {make_sphere("ball", kRadius)};
  for (std::size_t k = 0; k < positions.size(); ++k) {
    test::add_cube(model, positions[k], Quat::Identity(), velocities[k]);
    model.bodies.back().inertia_B = 0.4 * kMass * kRadius * kRadius * Mat3::Identity();
  }
  model.solver.newton_relative = 1e-12;
  return model;
}

/// Two bonded spheres that fly apart with 0.2 m/s from the rest length, along a slanted line, while the pair
/// moves on.
const Vec3 kLine = Vec3(1, 2, -2) / 3;
const Vec3 kDrift(0.3, 0, 0.1);
constexpr double kStiffness = 1e4;
const double kOmega = std::sqrt(2 * kStiffness / kMass);

Model bonded_pair() {
  Model model = spheres({Vec3::Zero(), 2 * kRadius * kLine}, {kDrift - 0.1 * kLine, kDrift + 0.1 * kLine});
  model.bonds = contact::BondParameters{.stiffness = kStiffness, .within = 0.01};
  return model;
}

struct Method {
  const char* name;
  std::shared_ptr<const elements::Integrator> integrator;
  double order;
  double energy;  ///< largest change of the energy in the runs, relative
};

TEST(Bonds, AFreePairOscillatesAtTheExactFrequencyWithTheOrderOfTheIntegratorAndKeepsItsEnergy) {
  if (ranks::rank_count() > 2) GTEST_SKIP() << "few bodies, many steps";
  const double end = 1.3 * 2 * std::numbers::pi / kOmega;
  const double exact = 2 * kRadius + 0.2 / kOmega * std::sin(kOmega * end);
  const std::vector<Method> methods = {
      {"newmark", std::make_shared<elements::Newmark>(0.25, 0.5), 2, 1e-12},
      {"variational 1/2", std::make_shared<elements::VariationalMidpoint>(), 2, 1e-12},
      // Symplectic Euler: its energy swings by omega h / 2, here of the bond's part of all energy. First
      // order, but second in the position from a start without force (theory 02 section 3).
      {"variational 0", std::make_shared<elements::VariationalStart>(), 2, 1e-2},
      {"trapezoidal 1/2", std::make_shared<elements::Trapezoidal>(0.5), 2, 1e-12},
      {"trapezoidal 1", std::make_shared<elements::Trapezoidal>(1.0), 1, 1}};
  for (const Method& method : methods) {
    SCOPED_TRACE(method.name);
    std::vector<double> errors;
    for (const int steps : {100, 200, 400}) {
      Model model = bonded_pair();
      model.integrator = method.integrator;
      // Bonded bodies have no contact, but forces at the start of a step and a barrier are refused together.
      if (method.integrator->stage() == elements::ForceStage::start)
        model.interfaces[0].normal = contact::HookeParameters{.stiffness = kStiffness};
      model.time.end = end;
      model.time.step = end / steps;
      const LastState last = run_model(model, MPI_COMM_WORLD);
      errors.push_back((last.position(1) - last.position(0)).dot(kLine) - exact);
      const double first = last.energies.front();
      for (const double energy : last.energies) EXPECT_NEAR(energy, first, method.energy * first);
      // Momentum and centre of mass.
      EXPECT_LT((last.velocity(0) + last.velocity(1) - 2 * kDrift).norm(), 1e-12);
      EXPECT_LT((last.position(0) + last.position(1) - 2 * kRadius * kLine - 2 * end * kDrift).norm(), 1e-12);
    }
    // Implicit Euler damps by exp(-omega^2 h t / 2): at these steps that is order 0.94.
    EXPECT_NEAR(std::log2(errors[1] / errors[2]), method.order, method.order > 1 ? 0.06 : 0.1);
    EXPECT_LT(std::abs(errors.back()), (method.order > 1 ? 1e-3 : 0.1) * 0.2 / kOmega);
    if (this_rank() == 0)
      std::printf("%s: error of the elongation, of its amplitude: %.2e %.2e %.2e\n", method.name,
                  errors[0] * kOmega / 0.2, errors[1] * kOmega / 0.2, errors[2] * kOmega / 0.2);
  }
}

TEST(Bonds, BreakWhenTheTensionExceedsTheBreakingForceAndTheirEnergyIsBooked) {
  // The largest tension of the pair would be k A = 1e4 * 0.2 / omega = 20 N.
  const double strength = 12;
  const double stored = strength * strength / (2 * kStiffness);
  const double relative = std::sqrt(0.2 * 0.2 - 4 * stored / kMass);  // m* = m/2
  const double at = std::asin(strength / (kStiffness * 0.2 / kOmega)) / kOmega;
  for (const double h : {2e-4, 4e-5}) {
    Model model = bonded_pair();
    model.bonds->break_force = strength;
    model.integrator = std::make_shared<elements::Newmark>(0.25, 0.5);
    model.time.end = 0.012;
    model.time.step = h;
    RunReport report;
    const LastState last = run_model(model, MPI_COMM_WORLD, &report);
    EXPECT_EQ(report.broken_bonds, 1);
    EXPECT_EQ(report.bonds, 0);
    // It breaks at the end of a step: late by less than h.
    const double late = 0.2 * kStiffness * h;  // [N], of the tension
    EXPECT_GT(report.energy.bond_loss, stored);
    EXPECT_LT(report.energy.bond_loss, stored * std::pow(1 + late / strength, 2));
    // Once nothing acts, residuals are brought down to round-off of the inertia terms alone, 4e-14 m v / h.
    const double floor = 4e-14 * 0.3 / h * model.time.end;  // [m/s]
    EXPECT_NEAR(report.energy.closure_error(), 0, 2 * kMass * 0.3 * floor);
    const double speed = (last.velocity(1) - last.velocity(0)).dot(kLine);
    EXPECT_NEAR(speed, relative, 0.2 * kOmega * h);
    EXPECT_LT(at, model.time.end);
    EXPECT_LT((last.velocity(0) + last.velocity(1) - 2 * kDrift).norm(), 2 * floor);
  }
  Model model = bonded_pair();
  model.bonds->break_force = 20.1;
  model.time.end = 0.05;
  model.time.step = 2e-4;
  RunReport report;
  run_model(model, MPI_COMM_WORLD, &report);
  EXPECT_EQ(report.broken_bonds, 0);
  EXPECT_EQ(report.bonds, 1);
}

/// With long steps the force at the end of a step is another one, of the other sign.
TEST(Bonds, ForcesOfLongStepsAreTheirChangeOfMomentum) {
  if (ranks::rank_count() > 1) GTEST_SKIP() << "two bodies";
  Model model = test::with_energy(bonded_pair());
  model.time.step = 2.5 / kOmega;
  model.bodies[0].velocity = kDrift - 0.05 * kLine;
  model.bodies[1].velocity = kDrift + Vec3(0, 0.02, 0.01);
  model.time.end = 10 * model.time.step;
  Simulation simulation(std::make_shared<const Model>(model), MPI_COMM_SELF);
  double worst = 0, largest = 0;
  while (!simulation.finished()) {
    const Vec3 before = simulation.bodies().state[0].v;
    simulation.step();
    if (simulation.steps() == 5) simulation.restore(simulation.save());
    const Vec3 mean =
        simulation.bodies().properties[0].mass * (simulation.bodies().state[0].v - before) / model.time.step;
    const std::vector<ContactRecord> records = simulation.contacts();
    ASSERT_EQ(records.size(), 1U);
    const Vec3 on_a = records[0].normal_force * records[0].normal + records[0].friction;
    test::keep_largest(worst, (on_a - mean).norm());
    test::keep_largest(largest, mean.norm());
  }
  EXPECT_GT(largest, 1);
  EXPECT_LT(worst, 1e-6 * largest);
}

TEST(Bonds, TakeThePlaceOfContactUntilTheyBreak) {
  // Bonded spheres thrown together overlap as the barrier would not allow.
  Model model = bonded_pair();
  model.bonds->break_force = 12;
  model.time.step = 1e-4;
  for (const bool outwards : {true, false}) {
    for (int b = 0; b < 2; ++b) {
      const double sign = (b == 1) == outwards ? 1 : -1;
      model.bodies[b].velocity = kDrift + sign * 0.05 * kLine;  // at most 10 N: it holds
    }
    model.time.end = std::numbers::pi / kOmega / 2;  // the turning point
    const LastState turn = run_model(model, MPI_COMM_WORLD);
    const double elongation = (turn.position(1) - turn.position(0)).norm() - 2 * kRadius;
    EXPECT_NEAR(elongation, (outwards ? 1 : -1) * 0.1 / kOmega, 1e-4 * 0.1 / kOmega + 1e-6);
  }
  // Broken in flight, then thrown together by a force: the barrier keeps them apart.
  Model broken = bonded_pair();
  broken.bonds->break_force = 12;
  for (int b = 0; b < 2; ++b) {
    elements::ForceLoad load;
    load.body = b;
    load.value = (b == 0 ? 20.0 : -20.0) * kLine;
    load.ramp = {{0, 0}, {0.0199, 0}, {0.02, 1}};
    broken.loads.push_back(load);
  }
  broken.time.end = 0.09;
  broken.time.step = 1e-4;
  RunReport report;
  run_model(broken, MPI_COMM_WORLD, &report);
  EXPECT_EQ(report.broken_bonds, 1);
  EXPECT_GT(report.largest_force, 40);
  EXPECT_GT(report.min_gap, 0);
  EXPECT_LT(report.min_gap, 1e-3);
}

TEST(Bonds, WhereNoSpheresAreNearEnoughAreRefused) {
  Model model = bonded_pair();
  model.bodies[1].position *= 1.02;
  model.time.end = 1e-3;
  EXPECT_THAT(test_runs::refusal(model), ::testing::HasSubstr("/bonds/within: got 0.01"));
}

TEST(Bonds, BreakInAnEquilibriumOfAQuasiStaticRun) {
  // A sphere hangs from another that is held. 19.62 N of weight; the bond carries it, or drops it on a floor.
  for (const double strength : {19.7, 19.5}) {
    Model model = bonded_pair();
    model.analysis = Analysis::quasi_static;
    model.gravity = {0, 0, -9.81};
    const Model floor = test::cubes_on_floor(0, 0);
    model.boundaries = floor.boundaries;
    model.boundary_parts = floor.boundary_parts;
    model.bodies[0].position = {0, 0, 0.3};
    model.bodies[0].fixed.fill(true);
    model.bodies[1].position = {0, 0, 0.2};
    for (BodyDescription& body : model.bodies) body.velocity.setZero();
    model.bonds->break_force = strength;
    model.time.end = model.time.step = 1;
    model.solver.newton_relative = 1e-10;
    RunReport report;
    const LastState last = run_model(model, MPI_COMM_WORLD, &report);
    const double weight = kMass * 9.81;
    const bool broke = strength < weight;
    EXPECT_EQ(report.broken_bonds, broke ? 1 : 0);
    if (broke) {
      const double gap = 1e-3 - std::cbrt(weight / 2.8e13);
      EXPECT_NEAR(last.position(1).z(), kRadius + gap, 1e-9);
      EXPECT_NEAR(report.energy.bond_loss, weight * weight / (2 * kStiffness), 1e-9);
    } else {
      EXPECT_NEAR(last.position(1).z(), 0.2 - weight / kStiffness, 1e-11);
    }
  }
}

/// Two bodies on a curved path around each other, in the law of a deck.
struct Orbit {
  const contact::NearFieldParameters field{2e-2, 1e-4, 2, 4, 0.5, contact::AtCutoff::jump};
  const Vec3 q0 = Vec3(0.25, 0, 0), v0 = Vec3(0, 0.3, 0.1);
  const double end = 1.2;

  /// @returns where the second is, seen from the first; classical Runge-Kutta of the relative motion, with
  /// the law written down once more: independent of contact/forces/near_field.cpp.
  [[nodiscard]] Vec3 at_end() const {
    const auto acceleration = [](const Vec3& q) {
      const double d = q.norm();
      return Vec3(-(2e-2 / (d * d) - 1e-4 / (d * d * d * d)) / d * q * 2 / kMass);
    };
    Vec3 q = q0, v = v0;
    const int rk_steps = 20000;
    const double s = end / rk_steps;
    for (int k = 0; k < rk_steps; ++k) {
      const Vec3 v1 = v, a1 = acceleration(q);
      const Vec3 v2 = v + 0.5 * s * a1, a2 = acceleration(q + 0.5 * s * v1);
      const Vec3 v3 = v + 0.5 * s * a2, a3 = acceleration(q + 0.5 * s * v2);
      const Vec3 v4 = v + s * a3, a4 = acceleration(q + s * v3);
      q += s / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
      v += s / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return q;
  }
  [[nodiscard]] Model model(int steps) const {
    Model made = spheres({Vec3::Zero(), q0}, {-0.5 * v0, 0.5 * v0});
    made.near_fields = {field};
    made.time.end = end;
    made.time.step = end / steps;
    return made;
  }
};

/// @param energy error of the balance that is allowed, of the kinetic energy. @returns the measured order.
double order_of_orbit(const std::function<void(Model&)>& choose, double error, double energy) {
  const Orbit orbit;
  const Vec3 q = orbit.at_end();
  EXPECT_GT((q - orbit.q0 - orbit.end * orbit.v0).norm(), 0.1);  // the force mattered
  std::vector<double> errors;
  for (const int steps : {300, 600}) {
    Model model = orbit.model(steps);
    choose(model);
    RunReport report;
    const LastState last = run_model(model, MPI_COMM_WORLD, &report);
    errors.push_back((last.position(1) - last.position(0) - q).norm());
    EXPECT_LT((last.position(1) + last.position(0) - orbit.q0).norm(), 1e-12);
    EXPECT_LT(std::abs(report.energy.closure_error()), energy * report.energy.kinetic());
    EXPECT_GT(std::abs(report.energy.near_field), 0.1 * report.energy.kinetic());
  }
  EXPECT_LT(errors[1], error);
  if (this_rank() == 0) std::printf("errors %.2e %.2e m\n", errors[0], errors[1]);
  return std::log2(errors[0] / errors[1]);
}

TEST(NearField, TwoBodiesThatAttractEachOtherMoveAsTheEquationOfTheirRelativeMotion) {
  const auto newmark = [](Model& model) {
    model.integrator = std::make_shared<elements::Newmark>(0.25, 0.5);
  };
  EXPECT_NEAR(order_of_orbit(newmark, 1e-5, 1e-4), 2, 0.05);
}

TEST(NearField, ActsOnRigidBodiesToFirstOrder) {
  const auto rigid = [](Model& model) {
    model.analysis = Analysis::contact_dynamics;
    model.interfaces[0].normal = contact::RigidParameters{0, 1, 1};
    model.interfaces[0].friction = {};
  };
  EXPECT_NEAR(order_of_orbit(rigid, 2e-3, 2e-2), 1, 0.1);
}

/// Lumps of bonded spheres that fall onto a floor and each other, some of whose bonds break; all bodies
/// attract each other.
Model falling_lumps() {
  std::vector<Vec3> x, v;
  for (int lump = 0; lump < 6; ++lump) {
    const Vec3 corner(0.24 * (lump % 2), 0.26 * (lump / 2 % 2), 0.055 + 0.25 * (lump / 4) + 0.02 * lump);
    for (int k = 0; k < 6; ++k) {
      const Vec3 place(0.1 * (k % 2), 0.1 * (k / 2 % 2), 0.1 * (k / 4));
      x.push_back(corner + place);
      v.push_back({std::cos(5.0 * lump), 0.05, -1.5});
    }
  }
  Model model = spheres(x, v);
  const Model floor = test::cubes_on_floor(0.3, 0.3);
  model.gravity = floor.gravity;
  model.boundaries = floor.boundaries;
  model.boundary_parts = floor.boundary_parts;
  model.interfaces = floor.interfaces;
  model.bonds = contact::BondParameters{.stiffness = 2e5, .within = 0.01, .break_force = 250};
  model.near_fields = {{1e-2, 0, 1, 0, 0.3, contact::AtCutoff::shifted}};
  test_runs::take_adaptive_steps(model, 0.05);
  return model;
}

TEST(PairForces, GiveTheSameTrajectoryOnAnyNumberOfRanksAndTheSameBitsOnTheSame) {
  const Model model = falling_lumps();
  RunReport report;
  const LastState together = run_model(model, MPI_COMM_WORLD, &report);
  const LastState alone = run_model(model, MPI_COMM_SELF);
  const double worst = test_runs::largest_difference(together.values, alone.values);
  if (this_rank() == 0) {
    std::printf(
        "%d ranks: largest difference to one rank %.1e, %ld steps, %ld bonds, %ld broke, migrated: %d\n",
        rank_count(), worst, report.steps, report.bonds, report.broken_bonds, together.migrated);
  }
  EXPECT_LE(together.owned, rank_count() > 1 ? 35 : 36);
  if (rank_count() == 4) {
    EXPECT_EQ(together.migrated, 1) << "bonds did not have to follow their bodies";
  }
  EXPECT_GT(report.broken_bonds, 0);
  EXPECT_GT(report.bonds, 0);
  EXPECT_LT(worst, 1e-6);
  const LastState again = run_model(model, MPI_COMM_WORLD);
  EXPECT_EQ(std::memcmp(together.values.data(), again.values.data(), again.values.size() * sizeof(double)),
            0);
}

}  // namespace
}  // namespace scree
