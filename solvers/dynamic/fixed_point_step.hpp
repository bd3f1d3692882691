/// The fixed-point iteration of [Sph] as an alternative to Newton's method, for spheres under the trapezoidal
/// rule (theory 04 section 4).
#pragma once

#include <vector>

#include "assembly/petsc.hpp"
#include "solvers/compliant/compliant_problem.hpp"
#include "solvers/run/step_report.hpp"

namespace scree {

/// Needs no matrix. Contracts by phi^2 h^2 k/m per sweep for a contact stiffness k (theory 02 section 5, R1),
/// so that it converges for steps an explicit method could take, and is for soft contacts and as a
/// cross-check. All bodies are updated at once (Jacobi), not one after the other as [Sph, Remark 5] has it:
/// so the iterates do not depend on the order of bodies or on ranks. The solution is the same.
class FixedPointStep {
 public:
  /// @param problem outlives this object.
  explicit FixedPointStep(CompliantProblem& problem) : problem_(&problem) {}

  /// Solves for the increment of the step that `CompliantProblem::prepare` set up. Collective.
  /// On success the problem's last evaluated state is the solution; `newton` of the report counts sweeps.
  StepReport solve();

  /// Error measures of the sweeps of the last solve [Sph, Eqs. 48-49]: for tests of the contraction.
  [[nodiscard]] const std::vector<double>& history() const { return history_; }

 private:
  /// One sweep over all bodies at once: y is set to what the forces last evaluated, at y, require (theory 04
  /// section 4). @returns the largest error measure of the sweep. Collective.
  double sweep_once(Vec y);

  CompliantProblem* problem_;
  petsc::VecHandle y_, r_, p_;
  std::vector<double> history_;
};

}  // namespace scree
