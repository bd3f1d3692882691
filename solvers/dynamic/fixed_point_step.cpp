#include "solvers/dynamic/fixed_point_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assembly/interrupt.hpp"
#include "core/error.hpp"

namespace scree {
namespace {

/// Forces out of balance that have grown by this factor over the smallest ones will not come back.
constexpr double kDiverged = 1e4;

const char* const kHint =
    "; a sweep contracts by phi^2 h^2 k/m, so that h < sqrt(m/k)/phi is needed: take smaller steps, or "
    "\"nonlinear\": \"newton\"";

}  // namespace

StepReport FixedPointStep::solve() {
  static const petsc::LogEvent event("ScreeFixedPoint");
  const petsc::LogScope scope(event);
  y_ = system_->dofs().create_vector();
  r_ = system_->dofs().create_vector();
  p_ = system_->dofs().create_vector();
  const SolverDescription& solver = system_->model().solver;
  StepReport report;
  history_.clear();
  report.tolerance = solver.fixed_point_tolerance;
  double best = std::numeric_limits<double>::infinity();
  system_->predict(y_).fail(report);
  if (report.blocked) return report;
  try {
    for (int sweep = 1; sweep <= solver.fixed_point_max_iterations; ++sweep) {
      check_interrupt(system_->comm());
      system_->residual(y_, r_);
      const double unbalanced = system_->norms().largest;
      petsc::check(VecCopy(y_, p_), "keeping an iterate");
      const double error = system_->sweep(y_);
      petsc::check(VecAXPY(p_, -1, y_), "taking an update");
      const double clear = system_->clip(p_);
      if (clear < 1) petsc::check(VecAXPY(y_, 1 - 0.9 * clear, p_), "shortening an update");
      history_.push_back(error);
      report.newton = sweep;
      best = std::min(best, unbalanced);
      if (error <= solver.fixed_point_tolerance && clear == 1) {
        system_->residual(y_, r_);  // forces and memory of the state that is accepted
        report.residual = system_->norms().largest;
        report.outcome = system_->left_cover() ? StepOutcome::left_cover : StepOutcome::converged;
        return report;
      }
      // The error measures do not tell: what they divide by grows alike.
      if (!(unbalanced <= std::max(kDiverged * best, system_->norms().force_scale))) {
        report.cause = std::string("the fixed-point iteration diverges") + kHint;
        return report;
      }
    }
    report.cause = std::string("iteration limit of the fixed-point iteration") + kHint;
  } catch (const RecoverableError& error) {  // on all ranks if on any
    report.cause = std::string("fixed-point iteration: ") + error.what() + kHint;
  }
  return report;
}

}  // namespace scree
