/// The list, in an output directory, of the files that runs have written there: scree_files.txt. A later run
/// removes and replaces what is listed, and nothing else.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/output/checked_file.hpp"

namespace scree {

/// What the list says of the runs of one deck. Names are relative to the output directory and normalised.
struct ListedRun {
  std::string deck;                  ///< absolute path, see deck_identity
  std::vector<std::string> files;    ///< that the run may have written, each listed before it was created
  std::vector<std::string> folders;  ///< that the run created, or was about to
};

/// @returns the deck as the list names it: absolute, links resolved, without control characters.
std::string deck_identity(const std::filesystem::path& deck);

/// @returns the runs of the list of `directory`, none if there is no list. A last line that is truncated is
/// one whose file was never created: it is left out.
/// @throws RunError (file, line, text) if it is a file that Scree did not write, or is damaged.
std::vector<ListedRun> read_results_list(const std::filesystem::path& directory);

/// The list of a run that writes. It is locked: a second run in the directory is refused while this one
/// lives.
class ResultsList {
 public:
  /// Replaces the list of `directory`, in one go. @param runs what is listed from the start; names added
  /// later belong to the last. @throws RunError (file and reason), also if another run has locked the list.
  ResultsList(const std::filesystem::path& directory, const std::vector<ListedRun>& runs);
  ~ResultsList();
  ResultsList(const ResultsList&) = delete;
  ResultsList& operator=(const ResultsList&) = delete;
  ResultsList(ResultsList&&) = delete;
  ResultsList& operator=(ResultsList&&) = delete;

  /// Lists files; to be called before they are created. @throws RunError (file and reason).
  void add(const std::vector<std::string>& files);

 private:
  std::unique_ptr<GrowingFile> file_;
  int lock_ = -1;
};

/// Lists files that are written apart from a run, such as the faults of its meshes, among those of `deck`.
/// Earlier ones that are listed stay until their writer replaces them (WholeFile).
/// @param deck see deck_identity. @param names in `directory` itself. @returns the list, to be kept until the
/// files are written.
/// @throws RunError (file, reason, remedy) if a name belongs to a file that no run has listed or that is
/// write-protected, to a link or to a folder; also if another run has locked the list.
std::unique_ptr<ResultsList> list_beside_runs(const std::filesystem::path& directory, const std::string& deck,
                                              const std::vector<std::string>& names);

/// @returns whether a run that is under way holds the list of `directory`.
bool is_locked(const std::filesystem::path& directory);

}  // namespace scree
