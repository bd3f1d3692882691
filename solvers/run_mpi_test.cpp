/// Whole runs on 1, 2 and 4 ranks: the same trajectories, the same bits, and what physics demands of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <variant>

#include "assembly/petsc.hpp"
#include "assembly/test_ranks.hpp"
#include "contact/forces/contact_totals.hpp"
#include "contact/forces/contact_work.hpp"
#include "core/error.hpp"
#include "core/rotation.hpp"
#include "solvers/dynamic/nonlinear_step.hpp"
#include "solvers/simulation.hpp"
#include "solvers/test_compliant.hpp"
#include "solvers/test_models.hpp"
#include "solvers/test_runs.hpp"

namespace scree {
namespace {

using ranks::rank_count;
using ranks::this_rank;
using test::add_cube;
using test::cubes_on_floor;

using test_runs::falling_cubes;
using test_runs::LastState;
using test_runs::run_model;

TEST(Run, GivesTheSameTrajectoryOnAnyNumberOfRanks) {
  const Model model = falling_cubes();
  RunReport report;
  const LastState together = run_model(model, MPI_COMM_WORLD, &report);
  const LastState alone = run_model(model, MPI_COMM_SELF);
  const double worst = test_runs::largest_difference(together.values, alone.values);
  EXPECT_LE(together.owned, rank_count() > 1 ? 26 : 27);
  EXPECT_GT(report.max_contacts, 12);
  // Impacts multiply differences of the solver's tolerance (1e-11 of 20 N): 1e-6 of positions and speeds is
  // left.
  EXPECT_LT(worst, 1e-6);
  if (this_rank() == 0)
    std::printf("%d ranks: largest difference to one rank %.1e, %ld steps\n", rank_count(), worst,
                report.steps);
}

TEST(Run, GivesTheSameBitsOnTheSameRanks) {
  const Model model = falling_cubes();
  const LastState first = run_model(model, MPI_COMM_WORLD);
  const LastState second = run_model(model, MPI_COMM_WORLD);
  EXPECT_EQ(std::memcmp(first.values.data(), second.values.data(), first.values.size() * sizeof(double)), 0);
  EXPECT_EQ(first.energies, second.energies);
}

TEST(Run, RefusesOverlapAtTheStartWithBothNamesAndTheDepth) {
  Model model = cubes_on_floor(0.3, 0.3);
  add_cube(model, {0, 0, 0.06});
  add_cube(model, {0.5, 0, 0.06});
  add_cube(model, {0.595, 0, 0.06});
  model.bodies[1].name = "left";
  model.bodies[2].name = "right";
  model.bodies[1].where = "/bodies/1";
  model.time.end = 1;
  const std::string text = test_runs::refusal(model);
  EXPECT_THAT(text, ::testing::HasSubstr("/bodies/1"));
  EXPECT_THAT(text, ::testing::HasSubstr("\"left\""));
  EXPECT_THAT(text, ::testing::HasSubstr("\"right\""));
  EXPECT_THAT(text, ::testing::HasSubstr("0.005 m"));
}

/// A run of which a step fails.
Model unsolvable_cube() {
  Model model = cubes_on_floor(0.3, 0.3);
  add_cube(model, {0, 0, 0.052}, Quat::Identity(), {0, 0, -1});
  model.time.end = 0.1;
  model.time.step = 1e-3;
  model.solver.newton_max_iterations = 0;  // only the predictor: good enough in free flight, not in contact
  model.solver.newton_relative = 1e-10;
  return model;
}

TEST(Run, AStepThatCannotBeSolvedEndsInAnErrorThatSaysWhenAndWhatToTry) {
  const std::string text = test_runs::refusal<RunError>(unsolvable_cube());
  EXPECT_THAT(text, ::testing::HasSubstr("iteration limit"));
  EXPECT_THAT(text, ::testing::Not(::testing::ContainsRegex("t = [0-9.]*0 s")));  // as short as it can be
  EXPECT_THAT(text, ::testing::HasSubstr("time/step"));
}

/// Keeps the report of a run, also of one that fails.
struct ReportKeeper : Observer {
  void accepted(const AcceptedState& /*state*/) override {}
  void finished(const RunReport& of_run) override { report = of_run; }
  RunReport report;
};

TEST(Run, TheReportOfAFailedRunHasItsError) {
  ReportKeeper keeper;
  std::string error;
  try {
    run(unsolvable_cube(), {&keeper}, MPI_COMM_WORLD);
  } catch (const RunError& failure) {
    error = failure.what();
  }
  EXPECT_TRUE(keeper.report.ended);
  EXPECT_THAT(error, ::testing::HasSubstr("iteration limit"));
  EXPECT_EQ(keeper.report.failure, error);
}

TEST(Run, TheReportOfARunThatSucceedsHasNone) {
  Model model = cubes_on_floor(0.3, 0.3);
  add_cube(model, {0, 0, 1});
  model.time.end = 2e-3;
  model.time.step = 1e-3;
  const RunReport report = run(model, {}, MPI_COMM_WORLD);
  EXPECT_TRUE(report.ended);
  EXPECT_EQ(report.failure, "");
}

TEST(Run, WithoutMemoryForTheFactorsItEndsAtOnceAndSaysWhatHelps) {
  Model model = test_runs::balls_on_floor(20, 0);
  for (int k = 0; k < 1000; ++k)
    test_runs::add_ball(model, {0.0999 * (k % 10), 0.0999 * (k / 10 % 10), 0.04995 + 0.0999 * (k / 100)});
  model.time.end = 1e-2;
  model.time.step = 1e-3;
  model.time.adaptive = true;
  model.time.min = 1e-9;
  model.time.max = 1e-3;
  model.solver.linear = LinearChoice::direct;
  // Memory that MUMPS may take on a rank [MB].
  const std::array limits{"-scree_mat_mumps_icntl_23", "-scree_redundant_mat_mumps_icntl_23"};
  for (const char* limit : limits)
    petsc::check(PetscOptionsSetValue(nullptr, limit, "1"), "limiting the memory");
  const std::string text = test_runs::refusal<RunError>(model);
  for (const char* limit : limits)
    petsc::check(PetscOptionsClearValue(nullptr, limit), "limiting the memory");
  EXPECT_THAT(text, ::testing::HasSubstr("out of memory in the factorisation"));
  EXPECT_THAT(text, ::testing::HasSubstr("solver/linear \"iterative\""));
  EXPECT_THAT(text, ::testing::HasSubstr("has been saved"));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("time/step")));
}

