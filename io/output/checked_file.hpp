/// Files whose every write is checked, so that a full disk is an error and never half a file.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace scree {

/// Files are created anew: no write goes to a file that was there before, be it through a link. What stands
/// under a temporary name is an error.

/// A file that appears under its name only when it is whole: written to `name` + kTemporarySuffix, renamed by
/// commit(). A file that is destroyed before commit() leaves nothing behind.
class WholeFile {
 public:
  /// Creates the folder if needed and opens the temporary file. @throws RunError (file name and reason).
  explicit WholeFile(std::string path);
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  WholeFile(WholeFile&&) = delete;
  WholeFile& operator=(WholeFile&&) = delete;

  /// @throws RunError (file name and reason) if not all of text could be written.
  void append(std::string_view text);
  /// Gives the file its name, in place of an earlier one. To be called once. @throws RunError.
  void commit();

 private:
  std::string path_, temporary_;
  int descriptor_ = -1;
};

struct FileSize {
  long bytes = 0;
};

/// A file that grows by whole rows and can be read at any time.
class GrowingFile {
 public:
  /// Creates the folder if needed, and the file. @throws RunError (file name and reason), also if it exists.
  explicit GrowingFile(std::string path);
  /// Replaces an earlier file in one go by a file that holds `rows`. @throws RunError (file name and reason).
  GrowingFile(std::string path, std::string_view rows);
  /// Continues a file that is there, and cuts off what stands behind `size` bytes. @throws RunError (file and
  /// reason), also if it is shorter.
  GrowingFile(std::string path, FileSize size);
  ~GrowingFile();
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;
  GrowingFile(GrowingFile&&) = delete;
  GrowingFile& operator=(GrowingFile&&) = delete;

  /// Adds a row, which is in the file when this returns.
  /// @throws RunError (file name and reason); the file then ends with the row before.
  void append(std::string_view row);
  [[nodiscard]] long size() const { return size_; }  ///< [bytes]

 private:
  std::string path_;
  int descriptor_ = -1;
  long size_ = 0;
};

/// Continues a file after its first `bytes`; without any (-1) removes what is there: it was written later.
/// @throws RunError.
void continue_file(std::unique_ptr<GrowingFile>& file, const std::string& path, long bytes);

/// A file that grows before its closing lines and is complete at any time, such as a list in XML. One write
/// adds an entry and the closing lines: replacing the file by a longer one would wait for the disk each time.
class EnclosedFile {
 public:
  /// Replaces an earlier file by an empty list. @param head, tail what stands before and behind the entries.
  /// @throws RunError (file name and reason).
  EnclosedFile(std::string path, std::string_view head, std::string tail);
  /// Continues a list that is there after its first `size` bytes of head and entries. @throws RunError (file
  /// and reason), also if it is shorter.
  EnclosedFile(std::string path, std::string tail, FileSize size);
  ~EnclosedFile();
  EnclosedFile(const EnclosedFile&) = delete;
  EnclosedFile& operator=(const EnclosedFile&) = delete;
  EnclosedFile(EnclosedFile&&) = delete;
  EnclosedFile& operator=(EnclosedFile&&) = delete;

  /// Adds an entry as the last. @throws RunError (file name and reason); the file is then as before.
  void append(std::string_view entry);
  [[nodiscard]] long size() const { return end_; }  ///< of head and entries [bytes]

 private:
  std::string path_, tail_;
  int descriptor_ = -1;
  long end_ = 0;  ///< of the entries
};

/// Raises the number of files that this process may have open to what the system allows: each history has
/// one.
void raise_open_file_limit();

/// @returns how many files a process may have open after that.
double most_open_files();

/// Writes a whole file at once. @throws RunError (file name and reason).
void write_whole_file(const std::string& path, std::string_view content);

}  // namespace scree
