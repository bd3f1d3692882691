/// Numbering of unknowns: entities of any size, contiguous per rank, side by side within an entity.
#pragma once

#include <span>
#include <vector>

#include "assembly/petsc.hpp"

namespace scree {

/// Where an entity of another rank lives.
struct RemoteEntity {
  int rank = 0;   ///< its owner
  int index = 0;  ///< its number among the entities that the owner owns
};

/// PETSc's number of each unknown of this rank's entities (owned first, then ghosts), and vectors of that
/// layout. Fixed once made: when bodies migrate or ghosts change, make a new one (a few collective calls).
class DofMap {
 public:
  /// @param owned number of entities that this rank owns; @param sizes unknowns per entity, owned, then
  /// ghosts;
  /// @param ghosts owner of each ghost, sizes.size() - owned entries.
  /// @throws std::invalid_argument if these do not fit; RunError if an owner says another size of a ghost, or
  /// there are more unknowns than PETSc's integers count. Collective over comm.
  DofMap(MPI_Comm comm, int owned, const std::vector<int>& sizes, const std::vector<RemoteEntity>& ghosts);

  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  [[nodiscard]] int owned() const { return owned_; }
  [[nodiscard]] int entities() const { return static_cast<int>(first_unknown_.size()); }
  [[nodiscard]] int size_of(int entity) const { return offset_[entity + 1] - offset_[entity]; }
  /// Whether any rank has ghosts.
  [[nodiscard]] bool has_ghosts() const { return has_ghosts_; }
  /// The common size of all entities of all ranks, 0 if they differ (or without entities).
  [[nodiscard]] int uniform_block() const { return uniform_block_; }
  /// Unknowns of owned entities; of all ranks; PETSc's number of this rank's first one.
  [[nodiscard]] PetscInt owned_unknowns() const { return owned_unknowns_; }
  [[nodiscard]] PetscInt global_unknowns() const { return global_unknowns_; }
  [[nodiscard]] PetscInt first_owned() const { return first_owned_; }
  /// PETSc's number of the first unknown of an entity, owned or ghost.
  [[nodiscard]] PetscInt first_unknown(int entity) const { return first_unknown_[entity]; }

  /// @returns a Vec of zeros of this layout (without ghosts, see `to_local`), block size set. Collective.
  [[nodiscard]] petsc::VecHandle create_vector() const;

  /// d = scale * y for owned and ghost entities, in the order of entities; this is how ghosts get their
  /// increment.
  /// @param y any Vec of this layout; @param scale, d  one entry per scalar unknown, owned and ghosts.
  /// @throws std::invalid_argument if a size does not fit. Collective.
  void to_local(Vec y, std::span<const double> scale, std::span<double> d) const;

 private:
  void number_ghosts(const std::vector<RemoteEntity>& ghosts);
  void create_ghosted();

  MPI_Comm comm_;
  int owned_ = 0;
  int uniform_block_ = 0;
  bool has_ghosts_ = false;  ///< on any rank
  PetscInt owned_unknowns_ = 0, global_unknowns_ = 0, first_owned_ = 0;
  std::vector<int> offset_;              ///< first scalar unknown of each entity, local
  std::vector<PetscInt> first_unknown_;  ///< the same in PETSc's numbers
  petsc::VecHandle ghosted_;             ///< carries y to the ranks that have ghosts of it
};

}  // namespace scree
