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

/// @returns the name of the file that grows with a series; "" if none does.
std::string growing_file(const std::string& series) {
  if (series == kContactFiles) return kContactsIndex;
  return series == kFrames || series == kCheckpoints ? "" : series;
}

/// Files that grow have at least the bytes that they had at the checkpoint. All of them are looked at before
/// anything is removed: a folder that cannot be continued stays as it is.
void check_growing_files(const fs::path& directory, const OutputCursors& cursors) {
  std::vector<Diagnostic> faults;
  for (const auto& [series, cursor] : cursors.series) {
    const std::string name = growing_file(series);
    if (name.empty() || cursor.bytes < 0) continue;
    const fs::path file = directory / name;
    std::error_code error;
    const fs::file_status status = status_of(file);
    const bool is_file = fs::is_regular_file(status);
    const auto bytes = is_file ? static_cast<long>(fs::file_size(file, error)) : 0L;
    if (is_file && !error && bytes >= cursor.bytes) continue;
    const std::string found = is_file              ? fmt::format("has {} bytes", bytes)
                              : fs::exists(status) ? "is not an ordinary file"
                                                   : "is missing";
    faults.push_back(
        {"", fmt::format("\"{}\" cannot be continued: \"{}\" {}; at the checkpoint it had {} bytes. "
                         "Put the file back, or start another run from the checkpoint "
                         "(\"bodies\": [{{\"checkpoint\": FILE}}]).",
                         directory.string(), name, found, cursor.bytes)});
  }
  if (!faults.empty()) throw InputError(std::move(faults));
}

}  // namespace

std::vector<ListedRun> cut_folder_back(const fs::path& directory, const std::string& final_state,
                                       const OutputCursors& cursors) {
  std::vector<ListedRun> runs = read_results_list(directory);
  if (runs.empty() || is_locked(directory)) {
    throw InputError("", fmt::format("\"{}\" cannot be continued: {}.", directory.string(),
                                     runs.empty() ? fmt::format("there is no {}", kListFile)
                                                  : "another run writes to it"));
  }
  if (std::none_of(runs.back().files.begin(), runs.back().files.end(), is_checkpoint)) {
    throw InputError(
        "",
        fmt::format("\"{}\" cannot be continued: the last run in it is that of another deck, {}, and has no "
                    "checkpoint; the checkpoints are those of an earlier run, whose files were replaced.",
                    directory.string(), runs.back().deck));
  }
  check_growing_files(directory, cursors);
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
