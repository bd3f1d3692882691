#include "io/deck/input_file.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "core/interrupt.hpp"
#include "io/deck/deck_fixture.hpp"
#include "io/deck/json_reader.hpp"

namespace scree {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

/// @returns why a deck of this name is refused; "" if it is not.
std::string refusal(const std::filesystem::path& file) {
  try {
    read_deck(file);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

class InputFile : public ::testing::Test {
 protected:
  void TearDown() override { clear_interrupt(); }
  test::Folder folder_;
};

TEST_F(InputFile, IsReadWhole) {
  const std::string text(3000000, 'x');
  EXPECT_EQ(read_text_file(folder_.write("long.txt", text), "long.txt"), text);
  EXPECT_EQ(read_text_file(folder_.write("empty.txt", ""), "empty.txt"), "");
  // A file of the kernel, which has no size.
  EXPECT_THAT(read_text_file("/proc/self/status", "status"), HasSubstr("VmRSS"));
}

TEST_F(InputFile, LinksInACircleAreRefused) {
  std::filesystem::create_symlink("deck.json", folder_.path() / "deck.json");
  EXPECT_THAT(refusal(folder_.path() / "deck.json"), HasSubstr("cannot be read: circular symbolic links"));
}

TEST_F(InputFile, WhatIsNoFileIsRefusedAtOnce) {
  const auto pipe = folder_.path() / "pipe.json";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(refusal(pipe), HasSubstr("cannot be read: it is a pipe (FIFO); expected a file"));
  EXPECT_THAT(refusal("/dev/zero"), HasSubstr("cannot be read: it is a device; expected a file"));
  EXPECT_THAT(refusal(folder_.path()), HasSubstr("cannot be read: it is a directory"));
  EXPECT_THAT(refusal(folder_.path() / "none.json"), HasSubstr("cannot be read: No such file or directory"));
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  const std::string path = (folder_.path() / "s").string();
  ASSERT_LT(path.size(), sizeof address.sun_path);
  std::strcpy(address.sun_path, path.c_str());
  const int end = socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(bind(end, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_THAT(refusal(path), HasSubstr("cannot be read: it is a socket; expected a file"));
  close(end);
}

TEST_F(InputFile, LargerThanTheMemoryIsRefusedUnread) {
  const auto file = folder_.write("huge.json", "{");
  std::filesystem::resize_file(file, std::uintmax_t{1} << 43U);  // sparse: takes no room on the disk
  EXPECT_THAT(refusal(file), HasSubstr("requires at least 8.8e+03 GB of memory for the text of the file"));
}

TEST_F(InputFile, OtherEncodingsAndBinaryFilesAreNamed) {
  EXPECT_THAT(refusal(folder_.write("a.json", std::string("\xff\xfe{\0}\0", 6))),
              HasSubstr("a.json: is encoded in UTF-16"));
  EXPECT_THAT(refusal(folder_.write("b.json", std::string("\xfe\xff\0{\0}", 6))),
              HasSubstr("b.json: is encoded in UTF-16"));
  EXPECT_THAT(refusal(folder_.write("c.json", std::string("\xff\xfe\0\0{\0\0\0", 8))),
              HasSubstr("is encoded in UTF-32"));
  EXPECT_THAT(refusal(folder_.write("d.json", std::string("{\n\"a\": \0}", 9))),
              HasSubstr("d.json:2: the file contains a zero byte"));
  const std::string good = test::good_deck().dump();
  EXPECT_EQ(refusal(folder_.write("e.json", "\xef\xbb\xbf" + good)), "");
}

TEST_F(InputFile, MarkOfUtf8IsNoPartOfATablesFirstColumn) {
  EXPECT_EQ(as_text("\xef\xbb\xbfx,y", "t.csv"), "x,y");
  EXPECT_EQ(as_text("x,y", "t.csv"), "x,y");
}

TEST_F(InputFile, BracketsWithinBracketsHaveALimitAndAPlace) {
  const auto nested = [](int depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  Diagnostics diagnostics("deck.json");
  EXPECT_NO_THROW(parse_json(nested(100), "deck.json", diagnostics));
  EXPECT_NO_THROW(parse_json("\"" + nested(200) + "\"", "deck.json", diagnostics));
  EXPECT_NO_THROW(
      parse_json("// " + nested(200) + "\n/* " + nested(200) + " */ [\"\\\"[\"]", "deck.json", diagnostics));
  EXPECT_THAT(refusal(folder_.write("deck.json", "{\n \"a\": " + nested(60000) + "}")),
              MatchesRegex(".*deck.json:2:106: brackets nested more than 100 deep\\."));
}

TEST_F(InputFile, ManyValuesBelowALongKeyAreRefusedUnread) {
  // Each of them would have the key in its pointer.
  std::string text = "{\"" + std::string(10'000'000, 'k') + "\": [0";
  for (int k = 1; k < 1'000'000; ++k) text += ",0";
  EXPECT_THAT(refusal(folder_.write("deck.json", text + "]}")),
              HasSubstr("requires at least 2e+04 GB of memory for 1000002 values"));
  Diagnostics diagnostics("deck.json");
  EXPECT_NO_THROW(parse_json("{\"" + std::string(100'000, 'k') + "\": [0, 0]}", "deck.json", diagnostics));
}

TEST_F(InputFile, ReadingIsInterrupted) {
  const auto file = folder_.write("deck.json", test::good_deck().dump());
  request_interrupt();
  EXPECT_THROW(read_deck(file), Interrupted);
}

}  // namespace
}  // namespace scree
