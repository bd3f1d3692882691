/// Bodies that change owner, with their contact history.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "core/body.hpp"

namespace scree {

/// What travels with a body beside its properties and state (contact history), as bytes that only the giver
/// reads.
struct BodyLuggage {
  /// Takes what belongs to a body that leaves. Called once per body that leaves, ascending by new rank, then
  /// id.
  std::function<std::vector<std::byte>(BodyId)> pack;
  /// Puts it back, also if empty. Called once per body that arrives, ascending by id, after `bodies` is
  /// complete.
  std::function<void(BodyId, const std::vector<std::byte>&)> unpack;
};

/// Moves owned bodies to new owners: properties and accepted state, bit by bit. Owned bodies stay in
/// ascending id; ghosts are dropped (GhostLayer::find again, then a new DofMap); trial states of arrivals are
/// fresh (default).
/// @param new_owner rank per owned body. @returns bodies that moved, all ranks.
/// @throws std::invalid_argument if new_owner has another size or names no rank. Collective.
long migrate(MPI_Comm comm, Bodies& bodies, std::span<const int> new_owner, const BodyLuggage& luggage);

/// A body that was not there before.
struct NewBody {
  BodyProperties properties;
  BodyState state;
};

/// Takes owned bodies out and puts others in, whose ids are above all ids that were there. Ghosts are dropped
/// (GhostLayer::find again, then a new DofMap). @param leaves per owned body: not 0 if it goes.
/// @throws std::invalid_argument if `leaves` has another size. Not collective.
void replace_bodies(Bodies& bodies, std::span<const char> leaves, std::span<const NewBody> arrivals);

}  // namespace scree
