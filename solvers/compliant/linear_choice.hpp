/// From the problem and the user's choice to a PETSc linear solver (theory 10).
#pragma once

#include "assembly/petsc.hpp"
#include "solvers/model.hpp"

namespace scree {

/// Whether PETSc's own factors are fast enough. @param unknowns of all ranks.
constexpr bool is_small(PetscInt unknowns) { return unknowns <= 600; }

/// Sets type, preconditioner and tolerances of a KSP; options of the command line (`-scree_ksp_...`) win
/// later.
/// @param unknowns of all ranks.
void choose_linear_solver(KSP ksp, LinearChoice choice, PetscInt unknowns);

}  // namespace scree
