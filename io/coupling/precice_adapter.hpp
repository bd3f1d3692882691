/// Coupling through preCICE 3 (precice.org): an optional layer over Participant. The build finds the library,
/// or goes without it.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/coupling/precice_parameters.hpp"
#include "solvers/observer.hpp"

namespace scree {
struct Model;
}  // namespace scree

namespace scree::checkpoint {
struct SavedRun;
}

namespace scree::coupling {

/// Steps that a coupling took.
struct PreciceRun {
  long windows = 0;                 ///< accepted
  long solutions = 0;               ///< repeated ones included
  std::optional<RunReport> report;  ///< what the run of the bodies has come to
};

/// Runs a model to the end of the coupling. Each time window of preCICE is one step of the participant, with
/// time steps of its own within; a window that is repeated starts from the last accepted state, contact
/// history included, and writes no outputs. Collective over all ranks.
/// @param saved where the bodies continue; null: from the start. preCICE's time starts at 0 there.
/// @param petsc_options of the command line, which checkpoints keep.
/// @throws InputError without the library, or if the end time of the deck is before that of the coupling;
/// RunError if a window cannot be solved: preCICE cannot reject an iterate; or if the library reports an
/// error, for instance because the partner is gone. @throws Interrupted on all ranks: the last accepted state
/// is then shown as the last one, and kept.
PreciceRun run_precice(std::shared_ptr<Model> model, const PreciceCoupling& coupling, MPI_Comm comm,
                       bool write_log = true, checkpoint::SavedRun* saved = nullptr,
                       std::vector<std::string> petsc_options = {});

}  // namespace scree::coupling
