#include "assembly/assembler.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "assembly/matrix_parts.hpp"
#include "core/error.hpp"

namespace scree {
namespace {

constexpr const char* kFilling = "filling the tangent matrix";

/// Rows of rigid bodies that fit into a cache of the second level, about 1 kB each.
constexpr int kRowsAtOnce = 128;

/// Hands out, row by row, the places of blocks that come in ascending columns, and checks that each column is
/// the one that PETSc has there: the fast path writes into its arrays, so this must not rest on belief.
class PlaceFinder {
 public:
  PlaceFinder(const petsc::MatrixPart& part, PetscInt block)
      : rows_(part), block_(block), by_block_(part.by_block) {}

  void start_row(PetscInt scalar_row) {
    row_ = scalar_row / block_;
    next_ = rows_.begin(row_);
  }
  /// @returns place of the next block in the value array; its first column is `column` and it has `columns`
  /// of them.
  PetscInt take(PetscInt column, PetscInt columns) {
    const PetscInt at = next_;
    if (at >= rows_.end(row_) || rows_.column(at) * block_ != column)
      throw RunError("PETSc stores the tangent matrix in an unexpected order");
    next_ += columns / block_;
    return at * block_ * block_;
  }
  /// @returns stored entries of a scalar row (scalar format).
  [[nodiscard]] PetscInt stride() const { return by_block_ ? 0 : rows_.end(row_) - rows_.begin(row_); }

 private:
  petsc::StoredRows rows_;
  PetscInt block_;
  bool by_block_;
  PetscInt row_ = 0, next_ = 0;
};

/// to(i, j) = from(i, j) s_i s_j for a block of N x N (N = 0: of n x n), row-major to column-major.
/// The product s_i s_j comes first, so that a symmetric block stays symmetric to the last bit.
template <int N>
void copy_transposed(const double* from, const double* s_row, const double* s_col, int n, PetscScalar* to) {
  const int size = N > 0 ? N : n;
  for (int j = 0; j < size; ++j)
    for (int i = 0; i < size; ++i) to[j * size + i] = from[i * size + j] * (s_row[i] * s_col[j]);
}

using CopyTransposed = void (*)(const double*, const double*, const double*, int, PetscScalar*);

/// @returns the copy for blocks of size n, unrolled by the compiler up to a size that covers mechanics.
CopyTransposed copy_for(int n) {
  constexpr auto kUnrolled = []<int... N>(std::integer_sequence<int, N...>) {
    return std::array<CopyTransposed, sizeof...(N)>{copy_transposed<N>...};
  }
  (std::make_integer_sequence<int, 13>());
  return n < std::ssize(kUnrolled) ? kUnrolled[n] : copy_transposed<0>;
}

}  // namespace

std::vector<Assembler::Block> Assembler::sorted_blocks(const DofMap& map, const LocalSystem& system) {
  if (map.owned() != system.owned || map.entities() != std::ssize(system.size))
    throw std::invalid_argument("Assembler: the numbering and the system have different entities");
  std::vector<Block> blocks;
  blocks.reserve(system.owned + system.couplings.size());
  auto next = system.couplings.begin();
  for (int row = 0; row < system.owned; ++row) {
    const auto begin = static_cast<std::ptrdiff_t>(blocks.size());
    blocks.push_back({row, row, system.diagonal_at[row]});
    for (; next != system.couplings.end() && next->row == row; ++next)
      blocks.push_back({row, next->col, next->at});
    std::sort(blocks.begin() + begin, blocks.end(), [&map](const Block& a, const Block& b) {
      return map.first_unknown(a.col) < map.first_unknown(b.col);
    });
  }
  return blocks;
}

Assembler::Pattern Assembler::pattern_of(const DofMap& map, const std::vector<Block>& blocks) const {
  Pattern pattern;
  pattern.block = by_block_ ? map.uniform_block() : 1;
  pattern.first = map.first_owned();
  pattern.unknowns = map.owned_unknowns();
  pattern.begin.reserve(pattern.unknowns / pattern.block + 1);
  pattern.begin.push_back(0);
  for (auto row = blocks.begin(); row != blocks.end();) {
    const auto end = std::find_if(row, blocks.end(), [row](const Block& b) { return b.row != row->row; });
    const int copies = by_block_ ? 1 : map.size_of(row->row);
    for (int k = 0; k < copies; ++k) {
      for (auto block = row; block != end; ++block) {
        const PetscInt first = map.first_unknown(block->col) / pattern.block;
        const PetscInt count = map.size_of(block->col) / pattern.block;
        for (PetscInt c = 0; c < count; ++c) pattern.columns.push_back(first + c);
      }
      pattern.begin.push_back(static_cast<PetscInt>(pattern.columns.size()));
    }
    row = end;
  }
  return pattern;
}

bool Assembler::set_pattern(const DofMap& map, const LocalSystem& system) {
  static const petsc::LogEvent event("ScreePattern");
  const petsc::LogScope scope(event);
  const std::vector<Block> blocks = sorted_blocks(map, system);
  by_block_ = format_ == MatrixFormat::automatic && map.uniform_block() > 0;
  Pattern pattern = pattern_of(map, blocks);
  int changed = !matrix_ || pattern != pattern_ ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &changed, 1, MPI_INT, MPI_MAX, map.comm());
  if (changed != 0) {
    pattern_ = std::move(pattern);
    matrix_ = petsc::make_matrix(map.comm(), by_block_, pattern_.block, pattern_.begin, pattern_.columns);
    is_new_ = true;
  }
  find_places(map, blocks);  // ghosts may have other local numbers though the matrix is the same
  couplings_ = system.couplings.size();
  values_ = system.values.size();
  return changed != 0;
}

