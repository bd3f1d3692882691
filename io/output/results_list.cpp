#include "io/output/results_list.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

#include "core/error.hpp"
#include "core/text.hpp"
#include "io/deck/input_file.hpp"
#include "io/output/output_names.hpp"
#include "io/output/path_status.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFirstLine =
    "Scree writes this list of its files. A later run replaces what is listed, and nothing else.";
constexpr std::string_view kDeck = "deck ", kFile = "file ", kFolder = "folder ";

/// A name that a run may have listed. The check of user names refuses the program's own files, which a list
/// has; what leads out of the directory is refused here as there.
bool is_listable(const std::string& name) {
  if (name.empty() || normalised_name(name) != name || name == kListFile) return false;
  return is_program_file(name) || name == "vtk" || name_fault(name).empty();
}

std::string text_of(const std::vector<ListedRun>& runs) {
  std::string text = fmt::format("{}\n", kFirstLine);
  for (const ListedRun& run : runs) {
    text += fmt::format("{}{}\n", kDeck, run.deck);
    for (const std::string& folder : run.folders) text += fmt::format("{}{}\n", kFolder, folder);
    for (const std::string& file : run.files) text += fmt::format("{}{}\n", kFile, file);
  }
  return text;
}

/// A check of a deck looks at the list for a moment; a run holds it for long.
constexpr int kTriesOfRun = 20;
constexpr std::chrono::milliseconds kPause{5};

/// @returns a descriptor of the list with a lock; -1 if another process has one that excludes it.
/// File systems without locks count as unlocked. @param lock LOCK_EX: for this process alone; LOCK_SH: beside
/// others that look. @param tries with a pause between them.
int open_locked(const fs::path& list, int lock, int tries) {
  for (int k = 0; k < tries; ++k) {
    if (k > 0) std::this_thread::sleep_for(kPause);
    // Opened at each try: a run that starts puts another list in its place.
    const int descriptor = ::open(list.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor < 0) return descriptor;
    if (::flock(descriptor, lock | LOCK_NB) == 0 || errno != EWOULDBLOCK) return descriptor;
    ::close(descriptor);
  }
  errno = EWOULDBLOCK;
  return -1;
}

/// @returns why no file may be written in this place, and a remedy; "" if one may.
std::string obstacle_at(const fs::path& file, bool is_listed) {
  const fs::file_status status = status_of(file);
  if (!fs::exists(status)) return "";
  if (fs::is_symlink(status)) return "is a symbolic link; output does not follow links. Remove the link.";
  if (!fs::is_regular_file(status)) return "is not a regular file. Remove or rename it.";
  if (!is_listed) {
    return fmt::format(
        "exists, and no earlier run has listed it in {}. Only files of earlier runs are replaced: remove or "
        "rename it.",
        kListFile);
  }
  return ::access(file.c_str(), W_OK) == 0 ? "" : "exists and is write-protected. Change its permissions.";
}

}  // namespace

std::string deck_identity(const fs::path& deck) {
  std::error_code error;
  const fs::path absolute = fs::absolute(deck, error);  // a relative path to nothing would stay relative
  const fs::path whole = fs::weakly_canonical(absolute, error);
  return text::on_one_line(error ? absolute.string() : whole.string());
}

