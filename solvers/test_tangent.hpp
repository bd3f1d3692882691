/// For tests: the tangent of a whole system against differences of its residual.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "assembly/petsc.hpp"
#include "core/error.hpp"
#include "core/test_extremes.hpp"
#include "solvers/dynamic/nonlinear_step.hpp"
#include "solvers/test_compliant.hpp"

namespace scree::test {

/// Largest difference between the tangent and differences of the residual, relative, at random states around
/// the prediction of the second step.
inline double tangent_error(const Model& model, double h, double spread) {
  StartedProblem started(model);
  CompliantProblem& problem = started.problem;
  NonlinearStep newton(problem);
  problem.prepare(0, h, 1);
  StepReport report = newton.solve();
  EXPECT_EQ(report.outcome, StepOutcome::converged) << report.cause;
  problem.reach_end(report);
  EXPECT_EQ(report.outcome, StepOutcome::converged) << report.cause;
  problem.commit();
  problem.prepare(h, h, 1);
  const petsc::VecHandle y = problem.dofs().create_vector(), p = problem.dofs().create_vector(),
                         moved = problem.dofs().create_vector(), sum = problem.dofs().create_vector(),
                         r = problem.dofs().create_vector(), product = problem.dofs().create_vector();
  std::mt19937_64 engine(11);
  std::uniform_real_distribution<double> uniform(-1, 1);
  double worst = 0;
  for (int trial = 0; trial < 20; ++trial) {
    if (problem.predict(y).any()) throw RunError("no prediction");
    // The same random numbers on any number of ranks are not needed, only that they are random.
    for (Vec v : {static_cast<Vec>(moved), static_cast<Vec>(p)}) {
      const petsc::VecValues values(v);
      for (int k = 0; k < 6 * started.world.bodies().owned; ++k) values.data()[k] = uniform(engine);
    }
    petsc::check(VecAXPY(y, spread, moved), "test");
    problem.residual(y, r);
    problem.tangent(y);
    petsc::check(MatMult(problem.matrix(), p, product), "test");
    petsc::check(VecSet(sum, 0), "test");
    const double e = 2e-3 * spread;
    for (const auto& [times, weight] : {std::pair(1, 8.0), {-1, -8.0}, {2, -1.0}, {-2, 1.0}}) {
      petsc::check(VecWAXPY(moved, times * e, p, y), "test");
      problem.residual(moved, r);
      petsc::check(VecAXPY(sum, weight / (12 * e), r), "test");
    }
    petsc::check(VecAXPY(sum, -1, product), "test");
    double difference = 0, size = 0;
    petsc::check(VecNorm(sum, NORM_2, &difference), "test");
    petsc::check(VecNorm(product, NORM_2, &size), "test");
    test::keep_largest(worst, difference / size);
  }
  return worst;
}

}  // namespace scree::test
