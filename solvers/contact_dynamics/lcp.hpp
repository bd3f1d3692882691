/// The linear complementarity problem of a step, 0 <= f _|_ N f + p >= 0, which is the QP
/// min_{f >= 0} 1/2 f^T N f + p^T f ([CD] 22, theory 07 sections 1 and 2). The velocities that follow are
/// unique, the forces are not where N is singular: they are one of many solutions.
#pragma once

#include <string>
#include <string_view>

#include "solvers/contact_dynamics/contact_operator.hpp"

namespace scree::contact_dynamics {

enum class LcpMethod {
  apgd,   ///< accelerated projected gradients with restart; the default, quick in static and impact steps
  bncg,   ///< TAO: projected nonlinear conjugate gradients
  bqpip,  ///< TAO: interior point; assembles N
  tron,   ///< TAO: trust region on the free contacts
  pgs,    ///< projected Gauss-Seidel on the rows of B; its forces depend on the order of contacts
};

/// Every method with the name a user gives it.
[[nodiscard]] std::string_view name_of(LcpMethod method);
/// @throws InputError at `where` for a name that is none, which lists those that are.
[[nodiscard]] LcpMethod lcp_method(std::string_view name, const std::string& where);

/// What makes an LCP dimensionless: f in units of `force`, N f + p in units of `rate`.
struct LcpScales {
  /// Typical force [N]: the mean of |F| over bodies that move (for equal spheres m g); where that is below
  /// 1e-6 of the mean of |m v| / h, so that round-off of impacts would hide it, the latter.
  double force = 1;
  /// force times the mean of N_ii over contacts [m/s], so that N is O(1) in these units.
  double rate = 1;
};

struct LcpResult {
  long iterations = 0;  ///< of the method (sweeps of Gauss-Seidel)
  long products = 0;    ///< applications of N; for Gauss-Seidel a sweep counts as one
  /// r = max |min(f / force, (N f + p) / rate)| of the forces returned, evaluated from them anew.
  double residual = 0;
  bool converged = false;  ///< residual <= tolerance, whatever the method believes
  std::string cause;       ///< why not converged; empty else
  LcpScales scales;
};

/// Solves LCPs. Options -cd_lcp_max_it, and those of TAO with that prefix.
class LcpSolver {
 public:
  explicit LcpSolver(LcpMethod method = LcpMethod::apgd) : method_(method) {}
  /// Collective. @param p per contact [m/s]; f in: where to start (negative entries count as 0), out: forces
  /// [N], never negative, the best known also without convergence. @param tolerance of r.
  /// @throws RunError where PETSc fails, InputError for a tolerance that is not positive.
  [[nodiscard]] LcpResult solve(const ContactOperator& contacts, const StepProblem& problem, Vec p, Vec f,
                                double tolerance) const;

 private:
  LcpMethod method_;
};

}  // namespace scree::contact_dynamics
