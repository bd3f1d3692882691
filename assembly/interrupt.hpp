/// Requests to stop, for work that communicates: all ranks learn of one in the same reduction and leave
/// together.
#pragma once

#include <mpi.h>

#include "core/interrupt.hpp"

namespace scree {

/// @throws Interrupted on all ranks if any was asked to stop. One reduction. Collective.
void check_interrupt(MPI_Comm comm);

/// The reduction of a value and of the request in one message.
/// @returns the largest of all ranks. @throws Interrupted on all ranks if any was asked to stop. Collective.
double max_or_interrupt(double value, MPI_Comm comm);

}  // namespace scree
