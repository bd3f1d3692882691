#include "core/disjoint_sets.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

TEST(DisjointSets, AreKnownByTheirLeastNumber) {
  DisjointSets sets;
  sets.reset(6);
  EXPECT_EQ(sets.join(4, 5), 5);
  EXPECT_EQ(sets.join(2, 3), 3);
  EXPECT_EQ(sets.join(5, 3), 4);
  EXPECT_EQ(sets.join(2, 4), -1);
  for (const int i : {2, 3, 4, 5}) EXPECT_EQ(sets.root_of(i), 2);
  EXPECT_EQ(sets.root_of(0), 0);
  EXPECT_EQ(sets.root_of(1), 1);
  sets.reset(3);
  EXPECT_EQ(sets.root_of(2), 2);
}

}  // namespace
}  // namespace scree
