/// All that a run writes and says, as observers of the time loop.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "solvers/model.hpp"
#include "solvers/observer.hpp"

namespace scree {

/// Observers for everything that `model.output` requests, and for start block, progress lines and
/// summary on standard output. They write nothing before the first accepted state, and replace nothing.
/// @param model must outlive the observers; data of all bodies are read here; it may be reduced afterwards
/// (Model::keep_own_block). @returns observers in the order in which they are notified.
/// Their accepted() and finished() throw RunError on all ranks when a file cannot be written (file and
/// reason). Collective over comm.
std::vector<std::unique_ptr<Observer>> make_observers(const Model& model, MPI_Comm comm);

}  // namespace scree
