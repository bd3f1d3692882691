/// The run, readable top to bottom: find contacts, solve the step, accept or cut, tell the observers.
#pragma once

#include <mpi.h>

#include <atomic>
#include <vector>

#include "solvers/model.hpp"
#include "solvers/observer.hpp"

namespace scree {

/// Runs the model to its end time, or until `stop` becomes true (Ctrl-C), which ends the run in order after
/// the step under way, or to a step that cannot be solved.
/// Observers are told of the start (first), each accepted step, and the last one (last), also on failure.
/// @param model the same on all ranks; @param observers called in order; @param stop may be set by a signal
/// handler.
/// @returns what the run came to. Collective over comm; PETSc must be initialised.
/// @throws InputError if bodies overlap or touch at the start (names both and the depth), or a law is
/// missing.
/// @throws RunError if a step cannot be solved: the message says when, why, and what to try.
RunReport run(const Model& model, const std::vector<Observer*>& observers, const std::atomic<bool>& stop,
              MPI_Comm comm = MPI_COMM_WORLD);

}  // namespace scree
