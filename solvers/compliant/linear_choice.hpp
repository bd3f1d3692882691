/// From the problem and the user's choice to a PETSc linear solver (theory 10).
#pragma once

#include <optional>
#include <vector>

#include "assembly/dof_map.hpp"
#include "assembly/petsc.hpp"
#include "core/local_system.hpp"
#include "solvers/model.hpp"

namespace scree {

/// Whether PETSc's own factors are fast enough. @param unknowns of all ranks.
constexpr bool is_small(PetscInt unknowns) { return unknowns <= 600; }

/// Sets type, preconditioner and tolerances of a KSP; options of the command line (`-scree_ksp_...`) win
/// later.
/// @param unknowns of all ranks.
void choose_linear_solver(KSP ksp, LinearChoice choice, PetscInt unknowns);

/// Lets the iterative solver reduce the residual of each island to the same part (theory 09 section 2).
/// Others stay as they are: those for symmetric matrices refuse weights. Collective.
/// @param weights Islands::weights, per owned body at least; none, on all ranks: all are the same.
/// @param[in,out] scale the weights per unknown, kept from one call for this KSP to the next; null before the
/// first.
void weigh_islands(KSP ksp, const DofMap& dofs, const LocalSystem& rows,
                   const std::optional<std::vector<double>>& weights, petsc::VecHandle& scale);

}  // namespace scree
