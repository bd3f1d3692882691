/// Compatible forces by their own minimum principle: a check of the dual (theory 07 section 3, primal).
#pragma once

#include <string>
#include <vector>

#include "solvers/contact_dynamics/contact_energy.hpp"

namespace scree::contact_dynamics {

struct PrimalReport {
  bool converged = false;
  int iterations = 0;
  std::string method;
};

/// min_f sum (p-1)/p k~^(1/(1-p)) f^(p/(p-1)), B^T f = load, f >= 0 ([CD] 36) by TAO: PDIPM, or what
/// `-scree_compatibility_primal_tao_type` says; a few contacts by ALMM.
/// @param load [N] in the energy's unknowns. @param f in: a start, out: forces per contact of the energy.
/// @param u out: displacements of the truss, recovered from the forces alone by least squares over the loaded
/// contacts, so that what is measured with them checks the minimum. @throws RunError where PETSc fails.
/// Collective.
PrimalReport solve_primal(ContactEnergy& energy, Vec load, std::vector<double>& f, Vec u);

/// Makes the minimisers that `solve_primal` may take, and lets them read their options. Collective.
/// @throws RunError if PETSc does not take an option.
void read_primal_options(const ContactEnergy& energy);

}  // namespace scree::contact_dynamics
