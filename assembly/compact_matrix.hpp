/// A matrix without its blocks that are zero, for factors.
#pragma once

#include <vector>

#include "assembly/petsc.hpp"

namespace scree {

/// A tangent has blocks for all pairs that can come into contact in a step, and few of them do. Factors fill
/// up by what is stored, zero or not: with 1700 spheres in a dense heap 107 million entries (all that there
/// are) instead of those of a sparse matrix (docs/performance.md).
///
/// What is stored is the blocks that are not zero and those that were lately; blocks that were are dropped
/// when they are a third.
class CompactMatrix {
 public:
  /// Takes the values of a matrix of type AIJ or BAIJ, scalars or blocks.
  /// @returns whether there is a new matrix, which solvers must then be given.
  /// @throws RunError if PETSc fails (memory). Collective.
  bool copy(Mat matrix);

  /// The next copy makes a new matrix: what is stored, and with it the rounding of factors, then follows from
  /// what is copied from there on.
  void forget() { is_new_solve_ = true; }

  /// The matrix, of the same type and layout; null before the first copy. Owned by this object.
  [[nodiscard]] Mat matrix() const { return matrix_; }

 private:
  struct Full;

  void create(const Full& full, MPI_Comm comm);
  void fill(const Full& full);
  /// The full matrix is another one: finds in it what is stored.
  void find_kept(const Full& full);

  petsc::MatHandle matrix_;
  PetscObjectId full_ = 0;  ///< the matrix that was copied last
  PetscObjectState structure_ = 0;
  bool is_new_solve_ = true;               ///< forget what was stored
  std::vector<PetscInt> begin_, columns_;  ///< what is stored of each row of this rank, sorted
  std::vector<char> kept_;                 ///< the same, per stored block of the full matrix
};

}  // namespace scree