/// They were 0 until the next step.
TEST(Run, TheForcesOfTheLastStepStayWhereABodyEnters) {
  Model model = test_runs::balls_on_floor(20, 0);
  test_runs::add_ball(model, {0, 0, 0.0501});
  InletDescription& inlet = model.inlets.emplace_back();
  inlet.name = "pipe";
  inlet.low = inlet.high = Vec3(5, 5, 5);
  inlet.entries.push_back({0.01, 0});
  inlet.largest_bound = 0.05;
  model.time.end = 0.1;
  model.time.step = 1e-3;
  Simulation simulation(std::make_shared<const Model>(model), MPI_COMM_WORLD);
  // On the floor, and on the bodies of this rank.
  const auto forces = [&] {
    const AcceptedState state = simulation.view(false, false);
    std::array<double, 2> sums{state.boundary_wrench->front().force.z(), 0};
    for (const Wrench& wrench : *state.body_wrench) sums[1] += wrench.force.z();
    return sums;
  };
  while (simulation.time() < 0.01 * (1 - 1e-9)) simulation.step();
  const std::array<double, 2> before = forces();
  EXPECT_LT(before[0], -1);
  (void)simulation.largest_step();  // what happens between two steps has happened
  EXPECT_EQ(simulation.view(false, false).population->bodies, 2);
  EXPECT_EQ(forces(), before);
}

TEST(EnergyBalance, AHeavyBodyThatIsFixedHidesNothingOfTheOthers) {
  Model model = cubes_on_floor(0, 0);
  add_cube(model, {0, 0, 1});
  add_cube(model, {3, 0, 5});
  model.bodies[1].mass = 1e12;
  model.bodies[1].fixed.fill(true);
  model.time.end = 0.1;
  model.time.step = 1e-3;
  RunReport report;
  run_model(model, MPI_COMM_WORLD, &report);
  const double fallen = 0.5 * 9.81 * 0.1 * 0.1;
  EXPECT_NEAR(report.energy.reference, 2 * 9.81 * fallen, 1e-3 * 2 * 9.81 * fallen);
  EXPECT_NEAR(report.energy.closure_error(), 0, 1e-12);
}

TEST(Newton, ConvergesSuperlinearlyInContactWithFriction) {
  Model model = cubes_on_floor(0.1, 0.4);
  add_cube(model, {0, 0, 0.0506}, Quat::Identity(), {0.3, 0, -0.4}, {0.2, 1.0, 0.5});
  add_cube(model, {0.01, 0.02, 0.1514}, rotation::quaternion({0, 0, 0.2}), {0, 0, -0.8}, {0, 0, 0.3});
  model.time.end = 1;
  model.solver.newton_relative = 1e-11;
  model.solver.linear = LinearChoice::direct;
  test::StartedProblem started(model);
  CompliantProblem& problem = started.problem;
  NonlinearStep newton(problem);
  int superlinear = 0;
  double time = 0;
  for (int k = 0; k < 12; ++k) {
    const double h = 4e-4;
    problem.prepare(time, h, 1);
    const StepReport report = newton.solve();
    ASSERT_EQ(report.outcome, StepOutcome::converged) << report.cause;
    const std::vector<double>& r = newton.history();
    if (rank_count() == 1) {
      for (const double n : r) std::printf("%.1e ", n);
      std::printf("N\n");
    }
    // Three residuals in a row inside the range of fast convergence: the exponent is
    // log(r2/r1)/log(r1/r0), 2 for the derivative. Sliding contacts come to that from the primal-dual form.
    for (std::size_t i = 0; i + 2 < r.size(); ++i) {
      if (r[i] > 10 || r[i + 2] < 1e-10 || r[i + 2] > r[i + 1]) continue;
      const double order = std::log(r[i + 2] / r[i + 1]) / std::log(r[i + 1] / r[i]);
      EXPECT_GT(order, 1.15) << r[i] << " " << r[i + 1] << " " << r[i + 2];
      ++superlinear;
    }
    problem.commit();
    time += h;
  }
  EXPECT_GE(superlinear, 3);
}

