#include "io/output/results_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <mpi.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <functional>
#include <set>
#include <system_error>

#include "io/collective.hpp"
#include "io/output/checked_file.hpp"
#include "io/output/continued_folder.hpp"
#include "io/output/history_writer.hpp"
#include "io/output/number_format.hpp"
#include "io/output/output_names.hpp"
#include "io/output/output_volume.hpp"
#include "io/output/path_status.hpp"
#include "io/output/trace_writer.hpp"

namespace scree {
namespace fs = std::filesystem;

namespace {

constexpr const char* kElsewhere = "choose another directory (--output DIR)";

fs::path resolved(const fs::path& file) {
  std::error_code error;
  fs::path whole = fs::weakly_canonical(file, error);
  return error ? fs::absolute(file, error) : whole;
}

/// @returns why a folder cannot get the entries that lead to `way` below it, although its permissions allow
/// it; "" if nothing is known to be in the way.
std::string obstacle(const fs::path& folder, const fs::path& way) {
  const long most = ::pathconf(folder.c_str(), _PC_NAME_MAX);
  for (const fs::path& part : way)
    if (most > 0 && part.string().size() > static_cast<std::size_t>(most))
      return std::generic_category().message(ENAMETOOLONG);
  // File systems of the kernel's own: nobody creates anything there.
  struct statfs disk = {};
  if (::statfs(folder.c_str(), &disk) != 0) return "";
  const auto kind = static_cast<unsigned long>(disk.f_type);
  const bool of_kernel =
      kind == SYSFS_MAGIC || kind == PROC_SUPER_MAGIC || kind == DEBUGFS_MAGIC || kind == SECURITYFS_MAGIC;
  return of_kernel ? std::generic_category().message(EPERM) : "";
}

/// Looks at one directory for one model.
class Inspection {
 public:
  explicit Inspection(const Model& model)
      : directory_(model.output.directory), files_(model.output), deck_(deck_identity(model.deck_file)) {
    for (const std::string& file : model.files_read) note_read_file(file);
  }

  FolderContent look() {
    if (!check_directory()) return std::move(found_);
    check_folders();
    if (!is_there(directory_)) return std::move(found_);
    read_list();
    find_unlisted();
    find_untouched();
    return std::move(found_);
  }

 private:
  void fault(const std::string& where, const std::string& what) { found_.faults.push_back({where, what}); }

  [[nodiscard]] std::string shown(const std::string& name) const { return (directory_ / name).string(); }

  /// A file that the deck reads and that lies in the directory is as good as one of the user.
  void note_read_file(const std::string& file) {
    const fs::path name = resolved(file).lexically_relative(resolved(directory_));
    if (name.empty() || *name.begin() == "..") return;
    read_.insert(name.string());
    if (!files_.holds(name.string())) return;
    fault(files_.where(name.string()),
          fmt::format("the deck reads \"{}\", which is the output file \"{}\". Choose another name, "
                      "or {}.",
                      file, shown(name.string()), std::string(kElsewhere).substr(7)));
  }

  /// @returns whether there is, or can be, such a folder.
  bool check_directory() {
    const auto refuse = [this](const std::string& what) {
      fault("/output/directory", what);
      return false;
    };
    if (const std::string what = directory_fault(directory_.string()); !what.empty()) return refuse(what);
    std::size_t longest = 0;
    for (const NamedFile& file : files_.named()) longest = std::max(longest, shown(file.file).size());
    if (longest + kTemporarySuffix.size() >= PATH_MAX) {
      return refuse(fmt::format("the longest file name has {} bytes; expected less than {}.", longest,
                                PATH_MAX - kTemporarySuffix.size()));
    }
    std::error_code error;
    fs::path existing = directory_;
    while (!existing.empty() && !is_there(existing)) existing = existing.parent_path();
    if (existing.empty()) existing = ".";
    const bool folder = fs::is_directory(existing, error);
    std::string why = error ? error.message() : folder ? "" : "Not a directory";
    if (why.empty() && ::access(existing.c_str(), W_OK | X_OK) != 0)
      why = std::generic_category().message(errno);
    if (why.empty()) why = obstacle(existing, directory_);
    if (why.empty()) return true;
    return refuse(fmt::format(
        "the directory \"{}\" cannot be {} ({}); expected a directory that can be created and written.",
        directory_.string(), existing == directory_ ? "written" : "created", why));
  }

