/// A matrix without its blocks that are zero, for factors.
#pragma once

#include <vector>

#include "assembly/petsc.hpp"

namespace scree {

/// A tangent has blocks for all pairs that may soon be in contact, and in a load step few of them are.
/// Factors fill up by what is stored, zero or not: with 1700 spheres in a dense heap 107 million entries (all
/// that there are) instead of those of a sparse matrix (docs/performance.md).
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
  void forget() {
    begin_.clear();
    columns_.clear();
  }

  /// The matrix, of the same type and layout; null before the first copy. Owned by this object.
  [[nodiscard]] Mat matrix() const { return matrix_; }

 private:
  struct Full;

  /// @returns per stored block of the full matrix whether it is stored here.
  [[nodiscard]] std::vector<char> kept_of(const Full& full) const;
  /// @param kept per stored block of the full matrix.
  void create(const Full& full, const std::vector<char>& kept, MPI_Comm comm);
  void fill(const Full& full, const std::vector<char>& kept);

  petsc::MatHandle matrix_;
  std::vector<PetscInt> begin_,
      columns_;  ///< what is stored of each row of this rank, sorted; empty: nothing
};

}  // namespace scree
