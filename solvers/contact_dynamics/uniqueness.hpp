/// How far from unique the forces of rigid contact are (theory 07 section 4).
#pragma once

#include <vector>

#include "solvers/contact_dynamics/contact_operator.hpp"

namespace scree::contact_dynamics {

/// Loaded contacts, and in how many independent ways their forces can vary without moving a body.
struct Uniqueness {
  long loaded = 0;         ///< contacts with f > 0, all ranks
  long rank = 0;           ///< of their rows of B
  long indeterminacy = 0;  ///< loaded - rank, the dimension of the kernel of B_L^T
  /// Not certain: singular values of B_L lie between what counts as zero and as not (then the figure is the
  /// one at the lower end), or there are too many bodies to factor (then a lower bound: contacts less the
  /// unknowns they touch).
  bool estimate = false;
};

/// Rank by QR with column pivots where contacts and unknowns are few, otherwise by the inertia of B_L^T B_L -
/// delta: its negative eigenvalues are mechanisms, floating clusters and rattlers, each counted as it comes.
/// Gathers the loaded rows on rank 0 in the first case only. @param forces per contact [N]; loaded is what
/// exceeds `threshold` times the largest. @throws RunError where PETSc fails. Collective.
[[nodiscard]] Uniqueness measure_uniqueness(const StepProblem& problem, Vec forces, double threshold = 1e-12);

/// |f - g| / |g| over all contacts, 2-norms; 0 where both vanish. Collective.
[[nodiscard]] double relative_distance(Vec f, Vec g);

/// The forces that a contact can have in any solution of the step.
struct ForceInterval {
  double least = 0;
  double most = 0;  ///< infinity where contacts can clamp each other at will
};

/// Interval of each wanted contact: min and max f_i subject to B^T f = load, f >= 0, f = 0 on open contacts,
/// two linear programs each, by Clp. They are solved on rank 0 with all closed contacts: meant for a few
/// contacts in systems that fit there. @param closed, load as of `compatible_forces`. @param wanted indices
/// of constraints of this rank. @returns in their order [N]. @throws RunError where no forces carry the load,
/// or Clp gives up. Collective.
[[nodiscard]] std::vector<ForceInterval> force_intervals(const StepProblem& problem,
                                                         const std::vector<char>& closed, Vec load,
                                                         const std::vector<int>& wanted);

}  // namespace scree::contact_dynamics
