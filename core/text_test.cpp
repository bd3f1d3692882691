#include "core/text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace scree::text {
namespace {

TEST(Text, NumbersAreShortAndReadBack) {
  EXPECT_EQ(number(0.1), "0.1");
  EXPECT_EQ(number(-9.81), "-9.81");
  EXPECT_EQ(number(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(std::stod(number(1.0 / 3)), 1.0 / 3);
}

TEST(Text, EditsCountSwapsAsOne) {
  EXPECT_EQ(edit_distance("stiffness", "stifness"), 1);
  EXPECT_EQ(edit_distance("tiem", "time"), 1);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

TEST(Text, NearestNameIsAtMostTwoEditsAway) {
  EXPECT_EQ(nearest("bal", {"block", "ball"}), "ball");
  EXPECT_EQ(nearest("stone", {"block", "ball"}), "");
  EXPECT_EQ(nearest("ab", {"xy"}), "");  // everything of two letters is two edits away
}

TEST(Text, SuggestionsNameOneOrAll) {
  EXPECT_EQ(suggestion("bal", {"block", "ball"}), " Did you mean \"ball\"?");
  EXPECT_EQ(suggestion("stone", {"block", "ball"}), " Valid: \"block\", \"ball\".");
  EXPECT_EQ(suggestion("stone", {}), " None is defined.");
}

TEST(Text, WhatTerminalsObeyIsEscaped) {
  EXPECT_EQ(printable("a\x1b[2J\nb\tc\x7f"), "a\\u001b[2J\\nb\\tc\\u007f");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\u0000b");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u009b31m");                                           // CSI of C1
  EXPECT_EQ(printable("\xe2\x80\xae"), "\\u202e");                   // what follows is written to the left
  EXPECT_EQ(printable("\x9b\xff\xe2\x80"), "\\x9b\\xff\\xe2\\x80");  // no UTF-8
  const std::string good = "Kies 0/32 \xc3\xa4 \xe2\x82\xac \xf0\x9f\xaa\xa8 \\n";
  EXPECT_EQ(printable(good), good);
  EXPECT_FALSE(has_control_character(good));
  EXPECT_TRUE(has_control_character("a\xc2\x85z"));
  EXPECT_TRUE(has_control_character(std::string_view("\0", 1)));
}

TEST(Text, LongTextsAreShortenedBetweenCharacters) {
  EXPECT_EQ(shortened(std::string(100, 'a')), std::string(100, 'a'));
  EXPECT_EQ(shortened(std::string(5000, 'a')), std::string(60, 'a') + "... (5000 bytes)");
  std::string two_bytes_each = "a";
  for (int k = 0; k < 100; ++k) two_bytes_each += "\xc3\xa4";
  EXPECT_EQ(shortened(two_bytes_each), two_bytes_each.substr(0, 61) + "... (201 bytes)");
  const std::string word(200, 'x'), start = std::string(60, 'x') + "... (200 bytes)";
  EXPECT_EQ(one_line("d.json: /" + word + ": got \"" + word + "\".\n"),
            "d.json: /" + start + ": got \"" + start + "\".\\n");
  EXPECT_EQ(suggestion(word, {word + "y"}), " Did you mean \"" + std::string(60, 'x') + "... (201 bytes)\"?");
}

}  // namespace
}  // namespace scree::text
