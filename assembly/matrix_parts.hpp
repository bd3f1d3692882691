/// How PETSc stores the rows of a rank (AIJ and BAIJ): what makes a matrix from its structure, or reads or
/// writes its arrays, goes through here.
#pragma once

#include <vector>

#include "assembly/petsc.hpp"

namespace scree::petsc {

/// A sequential matrix with a part of the columns of this rank's rows; it belongs to the whole matrix.
struct MatrixPart {
  Mat matrix = nullptr;
  bool by_block = false;  ///< blocks are stored (BAIJ) and counted, not scalars
  /// Number of each stored column in the whole matrix; null: they count from first_column.
  const PetscInt* columns = nullptr;
  PetscInt first_column = 0;
};

struct MatrixParts {
  MatrixPart own;      ///< columns of this rank
  MatrixPart other;    ///< columns of other ranks, compressed; no matrix on one rank
  PetscInt block = 1;  ///< rows of what is stored as one
};

/// @returns the parts of a matrix of type AIJ or BAIJ. Not collective.
MatrixParts parts_of(Mat matrix);

/// @returns a square matrix that stores blocks (BAIJ) or scalars (AIJ, block 1), none of them with a value;
/// others are refused. @param begin of each row of this rank in `columns`, and the end of the last one.
/// @param columns of the whole matrix, ascending in each row. Collective.
MatHandle make_matrix(MPI_Comm comm, bool by_block, PetscInt block, const std::vector<PetscInt>& begin,
                      const std::vector<PetscInt>& columns);

/// Rows of a part as PETSc stores them: block rows if by block.
class StoredRows {
 public:
  /// @throws RunError if PETSc does not show them.
  explicit StoredRows(const MatrixPart& part);
  ~StoredRows();
  StoredRows(const StoredRows&) = delete;
  StoredRows& operator=(const StoredRows&) = delete;
  StoredRows(StoredRows&&) = delete;
  StoredRows& operator=(StoredRows&&) = delete;

  [[nodiscard]] PetscInt rows() const { return rows_; }
  [[nodiscard]] PetscInt begin(PetscInt row) const { return begin_[row]; }
  [[nodiscard]] PetscInt end(PetscInt row) const { return begin_[row + 1]; }
  /// Number in the whole matrix.
  [[nodiscard]] PetscInt column(PetscInt at) const {
    return part_.columns == nullptr ? part_.first_column + stored_[at] : part_.columns[stored_[at]];
  }

 private:
  MatrixPart part_;
  PetscInt rows_ = 0;
  const PetscInt* begin_ = nullptr;
  const PetscInt* stored_ = nullptr;
};

/// Values of a part as PETSc stores them, to read: blocks by column if by block.
class StoredValues {
 public:
  /// @throws RunError if PETSc does not show them.
  explicit StoredValues(const MatrixPart& part);
  ~StoredValues();
  StoredValues(const StoredValues&) = delete;
  StoredValues& operator=(const StoredValues&) = delete;
  StoredValues(StoredValues&&) = delete;
  StoredValues& operator=(StoredValues&&) = delete;

  [[nodiscard]] const PetscScalar* data() const { return part_.by_block ? blocks_ : scalars_; }

 private:
  MatrixPart part_;
  PetscScalar* blocks_ = nullptr;
  const PetscScalar* scalars_ = nullptr;
};

}  // namespace scree::petsc
