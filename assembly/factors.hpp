/// Direct solvers that compute the same bits in every run on the same ranks.
#pragma once

#include <petscksp.h>

namespace scree::petsc {

/// Up to so many unknowns each rank factors the whole matrix. 6000 unknowns: as fast as MUMPS on 2 ranks, 36
/// MB on each (theory 10 section 1).
inline constexpr PetscInt kMostRepeatable = 6000;

/// Makes a preconditioner the factors of its matrix: PETSc's for small matrices of one rank, else MUMPS's.
/// MUMPS on several ranks orders the unknowns as messages arrive: the last bits differ from run to run. Up to
/// `kMostRepeatable` unknowns each rank therefore factors all of the matrix (PCREDUNDANT).
/// @param type PCLU or PCCHOLESKY. @param small whether PETSc's own factors are preferred. @param unknowns of
/// all ranks. Collective.
void use_factors(PC pc, PCType type, bool small, PetscInt unknowns);

/// @returns the preconditioner that holds the factors: that of this rank, where each factors all.
PC factors_of(PC pc);

}  // namespace scree::petsc
