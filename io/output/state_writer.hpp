/// The state in which a run ends, as CSV that a deck can start from.
#pragma once

#include <mpi.h>

#include <string>

#include "io/output/output_names.hpp"
#include "solvers/model.hpp"
#include "solvers/observer.hpp"

namespace scree {

/// Writes the bodies in deck order: name,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,shape,material, the columns of
/// "file" of bodies (unnamed bodies have their number as name). Bodies go to rank 0 by runs of ids; no rank
/// holds all of them. @throws RunError on all ranks if the file cannot be written. Collective.
void write_state(const AcceptedState& state, const std::string& path, MPI_Comm comm);

/// @returns whether a run whose last state is at `time` [s] has reached its end; round-off is forgiven.
inline bool reaches_end(const Model& model, double time) { return time >= model.time.end * (1 - 1e-9); }

/// Whether the last state is one that the run was to reach: that of its end, rest before it, or the one at
/// which a coupled run was ended.
inline bool is_whole(const AcceptedState& state) {
  return state.at_rest || state.complete || reaches_end(*state.model, state.time);
}

/// Writes `output.final_state` when the run reaches its end, kLastStateFile when it ends earlier (a failure,
/// Ctrl-C), with or without a final state in the deck.
class StateWriter : public Observer {
 public:
  /// @param model must outlive the writer.
  StateWriter(const Model& model, MPI_Comm comm) : model_(model), comm_(comm) {}

  /// Acts on the last state. @throws RunError on all ranks if the file cannot be written. Collective.
  void accepted(const AcceptedState& state) override;

  /// Writes kLastStateFile, unless there was no state yet: then nothing may be replaced.
  std::string rescue(const AcceptedState& state) override;

 private:
  const Model& model_;
  MPI_Comm comm_;
  bool began_ = false;
};

}  // namespace scree
