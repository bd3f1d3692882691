/// The linear maps of a step: B, its transpose and the inverse mass matrix (theory 07 section 1).
#pragma once

#include <vector>

#include "assembly/petsc.hpp"
#include "solvers/contact_dynamics/step_problem.hpp"

namespace scree::contact_dynamics {

/// Row of B that belongs to a constraint, in the unknowns of its two bodies: d gap / dt = row_a v_a + row_b
/// v_b (theory 07 section 1). @returns (n, s_A x n) and (-n, -s_B x n).
[[nodiscard]] Vec6 row_of_a(const Constraint& contact);
[[nodiscard]] Vec6 row_of_b(const Constraint& contact);
/// (h B M^-1 B^T)_ii, what a force on this contact alone does to its rate [m/(N s)]; 0 where both bodies are
/// held.
[[nodiscard]] double own_delassus(const StepProblem& problem, const Constraint& contact);

/// B: velocities to rates of the gaps, as a distributed sparse matrix; M^-1 in blocks of a body. Vectors:
/// of *rates and forces*, one entry per constraint of this rank in its order; of *velocities and impulses*,
/// six per owned body.
class ContactOperator {
 public:
  /// Collective. @throws RunError where PETSc fails.
  explicit ContactOperator(const StepProblem& problem);

  [[nodiscard]] Mat rates() const { return rates_; }                ///< B, N_c x 6 N_b
  [[nodiscard]] Mat inverse_mass() const { return inverse_mass_; }  ///< M^-1, 6 N_b x 6 N_b
  /// A new vector with an entry per constraint, or six per body; zero. Collective.
  [[nodiscard]] petsc::VecHandle per_contact() const;
  [[nodiscard]] petsc::VecHandle per_body() const;
  /// N f = h B M^-1 B^T f. Collective. @param f, result per contact; not the same.
  void delassus(Vec f, Vec result) const;
  /// N as a sparse matrix, for solvers that need its entries. Collective.
  [[nodiscard]] petsc::MatHandle delassus_matrix() const;
  /// v + h M^-1 (B^T f + F) (semi-implicit step, [CD] 13). Collective. @param velocities per body.
  void velocities(Vec f, Vec velocities) const;
  /// Velocities without contact: v + h M^-1 F.
  [[nodiscard]] Vec free_velocities() const { return free_; }
  /// Rates of the gaps that prescribed motion alone makes [m/s].
  [[nodiscard]] Vec drift() const { return drift_; }
  /// How much loads change the rates of the contacts in the step, as |B_a h M^-1 F_a| + |B_b h M^-1 F_b|:
  /// what two bodies that fall together have does not cancel [m/s]. Collective.
  [[nodiscard]] std::vector<double> changes_by_loads(const StepProblem& problem) const;
  /// r of the condition B v+ + r >= 0: gap / h + drift; where there is restitution and the contact would
  /// close in the step, e times the approach in place of gap / h ([CD] section 4, which waits until it has
  /// closed; by then the approach is what was left of it). With e < 1 an approach that loads may have made is
  /// no impact (theory 07 section 1). @param r per contact. Collective.
  void target(const StepProblem& problem, Vec r) const;
  /// p = r + B (v + h M^-1 F). @param p per contact. Collective.
  void offset(const StepProblem& problem, Vec p) const;

 private:
  double h_;
  petsc::MatHandle rates_, inverse_mass_;
  petsc::VecHandle free_, drift_, start_;
  mutable petsc::VecHandle impulse_, velocity_;
};

}  // namespace scree::contact_dynamics
