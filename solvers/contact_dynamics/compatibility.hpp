/// The one among the forces of rigid contact that elastic bodies have in the limit of infinite stiffness
/// (theory 07 section 3).
#pragma once

#include <string>
#include <vector>

#include "solvers/contact_dynamics/contact_energy.hpp"
#include "solvers/contact_dynamics/contact_operator.hpp"
#include "solvers/contact_dynamics/contact_preconditioner.hpp"
#include "solvers/contact_dynamics/methods.hpp"

namespace scree::contact_dynamics {

struct CompatibilityOptions {
  CompatibilityMethod method = CompatibilityMethod::dual;
  Preconditioning preconditioning = Preconditioning::automatic;
  double balance = 1e-12;  ///< |B^T f - F~| relative to |F~| that is good enough; ten times less is aimed at
};

/// What was done and how well the conditions of the minimum hold.
struct CompatibilityReport {
  bool converged = true;
  long closed = 0;     ///< contacts of the closed set, all ranks
  long loaded = 0;     ///< those that carry force
  double dropped = 0;  ///< largest force of the LCP on a contact that is open, by the largest force
  double balance =
      0;  ///< |B^T f - F~| / |F~|, 2-norms; light bodies count by their mass (theory 07 section 3)
  double opening = 0;  ///< largest violation of 0 <= f, c(f) + B u >= 0, f (c(f) + B u) = 0 as a compression,
                       ///< relative to the largest compression c(f)
  int newton = 0;      ///< iterations of Newton's or of the interior-point method
  int restarts = 0;    ///< of Newton's method, where one run left the balance too large
  long krylov = 0;
  std::string method;  ///< e.g. "dual, block MIC(0) by height"
};

/// Which contacts are closed at the end of the step (correction D1): those that carry force, and those whose
/// gap does not grow. A contact is taken as open where w exceeds both `tolerance` and what its own inertia
/// would make of its force (interior-point methods leave a little force everywhere), or where both bodies are
/// held.
/// @param forces f of the LCP [N], rates w = N f + p [m/s], both per contact. @param tolerance of w [m/s]; 0:
/// 1e-8 of the largest p = w - N f. @returns one flag per constraint of this rank. Collective.
[[nodiscard]] std::vector<char> closed_contacts(const StepProblem& problem, const ContactOperator& op,
                                                Vec forces, Vec rates, double tolerance = 0);

/// F~ = M (v+ - v) / h - F = B^T f over the closed contacts, in the second form, which does not cancel: what
/// contacts have to give [N], [N m], six per body. @param load out. @returns the largest force on an open
/// contact by the largest of all. Collective.
double needed_load(const ContactOperator& op, const std::vector<char>& closed, Vec forces, Vec load);

/// Forces that carry `load` with the least elastic energy: min sum (p-1)/p k~^(1/(1-p)) f^(p/(p-1)), B^T f =
/// F~, 0 <= f, f = 0 on open contacts ([CD] 36 with D1, D2). Exponents 1 (Hooke) and 1.5 (Hertz) may be
/// mixed; k~ is then a stiffness in N/m and N/m^1.5, for only of equal exponents does nothing but the ratio
/// matter. Displacements are unknowns where they are free; bodies that nothing touches and mechanisms may be
/// there.
/// @param load as of `needed_load`, or known otherwise: it must be one that closed contacts can carry.
/// @param forces in: of the LCP (a start for "primal", the result for "none"); out: compatible ones, per
/// contact.
/// @returns how it went; where it did not converge, forces are the best found. @throws RunError where PETSc
/// fails or a stiffness ratio is not positive. Collective.
CompatibilityReport compatible_forces(const StepProblem& problem, const std::vector<char>& closed, Vec load,
                                      const CompatibilityOptions& options, Vec forces);

/// Makes the solver that `compatible_forces` takes, and lets it read its options. @param energy of any
/// contacts, with a metric. Collective. @throws RunError if PETSc does not take an option.
void read_compatibility_options(ContactEnergy& energy, const CompatibilityOptions& options);

/// The three above, from an LCP's solution. @param forces in: the LCP's, out: compatible. Collective.
CompatibilityReport make_compatible(const StepProblem& problem, const ContactOperator& op, Vec rates,
                                    const CompatibilityOptions& options, Vec forces);

}  // namespace scree::contact_dynamics
