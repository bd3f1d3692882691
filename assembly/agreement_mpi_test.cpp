#include "assembly/agreement.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <string>

#include "assembly/test_ranks.hpp"

namespace scree {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

/// @returns the message where the last rank has another value than the others; "" without one.
std::string message_of(double others, double last) {
  const bool is_last = ranks::this_rank() == ranks::rank_count() - 1;
  try {
    require_same(is_last ? last : others, "step: got an end of", "s", MPI_COMM_WORLD);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Agreement, TakesWhatIsTheSameOnAllRanks) {
  for (const double value : {1e-3, 0.0, -2.0, kInfinite, -kInfinite, kNotANumber})
    EXPECT_EQ(message_of(value, value), "") << value;
  EXPECT_EQ(message_of(0.0, -0.0), "");
}

TEST(Agreement, NamesBothValuesOnAllRanks) {
  if (ranks::rank_count() == 1) GTEST_SKIP() << "needs two ranks";
  const std::string expected = " on another; expected the same on all ranks";
  EXPECT_EQ(message_of(1e-3, 2e-3), "step: got an end of 0.001 s on one rank and 0.002 s" + expected);
  EXPECT_EQ(message_of(2e-3, 1e-3), "step: got an end of 0.001 s on one rank and 0.002 s" + expected);
  EXPECT_EQ(message_of(kInfinite, 1.0), "step: got an end of 1 s on one rank and inf s" + expected);
  EXPECT_EQ(message_of(1.0, kNotANumber), "step: got an end of nan s on one rank and 1 s" + expected);
  EXPECT_EQ(message_of(kNotANumber, -1.0), "step: got an end of nan s on one rank and -1 s" + expected);
  EXPECT_EQ(message_of(1.0, 1.0 + std::numeric_limits<double>::epsilon()),
            "step: got an end of 1 s on one rank and 1.0000000000000002 s" + expected);
}

}  // namespace
}  // namespace scree
