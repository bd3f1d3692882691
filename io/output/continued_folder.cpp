#include "io/output/continued_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include "io/output/output_names.hpp"
#include "io/output/path_status.hpp"

namespace scree {

namespace fs = std::filesystem;

namespace {

bool is_checkpoint(const std::string& name) {
  const std::optional<NumberedFile> file = numbered_file(name);
  return file && file->series == NumberedFile::Series::checkpoints;
}

}  // namespace

std::vector<ListedRun> cut_folder_back(const fs::path& directory, const std::string& final_state,
                                       const OutputCursors& cursors) {
  std::vector<ListedRun> runs = read_results_list(directory);
  if (runs.empty() || is_locked(directory)) {
    throw RunError(
        fmt::format("\"{}\" cannot be continued: {}.", directory.string(),
                    runs.empty() ? fmt::format("there is no {}", kListFile) : "another run writes to it"));
  }
  if (std::none_of(runs.back().files.begin(), runs.back().files.end(), is_checkpoint)) {
    throw RunError(
        fmt::format("\"{}\" cannot be continued: the last run in it is that of another deck, {}, and has no "
                    "checkpoint; the checkpoints are those of an earlier run, whose files were replaced.",
                    directory.string(), runs.back().deck));
  }
  const auto later = [&cursors](const std::string& name) {
    const std::optional<NumberedFile> file = numbered_file(name);
    if (!file) return false;
    switch (file->series) {
      case NumberedFile::Series::contacts:
        return file->number >= cursors.of(kContactFiles).files;
      case NumberedFile::Series::frames:
        return file->number >= cursors.of(kFrames).files;
      case NumberedFile::Series::checkpoints:
        break;
    }
    return file->number >= cursors.of(kCheckpoints).files;
  };
  const auto remove = [&directory](const std::string& name) {
    std::error_code error;
    if (link_on_the_way(directory, name).empty() && fs::is_regular_file(status_of(directory / name)))
      fs::remove(directory / name, error);
    if (error)
      throw RunError(fmt::format("{}: cannot be removed: {}.", (directory / name).string(), error.message()));
  };
  std::vector<std::string>& files = runs.back().files;
  for (const std::string& file : files) {
    remove(file + std::string(kTemporarySuffix));
    if (later(file) || file == kReportFile || file == kLastStateFile || file == kReserveFile ||
        (!final_state.empty() && file == final_state))
      remove(file);
  }
  std::erase_if(files, later);
  remove(std::string(kListFile) + std::string(kTemporarySuffix));
  return runs;
}

}  // namespace scree