  /// Folders below the directory: no links, which may lead out of it, and no files.
  void check_folders() {
    for (const std::string& folder : files_.folders()) {
      const fs::file_status status = status_of(directory_ / folder);
      const std::string where = first_in(folder);
      if (fs::is_symlink(status)) {
        fault(where,
              fmt::format("\"{}\" is a symbolic link; output stays below the directory \"{}\". Remove the "
                          "link, or {}.",
                          shown(folder), directory_.string(), kElsewhere));
      } else if (fs::exists(status) && !fs::is_directory(status)) {
        fault(where, fmt::format("\"{}\" is a file; expected a directory.", shown(folder)));
      }
    }
  }

  /// @returns JSON pointer of the first file in a folder.
  [[nodiscard]] std::string first_in(const std::string& folder) const {
    for (const NamedFile& file : files_.named())
      if (is_folder_of(folder, file.file)) return file.where;
    return "/output/vtk";
  }

  void read_list() {
    std::vector<ListedRun> runs;
    try {
      runs = read_results_list(directory_);
    } catch (const std::exception& error) {
      return fault("/output/directory", error.what());
    }
    if (is_locked(directory_)) {
      locked_ = true;
      fault("/output/directory", fmt::format("another run is writing to \"{}\"; wait until it ends, or {}.",
                                             directory_.string(), kElsewhere));
    }
    replace(std::string(kListFile) + std::string(kTemporarySuffix));
    for (ListedRun& run : runs) {
      const bool same_deck = run.deck == deck_;
      ListedRun kept{run.deck, {}, {}};
      for (const std::string& file : run.files) {
        if ((!same_deck && !files_.holds(file)) || read_.contains(file)) {
          kept.files.push_back(file);
        } else {
          replace(file);
          replace(file + std::string(kTemporarySuffix));
        }
      }
      for (const std::string& folder : run.folders) {
        // Of another deck: it stays listed as long as it has files there.
        if (same_deck || kept.files.empty()) found_.folders.push_back(folder);
        if (!kept.files.empty()) kept.folders.push_back(folder);
      }
      if (!kept.files.empty()) found_.kept.push_back(std::move(kept));
    }
    std::sort(found_.replaced.begin(), found_.replaced.end());
  }

  /// Notes a listed file if it is there. Only ordinary files are, and only if no link leads to them: what
  /// else stands in the place was not written by a run.
  void replace(const std::string& name) {
    if (!link_on_the_way(directory_, name).empty()) return;
    if (!fs::is_regular_file(status_of(directory_ / name)) || !replaced_.insert(name).second) return;
    std::error_code error;
    const std::uintmax_t size = fs::file_size(directory_ / name, error);
    if (!error) found_.replaced_bytes += size;
    if (::access((directory_ / name).c_str(), W_OK) != 0) {
      fault(files_.where(name),
            fmt::format("\"{}\" exists and is write-protected; change its permissions, or {}.", shown(name),
                        kElsewhere));
    }
    found_.replaced.push_back(name);
  }

