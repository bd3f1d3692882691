/// Copies of other ranks' bodies that this rank's own may touch.
#pragma once

#include <mpi.h>

#include <vector>

#include "assembly/dof_map.hpp"
#include "assembly/exchange.hpp"
#include "core/body.hpp"

namespace scree {

/// Finds ghosts, and keeps their state fresh. No rank learns of bodies that are not near its own, beyond some
/// boxes around each rank's bodies.
class GhostLayer {
 public:
  explicit GhostLayer(MPI_Comm comm) : comm_(comm) {}

  /// Replaces the ghosts of `bodies` by those bodies of other ranks whose sphere, of radius length + reach
  /// about the pole, touches that of an owned body, itself or as an image across the periodic cell; in
  /// ascending id, with their properties and accepted state. Their trial states are fresh (default), those of
  /// owned bodies and boundaries stay.
  /// @param reach [m] >= 0, the same on all ranks. Collective.
  void find(Bodies& bodies, double reach);

  /// Owner of each ghost and its number there, in the order of ghosts: what DofMap needs.
  [[nodiscard]] const std::vector<RemoteEntity>& owners() const { return owners_; }

  /// Copies the accepted states of owned bodies to where they are ghosts, bit by bit. Owned bodies must be
  /// those of `find`, in that order. Collective.
  void update_states(Bodies& bodies) const;

 private:
  /// Bodies that travel between this rank and another, in the order in which they do.
  struct Route {
    int rank = 0;
    std::vector<int> bodies;  ///< indices into Bodies
  };

  MPI_Comm comm_;
  std::vector<RemoteEntity> owners_;
  std::vector<Route> out_, in_;
};

/// Takes the ghosts out of `bodies`, if there are any.
void drop_ghosts(Bodies& bodies);

}  // namespace scree
