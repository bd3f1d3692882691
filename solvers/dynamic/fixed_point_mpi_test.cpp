/// The fixed-point iteration of [Sph] against Newton's method and against its own theory.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "assembly/test_ranks.hpp"
#include "elements/integrators/trapezoidal.hpp"
#include "solvers/dynamic/fixed_point_step.hpp"
#include "solvers/test_compliant.hpp"
#include "solvers/test_runs.hpp"

namespace scree {
namespace {

using elements::Trapezoidal;
using ranks::rank_count;
using ranks::this_rank;
using test_runs::add_ball;
using test_runs::balls_on_floor;
using test_runs::falling_balls;
using test_runs::LastState;
using test_runs::run_model;

TEST(FixedPoint, AgreesWithNewtonOnAnyNumberOfRanks) {
  // Without normal damping: at contact onset the dashpot's force jumps, and iterates may jump to and fro with
  // it.
  Model model = falling_balls(0);
  model.integrator = std::make_shared<Trapezoidal>(0.5);
  RunReport report;
  const LastState newton = run_model(model, MPI_COMM_SELF);
  model.solver.nonlinear = NonlinearChoice::fixed_point;
  model.solver.fixed_point_tolerance = 1e-11;
  const LastState together = run_model(model, MPI_COMM_WORLD, &report);
  const LastState alone = run_model(model, MPI_COMM_SELF);
  const double to_newton = test_runs::largest_difference(together.values, newton.values);
  const double to_one = test_runs::largest_difference(together.values, alone.values);
  if (this_rank() == 0) {
    std::printf("%d ranks: %.1e to Newton, %.1e to one rank, %.1f sweeps per step\n", rank_count(), to_newton,
                to_one, static_cast<double>(report.newton_iterations) / static_cast<double>(report.steps));
  }
  EXPECT_GT(report.max_contacts, 9);
  EXPECT_LT(to_newton, 1e-7);
  EXPECT_LT(to_one, 1e-9);
  EXPECT_EQ(report.cuts, 0);
}

TEST(FixedPoint, SpinsThatAreRoundOffDoNotHoldItUp) {
  if (ranks::rank_count() > 2) GTEST_SKIP() << "few bodies, many steps";
  // Without friction the only moments are round-off of central forces.
  Model model = falling_balls(20);
  model.interfaces[0].friction = {};
  model.integrator = std::make_shared<Trapezoidal>(0.5);
  model.time.step /= 4;
  const LastState newton = run_model(model, MPI_COMM_SELF);
  model.solver.nonlinear = NonlinearChoice::fixed_point;
  RunReport report;
  const LastState swept = run_model(model, MPI_COMM_WORLD, &report);
  EXPECT_GT(report.max_contacts, 9);
  EXPECT_EQ(report.cuts, 0);
  EXPECT_LT(static_cast<double>(report.newton_iterations), 30.0 * static_cast<double>(report.steps));
  for (std::size_t k = 0; k < model.bodies.size(); ++k)
    EXPECT_LT((swept.velocity(k) - newton.velocity(k)).norm(), 1e-4) << k;
}

TEST(FixedPoint, ContractsAsTheoryPage02SectionFiveSays) {
  // Remark R1: phi^2 h^2 k/m per sweep, here for one ball on the floor.
  for (const double h : {2e-3, 6e-3, 1e-2}) {
    Model model = balls_on_floor(0, 0);
    add_ball(model, {0, 0, 0.046}, {0, 0, -0.2});
    model.integrator = std::make_shared<Trapezoidal>(0.5);
    test::StartedProblem started(model);
    FixedPointStep step(started.problem);
    started.problem.prepare(0, h, 1);
    ASSERT_EQ(step.solve().outcome, StepOutcome::converged);
    const double theory = 0.25 * h * h * 2e4;
    const std::vector<double>& errors = step.history();
    ASSERT_GT(errors.size(), 4u);
    // The first measures relate to a change that is not known yet.
    const std::size_t last = errors.size() - 1;
    EXPECT_NEAR(errors[last] / errors[last - 1], theory, 0.01 * theory) << h;
  }
}

TEST(FixedPoint, CutsAStepThatIsTooLargeAndSaysWhy) {
  // Free to lift off, the iterates of the ball jump to and fro; held from both sides they run away.
  for (const bool held : {false, true}) {
    Model model = balls_on_floor(0, 0);
    add_ball(model, {0, 0, 0.0495}, {0, 0, -0.2});
    if (held) {
      BoundaryDescription ceiling;
      ceiling.name = "ceiling";
      model.boundaries.push_back(ceiling);
      model.boundary_parts.push_back({1, {0, 0, 0.099}, -Vec3::UnitZ()});
    }
    model.integrator = std::make_shared<Trapezoidal>(0.5);
    model.solver.nonlinear = NonlinearChoice::fixed_point;
    model.time.end = 0.06;
    model.time.step = 0.02;                 // contraction 2, held 4
    model.time.control = StepMode::motion;  // the impact is not resolved
    RunReport report;
    run_model(model, MPI_COMM_WORLD, &report);
    EXPECT_GT(report.cuts, 0);
    const char* expected = held ? "fixed-point iteration diverged" : "fixed-point iteration: iteration limit";
    bool said = false;
    for (const auto& [cause, count] : report.cut_causes) {
      said = said || cause.find(expected) == 0;
      EXPECT_NE(cause.find("sqrt(m/k)/phi"), std::string::npos) << cause;
    }
    EXPECT_TRUE(said) << expected;
  }
}

}  // namespace
}  // namespace scree
