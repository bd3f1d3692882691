#include "assembly/matrix_parts.hpp"

#include "core/error.hpp"

namespace scree::petsc {
namespace {

constexpr const char* kCreating = "creating the tangent matrix";
constexpr const char* kReading = "reading the storage of a matrix";

}  // namespace

MatrixParts parts_of(Mat matrix) {
  PetscBool by_block = PETSC_FALSE;
  check(
      PetscObjectTypeCompareAny(reinterpret_cast<PetscObject>(matrix), &by_block, MATSEQBAIJ, MATMPIBAIJ, ""),
      kReading);
  MatrixParts parts;
  parts.own.matrix = matrix;
  parts.own.by_block = parts.other.by_block = by_block == PETSC_TRUE;
  if (parts.own.by_block) check(MatGetBlockSize(matrix, &parts.block), kReading);
  PetscInt first = 0;
  check(MatGetOwnershipRange(matrix, &first, nullptr), kReading);
  parts.own.first_column = first / parts.block;
  int ranks = 1;
  MPI_Comm_size(PetscObjectComm(reinterpret_cast<PetscObject>(matrix)), &ranks);
  if (ranks > 1) {
    const auto get_parts = parts.own.by_block ? MatMPIBAIJGetSeqBAIJ : MatMPIAIJGetSeqAIJ;
    check(get_parts(matrix, &parts.own.matrix, &parts.other.matrix, &parts.other.columns), kReading);
  }
  return parts;
}

MatHandle make_matrix(MPI_Comm comm, bool by_block, PetscInt block, const std::vector<PetscInt>& begin,
                      const std::vector<PetscInt>& columns) {
  const PetscInt n = static_cast<PetscInt>(begin.size() - 1) * block;
  MatHandle matrix;
  check(MatCreate(comm, matrix.put()), kCreating);
  check(MatSetSizes(matrix, n, n, PETSC_DETERMINE, PETSC_DETERMINE), kCreating);
  check(MatSetType(matrix, by_block ? MATBAIJ : MATAIJ), kCreating);
  // The call for the other type (sequential or distributed) does nothing.
  if (by_block) {
    check(MatSetBlockSize(matrix, block), kCreating);
    check(MatSeqBAIJSetPreallocationCSR(matrix, block, begin.data(), columns.data(), nullptr), kCreating);
    check(MatMPIBAIJSetPreallocationCSR(matrix, block, begin.data(), columns.data(), nullptr), kCreating);
  } else {
    check(MatSeqAIJSetPreallocationCSR(matrix, begin.data(), columns.data(), nullptr), kCreating);
    check(MatMPIAIJSetPreallocationCSR(matrix, begin.data(), columns.data(), nullptr), kCreating);
  }
  check(MatSetOption(matrix, MAT_NEW_NONZERO_LOCATION_ERR, PETSC_TRUE), kCreating);
  check(MatSetOption(matrix, MAT_NO_OFF_PROC_ENTRIES, PETSC_TRUE), kCreating);
  return matrix;
}

StoredRows::StoredRows(const MatrixPart& part) : part_(part) {
  PetscBool there = PETSC_FALSE;
  check(MatGetRowIJ(part_.matrix, 0, PETSC_FALSE, part_.by_block ? PETSC_TRUE : PETSC_FALSE, &rows_, &begin_,
                    &stored_, &there),
        kReading);
  if (there != PETSC_TRUE) throw RunError("PETSc does not expose the storage of the tangent matrix");
}

StoredRows::~StoredRows() {
  PetscBool there = PETSC_FALSE;
  (void)MatRestoreRowIJ(part_.matrix, 0, PETSC_FALSE, part_.by_block ? PETSC_TRUE : PETSC_FALSE, &rows_,
                        &begin_, &stored_, &there);
}

StoredValues::StoredValues(const MatrixPart& part) : part_(part) {
  if (part_.by_block) {
    check(MatSeqBAIJGetArray(part_.matrix, &blocks_), kReading);
  } else {
    check(MatSeqAIJGetArrayRead(part_.matrix, &scalars_), kReading);
  }
}

StoredValues::~StoredValues() {
  if (part_.by_block) {
    (void)MatSeqBAIJRestoreArray(part_.matrix, &blocks_);
  } else {
    (void)MatSeqAIJRestoreArrayRead(part_.matrix, &scalars_);
  }
}

}  // namespace scree::petsc