TEST(Newton, LeavesTheContactsOfTheAcceptedStateAfterAStepThatFailed) {
  Model model = cubes_on_floor(0.1, 0.4);
  add_cube(model, {0, 0, 0.0506}, Quat::Identity(), {0.3, 0, -0.4}, {0.2, 1.0, 0.5});
  model.solver.newton_relative = 1e-10;
  test::StartedProblem started(model);
  CompliantProblem& problem = started.problem;
  NonlinearStep newton(problem);
  problem.prepare(0, 4e-4, 1);
  ASSERT_EQ(newton.solve().outcome, StepOutcome::converged);
  problem.commit();
  const contact::ContactTotals accepted = started.world.contacts().work().totals(started.world.bodies());
  model.solver.newton_max_iterations = 0;
  problem.prepare(4e-4, 8e-4, 1);
  ASSERT_EQ(newton.solve().outcome, StepOutcome::failed);
  problem.roll_back();
  const contact::ContactTotals after = started.world.contacts().work().totals(started.world.bodies());
  EXPECT_EQ(after.contacts, accepted.contacts);
  EXPECT_NEAR(after.normal_energy, accepted.normal_energy, 1e-10 * accepted.normal_energy);
  EXPECT_TRUE(after.min_gap == accepted.min_gap || std::abs(after.min_gap - accepted.min_gap) < 1e-15);
}

TEST(Run, AnotherDeckThatContinuesAStateMakesNoBalanceError) {
  Model model = test_runs::balls_on_floor(20, 0);
  auto& hooke = std::get<contact::HookeParameters>(model.interfaces[0].normal);
  test_runs::add_ball(model, {0, 0, 0.05 - 9.81 / hooke.stiffness});
  model.time.end = 1;
  Simulation first(std::make_shared<const Model>(model), MPI_COMM_WORLD);
  for (int k = 0; k < 3; ++k) first.step();
  const Snapshot rest = first.save();
  EXPECT_EQ(first.energy().inflow, 0);
  model.gravity.z() = -20;
  hooke.stiffness *= 10;
  model.deck_text = "heavier and stiffer";
  Simulation other(std::make_shared<const Model>(model), MPI_COMM_WORLD);
  other.restore(rest);
  const EnergyLedger& energy = other.energy();
  EXPECT_NEAR(energy.inflow, (1 - 9.81 / 20) * energy.potential + 0.9 * energy.contact, 1e-9);
  EXPECT_GT(energy.inflow, 0.5);
  for (int k = 0; k < 3; ++k) other.step();
  EXPECT_LT(std::abs(energy.closure_error()), 1e-3);
}

TEST(Momentum, IsKeptExactlyByAPairThatCollidesWithFriction) {
  Model model = cubes_on_floor(0.2, 0.5);
  model.gravity.setZero();
  model.boundaries.clear();
  model.boundary_parts.clear();
  add_cube(model, {0, 0, 0}, rotation::quaternion({0.2, 0.1, 0.3}), {0, 0.2, 0.5}, {1, 2, -1});
  add_cube(model, {0.03, 0.02, 0.16}, rotation::quaternion({-0.1, 0.3, 0.2}), {0, 0, -0.5}, {0.5, -1, 1});
  model.time.end = 0.1;
  model.time.step = 1e-4;
  model.solver.newton_relative = 1e-11;
  RunReport report;
  const LastState last = run_model(model, MPI_COMM_WORLD, &report);
  Vec3 p = Vec3::Zero();
  for (int b = 0; b < 2; ++b) p += 2 * Vec3(&last.values[13 * b + 3]);
  EXPECT_GT(report.max_contacts, 0);
  EXPECT_GT(report.largest_force, 50);
  // Newton's tolerance (some 1e-9 N) over 0.1 s is the bound; action and reaction are exact.
  EXPECT_LT((p - Vec3(0, 0.4, 0)).norm(), 1e-11);
}

}  // namespace
}  // namespace scree
