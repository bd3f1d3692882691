#include "io/output/checked_file.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "core/infinity.hpp"
#include "io/output/output_names.hpp"

namespace scree {
namespace {

/// Programs that close all files that may be open, as launchers do, take long with a limit of millions.
constexpr rlim_t kMostOpenFiles = 65536;

[[noreturn]] void fail(const std::string& path, int error) {
  throw RunError(path + ": cannot be written: " + std::generic_category().message(error) + ".");
}

/// Creates a file, and its folder if needed.
int create_file(const std::string& file, const std::string& final_name) {
  const auto folder = std::filesystem::path(file).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) fail(final_name, error.value());
  // O_APPEND: after a row is removed, the next one takes its place. O_EXCL follows no link.
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0) fail(errno == EEXIST ? file : final_name, errno);
  return descriptor;
}

/// Opens a file that is there and cuts it. O_NOFOLLOW: nothing is written through a link.
int open_cut(const std::string& path, long size, int flags) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | flags);
  if (descriptor < 0) fail(path, errno);
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size < size) {
    ::close(descriptor);
    throw RunError(path + ": cannot be continued: it is shorter than it was at the checkpoint, " +
                   std::to_string(size) + " bytes.");
  }
  if (::ftruncate(descriptor, size) == 0) return descriptor;
  const int error = errno;
  ::close(descriptor);
  fail(path, error);
}

std::string temporary_name(const std::string& path) { return path + std::string(kTemporarySuffix); }

/// @param at offset from which to write; -1: where the descriptor stands.
/// @returns 0, or the error number of the first write that failed.
int write_all(int descriptor, std::string_view text, long at = -1) {
  while (!text.empty()) {
    const ssize_t written = at < 0 ? ::write(descriptor, text.data(), text.size())
                                   : ::pwrite(descriptor, text.data(), text.size(), at);
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
    if (at >= 0) at += written;
  }
  return 0;
}

}  // namespace

WholeFile::WholeFile(std::string path)
    : path_(std::move(path)),
      temporary_(temporary_name(path_)),
      descriptor_(create_file(temporary_, path_)) {}

WholeFile::~WholeFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
}

void WholeFile::append(std::string_view text) {
  if (const int error = write_all(descriptor_, text)) fail(path_, error);
}

void WholeFile::commit() {
  // Quotas and network file systems may report a failed write only here.
  const int closed = ::close(std::exchange(descriptor_, -1));
  if (closed != 0 || std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const int error = errno;
    ::unlink(temporary_.c_str());
    fail(path_, error);
  }
}

GrowingFile::GrowingFile(std::string path) : path_(std::move(path)), descriptor_(create_file(path_, path_)) {}

GrowingFile::GrowingFile(std::string path, std::string_view rows)
    : path_(std::move(path)), descriptor_(create_file(temporary_name(path_), path_)) {
  int error = write_all(descriptor_, rows);
  if (error == 0 && std::rename(temporary_name(path_).c_str(), path_.c_str()) != 0) error = errno;
  size_ = static_cast<long>(rows.size());
  if (error == 0) return;
  ::close(descriptor_);
  ::unlink(temporary_name(path_).c_str());
  fail(path_, error);
}

GrowingFile::GrowingFile(std::string path, FileSize size)
    : path_(std::move(path)), descriptor_(open_cut(path_, size.bytes, O_APPEND)), size_(size.bytes) {}

GrowingFile::~GrowingFile() { ::close(descriptor_); }

void GrowingFile::append(std::string_view row) {
  if (const int error = write_all(descriptor_, row)) {
    // Takes back the part of the row that found room; a device has nothing to take back, so the result is
    // free.
    [[maybe_unused]] const int truncated = ::ftruncate(descriptor_, size_);
    fail(path_, error);
  }
  size_ += static_cast<long>(row.size());
}

void continue_file(std::unique_ptr<GrowingFile>& file, const std::string& path, long bytes) {
  if (bytes >= 0) {
    file = std::make_unique<GrowingFile>(path, FileSize{bytes});
  } else if (::unlink(path.c_str()) != 0 && errno != ENOENT) {
    fail(path, errno);
  }
}

EnclosedFile::EnclosedFile(std::string path, std::string_view head, std::string tail)
    : path_(std::move(path)), tail_(std::move(tail)), end_(static_cast<long>(head.size())) {
  write_whole_file(path_, std::string(head) + tail_);
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor_ < 0) fail(path_, errno);
}

EnclosedFile::EnclosedFile(std::string path, std::string tail, FileSize size)
    : path_(std::move(path)),
      tail_(std::move(tail)),
      descriptor_(open_cut(path_, size.bytes, 0)),
      end_(size.bytes) {
  if (const int error = write_all(descriptor_, tail_, end_)) fail(path_, error);
}

EnclosedFile::~EnclosedFile() { ::close(descriptor_); }

void EnclosedFile::append(std::string_view entry) {
  if (const int error = write_all(descriptor_, std::string(entry) + tail_, end_)) {
    // The closing lines return to the place that they had, which needs no more room.
    write_all(descriptor_, tail_, end_);
    [[maybe_unused]] const int truncated = ::ftruncate(descriptor_, end_ + static_cast<long>(tail_.size()));
    fail(path_, error);
  }
  end_ += static_cast<long>(entry.size());
}

void raise_open_file_limit() {
  struct rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const rlim_t most = std::min(limit.rlim_max, kMostOpenFiles);
  if (limit.rlim_cur >= most) return;
  limit.rlim_cur = most;
  (void)::setrlimit(RLIMIT_NOFILE, &limit);
}

double most_open_files() {
  struct rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return kInfinity;
  return static_cast<double>(std::max(limit.rlim_cur, std::min(limit.rlim_max, kMostOpenFiles)));
}

void write_whole_file(const std::string& path, std::string_view content) {
  WholeFile file(path);
  file.append(content);
  file.commit();
}

}  // namespace scree
