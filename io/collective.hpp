/// What output needs of MPI: failures that all ranks learn of, and gathering in pieces that rank 0 can hold.
#pragma once

#include <mpi.h>

#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "core/error.hpp"
#include "core/types.hpp"

namespace scree {

/// Runs `work` on this rank; if it fails on any rank (RunError, or any other exception), all ranks throw
/// RunError with the message of the lowest rank that failed. `work` itself must not communicate. Collective.
/// @throws Interrupted on all ranks if any was asked to stop, after the work or out of it.
void together(MPI_Comm comm, const std::function<void()>& work);

/// @returns on rank 0 the items of all ranks in order of rank, elsewhere nothing. Collective.
template <typename T>
std::vector<T> gather_to_root(const std::vector<T>& mine, MPI_Comm comm) {
  static_assert(std::is_trivially_copyable_v<T>);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  if (ranks == 1) return mine;
  const int count = static_cast<int>(mine.size());
  std::vector<int> counts(ranks), offsets(ranks, 0);
  MPI_Gather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, comm);
  std::vector<T> all;
  if (rank == 0) {
    for (int r = 1; r < ranks; ++r) offsets[r] = offsets[r - 1] + counts[r - 1];
    all.resize(static_cast<std::size_t>(offsets.back()) + static_cast<std::size_t>(counts.back()));
  }
  MPI_Datatype item;
  MPI_Type_contiguous(static_cast<int>(sizeof(T)), MPI_BYTE, &item);
  MPI_Type_commit(&item);
  MPI_Gatherv(mine.data(), count, item, all.data(), counts.data(), offsets.data(), item, 0, comm);
  MPI_Type_free(&item);
  return all;
}

/// Ids are gathered in runs of this many: what rank 0 holds at a time does not grow with the model.
inline constexpr BodyId kGatherChunk = 8192;

/// For a rank that has nothing left to give.
inline constexpr BodyId kNoBody = std::numeric_limits<BodyId>::max();

/// Where the next run of ids begins: ids have gaps where bodies were removed, and no end known beforehand.
/// @param mine lowest id that this rank has not given yet, or kNoBody. @returns the lowest of all ranks.
/// Collective.
BodyId next_run(BodyId mine, MPI_Comm comm);

}  // namespace scree
