/// Where batches of elements and contacts put residual and tangent: this rank's rows, in blocks by entity.
/// Knows nothing of PETSc; assembly/ copies it into Vec and Mat.
#pragma once

#include <vector>

namespace scree {

/// An entity has a number of unknowns (6 for a rigid body, 3 for a node later) and an offset.
/// Entities 0..owned-1 are rows of this rank, the others are ghosts and appear as columns only.
struct LocalSystem {
  /// Block of entity `row` (owned) against entity `col` (another one), row-major at values[at].
  struct Coupling {
    int row = 0, col = 0;
    int at = 0;
  };

  int owned = 0;
  std::vector<int> size;         ///< unknowns per entity, owned and ghosts
  std::vector<int> offset;       ///< first scalar unknown of each entity, size.size() + 1 entries
  std::vector<double> scale;     ///< per scalar unknown: d = scale * y, so that residuals in y are forces [N]
  std::vector<double> residual;  ///< per scalar unknown; rows of ghosts are scratch
  std::vector<int> diagonal_at;  ///< per entity: its diagonal block in values (ghosts have one too, scratch)
  std::vector<Coupling> couplings;  ///< sorted by (row, col), without repetition
  std::vector<double> values;
  std::vector<double> stiffness;  ///< per owned entity: largest row sum of its diagonal block, in unknowns y
  std::vector<char> assembling;  ///< per owned entity: its row is computed; the others keep their last values

  /// Lays out entities. @param sizes unknowns per entity. Clears the couplings.
  void set_entities(int owned_entities, std::vector<int> sizes);
  /// Lays out the blocks. @param pairs (row, col), any order, repetitions allowed; rows of ghosts are
  /// dropped.
  void set_couplings(std::vector<Coupling> pairs);
  /// Adds blocks, which are zero; those that are there keep their values. @param pairs as above.
  void add_couplings(std::vector<Coupling> pairs);
  /// @returns index into couplings of block (row, col), -1 without one. O(log n).
  [[nodiscard]] int find(int row, int col) const;
  /// @returns index of the first coupling of this row or a later one. O(log n).
  [[nodiscard]] int first_coupling(int row) const;
  void clear_residual();
  /// Zeroes the rows that are assembled.
  void clear_tangent();
  /// Whether contributions to the row of this entity are wanted (rows of ghosts are not ours).
  [[nodiscard]] bool assembles(int entity) const { return entity < owned && assembling[entity] != 0; }

  [[nodiscard]] double* residual_of(int entity) { return &residual[offset[entity]]; }
  [[nodiscard]] double* diagonal(int entity) { return &values[diagonal_at[entity]]; }
  [[nodiscard]] double* coupling(int index) { return &values[couplings[index].at]; }
};

}  // namespace scree
