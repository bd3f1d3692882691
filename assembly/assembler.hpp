/// From this rank's LocalSystem to PETSc's Vec and Mat.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "assembly/dof_map.hpp"
#include "assembly/petsc.hpp"
#include "core/local_system.hpp"

namespace scree {

/// How the tangent is stored. `automatic`: blocks (BAIJ) if all entities have the same size, scalars (AIJ)
/// otherwise. `scalar`: always AIJ, for solvers that take nothing else (Cholesky of MUMPS, CHOLMOD, GAMG).
/// Where both are wanted, use two assemblers: that is as fast as MatConvert, which in 3.18 leaves a
/// distributed BAIJ matrix in pieces.
enum class MatrixFormat { automatic, scalar };

/// Residual and tangent of the unknowns y, d = scale * y: r_i scale_i and K_ij scale_i scale_j.
///
/// A rank has all of its rows, so that assembly needs no communication. The place of each block in PETSc's
/// value arrays is found once per pattern; after that the tangent is one pass over memory.
class Assembler {
 public:
  explicit Assembler(MatrixFormat format = MatrixFormat::automatic) : format_(format) {}

  /// Prepares the matrix for the entities of `map` and the couplings of `system`; keeps it if neither
  /// numbering nor pattern changed on any rank.
  /// @returns whether there is a new matrix, which solvers must then be given (KSPSetOperators,
  /// SNESSetJacobian).
  /// @throws std::invalid_argument if map and system differ; RunError if PETSc fails (memory). Collective.
  bool set_pattern(const DofMap& map, const LocalSystem& system);

  /// Puts the scaled residual into `r`, a Vec of the map's layout. Not collective.
  void assemble_residual(const LocalSystem& system, Vec r) const;

  /// Puts the scaled tangent into `matrix()`: the rows that `system` assembles, the others stay; all rows if
  /// the matrix is new. Symmetric blocks stay symmetric to the last bit. Collective.
  /// @throws std::invalid_argument if the couplings are not those of `set_pattern`.
  /// @param finish called with (first, last) before the rows first..last-1 are copied: what is left to be
  /// done to those of them that are assembled, while they are in the cache.
  void assemble_tangent(const LocalSystem& system, const std::function<void(int, int)>& finish = {});

  /// The tangent; null before the first `set_pattern`. Owned by the assembler, new when `set_pattern` says
  /// so.
  [[nodiscard]] Mat matrix() const { return matrix_; }

 private:
  /// One block: where it is in LocalSystem, and where it goes.
  struct Block {
    int row = 0, col = 0;  ///< entities
    int from = 0;          ///< in LocalSystem::values
    PetscInt to = 0;       ///< in the value array of the part of the matrix that has this column
    PetscInt stride = 0;   ///< from one scalar row to the next in that array (scalar format only)
  };
  /// The rows of this rank as PETSc wants them: block rows and columns, or scalar ones.
  struct Pattern {
    PetscInt block = 0;  ///< block size of the format, 1 if scalar
    PetscInt first = 0, unknowns = 0;
    std::vector<PetscInt> begin, columns;
    bool operator==(const Pattern&) const = default;
  };

  static std::vector<Block> sorted_blocks(const DofMap& map, const LocalSystem& system);
  [[nodiscard]] Pattern pattern_of(const DofMap& map, const std::vector<Block>& blocks) const;
  void finish_matrix();
  void find_places(const DofMap& map, const std::vector<Block>& blocks);
  /// Copies the blocks of rows up to `last`, from `next` on. @returns the next block.
  std::size_t copy_blocks(const LocalSystem& system, const std::vector<Block>& blocks, std::size_t next,
                          int last, Mat part) const;

  MatrixFormat format_;
  bool by_block_ = false;
  bool is_new_ = false;  ///< nothing was put into the matrix yet
  Pattern pattern_;
  petsc::MatHandle matrix_;
  std::vector<Block> own_blocks_, other_blocks_;
  std::size_t couplings_ = 0, values_ = 0;  ///< of the system that the places were found for
};

}  // namespace scree
