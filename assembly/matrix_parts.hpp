/// How PETSc stores the rows of a rank (AIJ and BAIJ): what reads or writes its arrays goes through here.
#pragma once

#include "assembly/petsc.hpp"

namespace scree::petsc {

/// The sequential matrices of this rank's rows; they belong to the whole matrix.
struct MatrixParts {
  Mat own = nullptr;                        ///< of the columns of this rank
  Mat other = nullptr;                      ///< of the columns of other ranks, compressed; null on one rank
  const PetscInt* global_column = nullptr;  ///< of `other`: number of each (block) column in the whole matrix
};

/// @returns the parts of a matrix of type AIJ or BAIJ. Not collective.
MatrixParts parts_of(Mat matrix);

/// Whether blocks are stored (BAIJ), not scalars. Not collective.
bool is_by_block(Mat matrix);

/// Rows of a sequential matrix as PETSc stores them: block rows if by block.
class StoredRows {
 public:
  /// @throws RunError if PETSc does not show them.
  StoredRows(Mat mat, bool by_block);
  ~StoredRows();
  StoredRows(const StoredRows&) = delete;
  StoredRows& operator=(const StoredRows&) = delete;
  StoredRows(StoredRows&&) = delete;
  StoredRows& operator=(StoredRows&&) = delete;

  [[nodiscard]] PetscInt rows() const { return rows_; }
  [[nodiscard]] PetscInt begin(PetscInt row) const { return begin_[row]; }
  [[nodiscard]] PetscInt end(PetscInt row) const { return begin_[row + 1]; }
  [[nodiscard]] PetscInt column(PetscInt at) const { return column_[at]; }

 private:
  Mat mat_;
  PetscBool by_block_;
  PetscInt rows_ = 0;
  const PetscInt* begin_ = nullptr;
  const PetscInt* column_ = nullptr;
};

/// Values of a sequential matrix as PETSc stores them, to read: blocks by column if by block.
class StoredValues {
 public:
  /// @throws RunError if PETSc does not show them.
  StoredValues(Mat mat, bool by_block);
  ~StoredValues();
  StoredValues(const StoredValues&) = delete;
  StoredValues& operator=(const StoredValues&) = delete;
  StoredValues(StoredValues&&) = delete;
  StoredValues& operator=(StoredValues&&) = delete;

  [[nodiscard]] const PetscScalar* data() const { return by_block_ ? blocks_ : scalars_; }

 private:
  Mat mat_;
  bool by_block_;
  PetscScalar* blocks_ = nullptr;
  const PetscScalar* scalars_ = nullptr;
};

}  // namespace scree::petsc
