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
  EXPECT_EQ(suggestion("stone", {}), " There is none.");
}

}  // namespace
}  // namespace scree::text
