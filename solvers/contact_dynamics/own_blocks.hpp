/// Where PETSc keeps the blocks of a distributed block matrix that are a rank's own in rows and columns.
#pragma once

#include <algorithm>

#include "assembly/petsc.hpp"
#include "core/error.hpp"

namespace scree::contact_dynamics {

/// The blocks of this rank's own rows and columns: compressed rows, for as long as it lives.
class OwnBlocks {
 public:
  explicit OwnBlocks(Mat matrix) {
    PetscBool distributed = PETSC_FALSE;
    petsc::check(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(matrix), MATMPIBAIJ, &distributed),
                 kReading);
    own_ = matrix;
    if (distributed == PETSC_TRUE)
      petsc::check(MatMPIBAIJGetSeqBAIJ(matrix, &own_, nullptr, nullptr), kReading);
    PetscBool done = PETSC_FALSE;
    petsc::check(MatGetRowIJ(own_, 0, PETSC_FALSE, PETSC_TRUE, &count_, &first_, &column_, &done), kReading);
    if (done != PETSC_TRUE) throw RunError("PETSc does not give the rows of a block matrix");
  }
  ~OwnBlocks() {
    PetscBool done = PETSC_FALSE;
    (void)MatRestoreRowIJ(own_, 0, PETSC_FALSE, PETSC_TRUE, &count_, &first_, &column_, &done);
  }
  OwnBlocks(const OwnBlocks&) = delete;
  OwnBlocks& operator=(const OwnBlocks&) = delete;
  [[nodiscard]] PetscInt rows() const { return count_; }
  [[nodiscard]] PetscInt begin(PetscInt row) const { return first_[row]; }
  [[nodiscard]] PetscInt end(PetscInt row) const { return first_[row + 1]; }
  [[nodiscard]] PetscInt column(PetscInt place) const { return column_[place]; }
  [[nodiscard]] Mat matrix() const { return own_; }
  /// Place of block (row, column) among the stored ones, sorted within a row. @throws RunError if it has
  /// none.
  [[nodiscard]] int place(PetscInt row, PetscInt column) const {
    const PetscInt* end = column_ + first_[row + 1];
    const PetscInt* at = std::lower_bound(column_ + first_[row], end, column);
    if (at == end || *at != column) throw RunError("a block of the stiffness of contacts has no place");
    return static_cast<int>(at - column_);
  }

 private:
  static constexpr const char* kReading = "reading a block matrix";
  Mat own_ = nullptr;
  PetscInt count_ = 0;
  const PetscInt* first_ = nullptr;
  const PetscInt* column_ = nullptr;
};

}  // namespace scree::contact_dynamics
