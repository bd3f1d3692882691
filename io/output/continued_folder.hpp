/// The output directory of a run that is continued.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/output/cursors.hpp"
#include "io/output/results_list.hpp"

namespace scree {

/// Removes what the last run in a folder wrote after the state with these cursors, and what it left when it
/// ended. For one rank. @param final_state name of that file, "" for none.
/// @returns the runs listed there, without the removed files.
/// @throws InputError, with nothing removed, if the last run has no checkpoint, another run writes there, or
/// a file that grows is missing or shorter than at the checkpoint. @throws RunError if a file cannot be
/// removed.
std::vector<ListedRun> cut_folder_back(const std::filesystem::path& directory, const std::string& final_state,
                                       const OutputCursors& cursors);

}  // namespace scree
