/// Quasi-static runs with overlap-based laws, bonds, and boundaries that move.
#include <gtest/gtest.h>

#include <cmath>

#include "assembly/test_ranks.hpp"
#include "core/test_extremes.hpp"
#include "solvers/dynamic/nonlinear_step.hpp"
#include "solvers/quasi_static/quasi_static.hpp"
#include "solvers/quasi_static/quasi_static_runs.hpp"

namespace scree {
namespace {

using statics::add_cube;
using statics::force;
using statics::Seen;
using statics::still_cubes;
using statics::watched;

constexpr double kWeight = 2 * 9.81;  // of a body [N]

/// Spheres of 0.05 m and 2 kg over a floor, with Hooke's law of 1e5 N/m and its dashpot.
Model still_spheres() {
  Model model = still_cubes(0.3);
  model.shapes[0] = make_sphere("ball", 0.05);
  model.interfaces[0].normal = contact::HookeParameters{1e5, 50, {}, false};
  return model;
}

TEST(QuasiStaticLaws, AColumnOfSpheresSinksIntoHookesLawByTheWeightAboveEachContact) {
  Model model = still_spheres();
  for (int k = 0; k < 3; ++k) add_cube(model, {0, 0, 0.06 + 0.11 * k});
  const Seen seen = watched(model, MPI_COMM_WORLD);
  double height = 0;
  for (int k = 0; k < 3; ++k) {
    height += (k == 0 ? 0.05 : 0.1) - (3 - k) * kWeight / 1e5;
    EXPECT_NEAR(seen.position(1, k).z(), height, 1e-12);
  }
  EXPECT_NEAR(seen.floor.back().z(), -3 * kWeight, 1e-8);
  EXPECT_EQ(seen.fastest, 0);
  EXPECT_EQ(seen.ledgers.back().damping_loss, 0);
}

TEST(QuasiStaticLaws, AFloorThatRisesLiftsWhatItCarriesAndItsWorkIsTheWeightGained) {
  Model model = still_cubes(0.5);
  add_cube(model, {0, 0, 0.0508});
  model.time.step = 0.1;
  model.boundaries[0].motion.velocity = {0, 0, 1e-3};  // a tenth of the threshold in each load step
  const Seen seen = watched(model, MPI_COMM_WORLD);
  ASSERT_EQ(seen.times.size(), 11u);
  const double first = seen.position(1, 0).z();
  EXPECT_NEAR(seen.position(10, 0).z() - first, 0.9e-3, 1e-10);
  EXPECT_NEAR(seen.floor.back().z(), -kWeight, 1e-8);
  EXPECT_EQ(seen.fastest, 0);
  const EnergyLedger &e = seen.ledgers.back(), &start = seen.ledgers[1];
  EXPECT_NEAR(e.work_of_boundaries - start.work_of_boundaries, kWeight * 0.9e-3, 1e-8);
  EXPECT_NEAR(e.let_go, start.let_go, 1e-8);  // none of it is lost
}

/// From its second proximal step on a load step had the boundary where the table has it later.
TEST(QuasiStaticLaws, APlateIsWhereItsTableHasItAtTheEndOfTheLoadStep) {
  Model model = still_spheres();
  add_cube(model, {0, 0, 0.0502});
  model.boundaries.push_back({});
  model.boundaries[1].name = "plate";
  model.boundaries[1].motion.table = {{0, Vec3::Zero(), Vec3::Zero()}, {0.01, {0, 0, -0.01}, Vec3::Zero()}};
  model.boundary_parts.push_back({1, Vec3(0, 0, 0.1005), -Vec3::UnitZ()});
  model.time.step = 1e-3;
  model.time.end = 2e-3;
  const Seen seen = watched(model, MPI_COMM_WORLD);
  ASSERT_EQ(seen.times.size(), 3u);
  for (std::size_t k = 1; k < 3; ++k) {
    // Overlap at the floor and at the plate: their sum is prescribed, and their difference carries the ball.
    const double overlaps = 0.1 - (0.1005 - seen.times[k]);
    EXPECT_NEAR(seen.position(k, 0).z(), 0.05 - 0.5 * (overlaps + kWeight / 1e5), 1e-10);
  }
}

/// The floor turns away from under one side of a box by hundreds of times the depth of its contacts.
TEST(QuasiStaticLaws, ABoxGoesWithAFloorThatTiltsUntilFrictionIsUsedUp) {
  if (ranks::rank_count() > 1) GTEST_SKIP() << "one body";
  constexpr double kFriction = 0.4, kRate = 0.2;
  for (const double stiffness : {1e5, 1e7}) {
    for (const double step : {0.1, 0.02}) {
      Model model = still_cubes(kFriction);
      model.shapes[0] = make_box("box", {0.2, 0.2, 0.1});
      model.interfaces[0].normal = contact::HookeParameters{stiffness, 0, {}, false};
      model.interfaces[0].friction.stiffness = stiffness / 10;
      add_cube(model, {0, 0, 0.05});
      model.boundaries[0].motion.angular_velocity = {0, kRate, 0};
      model.time.step = step;
      model.time.end = 0.9 * std::atan(kFriction) / kRate;
      const Seen seen = watched(model, MPI_COMM_WORLD);
      double slid = 0, turned = 0;
      for (std::size_t k = 1; k < seen.times.size(); ++k) {
        const Mat3 floor = Eigen::AngleAxisd(kRate * seen.times[k], Vec3::UnitY()).toRotationMatrix();
        const Vec3 along = floor.col(0), up = floor.col(2);
        test::keep_largest(slid, std::abs(along.dot(seen.position(k, 0))));
        test::keep_largest(turned, (seen.point(k, 0, {0, 0, 1}) - seen.position(k, 0) - up).norm());
      }
      // It sinks and is sheared by its weight.
      const double sunk = kWeight / stiffness;
      EXPECT_LT(slid, 10 * sunk + 1e-9) << stiffness << ' ' << step;
      EXPECT_LT(turned, 20 * sunk) << stiffness << ' ' << step;
    }
  }
}

/// Nothing holds it where it is, and nothing presses it on.
TEST(QuasiStaticLaws, ABallThatAPlatePushesStaysInFrontOfItWithoutLoads) {
  Model model = still_spheres();
  model.gravity.setZero();
  add_cube(model, {0, 0, 0.0505});
  model.boundaries[0].motion.velocity = {0, 0, 0.01};
  model.time.step = 0.1;
  const Seen seen = watched(model, MPI_COMM_WORLD);
  ASSERT_EQ(seen.times.size(), 11u);
  EXPECT_GE(seen.position(10, 0).z(), 0.05 + 0.01 - 1e-9);
  EXPECT_LT(seen.position(10, 0).z(), 0.05 + 0.01 + 2e-3);
  EXPECT_LT(seen.floor.back().norm(), 1e-6);
}

/// Three spheres in a row that hang from the first one by bonds that carry 30 N.
Model hanging() {
  Model model = still_spheres();
  model.boundaries.clear();
  model.boundary_parts.clear();
  model.bonds = contact::BondParameters{1e4, 0.05, 30};
  for (int k = 0; k < 3; ++k) add_cube(model, {0, 0, -0.1 * k});
  model.bodies[0].fixed = {true, true, true, true, true, true};
  return model;
}

TEST(QuasiStaticLaws, BondsHangDownByTheirStiffness) {
  Model model = hanging();
  model.bonds->break_force = 60;
  const Seen seen = watched(model, MPI_COMM_WORLD);
  EXPECT_NEAR(seen.position(1, 1).z(), -0.1 - 2 * kWeight / 1e4, 1e-11);
  EXPECT_NEAR(seen.position(1, 2).z(), -0.2 - 3 * kWeight / 1e4, 1e-11);
}

TEST(QuasiStaticLaws, ALoadStepThatBreaksABondAndFailsIsTakenBackWithTheBond) {
  Model model = hanging();
  model.gravity *= 0.5;  // 19.6 N in the upper bond
  model.loads.push_back(force({0, 0, -30}, Vec3::Zero(), {{1, 0}, {2, 1}}));
  std::get<elements::ForceLoad>(model.loads.back()).body = 2;
  World world(model, MPI_COMM_WORLD);
  PhaseClock clock;
  RunReport report;
  QuasiStatic quasi_static(world, clock, report);
  quasi_static.set_time(0);
  EnergyAccount energy_account(world, 0);
  const TimeStep first{0, 1, 1};
  const auto bonds = [&world] {
    auto number = static_cast<double>(world.pair_forces().totals(world.bodies()).bonds);
    MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return number;
  };
  ASSERT_EQ(quasi_static.solve(first).outcome, StepOutcome::converged);
  quasi_static.accept(first, energy_account);
  ASSERT_EQ(bonds(), 2);
  const StepReport failed = quasi_static.solve({1, 2, 1});  // 49.6 N
  EXPECT_NE(failed.outcome, StepOutcome::converged);
  EXPECT_NE(failed.detail.find("falls"), std::string::npos) << failed.detail;
  EXPECT_EQ(bonds(), 2);
  EXPECT_EQ(quasi_static.solve({1, 1.2, 0.2}).outcome, StepOutcome::converged);  // 25.6 N
  EXPECT_EQ(bonds(), 2);
}

}  // namespace
}  // namespace scree
