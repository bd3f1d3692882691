/// Messages between ranks of which only the sender knows that there is one.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "core/archive.hpp"

namespace scree {

/// Bytes for, or from, one rank.
struct Parcel {
  int rank = 0;
  std::vector<std::byte> bytes;
};

/// Sends each message to its rank and receives those of the others; at most one message per rank, one's
/// own rank allowed. Costs grow with the number of neighbours, not of ranks.
/// @returns what came in, ascending by rank of the sender. @throws RunError if PETSc or MPI fails.
/// Messages may be larger than the 2 GB that MPI counts. Collective.
std::vector<Parcel> exchange_parcels(MPI_Comm comm, const std::vector<Parcel>& parcels);

/// The same where both sides know already: `incoming` names the senders and has room for exactly what they
/// send. Collective over the ranks that send or receive (all ranks of comm must call it, for the message
/// tag).
void exchange_known_parcels(MPI_Comm comm, const std::vector<Parcel>& outgoing,
                            std::vector<Parcel>& incoming);

}  // namespace scree
