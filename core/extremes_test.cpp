#include <gtest/gtest.h>

#include <cmath>

#include "core/test_extremes.hpp"

namespace scree::test {
namespace {

TEST(Extremes, NotANumberIsKeptWhereverItStands) {
  const double nan = std::nan("");
  for (int place = 0; place < 3; ++place) {
    double most = 0, least = 0;
    for (int k = 0; k < 3; ++k) {
      keep_largest(most, k == place ? nan : k);
      keep_smallest(least, k == place ? nan : -k);
    }
    EXPECT_FALSE(most < 1e300 || most > -1e300) << place;
    EXPECT_FALSE(least < 1e300 || least > -1e300) << place;
  }
  double most = 0;
  keep_largest(most, {1.0, nan, 2.0});
  EXPECT_TRUE(std::isnan(most));
}

TEST(Extremes, OfNumbersAreTheirLargestAndSmallest) {
  double most = -1, least = 1;
  keep_largest(most, {0.5, 2.0, 1.0});
  keep_smallest(least, {0.5, -2.0, 1.0});
  EXPECT_EQ(most, 2);
  EXPECT_EQ(least, -2);
  int count = 3;
  keep_largest(count, std::size_t{2});
  EXPECT_EQ(count, 3);
  keep_largest(count, std::size_t{7});
  EXPECT_EQ(count, 7);
}

}  // namespace
}  // namespace scree::test
