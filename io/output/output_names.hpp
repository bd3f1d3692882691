/// Names of output files, relative to the output directory: which are valid, and which belong to the program.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solvers/model.hpp"

namespace scree {

/// List of the files that runs have written to an output directory, see io/output/results_list.hpp.
inline constexpr const char* kListFile = "scree_files.txt";

/// State that is saved when a run ends before its time.
inline constexpr const char* kLastStateFile = "last_state.csv";

inline constexpr const char* kReportFile = "report.json";

/// Names the files of contacts, with their times.
inline constexpr const char* kContactsIndex = "contacts_index.csv";

/// Reserves the disk space for the two above during a run.
inline constexpr const char* kReserveFile = ".scree_reserve";

/// A file is written under its name and this suffix until it is complete.
inline constexpr std::string_view kTemporarySuffix = ".scree-tmp";

/// @returns `name` as messages show it: in quotes, control characters escaped.
std::string quoted_name(const std::string& name);

/// @returns what is wrong with the name of an output file that a user chose, "" if nothing. Valid are
/// relative names without "..", control characters and the names of the program's own files.
std::string name_fault(const std::string& name);

/// @returns a valid name without "." and double slashes; equal files have equal names.
std::string normalised_name(const std::string& name);

/// @returns what is wrong with the name of an output directory, "" if nothing.
std::string directory_fault(const std::string& directory);

/// @returns whether a normalised name is one that the program gives to its own files, in any run.
bool is_program_file(std::string_view name);

/// Files that are numbered.
struct NumberedFile {
  enum class Series { contacts, frames, checkpoints };
  Series series = Series::contacts;
  long number = 0;
};

/// @returns what series a normalised name belongs to; nothing for files that are not numbered.
std::optional<NumberedFile> numbered_file(std::string_view name);

/// @returns the name of a checkpoint.
std::string checkpoint_name(long number);

/// @returns whether one normalised name is a folder on the way to the other.
bool is_folder_of(std::string_view folder, std::string_view file);

/// A file of the run, relative to the output directory, and the JSON pointer of the key that requests it.
struct NamedFile {
  std::string where, file;
};

/// The files that a run may write.
class OutputFiles {
 public:
  explicit OutputFiles(const OutputDescription& output);

  /// Files of which the names are known beforehand, the list of files excepted.
  [[nodiscard]] const std::vector<NamedFile>& named() const { return named_; }
  /// Folders below the output directory that the run needs, outer ones first.
  [[nodiscard]] const std::vector<std::string>& folders() const { return folders_; }
  /// @returns whether the run may write a file of this normalised name: those above, numbered files of any
  /// number, the list; and all of them with kTemporarySuffix.
  [[nodiscard]] bool holds(std::string_view name) const;
  /// @returns JSON pointer of the key that requests a file for which holds() is true.
  [[nodiscard]] std::string where(std::string_view name) const;

 private:
  std::vector<NamedFile> named_;
  std::vector<std::string> folders_;
  bool vtk_, contacts_, checkpoints_;
};

}  // namespace scree
