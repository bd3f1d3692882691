#include "io/output/checked_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "core/error.hpp"
#include "io/output/output_names.hpp"

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
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(CheckedFile, AFileThatIsNotCommittedLeavesNothing) {
  { WholeFile(path("a.csv")).append("half"); }
  EXPECT_TRUE(fs::is_empty(folder_));
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

TEST_F(CheckedFile, AFullDiskIsAnErrorWithNameAndReasonAndKeepsTheOldFile) {
  write_whole_file(path("a.csv"), "old");
  const FileSizeLimit disk(10);
  try {
    write_whole_file(path("a.csv"), "new and too long");
    FAIL() << "a write to a full disk was not noticed";
  } catch (const RunError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(path("a.csv") + ": cannot be written: File too large"));
  }
  EXPECT_EQ(content(path("a.csv")), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(CheckedFile, NothingIsWrittenToAFileThatWasThereOrThroughALink) {
  write_whole_file(path("victim"), "mine");
  const std::string temporary = std::string("c.csv") + std::string(kTemporarySuffix);
  for (const char* link : {"a.csv", temporary.c_str()}) fs::create_symlink(path("victim"), path(link));
  fs::create_symlink(path("nowhere"), path("b.csv"));
  fs::create_hard_link(path("victim"), path("d.csv"));
  EXPECT_THROW(GrowingFile file(path("a.csv")), RunError);
  EXPECT_THROW(GrowingFile file(path("b.csv")), RunError);
  EXPECT_THROW(GrowingFile file(path("victim")), RunError);
  EXPECT_THROW(write_whole_file(path("c.csv"), "new"), RunError);
  write_whole_file(path("a.csv"), "new");  // takes the place of the link
  write_whole_file(path("d.csv"), "new");
  EXPECT_EQ(content(path("victim")), "mine");
  EXPECT_FALSE(fs::exists(path("nowhere")));
  EXPECT_EQ(content(path("a.csv")), "new");
}

TEST_F(CheckedFile, AGrowingFileMayReplaceAnOldOneInOneGo) {
  write_whole_file(path("a.csv"), "old, and longer than the new one");
  {
    const FileSizeLimit disk(4);
    EXPECT_THROW(GrowingFile(path("a.csv"), "head\nrow\n"), RunError);
  }
  EXPECT_EQ(content(path("a.csv")), "old, and longer than the new one");
  GrowingFile file(path("a.csv"), "head\n");
  EXPECT_EQ(content(path("a.csv")), "head\n");
  {
    const FileSizeLimit disk(7);
    EXPECT_THROW(file.append("row\n"), RunError);
  }
  file.append("row\n");
  EXPECT_EQ(content(path("a.csv")), "head\nrow\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

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

TEST_F(CheckedFile, AFileIsContinuedBehindWhatItHadAndRefusedIfItHasLess) {
  write_whole_file(path("a.csv"), "time\n0\n0.1\n");
  {
    std::unique_ptr<GrowingFile> file;
    continue_file(file, path("a.csv"), 7);
    EXPECT_EQ(file->size(), 7);
    file->append("0.2\n");
  }
  EXPECT_EQ(content(path("a.csv")), "time\n0\n0.2\n");
  EXPECT_THROW(GrowingFile(path("a.csv"), FileSize{100}), RunError);
  EXPECT_THROW(GrowingFile(path("none.csv"), FileSize{0}), RunError);
  EXPECT_EQ(content(path("a.csv")), "time\n0\n0.2\n");
  std::unique_ptr<GrowingFile> none;
  continue_file(none, path("a.csv"), -1);
  EXPECT_FALSE(fs::exists(path("a.csv")));
  EXPECT_EQ(none, nullptr);
}

TEST_F(CheckedFile, AnEnclosedFileIsContinuedBehindItsEntries) {
  long size = 0;
  {
    EnclosedFile file(path("a.pvd"), "<list>\n", "</list>\n");
    file.append("one\n");
    size = file.size();
    file.append("two, which was written later\n");
  }
  EnclosedFile file(path("a.pvd"), "</list>\n", FileSize{size});
  EXPECT_EQ(content(path("a.pvd")), "<list>\none\n</list>\n");
  file.append("two\n");
  EXPECT_EQ(content(path("a.pvd")), "<list>\none\ntwo\n</list>\n");
}

TEST_F(CheckedFile, ASmallLimitOfOpenFilesIsRaisedToWhatTheSystemAllows) {
  struct rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  struct rlimit few = before;
  few.rlim_cur = 200;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  raise_open_file_limit();
  struct rlimit raised = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &raised), 0);
  EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_GE(raised.rlim_cur, std::min<rlim_t>(before.rlim_max, 65536));
  EXPECT_EQ(raised.rlim_max, before.rlim_max);
}

TEST_F(CheckedFile, MakesTheFolderAndSaysWhenItCannot) {
  write_whole_file(path("deep/er/a.csv"), "x");
  EXPECT_EQ(content(path("deep/er/a.csv")), "x");
  EXPECT_THROW(write_whole_file(path("deep/er/a.csv/b.csv"), "x"), RunError);
}

}  // namespace
}  // namespace scree
