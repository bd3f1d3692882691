#include "assembly/compact_matrix.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "assembly/matrix_parts.hpp"

namespace scree {
namespace {

using petsc::check;

constexpr const char* kDoing = "leaving out blocks of the tangent that are zero";

/// Blocks that are stored, by those that are not zero: more than so many, and they are chosen anew.
constexpr double kMostStored = 1.5;

}  // namespace

/// The rows of this rank in one part of the full matrix, with their values.
struct CompactMatrix::Part {
  /// @param first row of this rank in the whole matrix. @param columns numbers of columns there; null: they
  /// count from `first`.
  Part(Mat part, bool by_block, PetscInt size, PetscInt first_row, const PetscInt* columns)
      : rows(part, by_block),
        values(part, by_block),
        entries(static_cast<std::ptrdiff_t>(size) * size),
        first(first_row),
        global_column(columns) {}

  [[nodiscard]] PetscInt count() const { return rows.begin(rows.rows()); }
  [[nodiscard]] PetscInt column(PetscInt at) const {
    return global_column == nullptr ? first + rows.column(at) : global_column[rows.column(at)];
  }
  [[nodiscard]] const PetscScalar* block(PetscInt at) const { return values.data() + at * entries; }
  [[nodiscard]] bool is_zero(PetscInt at) const {
    const PetscScalar* begin = block(at);
    return std::all_of(begin, begin + entries, [](PetscScalar value) { return value == 0; });
  }
  /// @returns per stored block whether it is not zero, or is of the diagonal.
  [[nodiscard]] std::vector<char> needed() const {
    std::vector<char> marks(static_cast<std::size_t>(count()), 0);
    for (PetscInt row = 0; row < rows.rows(); ++row)
      for (PetscInt at = rows.begin(row); at < rows.end(row); ++at)
        marks[static_cast<std::size_t>(at)] = column(at) == first + row || !is_zero(at) ? 1 : 0;
    return marks;
  }

