#include "solvers/compliant/linear_choice.hpp"

#include "assembly/factors.hpp"

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

}  // namespace scree
