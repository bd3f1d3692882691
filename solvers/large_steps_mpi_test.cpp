/// Steps beyond the period of the contacts: Newton's method with friction (theory 05 section 9, theory 09
/// section 2).
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "assembly/petsc.hpp"
#include "assembly/test_ranks.hpp"
#include "elements/integrators/trapezoidal.hpp"
#include "solvers/dynamic/nonlinear_step.hpp"
#include "solvers/test_compliant.hpp"
#include "solvers/test_energy.hpp"
#include "solvers/test_models.hpp"
#include "solvers/test_runs.hpp"

namespace scree {
namespace {

/// Balls that fall onto the floor and each other, of stiff contacts: omega = 2000/s for two of them.
Model stiff_balls(double step) {
  Model model = test_runs::falling_balls();
  std::get<contact::HookeParameters>(model.interfaces[0].normal).stiffness = 2e6;
  model.interfaces[0].friction.stiffness = 1.5e6;
  model.integrator = std::make_shared<elements::Trapezoidal>(1);
  model.time.end = 0.3;
  model.time.step = step;
  model.time.control = StepMode::motion;  // single impacts are not resolved
  model.solver.newton_relative = 1e-5;
  return model;
}

TEST(LargeSteps, SlidingBallsConvergeWithoutCuts) {
  RunReport report;
  test_runs::run_model(stiff_balls(2e-3), MPI_COMM_WORLD, &report);
  const double each = static_cast<double>(report.newton_iterations) / static_cast<double>(report.steps);
  if (ranks::this_rank() == 0)
    std::printf("%ld steps, %.1f iterations each, %ld cut\n", report.steps, each, report.cuts);
  EXPECT_EQ(report.cuts, 0);
  EXPECT_LT(each, 6);  // 7.5 with the derivative instead of the primal-dual form
}

/// Balls that push each other couple too strongly for one iteration of the linear solver: factors take over.
TEST(LargeSteps, FactorsSolveTheStepsInWhichIterationsFail) {
  Model model = stiff_balls(2e-3);
  model.time.end = 0.06;
  model.solver.newton_relative = 1e-11;
  RunReport report, factors;
  petsc::check(PetscOptionsSetValue(nullptr, "-scree_ksp_max_it", "1"), "limiting iterations");
  const test_runs::LastState taken_over = test_runs::run_model(model, MPI_COMM_WORLD, &report);
  petsc::check(PetscOptionsClearValue(nullptr, "-scree_ksp_max_it"), "limiting iterations");
  model.solver.linear = LinearChoice::direct;
  const test_runs::LastState direct = test_runs::run_model(model, MPI_COMM_WORLD, &factors);
  const double difference = test_runs::largest_difference(taken_over.values, direct.values);
  if (ranks::this_rank() == 0)
    std::printf("factors in %ld of %ld solves, %.1e to factors in all\n", report.newton.factored,
                report.newton.solves, difference);
  EXPECT_NEAR(report.time, model.time.end, 1e-12);
  EXPECT_EQ(report.cuts, 0);
  EXPECT_GT(report.newton.factored, 0);
  EXPECT_LT(report.newton.factored, report.newton.solves);  // flight needs none
  EXPECT_EQ(factors.newton.factored, 0);
  EXPECT_EQ(report.steps, factors.steps);
  EXPECT_LT(difference, 1e-7);
}

/// A solve that iterations of the linear solver could not end stands anywhere: the one with factors goes from
/// the start of the step, and bodies meet what is on their way from there.
TEST(LargeSteps, ASolveThatBeginsAgainGoesFromTheStartOfTheStep) {
  if (ranks::rank_count() > 1) GTEST_SKIP() << "one body";
  for (const bool energy : {false, true}) {
    Model model = test::cubes_on_floor(0.3, 0);
    test::add_cube(model, {0, 0, 0.0522}, Quat::Identity(), {0, 0, -10});
    model.time.end = 1;
    model.time.step = 1e-3;
    if (energy) model = test::with_energy(model);
    test::StartedProblem started(model, MPI_COMM_SELF);
    CompliantProblem& problem = started.problem;
    NonlinearStep newton(problem);
    problem.prepare(0, 1e-6, 1);
    ASSERT_EQ(newton.solve().outcome, StepOutcome::converged);
    problem.commit();
    problem.prepare(1e-6, 1e-3, 1);
    const petsc::VecHandle first = problem.dofs().create_vector(), again = problem.dofs().create_vector();
    const petsc::VecHandle r = problem.dofs().create_vector();
    ASSERT_FALSE(problem.predict(first).any());
    problem.residual(first, r);
    const double merit = problem.norms().merit;
    petsc::check(VecCopy(first, again), "moving the body");
    petsc::check(VecScale(again, -8), "moving the body");  // up, where nothing is in its way
    problem.residual(again, r);
    started.world.bodies().trial[0].end_weight = 0.8;  // of a body that settles
    problem.begin_again();
    EXPECT_EQ(started.world.bodies().trial[0].end_weight, 0.8);
    started.world.bodies().trial[0].end_weight = 0.5;
    ASSERT_FALSE(problem.predict(again).any());
    PetscBool same = PETSC_FALSE;
    petsc::check(VecEqual(first, again, &same), "comparing predictions");
    EXPECT_EQ(same, PETSC_TRUE);
    problem.residual(again, r);
    EXPECT_EQ(problem.norms().merit, merit);
  }
}

/// What a solve keeps between its iterates ends with it: the same step twice has the same bits.
TEST(LargeSteps, ARepeatedStepHasTheSameBits) {
  const Model model = stiff_balls(2e-3);
  test::StartedProblem started(model);
  CompliantProblem& problem = started.problem;
  NonlinearStep newton(problem);
  double time = 0;
  for (int k = 0; k < 25; ++k, time += model.time.step) {
    std::vector<double> first;
    for (const bool again : {false, true}) {
      problem.prepare(time, model.time.step, 1);
      ASSERT_EQ(newton.solve().outcome, StepOutcome::converged);
      if (!again) {
        first = newton.history();
        problem.roll_back();
      }
    }
    EXPECT_EQ(newton.history(), first) << k;
    problem.commit();
  }
}

/// The tangent ends as the derivative does, although sliding contacts begin with another one.
TEST(LargeSteps, TheEndIsSuperlinear) {
  Model model = stiff_balls(2e-3);
  model.solver.newton_relative = 1e-11;
  model.solver.linear = LinearChoice::direct;
  test::StartedProblem started(model);
  CompliantProblem& problem = started.problem;
  NonlinearStep newton(problem);
  double time = 0;
  int fast = 0, steps = 0;
  for (int k = 0; k < 60; ++k, time += model.time.step) {
    problem.prepare(time, model.time.step, 1);
    ASSERT_EQ(newton.solve().outcome, StepOutcome::converged);
    const std::vector<double>& r = newton.history();
    if (r.size() > 4) {
      ++steps;
      // The last iteration gains three digits or more.
      if (r[r.size() - 1] < 1e-3 * r[r.size() - 2] && r[r.size() - 2] < 0.1 * r[r.size() - 3]) ++fast;
    }
    problem.commit();
  }
  if (ranks::this_rank() == 0) std::printf("%d of %d steps end superlinearly\n", fast, steps);
  EXPECT_GT(steps, 20);
  EXPECT_GT(fast, steps / 2);
}

}  // namespace
}  // namespace scree
