/// The work of contacts, evenly on all ranks.
#pragma once

#include <mpi.h>

#include <optional>
#include <vector>

#include "contact/forces/central_pair.hpp"
#include "contact/pair/pair.hpp"
#include "core/body.hpp"

namespace scree {

/// Whether one rank has many more bodies than the mean. @param owned by this rank. Collective.
bool is_uneven(MPI_Comm comm, int owned);

/// @returns a new owner for each owned body, on all ranks; nullopt if the ranks have about as much to do and
/// their bodies have not mixed. Collective.
std::optional<std::vector<int>> balanced_owners(MPI_Comm comm, const Bodies& bodies,
                                                const std::vector<contact::BodyPair>& pairs,
                                                const std::vector<contact::CentralPair>& bonds);

}  // namespace scree
