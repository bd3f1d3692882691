/// The run, readable top to bottom: find contacts, solve the step, accept or cut, tell the observers.
#pragma once

#include <mpi.h>

#include <vector>

#include "solvers/model.hpp"
#include "solvers/observer.hpp"
#include "solvers/simulation.hpp"

namespace scree {

/// Runs a simulation to its end time, to a step that cannot be solved, or until a rank is asked to stop
/// (core/interrupt.hpp): the step under way is then abandoned, and the last accepted state is the result.
/// Observers are shown the start (first), each accepted step, and the last one (last), also on failure.
/// @param observers called in order. @returns what the run came to. Collective over comm; PETSc must be
/// initialised.
/// @throws InputError on initial overlap or contact (names both bodies and the depth), or a law is
/// missing.
/// @throws RunError if a step fails: the message has time, reason and remedies.
/// @throws Interrupted, on all ranks, if one was asked to stop before there was an accepted state.
RunReport run(Simulation& simulation, const std::vector<Observer*>& observers);

/// The same from the start of a model, which has to outlive the call.
RunReport run(const Model& model, const std::vector<Observer*>& observers, MPI_Comm comm);

}  // namespace scree
