/// Ranks for tests under MPI.
#pragma once

#include <mpi.h>

namespace scree::ranks {

inline int rank_count() {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

inline int this_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

}  // namespace scree::ranks
