/// The linear complementarity problem of a step, 0 <= f _|_ N f + p >= 0, which is the QP
/// min_{f >= 0} 1/2 f^T N f + p^T f ([CD] 22, theory 07 sections 1 and 2). The velocities that follow are
/// unique, the forces are not where N is singular: they are one of many solutions.
#pragma once

#include <string>

#include "solvers/contact_dynamics/contact_energy.hpp"
#include "solvers/contact_dynamics/contact_operator.hpp"
#include "solvers/contact_dynamics/methods.hpp"

namespace scree::contact_dynamics {

/// What makes an LCP dimensionless: f in units of `force`, N f + p in units of `rate`. Contacts of light
/// bodies have smaller units in r (theory 07 section 1).
struct LcpScales {
  /// Typical force [N]: the mean of |F| over bodies that move, or what a contact that closes would need alone
  /// (root of the mean square of p_i / N_ii), if that is more: a step of impacts.
  double force = 1;
  /// force times the mean of N_ii over contacts [m/s], so that N is O(1) in these units.
  double rate = 1;
};

struct LcpResult {
  long iterations = 0;    ///< of the method (sweeps of Gauss-Seidel)
  long products = 0;      ///< applications of N; for Gauss-Seidel a sweep counts as one
  bool finished = false;  ///< "auto": projected gradients did not get there, Newton took over
  /// r = max |min(f_i / f_0i, (N f + p)_i / (f_0i N_ii))| of the forces returned, evaluated from them anew.
  double residual = 0;
  bool converged = false;  ///< residual <= tolerance, whatever the method believes
  std::string cause;       ///< why not converged; empty else
  LcpScales scales;
};

/// Solves LCPs. Options -cd_lcp_max_it, and those of TAO with that prefix (see lcp_prefix).
class LcpSolver {
 public:
  explicit LcpSolver(LcpMethod method = LcpMethod::automatic) : method_(method) {}
  /// Makes the solvers of PETSc that `solve` may take, and lets them read their options. @param energy of any
  /// contacts, with a metric. Collective. @throws RunError if PETSc does not take an option.
  void read_options(ContactEnergy& energy) const;
  /// Collective. @param p per contact [m/s]; f in: where to start (negative entries count as 0), out: forces
  /// [N], never negative, the best known also without convergence. @param tolerance of r.
  /// @param most iterations; 0: what the option says. @throws RunError where PETSc fails, InputError for a
  /// tolerance that is not positive.
  [[nodiscard]] LcpResult solve(const ContactOperator& contacts, const StepProblem& problem, Vec p, Vec f,
                                double tolerance, long most = 0) const;

 private:
  LcpMethod method_;
};

}  // namespace scree::contact_dynamics
