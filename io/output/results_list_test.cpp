#include "io/output/results_list.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "core/error.hpp"
#include "core/text.hpp"
#include "io/deck/deck_fixture.hpp"
#include "io/output/output_names.hpp"

namespace scree {
namespace {

using test::Folder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kHead =
    "Scree writes this list of its files. A later run replaces what is listed, and nothing else.\n";

std::string fault_of(const Folder& folder) {
  try {
    read_results_list(folder.path());
  } catch (const RunError& error) {
    return error.what();
  }
  return "";
}

TEST(ResultsList, NamesWhatWasListedInOrder) {
  const Folder folder;
  EXPECT_TRUE(read_results_list(folder.path()).empty());
  {
    ResultsList list(folder.path(),
                     {{"/a.json", {"a.csv"}, {}}, {"/b.json", {"report.json", "sub/b.csv"}, {"sub", "vtk"}}});
    list.add({"vtk/bodies_000000.pvtp", "vtk/bodies_000000_0.vtp"});
  }
  const auto runs = read_results_list(folder.path());
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].deck, "/a.json");
  EXPECT_THAT(runs[0].files, ElementsAre("a.csv"));
  EXPECT_EQ(runs[1].deck, "/b.json");
  EXPECT_THAT(runs[1].folders, ElementsAre("sub", "vtk"));
  EXPECT_THAT(runs[1].files,
              ElementsAre("report.json", "sub/b.csv", "vtk/bodies_000000.pvtp", "vtk/bodies_000000_0.vtp"));
  { const ResultsList next(folder.path(), {}); }
  EXPECT_TRUE(read_results_list(folder.path()).empty());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(ResultsList, ALineThatWasCutShortWasNotFollowedByItsFile) {
  const Folder folder;
  folder.write(kListFile, std::string(kHead) + "deck /d.json\nfile a.csv\nfile b.cs");
  EXPECT_THAT(read_results_list(folder.path()).at(0).files, ElementsAre("a.csv"));
  folder.write(kListFile, "");
  EXPECT_TRUE(read_results_list(folder.path()).empty());
}

TEST(ResultsList, AForeignOrDamagedListIsRefused) {
  const Folder folder;
  for (const std::string body :
       {"file ../../victim.csv\n", "file /etc/passwd\n", "file a/../../b\n", "file \n", "file a\x01\n",
        "file a//b\n", "file ./a\n", "file scree_files.txt\n", "folder ..\n", "folder /tmp\n", "folder a/\n",
        "fold a\n", "\n", "a.csv\n", "file a.csv.scree-tmp\n"}) {
    folder.write(kListFile, text::join(kHead, "deck /d.json\n", body));
    EXPECT_THAT(fault_of(folder), HasSubstr("in line 3: not written by Scree. Remove it, or")) << body;
  }
  folder.write(kListFile, std::string(kHead) + "file a.csv\n");
  EXPECT_THAT(fault_of(folder), HasSubstr("line 2"));
  folder.write(kListFile, "my files\nfile a.csv\n");
  EXPECT_THAT(fault_of(folder), HasSubstr("has \"my files\" in line 1"));
  folder.write(kListFile, "my files");
  EXPECT_THAT(fault_of(folder), HasSubstr("has no complete line"));
  folder.write(kListFile, std::string(200, '\0'));
  EXPECT_THAT(fault_of(folder), HasSubstr("has no complete line"));
}

TEST(ResultsList, ALinkOrAFolderIsNoList) {
  const Folder folder;
  const auto elsewhere = folder.write("elsewhere", std::string(kHead) + "deck /d.json\nfile a.csv\n");
  std::filesystem::create_symlink(elsewhere, folder.path() / kListFile);
  EXPECT_THAT(fault_of(folder), HasSubstr("is not a regular file"));
  std::filesystem::remove(folder.path() / kListFile);
  std::filesystem::create_directory(folder.path() / kListFile);
  EXPECT_THAT(fault_of(folder), HasSubstr("is not a regular file"));
}

TEST(ResultsList, ASecondRunInTheFolderIsRefusedWhileTheFirstLives) {
  const Folder folder;
  EXPECT_FALSE(is_locked(folder.path()));
  {
    ResultsList first(folder.path(), {{"/d.json", {}, {}}});
    EXPECT_TRUE(is_locked(folder.path()));
    EXPECT_THROW(ResultsList(folder.path(), {}), RunError);
    first.add({"a.csv"});
  }
  EXPECT_FALSE(is_locked(folder.path()));
  EXPECT_THAT(read_results_list(folder.path()).at(0).files, ElementsAre("a.csv"));
}

TEST(ResultsList, ALookAtItKeepsNeitherAnotherLookNorARunOut) {
  const Folder folder;
  { const ResultsList before(folder.path(), {}); }
  const int look = ::open((folder.path() / kListFile).c_str(), O_RDONLY);
  ASSERT_EQ(::flock(look, LOCK_SH | LOCK_NB), 0);
  EXPECT_FALSE(is_locked(folder.path()));
  std::thread end_of_look([look] {
    std::this_thread::sleep_for(std::chrono::milliseconds(12));
    ::close(look);
  });
  EXPECT_NO_THROW(ResultsList(folder.path(), {}));
  end_of_look.join();
}

TEST(ResultsList, ADeckIsKnownByItsAbsolutePathWithoutLinks) {
  const Folder folder;
  const auto deck = folder.write("deck.json", "{}");
  std::filesystem::create_symlink(deck, folder.path() / "link.json");
  EXPECT_EQ(deck_identity(folder.path() / "link.json"), deck_identity(folder.path() / "." / "deck.json"));
  EXPECT_EQ(deck_identity("a\nb.json").find('\n'), std::string::npos);
  EXPECT_EQ(deck_identity("removed.json"), (std::filesystem::current_path() / "removed.json").string());
}

}  // namespace
}  // namespace scree
