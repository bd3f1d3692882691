/// Values that all ranks have to pass alike to calls that are collective.
#pragma once

#include <mpi.h>

#include <string_view>

namespace scree {

/// Ranks that continue with different values would wait for each other for ever, or drift apart.
/// @param value finite or not; NaN is the same as NaN. @param got begins the message: "solve: got a step of".
/// @param unit of the value. Collective: one reduction.
/// @throws std::invalid_argument on all ranks, with the smallest and the largest value, if they differ.
void require_same(double value, std::string_view got, std::string_view unit, MPI_Comm comm);

}  // namespace scree
