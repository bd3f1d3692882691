#include "io/checked_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "core/error.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

class CheckedFile : public testing::Test {
 protected:
  CheckedFile() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~CheckedFile() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string content(const std::string& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      ("scree_checked_file_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};

TEST_F(CheckedFile, AWholeFileAppearsAtCommitAndReplacesTheOldOne) {
  write_whole_file(path("a.csv"), "old");
  {
    WholeFile file(path("a.csv"));
    file.append("new ");
    file.append("one");
    EXPECT_EQ(content(path("a.csv")), "old");
    file.commit();
  }
  EXPECT_EQ(content(path("a.csv")), "new one");
  EXPECT_FALSE(fs::exists(path("a.csv.tmp")));
}

TEST_F(CheckedFile, AFileThatIsNotCommittedLeavesNothing) {
  { WholeFile(path("a.csv")).append("half"); }
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(CheckedFile, AFullDiskIsAnErrorWithNameAndReasonAndKeepsTheOldFile) {
  write_whole_file(path("a.csv"), "old");
  fs::create_symlink("/dev/full", path("a.csv.tmp"));  // where the new content goes first
  try {
    write_whole_file(path("a.csv"), "new");
    FAIL() << "a write to a full disk was not noticed";
  } catch (const RunError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(path("a.csv") + ": "));
    EXPECT_THAT(error.what(), testing::HasSubstr("No space left on device"));
  }
  EXPECT_EQ(content(path("a.csv")), "old");
  EXPECT_FALSE(fs::is_symlink(path("a.csv.tmp")));
}

TEST_F(CheckedFile, AGrowingFileNoticesAFullDisk) {
  fs::create_symlink("/dev/full", path("a.csv"));
  GrowingFile file(path("a.csv"));
  EXPECT_THROW(file.append("row\n"), RunError);
}

/// A limit on the size of files stands for the end of the disk: what lies below it still fits.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit small = before_;
    small.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  FileSizeLimit(FileSizeLimit&&) = delete;
  FileSizeLimit& operator=(FileSizeLimit&&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST_F(CheckedFile, AGrowingFileEndsWithAWholeRowWhenTheDiskFillsWithinOne) {
  GrowingFile file(path("a.csv"));
  file.append("first row\n");
  {
    const FileSizeLimit disk(15);
    EXPECT_THROW(file.append("second row\n"), RunError);
  }
  EXPECT_EQ(content(path("a.csv")), "first row\n");
  file.append("third row\n");
  EXPECT_EQ(content(path("a.csv")), "first row\nthird row\n");
}

TEST_F(CheckedFile, AnEnclosedFileIsCompleteAfterEachEntryAndWhenTheDiskFillsWithinOne) {
  write_whole_file(path("a.pvd"), "of an earlier run, and longer than the new one");
  EnclosedFile file(path("a.pvd"), "<list>\n", "</list>\n");
  EXPECT_EQ(content(path("a.pvd")), "<list>\n</list>\n");
  file.append("one\n");
  EXPECT_EQ(content(path("a.pvd")), "<list>\none\n</list>\n");
  {
    const FileSizeLimit disk(22);
    EXPECT_THROW(file.append("two\n"), RunError);
  }
  EXPECT_EQ(content(path("a.pvd")), "<list>\none\n</list>\n");
  file.append("three\n");
  EXPECT_EQ(content(path("a.pvd")), "<list>\none\nthree\n</list>\n");
}

TEST_F(CheckedFile, MakesTheFolderAndSaysWhenItCannot) {
  write_whole_file(path("deep/er/a.csv"), "x");
  EXPECT_EQ(content(path("deep/er/a.csv")), "x");
  EXPECT_THROW(write_whole_file(path("deep/er/a.csv/b.csv"), "x"), RunError);
}

}  // namespace
}  // namespace scree