/// Raises the state of the matrix, by which solvers see that it changed, and drops the inverses of diagonal
/// blocks that PETSc caches in it.
void Assembler::finish_matrix() {
  petsc::check(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY), kFilling);
  petsc::check(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY), kFilling);
}

void Assembler::find_places(const DofMap& map, const std::vector<Block>& blocks) {
  const petsc::MatrixParts parts = petsc::parts_of(matrix_);
  own_blocks_.clear();
  other_blocks_.clear();
  const auto place = [&](const petsc::MatrixPart& part, bool own, std::vector<Block>& placed) {
    PlaceFinder finder(part, pattern_.block);
    int row = -1;
    for (Block block : blocks) {
      if (block.row != row) finder.start_row(map.first_unknown(row = block.row) - map.first_owned());
      if ((block.col < map.owned()) != own || map.size_of(block.row) == 0 || map.size_of(block.col) == 0)
        continue;
      block.to = finder.take(map.first_unknown(block.col), map.size_of(block.col));
      block.stride = finder.stride();
      placed.push_back(block);
    }
  };
  place(parts.own, true, own_blocks_);
  if (parts.other.matrix != nullptr) place(parts.other, false, other_blocks_);
}

void Assembler::assemble_residual(const LocalSystem& system, Vec r) const {
  static const petsc::LogEvent event("ScreeAsmResidual");
  const petsc::LogScope scope(event);
  PetscInt size = 0;
  petsc::check(VecGetLocalSize(r, &size), "filling the residual");
  const int owned = system.offset[system.owned];
  if (size != owned) throw std::invalid_argument("Assembler: the residual vector has another layout");
  const petsc::VecValues values(r);
  for (int i = 0; i < owned; ++i) values.data()[i] = system.residual[i] * system.scale[i];
}

std::size_t Assembler::copy_blocks(const LocalSystem& system, const std::vector<Block>& blocks,
                                   std::size_t next, int last, Mat part) const {
  PetscScalar* to = nullptr;
  const double* scale = system.scale.data();
  if (by_block_) {
    const int n = static_cast<int>(pattern_.block);
    const CopyTransposed copy = copy_for(n);
    petsc::check(MatSeqBAIJGetArray(part, &to), kFilling);
    for (; next < blocks.size() && blocks[next].row < last; ++next) {
      const Block& b = blocks[next];
      if (!is_new_ && !system.assembles(b.row)) continue;
      copy(&system.values[b.from], scale + system.offset[b.row], scale + system.offset[b.col], n, to + b.to);
    }
    petsc::check(MatSeqBAIJRestoreArray(part, &to), kFilling);
    return next;
  }
  petsc::check(MatSeqAIJGetArray(part, &to), kFilling);
  for (; next < blocks.size() && blocks[next].row < last; ++next) {
    const Block& b = blocks[next];
    if (!is_new_ && !system.assembles(b.row)) continue;
    const double* from = &system.values[b.from];
    const double* s_row = scale + system.offset[b.row];
    const double* s_col = scale + system.offset[b.col];
    const int rows = system.size[b.row];
    const int cols = system.size[b.col];
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < cols; ++j) to[b.to + i * b.stride + j] = from[i * cols + j] * (s_row[i] * s_col[j]);
  }
  petsc::check(MatSeqAIJRestoreArray(part, &to), kFilling);
  return next;
}

void Assembler::assemble_tangent(const LocalSystem& system, const std::function<void(int, int)>& finish) {
  if (!matrix_ || system.couplings.size() != couplings_ || system.values.size() != values_)
    throw std::invalid_argument("Assembler: the couplings changed without set_pattern");
  static const petsc::LogEvent event("ScreeAsmTangent");
  const petsc::LogScope scope(event);
  PetscBool assembled = PETSC_FALSE;
  petsc::check(MatAssembled(matrix_, &assembled), kFilling);
  if (assembled != PETSC_TRUE) finish_matrix();  // MatConvert took it apart; whole again, all is in its place
  const petsc::MatrixParts parts = petsc::parts_of(matrix_);
  std::size_t own = 0;
  std::size_t other = 0;
  for (int first = 0; first < system.owned; first += kRowsAtOnce) {
    const int last = std::min(first + kRowsAtOnce, system.owned);
    if (finish) finish(first, last);
    own = copy_blocks(system, own_blocks_, own, last, parts.own.matrix);
    if (parts.other.matrix != nullptr)
      other = copy_blocks(system, other_blocks_, other, last, parts.other.matrix);
  }
  is_new_ = false;
  finish_matrix();
}

}  // namespace scree
