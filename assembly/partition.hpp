/// Which rank owns which body.
#pragma once

#include <mpi.h>

#include <span>
#include <utility>
#include <vector>

#include "core/body.hpp"

namespace scree {

/// First body of a rank where bodies are distributed in deck order, before anything is known of where they
/// are.
/// @returns rank's first id; the last one is first_body(bodies, rank + 1, ranks) - 1.
[[nodiscard]] inline BodyId first_body(BodyId bodies, int rank, int ranks) { return bodies * rank / ranks; }

/// @param weight of this rank, in any unit. @returns largest over mean of all ranks, 1 if nothing weighs
/// anything. Collective.
[[nodiscard]] double imbalance(MPI_Comm comm, double weight);

/// A new owner for each body: METIS over the graph of coarse cells. Bodies are lumped into some hundred cells
/// per rank (`CellTree`), vertices weigh what their bodies weigh, edges the contacts between two cells (and a
/// little for a common face; where there are no contacts yet, an estimate from that face). Only this graph is
/// gathered. Parts are given to the ranks that own most of them already, so that few bodies move.
/// @param bodies owned ones are dealt with; boundaries are of all ranks and do not count;
/// @param weight per owned body, > 0: its share of the work (1 + contacts, say);
/// @param contacts (owned, owned or ghost) indices into bodies, each contact from one side or from both.
/// @returns rank per owned body. The same for the same input. @throws RunError if METIS fails. Collective.
std::vector<int> partition(MPI_Comm comm, const Bodies& bodies, std::span<const double> weight,
                           std::span<const std::pair<int, int>> contacts);

}  // namespace scree
