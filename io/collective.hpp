/// What output needs of MPI: failures that all ranks learn of, and gathering (assembly/gather.hpp) in pieces
/// that rank 0 can hold.
#pragma once

#include <mpi.h>

#include <functional>
#include <limits>
#include <string>

#include "assembly/gather.hpp"
#include "core/error.hpp"
#include "core/types.hpp"

namespace scree {

/// Runs `work` on this rank; if it fails on any rank, all ranks throw with the message of the lowest rank
/// that failed: InputError after an InputError, RunError after any other exception. `work` itself must not
/// communicate. Collective.
/// @throws Interrupted on all ranks if any was asked to stop, after the work or out of it.
void together(MPI_Comm comm, const std::function<void()>& work);

/// Ids are gathered in runs of this many: what rank 0 holds at a time does not grow with the model.
inline constexpr BodyId kGatherChunk = 8192;

/// For a rank that has nothing left to give.
inline constexpr BodyId kNoBody = std::numeric_limits<BodyId>::max();

/// Where the next run of ids begins: ids have gaps where bodies were removed, and no end known beforehand.
/// @param mine lowest id that this rank has not given yet, or kNoBody. @returns the lowest of all ranks.
/// Collective.
BodyId next_run(BodyId mine, MPI_Comm comm);

}  // namespace scree
