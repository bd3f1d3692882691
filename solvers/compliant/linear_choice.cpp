#include "solvers/compliant/linear_choice.hpp"

#include <algorithm>

#include "assembly/factors.hpp"
#include "core/body.hpp"

namespace scree {

using petsc::check;

void choose_linear_solver(KSP ksp, LinearChoice choice, PetscInt unknowns) {
  PC pc = nullptr;
  check(KSPGetPC(ksp, &pc), "choosing the linear solver");
  // A single body is cheaper to factor than to iterate on.
  if (choice == LinearChoice::automatic && unknowns <= 12) choice = LinearChoice::direct;
  if (choice == LinearChoice::direct) {
    check(KSPSetType(ksp, KSPPREONLY), "choosing the linear solver");
    petsc::use_factors(pc, PCLU, is_small(unknowns), unknowns);
    return;
  }
  // The inertia of resolved steps dominates the tangent, so that blocks of bodies precondition it well.
  check(KSPSetType(ksp, KSPGMRES), "choosing the linear solver");
  check(KSPGMRESSetRestart(ksp, 60), "choosing the linear solver");
  check(PCSetType(pc, PCPBJACOBI), "choosing the linear solver");
  check(KSPSetTolerances(ksp, 1e-3, 1e-50, 1e5, 600), "choosing the linear solver");
}

void weigh_islands(KSP ksp, const DofMap& dofs, const LocalSystem& rows,
                   const std::optional<std::vector<double>>& weights, petsc::VecHandle& scale) {
  constexpr const char* kDoing = "weighing groups of bodies in the linear solver";
  PetscBool takes = PETSC_FALSE;
  check(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(ksp), KSPGMRES, &takes), kDoing);
  if (takes == PETSC_FALSE || (!weights && !scale)) return;
  if (!scale) scale = dofs.create_vector();
  {
    const petsc::VecValues values(scale);
    for (int i = 0; i < rows.owned; ++i)
      std::fill_n(values.data() + rows.offset[i], kBodyUnknowns,
                  weights ? (*weights)[static_cast<std::size_t>(i)] : 1.0);
  }
  PC pc = nullptr;
  check(KSPGetPC(ksp, &pc), kDoing);
  check(PCSetDiagonalScale(pc, scale), kDoing);
}

}  // namespace scree