std::vector<ListedRun> read_results_list(const fs::path& directory) {
  const fs::path list = directory / kListFile;
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(list, ignored);
  if (!fs::exists(status)) return {};
  const auto fail = [&list](const std::string& what) {
    throw RunError(
        fmt::format("\"{}\" {}: not written by Scree. Remove it, or choose another directory "
                    "(--output DIR).",
                    list.string(), what));
  };
  if (!fs::is_regular_file(status)) fail("is not a regular file");
  std::vector<ListedRun> runs;
  const std::string text = read_text_file(list, list.string());
  std::size_t begin = 0;
  for (int number = 1; begin < text.size(); ++number) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) break;
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    const auto wrong = [&] {
      fail(fmt::format("has {} in line {}", quoted_name(std::string(line)), number));
    };
    if (number == 1) {
      if (line != kFirstLine) wrong();
      continue;
    }
    if (line.starts_with(kDeck)) {
      runs.push_back({std::string(line.substr(kDeck.size())), {}, {}});
      continue;
    }
    const bool is_file = line.starts_with(kFile);
    if (runs.empty() || (!is_file && !line.starts_with(kFolder))) wrong();
    const std::string name(line.substr(is_file ? kFile.size() : kFolder.size()));
    if (!is_listable(name)) wrong();
    (is_file ? runs.back().files : runs.back().folders).push_back(name);
  }
  if (begin == 0 && !text.empty()) fail("has no complete line");
  return runs;
}

ResultsList::ResultsList(const fs::path& directory, const std::vector<ListedRun>& runs) {
  const std::string path = (directory / kListFile).string();
  const int before = open_locked(path, LOCK_EX, kTriesOfRun);  // held until the new list stands in its place
  const bool taken = before < 0 && errno == EWOULDBLOCK;
  if (!taken) {
    try {
      file_ = std::make_unique<GrowingFile>(path, text_of(runs));
    } catch (...) {
      if (before >= 0) ::close(before);
      throw;
    }
    lock_ = open_locked(path, LOCK_EX, kTriesOfRun);
  }
  if (before >= 0) ::close(before);
  if (lock_ < 0) throw RunError(path + ": another run is writing to this directory.");
}

ResultsList::~ResultsList() {
  if (lock_ >= 0) ::close(lock_);
}

void ResultsList::add(const std::vector<std::string>& files) {
  std::string text;
  for (const std::string& file : files) text += fmt::format("{}{}\n", kFile, file);
  file_->append(text);
}

std::unique_ptr<ResultsList> list_beside_runs(const fs::path& directory, const std::string& deck,
                                              const std::vector<std::string>& names) {
  if (const std::string what = directory_fault(directory.string()); !what.empty())
    throw RunError("output directory: " + what);
  std::vector<ListedRun> runs = read_results_list(directory);
  std::vector<fs::path> incomplete;  // those of a program that was killed as it wrote them
  for (const std::string& name : names) {
    const fs::path file = directory / name;
    if (const std::string what = name_fault(name); !what.empty())
      throw RunError(fmt::format("\"{}\": {}", file.string(), what));
    const bool is_listed = std::any_of(runs.begin(), runs.end(), [&name](const ListedRun& run) {
      return std::find(run.files.begin(), run.files.end(), name) != run.files.end();
    });
    if (const std::string what = obstacle_at(file, is_listed); !what.empty())
      throw RunError(fmt::format("\"{}\" {}", file.string(), what));
    if (is_listed) incomplete.push_back(directory / (name + std::string(kTemporarySuffix)));
  }
  for (ListedRun& run : runs) {
    std::erase_if(run.files, [&names](const std::string& file) {
      return std::find(names.begin(), names.end(), file) != names.end();
    });
  }
  auto of_deck =
      std::find_if(runs.begin(), runs.end(), [&deck](const ListedRun& run) { return run.deck == deck; });
  // In front: a run is continued from the last one of the list.
  if (of_deck == runs.end()) of_deck = runs.insert(runs.begin(), ListedRun{deck, {}, {}});
  of_deck->files.insert(of_deck->files.end(), names.begin(), names.end());
  auto list = std::make_unique<ResultsList>(directory, runs);
  for (const fs::path& file : incomplete) {
    std::error_code ignored;  // what stays is an error of the writer
    if (fs::is_regular_file(status_of(file))) fs::remove(file, ignored);
  }
  return list;
}

bool is_locked(const fs::path& directory) {
  const int descriptor = open_locked(directory / kListFile, LOCK_SH, 1);
  if (descriptor < 0) return errno == EWOULDBLOCK;
  ::close(descriptor);
  return false;
}

}  // namespace scree
