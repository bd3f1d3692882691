#include "assembly/matrix_parts.hpp"

#include "core/error.hpp"

namespace scree::petsc {
namespace {

constexpr const char* kReading = "reading the storage of a matrix";

}  // namespace

bool is_by_block(Mat matrix) {
  PetscBool by_block = PETSC_FALSE;
  check(
      PetscObjectTypeCompareAny(reinterpret_cast<PetscObject>(matrix), &by_block, MATSEQBAIJ, MATMPIBAIJ, ""),
      kReading);
  return by_block == PETSC_TRUE;
}

MatrixParts parts_of(Mat matrix) {
  MatrixParts parts{matrix, nullptr, nullptr};
  int ranks = 1;
  MPI_Comm_size(PetscObjectComm(reinterpret_cast<PetscObject>(matrix)), &ranks);
  if (ranks == 1) return parts;
  if (is_by_block(matrix)) {
    check(MatMPIBAIJGetSeqBAIJ(matrix, &parts.own, &parts.other, &parts.global_column), kReading);
  } else {
    check(MatMPIAIJGetSeqAIJ(matrix, &parts.own, &parts.other, &parts.global_column), kReading);
  }
  return parts;
}

StoredRows::StoredRows(Mat mat, bool by_block) : mat_(mat), by_block_(by_block ? PETSC_TRUE : PETSC_FALSE) {
  PetscBool there = PETSC_FALSE;
  check(MatGetRowIJ(mat_, 0, PETSC_FALSE, by_block_, &rows_, &begin_, &column_, &there), kReading);
  if (there != PETSC_TRUE) throw RunError("PETSc does not expose the storage of the tangent matrix");
}

StoredRows::~StoredRows() {
  PetscBool there = PETSC_FALSE;
  (void)MatRestoreRowIJ(mat_, 0, PETSC_FALSE, by_block_, &rows_, &begin_, &column_, &there);
}

StoredValues::StoredValues(Mat mat, bool by_block) : mat_(mat), by_block_(by_block) {
  if (by_block_) {
    check(MatSeqBAIJGetArray(mat_, &blocks_), kReading);
  } else {
    check(MatSeqAIJGetArrayRead(mat_, &scalars_), kReading);
  }
}

StoredValues::~StoredValues() {
  if (by_block_) {
    (void)MatSeqBAIJRestoreArray(mat_, &blocks_);
  } else {
    (void)MatSeqAIJRestoreArrayRead(mat_, &scalars_);
  }
}

}  // namespace scree::petsc
