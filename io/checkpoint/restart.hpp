/// Finding and reading the state from which a run is continued.
#pragma once

#include <mpi.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/checkpoint/saved_run.hpp"
#include "io/deck/deck.hpp"
#include "io/output/cursors.hpp"
#include "solvers/simulation.hpp"

namespace scree::checkpoint {

/// @returns a line "HASH PATH" for each file that the deck names, beside the deck itself.
std::string hashes_of_files(const Model& model);

/// @returns whether the last run in a folder ended in order: its report is what it writes last. Collective.
bool has_report(const std::filesystem::path& folder, MPI_Comm comm);

/// Reads the newest whole checkpoint of a folder; that before the end of a run which was killed as it wrote
/// its last outputs, so that they are written again. @param[out] skipped why newer ones are not taken.
/// @throws InputError on all ranks if no checkpoint is valid. Collective.
SavedRun read_newest(const std::filesystem::path& folder, MPI_Comm comm, std::vector<std::string>& skipped);

/// @throws InputError if a file that the deck of the run names has changed since it began.
void require_same_files(const SavedRun& run);

/// @returns the deck of the run, with its results in `folder` and its shapes numbered as in the state. Up to
/// the end of the deck, inlets insert what it schedules. @param end [s] in place of the deck's, also after
/// it. @throws InputError if it cannot be continued to there, or a file that the deck names has changed.
Deck deck_of(const SavedRun& run, const std::filesystem::path& folder, std::optional<double> end);

/// @throws RunError (first key that differs, both values) if the deck of a model is not that of the run.
/// Values are compared, not the text. Keys that the state does not depend on may differ: "title", "$schema",
/// "units", "solver", "output", "coupling", "time/stop", and "time/end" of a deck without inlets. A model
/// that was built by hand is not compared.
void require_same_deck(const SavedRun& run, const Model& model);

/// @throws RunError (boundary, what differs) if coupled boundaries of a model have other meshes than those of
/// the run. Files of versions that did not write meshes are not compared. @returns the meshes of the run.
CoupledMeshes require_same_meshes(const SavedRun& run, const Model& model);

/// Gives a simulation of that deck the state. @returns where its outputs stand. Collective. @throws RunError
/// on all ranks if the state is that of another deck, or of other meshes of coupled boundaries; the
/// simulation is then good for nothing.
OutputCursors continue_simulation(Simulation& simulation, SavedRun& run, MPI_Comm comm);

/// @returns the lines of a text.
std::vector<std::string> lines_of(const std::string& text);

}  // namespace scree::checkpoint