  /// What stands where the run would write, and was not listed.
  void find_unlisted() {
    std::vector<std::string> folders = files_.folders(), unlisted;
    folders.insert(folders.begin(), "");
    for (const std::string& folder : folders) {
      std::error_code error;
      if (fs::is_symlink(status_of(directory_ / folder)) && !folder.empty()) continue;
      for (const auto& entry : fs::directory_iterator(directory_ / folder, error)) {
        const std::string name = (fs::path(folder) / entry.path().filename()).string();
        if (name == kListFile || !files_.holds(name) || replaced_.contains(name) || read_.contains(name))
          continue;
        if (entry.is_symlink(error)) {
          fault(files_.where(name),
                fmt::format("\"{}\" is a symbolic link; output does not follow links. Remove the "
                            "link, or {}.",
                            shown(name), kElsewhere));
        } else if (entry.is_directory(error)) {
          fault(files_.where(name), fmt::format("\"{}\" is a directory; expected a file name.", shown(name)));
        } else {
          unlisted.push_back(name);
        }
      }
    }
    if (unlisted.empty() || locked_) return;
    for (const ListedRun& run : read_results_list(directory_))  // another may have listed them since
      for (const std::string& file : run.files) std::erase(unlisted, file);
    if (unlisted.empty()) return;
    std::sort(unlisted.begin(), unlisted.end());
    fault("/output/directory",
          fmt::format(
              "\"{}\" contains {} with names of this run's output that no earlier run has listed in {}: {}. "
              "Only files of earlier runs are replaced: remove or rename {}, or {}.",
              directory_.string(), counted(std::ssize(unlisted), "file", "files"), kListFile,
              few_of(unlisted), unlisted.size() == 1 ? "it" : "them", kElsewhere));
  }

  void find_untouched() {
    std::set<std::string> folders(found_.folders.begin(), found_.folders.end());
    folders.insert(files_.folders().begin(), files_.folders().end());
    std::set<std::string> all = folders;
    all.insert("");
    for (const std::string& folder : all) {
      std::error_code error;
      for (const auto& entry : fs::directory_iterator(directory_ / folder, error)) {
        const std::string name = (fs::path(folder) / entry.path().filename()).string();
        if (name != kListFile && !replaced_.contains(name) && !folders.contains(name))
          found_.untouched.push_back(name);
      }
    }
    std::sort(found_.untouched.begin(), found_.untouched.end());
  }

 public:
  /// @returns the first names of a list, and how many more there are.
  static std::string few_of(const std::vector<std::string>& names) {
    constexpr std::size_t kShown = 4;
    std::string text;
    for (std::size_t k = 0; k < std::min(kShown, names.size()); ++k)
      text += (k == 0 ? "" : ", ") + quoted_name(names[k]);
    if (names.size() > kShown) text += fmt::format(" and {} more", names.size() - kShown);
    return text;
  }

 private:
  const fs::path directory_;
  const OutputFiles files_;
  const std::string deck_;
  bool locked_ = false;             ///< another run writes there
  std::set<std::string> read_;      ///< files in the directory that the deck reads
  std::set<std::string> replaced_;  ///< as in found_
  FolderContent found_;
};

/// Checks of the trace that SCREE_TRACE requests.
void check_trace(const Model& model, int ranks, std::vector<Diagnostic>& faults) {
  const std::string name = trace_name();
  if (name.empty()) return;
  if (!model.inlets.empty()) {
    faults.push_back(
        {"SCREE_TRACE",
         "a trace contains the initial bodies only and does not support inlets; remove SCREE_TRACE or "
         "\"inlets\"."});
  }
  const OutputFiles files(model.output);
  for (int rank = 0; rank < ranks; ++rank) {
    if (const std::string what = trace_fault(name, rank); !what.empty())
      faults.push_back({"SCREE_TRACE", what});
    const fs::path file = resolved(fmt::format("{}.{}", name, rank));
    if (files.holds(file.lexically_relative(resolved(model.output.directory)).string()))
      faults.push_back(
          {"SCREE_TRACE", fmt::format("\"{}\" is an output file; choose another name.", file.string())});
  }
}

/// Missing parent folders of `folder`, outer ones first.
std::vector<fs::path> missing_folders(const fs::path& folder) {
  std::vector<fs::path> missing;
  for (fs::path part = folder; !part.empty() && !is_there(part); part = part.parent_path())
    missing.push_back(part);
  std::reverse(missing.begin(), missing.end());
  return missing;
}

/// Creates folders and takes back those that it created.
class PassingFolders {
 public:
  ~PassingFolders() {
    std::error_code ignored;
    // Only empty folders can be removed in this way.
    for (auto folder = created_.rbegin(); folder != created_.rend(); ++folder) fs::remove(*folder, ignored);
  }
  PassingFolders() = default;
  PassingFolders(const PassingFolders&) = delete;
  PassingFolders& operator=(const PassingFolders&) = delete;
  PassingFolders(PassingFolders&&) = delete;
  PassingFolders& operator=(PassingFolders&&) = delete;

