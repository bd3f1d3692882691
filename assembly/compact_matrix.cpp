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

/// The rows of this rank in the full matrix, with their values.
struct CompactMatrix::Full {
  struct Part {
    explicit Part(const petsc::MatrixPart& part) : rows(part), values(part) {}
    [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(rows.begin(rows.rows())); }
    petsc::StoredRows rows;
    petsc::StoredValues values;
  };

  explicit Full(Mat matrix) : parts(petsc::parts_of(matrix)), own(parts.own) {
    if (parts.other.matrix != nullptr) other.emplace(parts.other);
  }

  [[nodiscard]] PetscInt rows() const { return own.rows.rows(); }
  /// Stored blocks.
  [[nodiscard]] std::size_t count() const { return own.count() + (other ? other->count() : 0); }
  /// Entries of a block.
  [[nodiscard]] std::ptrdiff_t entries() const {
    return static_cast<std::ptrdiff_t>(parts.block) * parts.block;
  }
  /// Number of a row of this rank in the whole matrix.
  [[nodiscard]] PetscInt number(PetscInt row) const { return parts.own.first_column + row; }
  /// Calls use(at, column, values) for each stored block of a row; `at` is below count().
  template <class Use>
  void for_each(PetscInt row, const Use& use) const {
    const auto in_part = [this, row, &use](const Part& part, std::size_t before) {
      for (PetscInt at = part.rows.begin(row); at < part.rows.end(row); ++at)
        use(before + static_cast<std::size_t>(at), part.rows.column(at), part.values.data() + at * entries());
    };
    in_part(own, 0);
    if (other) in_part(*other, own.count());
  }
  /// @returns per stored block whether it is not zero, or is of the diagonal.
  [[nodiscard]] std::vector<char> needed() const {
    std::vector<char> marks(count(), 0);
    for (PetscInt row = 0; row < rows(); ++row) {
      for_each(row, [&](std::size_t at, PetscInt column, const PetscScalar* values) {
        const auto is_set = [](PetscScalar value) { return value != 0; };
        marks[at] = column == number(row) || std::any_of(values, values + entries(), is_set) ? 1 : 0;
      });
    }
    return marks;
  }

  petsc::MatrixParts parts;
  Part own;
  std::optional<Part> other;
};

bool CompactMatrix::copy(Mat matrix) {
  static const petsc::LogEvent event("ScreeCompact");
  const petsc::LogScope scope(event);
  const Full full(matrix);
  const std::vector<char> needed = full.needed();
  std::vector<char> kept = kept_of(full);
  // Blocks that are needed, that are kept, that are one of both, that are stored.
  long counts[4] = {0, 0, 0, static_cast<long>(columns_.size())};
  for (std::size_t at = 0; at < needed.size(); ++at) {
    counts[0] += needed[at];
    counts[1] += kept[at];
    counts[2] += needed[at] | kept[at];
  }
  MPI_Comm const comm = PetscObjectComm(reinterpret_cast<PetscObject>(matrix));
  MPI_Allreduce(MPI_IN_PLACE, counts, 4, MPI_LONG, MPI_SUM, comm);
  const bool many = static_cast<double>(counts[2]) > kMostStored * static_cast<double>(counts[0]);
  const bool anew = !matrix_ || many || counts[2] > counts[1] || counts[3] != counts[1];
  if (anew) {
    for (std::size_t at = 0; at < needed.size(); ++at) kept[at] = needed[at] != 0 || (!many && kept[at] != 0);
    create(full, kept, comm);
  }
  fill(full, kept);
  return anew;
}

std::vector<char> CompactMatrix::kept_of(const Full& full) const {
  std::vector<char> kept(full.count(), 0);
  if (std::ssize(begin_) != full.rows() + 1) return kept;
  for (PetscInt row = 0; row < full.rows(); ++row) {
    const auto first = columns_.begin() + begin_[row], last = columns_.begin() + begin_[row + 1];
    full.for_each(row, [&](std::size_t at, PetscInt column, const PetscScalar*) {
      kept[at] = std::binary_search(first, last, column) ? 1 : 0;
    });
  }
  return kept;
}

void CompactMatrix::create(const Full& full, const std::vector<char>& kept, MPI_Comm comm) {
  begin_.assign(1, 0);
  columns_.clear();
  for (PetscInt row = 0; row < full.rows(); ++row) {
    full.for_each(row, [&](std::size_t at, PetscInt column, const PetscScalar*) {
      if (kept[at] != 0) columns_.push_back(column);
    });
    std::sort(columns_.begin() + begin_.back(), columns_.end());
    begin_.push_back(static_cast<PetscInt>(columns_.size()));
  }
  matrix_ = petsc::make_matrix(comm, full.parts.own.by_block, full.parts.block, begin_, columns_);
  check(MatSetOption(matrix_, MAT_ROW_ORIENTED, PETSC_FALSE), kDoing);  // as PETSc stores blocks
}

void CompactMatrix::fill(const Full& full, const std::vector<char>& kept) {
  std::vector<PetscInt> columns;
  std::vector<PetscScalar> values;
  for (PetscInt row = 0; row < full.rows(); ++row) {
    columns.clear();
    values.clear();
    full.for_each(row, [&](std::size_t at, PetscInt column, const PetscScalar* block) {
      if (kept[at] == 0) return;
      columns.push_back(column);
      values.insert(values.end(), block, block + full.entries());
    });
    const PetscInt number = full.number(row);
    check(MatSetValuesBlocked(matrix_, 1, &number, static_cast<PetscInt>(columns.size()), columns.data(),
                              values.data(), INSERT_VALUES),
          kDoing);
  }
  check(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY), kDoing);
  check(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY), kDoing);
}

}  // namespace scree
