#include "assembly/factors.hpp"

#include "assembly/petsc.hpp"

namespace scree::petsc {
namespace {

constexpr const char* kDoing = "choosing the direct solver";

}  // namespace

void use_factors(PC pc, PCType type, bool small, PetscInt unknowns) {
  int ranks = 1;
  MPI_Comm_size(PetscObjectComm(reinterpret_cast<PetscObject>(pc)), &ranks);
  PC factors = pc;
  const bool redundant = ranks > 1 && unknowns <= kMostRepeatable;
  if (redundant) {
    check(PCSetType(pc, PCREDUNDANT), kDoing);
    KSP whole = nullptr;
    check(PCRedundantGetKSP(pc, &whole), kDoing);
    check(KSPGetPC(whole, &factors), kDoing);
    // Options are named the same on any number of ranks.
    const char* prefix = nullptr;
    check(PCGetOptionsPrefix(pc, &prefix), kDoing);
    check(PCSetOptionsPrefix(factors, prefix), kDoing);
  }
  check(PCSetType(factors, type), kDoing);
  if (!small || (ranks > 1 && !redundant)) check(PCFactorSetMatSolverType(factors, MATSOLVERMUMPS), kDoing);
}

PC factors_of(PC pc) {
  PetscBool redundant = PETSC_FALSE;
  check(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(pc), PCREDUNDANT, &redundant), kDoing);
  if (redundant == PETSC_FALSE) return pc;
  KSP whole = nullptr;
  PC factors = nullptr;
  check(PCRedundantGetKSP(pc, &whole), kDoing);
  check(KSPGetPC(whole, &factors), kDoing);
  return factors;
}

}  // namespace scree::petsc