  petsc::StoredRows rows;
  petsc::StoredValues values;
  std::ptrdiff_t entries;
  PetscInt first;
  const PetscInt* global_column;
};

bool CompactMatrix::copy(Mat full) {
  static const petsc::LogEvent event("ScreeCompact");
  const petsc::LogScope scope(event);
  const bool by_block = petsc::is_by_block(full);
  PetscInt size = 1, first = 0, last = 0;
  if (by_block) check(MatGetBlockSize(full, &size), kDoing);
  check(MatGetOwnershipRange(full, &first, &last), kDoing);
  const petsc::MatrixParts parts = petsc::parts_of(full);
  const Part own(parts.own, by_block, size, first / size, nullptr);
  std::optional<Part> other;
  if (parts.other != nullptr) other.emplace(parts.other, by_block, size, first / size, parts.global_column);

  Kept needed{own.needed(), other ? other->needed() : std::vector<char>{}};
  PetscObjectId number = 0;
  PetscObjectState structure = 0;
  check(PetscObjectGetId(reinterpret_cast<PetscObject>(full), &number), kDoing);
  check(MatGetNonzeroState(full, &structure), kDoing);
  const bool same = matrix_ && number == full_ && structure == structure_;
  long counts[3] = {0, 0, 0};  // blocks that are needed, that are stored, that are needed and not stored
  const auto compare = [&counts, same](const std::vector<char>& wanted, const std::vector<char>& kept) {
    for (std::size_t at = 0; at < wanted.size(); ++at) {
      counts[0] += wanted[at];
      if (!same) continue;
      counts[1] += kept[at];
      counts[2] += wanted[at] != 0 && kept[at] == 0 ? 1 : 0;
    }
  };
  compare(needed.own, kept_.own);
  compare(needed.other, kept_.other);
  MPI_Allreduce(MPI_IN_PLACE, counts, 3, MPI_LONG, MPI_SUM,
                PetscObjectComm(reinterpret_cast<PetscObject>(full)));
  const bool many = static_cast<double>(counts[1] + counts[2]) > kMostStored * static_cast<double>(counts[0]);
  const bool anew = !same || counts[2] > 0 || many;
  if (anew) {
    if (same && !many) {
      const auto add = [](std::vector<char>& to, const std::vector<char>& from) {
        for (std::size_t at = 0; at < to.size(); ++at) to[at] = to[at] != 0 || from[at] != 0 ? 1 : 0;
      };
      add(needed.own, kept_.own);
      add(needed.other, kept_.other);
    }
    kept_ = std::move(needed);
    full_ = number;
    structure_ = structure;
    create(full, own, other ? &*other : nullptr);
  }
  fill(own, other ? &*other : nullptr);
  return anew;
}

/// Calls use(part, at) for the kept blocks of a row, first those of the own part.
template <class Use>
void CompactMatrix::for_kept(PetscInt row, const Part& own, const Part* other, const Use& use) const {
  const auto in_part = [row, &use](const Part& part, const std::vector<char>& kept) {
    for (PetscInt at = part.rows.begin(row); at < part.rows.end(row); ++at)
      if (kept[static_cast<std::size_t>(at)] != 0) use(part, at);
  };
  in_part(own, kept_.own);
  if (other != nullptr) in_part(*other, kept_.other);
}

void CompactMatrix::create(Mat full, const Part& own, const Part* other) {
  PetscInt size = 1, unknowns = 0;
  MatType type = nullptr;
  const bool by_block = petsc::is_by_block(full);
  if (by_block) check(MatGetBlockSize(full, &size), kDoing);
  check(MatGetType(full, &type), kDoing);
  check(MatGetLocalSize(full, &unknowns, nullptr), kDoing);
  std::vector<PetscInt> begin{0}, columns;
  for (PetscInt row = 0; row < own.rows.rows(); ++row) {
    for_kept(row, own, other,
             [&columns](const Part& part, PetscInt at) { columns.push_back(part.column(at)); });
    std::sort(columns.begin() + begin.back(), columns.end());
    begin.push_back(static_cast<PetscInt>(columns.size()));
  }
  check(MatCreate(PetscObjectComm(reinterpret_cast<PetscObject>(full)), matrix_.put()), kDoing);
  check(MatSetSizes(matrix_, unknowns, unknowns, PETSC_DETERMINE, PETSC_DETERMINE), kDoing);
  check(MatSetType(matrix_, type), kDoing);
  // The calls for other types do nothing.
  if (by_block) check(MatSetBlockSize(matrix_, size), kDoing);
  check(MatSeqBAIJSetPreallocationCSR(matrix_, size, begin.data(), columns.data(), nullptr), kDoing);
  check(MatMPIBAIJSetPreallocationCSR(matrix_, size, begin.data(), columns.data(), nullptr), kDoing);
  check(MatSeqAIJSetPreallocationCSR(matrix_, begin.data(), columns.data(), nullptr), kDoing);
  check(MatMPIAIJSetPreallocationCSR(matrix_, begin.data(), columns.data(), nullptr), kDoing);
  check(MatSetOption(matrix_, MAT_NEW_NONZERO_LOCATION_ERR, PETSC_TRUE), kDoing);
  check(MatSetOption(matrix_, MAT_NO_OFF_PROC_ENTRIES, PETSC_TRUE), kDoing);
  check(MatSetOption(matrix_, MAT_ROW_ORIENTED, PETSC_FALSE), kDoing);  // as PETSc stores blocks
}

void CompactMatrix::fill(const Part& own, const Part* other) {
  std::vector<PetscInt> columns;
  std::vector<PetscScalar> values;
  for (PetscInt row = 0; row < own.rows.rows(); ++row) {
    columns.clear();
    values.clear();
    for_kept(row, own, other, [&](const Part& part, PetscInt at) {
      const PetscScalar* block = part.block(at);
      columns.push_back(part.column(at));
      values.insert(values.end(), block, block + part.entries);
    });
    const PetscInt number = own.first + row;
    check(MatSetValuesBlocked(matrix_, 1, &number, static_cast<PetscInt>(columns.size()), columns.data(),
                              values.data(), INSERT_VALUES),
          kDoing);
  }
  check(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY), kDoing);
  check(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY), kDoing);
}

}  // namespace scree