  void create(const fs::path& folder) {
    for (const fs::path& part : missing_folders(folder)) {
      std::error_code error;
      if (fs::create_directory(part, error)) created_.push_back(part);
      if (!error) continue;
      throw RunError(
          fmt::format("the folder \"{}\" cannot be created ({}); expected a folder that can be created "
                      "and written.",
                      folder.string(), error.message()));
    }
  }

 private:
  std::vector<fs::path> created_;
};

}  // namespace

FolderContent inspect_folder(const Model& model) { return Inspection(model).look(); }

OutputCheck check_output(const Model& model, int ranks) {
  FolderContent content = inspect_folder(model);
  OutputCheck check;
  check_trace(model, ranks, content.faults);
  check_open_files(model, most_open_files(), content.faults);
  const std::string& directory = model.output.directory;
  const OutputVolume volume = output_volume(model, ranks);
  DiskRoom room = room_at(directory);
  room.bytes += static_cast<double>(content.replaced_bytes);
  room.files += static_cast<double>(content.replaced.size());
  judge_volume(volume, room, content.faults, check.warnings);
  if (!content.faults.empty()) throw InputError(std::move(content.faults));
  if (const std::string text = volume_text(volume, room); !text.empty())
    check.notes.push_back("output: " + text);
  if (!content.replaced.empty()) {
    check.notes.push_back(fmt::format("output: {} of an earlier run in \"{}\" {} replaced: {}",
                                      counted(std::ssize(content.replaced), "file", "files"), directory,
                                      content.replaced.size() == 1 ? "is" : "are",
                                      Inspection::few_of(content.replaced)));
  }
  if (!content.untouched.empty()) {
    check.notes.push_back(fmt::format("output: {} in \"{}\" {} kept: {}",
                                      counted(std::ssize(content.untouched), "other entry", "other entries"),
                                      directory, content.untouched.size() == 1 ? "is" : "are",
                                      Inspection::few_of(content.untouched)));
  }
  return check;
}

void probe_results_folder(const Model& model, MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  const OutputFiles files(model.output);
  std::vector<NamedFile> probes = {{"/output/directory", ""}};
  for (const NamedFile& file : files.named()) {
    if (const std::string folder = fs::path(file.file).parent_path().string(); !folder.empty())
      probes.push_back({file.where, folder});
  }
  if (model.output.vtk_every >= 0) probes.push_back({"/output/vtk", "vtk"});
  PassingFolders folders;
  for (const NamedFile& probe : probes) {
    try {
      together(comm, [&] {
        if (rank != 0) return;
        const fs::path folder = fs::path(model.output.directory) / probe.file;
        folders.create(folder);
        try {
          // Never committed, so that it leaves nothing behind. The number: another run may try the same.
          WholeFile trial((folder / fmt::format(".scree_write_test_{}", ::getpid())).string());
          trial.append("can this folder be written, and has it room?\n");
        } catch (const RunError& failure) {
          throw RunError(
              fmt::format("cannot write to the directory \"{}\" ({}); choose another one with "
                          "--output DIR.",
                          folder.string(), failure.what()));
        }
      });
    } catch (const RunError& failure) {
      throw InputError(probe.where, failure.what());
    }
  }
}

ResultsFolder::ResultsFolder(const Model& model, MPI_Comm comm) : model_(model), comm_(comm) {
  MPI_Comm_rank(comm_, &rank_);
  int ranks = 1;
  MPI_Comm_size(comm_, &ranks);
  bytes_per_state_ = most_bytes_of_state(output_volume(model, ranks));
}

ResultsFolder::~ResultsFolder() { release(0); }

void ResultsFolder::accepted(const AcceptedState& state) {
  together(comm_, [&] {
    if (rank_ != 0) return;
    if (!list_) begin();
    // Before the output of this state is written: it must not take the room of the last state.
    if (state.last) return release(last_state_bytes(0));
    const double last_state = last_state_bytes(state.population->bodies) + checkpoint_bytes_;
    // All ranks wait for the answer of the system.
    if (last_state > reserved_ || is_room_checked(model_.output, state))
      check_room(last_state + bytes_per_state_.of(state.population->bodies));
    reserve(last_state);
  });
}

std::string ResultsFolder::rescue(const AcceptedState& /*state*/) {
  release(last_state_bytes(0));
  return "";
}

void ResultsFolder::continue_from(const OutputCursors& cursors) {
  together(comm_, [&] {
    if (rank_ != 0) return;
    const fs::path directory = model_.output.directory;
    list_ = std::make_unique<ResultsList>(directory,
                                          cut_folder_back(directory, model_.output.final_state, cursors));
  });
}

void ResultsFolder::finished(const RunReport& /*report*/) { release(0); }

void ResultsFolder::add(const std::vector<std::string>& files) {
  if (!list_) begin();
  list_->add(files);
}

void ResultsFolder::begin() {
  FolderContent content = inspect_folder(model_);
  if (!content.faults.empty())
    throw RunError(content.faults.front().message);  // the folder changed meanwhile
  const fs::path directory = model_.output.directory;
  std::error_code error;
  fs::create_directories(directory, error);  // what cannot be created is reported when the list is written
  for (const std::string& file : content.replaced) {
    fs::remove(directory / file, error);
    if (error)
      throw RunError(fmt::format("{}: cannot be removed: {}.", (directory / file).string(), error.message()));
  }
  std::sort(content.folders.begin(), content.folders.end(), std::greater<>());  // "a/b" before "a"
  for (const std::string& folder : content.folders) {
    // A folder in which something is left cannot be removed, and stays.
    if (link_on_the_way(directory, folder).empty() && fs::is_directory(status_of(directory / folder)))
      ::rmdir((directory / folder).c_str());
  }
  ListedRun run{deck_identity(model_.deck_file), {}, {}};
  const OutputFiles files(model_.output);
  for (const NamedFile& file : files.named()) run.files.push_back(file.file);
  for (const std::string& folder : files.folders())
    if (!is_there(directory / folder)) run.folders.push_back(folder);
  content.kept.push_back(std::move(run));
  list_ = std::make_unique<ResultsList>(directory, content.kept);
}

void ResultsFolder::reserve(double bytes) {
  if (bytes <= reserved_) return;
  const std::string file = (fs::path(model_.output.directory) / kReserveFile).string();
  const int created = reserved_ > 0 ? 0 : O_CREAT | O_EXCL;
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | created, 0666);
  if (descriptor < 0) return;
  reserved_ = bytes;
  int error = EINTR;
  while (error == EINTR) error = ::posix_fallocate(descriptor, 0, static_cast<off_t>(bytes));
  ::close(descriptor);
  if (error == ENOSPC || error == EDQUOT) throw_full(bytes);
}

void ResultsFolder::release(double bytes) {
  if (reserved_ <= bytes) return;
  const std::string file = (fs::path(model_.output.directory) / kReserveFile).string();
  reserved_ = bytes;
  // On a full disk the writer of the last state reports the error.
  [[maybe_unused]] const int result =
      bytes > 0 ? ::truncate(file.c_str(), static_cast<off_t>(bytes)) : ::unlink(file.c_str());
}

void ResultsFolder::check_room(double reserve) {
  DiskRoom room = room_at(model_.output.directory);
  room.bytes += reserved_;
  if (room.bytes < reserve) throw_full(reserve);
}

void ResultsFolder::throw_full(double reserve) const {
  throw RunError(fmt::format(
      "the disk of \"{}\" is nearly full: {} free; the next output and the last state require {}.",
      model_.output.directory, bytes_text(room_at(model_.output.directory).bytes + reserved_),
      bytes_text(reserve)));
}

}  // namespace scree
