/// Tolerances below what rounding leaves of a residual: steps are accepted there, and not cut.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <utility>
#include <variant>

#include "assembly/petsc.hpp"
#include "assembly/test_ranks.hpp"
#include "core/test_extremes.hpp"
#include "solvers/dynamic/nonlinear_step.hpp"
#include "solvers/test_compliant.hpp"
#include "solvers/test_runs.hpp"

namespace scree {
namespace {

/// 27 cubes that fall, `far` [m] away from the origin along each axis: places are rounded in proportion.
Model cubes_far_away(double far, double tolerance) {
  Model model = test_runs::falling_cubes();
  for (BodyDescription& body : model.bodies) body.position.array() += far;
  for (BoundaryPart& part : model.boundary_parts) part.point.array() += far;
  model.time.end = 0.06;
  model.solver.newton_relative = tolerance;
  return model;
}

/// Steps that were rejected for another reason than errors in the energy of a contact.
long rejected(const RunReport& report) {
  long sum = 0;
  for (const auto& [cause, count] : report.cut_causes)
    sum += cause == "energy error of a contact" ? 0 : count;
  return sum;
}

/// Largest bound on what rounding leaves of the residual of a body [N].
double largest_floor(const test::StartedProblem& started) {
  double largest = 0;
  for (const double floor : started.problem.residual_floors()) test::keep_largest(largest, floor);
  return started.world.max_over_ranks(largest);
}

TEST(RoundOff, NoStepIsCutForAResidualThatRoundingLeavesOnAnyNumberOfRanks) {
  for (const double tolerance : {1e-11, 1e-12}) {
    const Model model = cubes_far_away(10, tolerance);
    RunReport report;
    const auto together = test_runs::run_model(model, MPI_COMM_WORLD, &report);
    EXPECT_EQ(rejected(report), 0) << tolerance;
    EXPECT_GT(report.newton.at_floor, 0) << tolerance;
    EXPECT_GT(report.newton.worst, tolerance);
    EXPECT_LT(report.newton.worst, 1e-8);
    const auto alone = test_runs::run_model(model, MPI_COMM_SELF);
    const double worst = test_runs::largest_difference(together.values, alone.values);
    // Where steps were rejected for it, differently on each number of ranks, runs parted by 1e-3.
    EXPECT_LT(worst, 2e-6) << tolerance;
    if (ranks::this_rank() == 0)
      std::printf(
          "%d ranks: largest difference to one rank %.1e, %ld of %ld solves at the floor, %.1e at most\n",
          ranks::rank_count(), worst, report.newton.at_floor, report.newton.solves, report.newton.worst);
  }
}

TEST(RoundOff, TheFloorFollowsTheDistanceFromTheOriginAndIsFarBelowForces) {
  double before = 0;
  for (const double far : {0.0, 10.0, 1000.0}) {
    Model model = test::cubes_on_floor(0.1, 0.3);
    test::add_cube(model, Vec3(far, far, far + 0.0504));
    model.boundary_parts[0].point = Vec3(far, far, far);
    test::StartedProblem started(model);
    CompliantProblem& problem = started.problem;
    problem.prepare(0, 1e-4, 1);
    const double floor = largest_floor(started);
    EXPECT_LT(floor, far > 100 ? 1e-3 : 1e-5) << far;  // N; the cube weighs 20 N
    EXPECT_GT(floor, 20 * before);
    before = floor;
  }
}

/// A cube at rest that reaches `depth` [m] into the range of the floor, and one that flies with 10 m/s,
/// without weight, `far` [m] away from the origin.
Model touching_and_flying(double depth, double far) {
  Model model = test::cubes_on_floor(0.1, 0.3);
  model.gravity = Vec3::Zero();
  const double reach = 0.05 + std::get<contact::BarrierParameters>(model.interfaces[0].normal).threshold;
  test::add_cube(model, Vec3(far, far, far + reach - depth));
  test::add_cube(model, Vec3(far, far, far + 1), Quat::Identity(), Vec3(10, 0, 0));
  model.boundary_parts[0].point = Vec3(far, far, far);
  return model;
}

/// The first step of a model, at its prediction.
struct PredictedStep {
  Model model;
  test::StartedProblem started;
  petsc::VecHandle y, r;

  explicit PredictedStep(Model given) : model(std::move(given)), started(model) {
    started.problem.prepare(0, 1e-4, 1);
    y = started.problem.dofs().create_vector();
    r = started.problem.dofs().create_vector();
    EXPECT_FALSE(started.problem.predict(y).any());
  }
};

TEST(RoundOff, RoundingAtABodyDoesNotExcuseTheResidualOfAnother) {
  PredictedStep step(touching_and_flying(4e-8, 1000));
  CompliantProblem& problem = step.started.problem;
  petsc::check(VecScale(step.y, 1 - 2e-11), "leaving the solution");
  problem.residual(step.y, step.r);
  const double tolerance = problem.wanted_residual();
  EXPECT_GT(problem.norms().largest, 10 * tolerance);
  EXPECT_LT(problem.norms().largest, largest_floor(step.started))
      << "the largest of all bounds would excuse it";
  EXPECT_FALSE(problem.is_round_off(tolerance));
}

TEST(RoundOff, AForceOfNextToNothingNeedsNoBalance) {
  PredictedStep step(touching_and_flying(1e-17, 0));
  const test::StartedProblem& started = step.started;
  CompliantProblem& problem = step.started.problem;
  problem.residual(step.y, step.r);
  ASSERT_GT(started.world.max_over_ranks(started.world.contacts().results().largest_force), 0);
  EXPECT_LT(problem.norms().largest, problem.wanted_residual());
  EXPECT_LT(largest_floor(started), problem.wanted_residual());
}

TEST(RoundOff, ATolerableResidualIsReachedWithoutTheFloor) {
  const Model model = cubes_far_away(0, 1e-8);
  RunReport report;
  test_runs::run_model(model, MPI_COMM_WORLD, &report);
  EXPECT_EQ(report.newton.at_floor, 0);
  EXPECT_EQ(report.newton.raised, 0);
  EXPECT_EQ(report.newton.factored, 0);
  EXPECT_EQ(report.newton.worst, 0);
  EXPECT_EQ(rejected(report), 0);
  EXPECT_EQ(report.newton.solves, report.steps + report.repeats + report.cuts);
}

TEST(RoundOff, OnlyResidualsThatAreLeftAreReported) {
  // In steps this small the tolerance is raised to 4e-14 of m v / h, 4 times that of the deck. The residual
  // of free flight is a few roundings.
  Model model = test_runs::falling_cubes();
  for (BodyDescription& body : model.bodies) body.velocity = Vec3(0, 0, -10);
  model.solver.newton_relative = 1e-8;
  model.time.step = 1e-11;
  model.time.adaptive = false;
  model.time.end = 10 * model.time.step;
  RunReport report;
  test_runs::run_model(model, MPI_COMM_WORLD, &report);
  EXPECT_GE(report.newton.solves, 10);
  EXPECT_EQ(report.newton.raised, 0);
  EXPECT_EQ(report.newton.worst, 0);
}

}  // namespace
}  // namespace scree
