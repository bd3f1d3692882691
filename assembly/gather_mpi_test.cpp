#include "assembly/gather.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "assembly/exchange.hpp"
#include "assembly/test_ranks.hpp"
#include "core/error.hpp"

namespace scree {
namespace {

using ranks::rank_count;
using ranks::this_rank;

TEST(Gather, KeepsTheOrderOfRanksAndTakesEmptyOnes) {
  const int rank = this_rank(), ranks = rank_count();
  const std::vector<long> mine(static_cast<std::size_t>(rank % 2 == 0 ? rank + 1 : 0), rank);
  std::vector<long> expected;
  for (int r = 0; r < ranks; r += 2) expected.insert(expected.end(), r + 1, r);
  EXPECT_EQ(gather_to_all(mine, MPI_COMM_WORLD), expected);
  EXPECT_EQ(gather_to_root(mine, MPI_COMM_WORLD), rank == 0 ? expected : std::vector<long>());
}

TEST(Gather, TooManyItemsForMpiAreAnErrorOnAllRanks) {
  const std::size_t most = std::numeric_limits<int>::max();
  const auto ranks = static_cast<std::size_t>(rank_count());
  EXPECT_EQ(gather_layout(most / ranks, MPI_COMM_WORLD).total, most / ranks * ranks);
  try {
    gather_layout(this_rank() == 0 ? most + 1 : 0, MPI_COMM_WORLD);
    FAIL() << "no error";
  } catch (const RunError& error) {
    EXPECT_NE(std::string(error.what()).find("2147483648 items"), std::string::npos) << error.what();
  }
}

/// Takes 5 GB of memory.
TEST(Exchange, DISABLED_MessagesAboveTwoGigabytesArrive) {
  const int ranks = rank_count();
  if (ranks != 2) GTEST_SKIP() << "two ranks";
  constexpr std::size_t kBytes = (std::size_t{1} << 31) + 12345;
  std::vector<Parcel> parcels;
  if (this_rank() == 0) {
    Parcel& parcel = parcels.emplace_back(Parcel{1, std::vector<std::byte>(kBytes)});
    for (std::size_t k = 0; k < kBytes; k += 4099) parcel.bytes[k] = static_cast<std::byte>(k / 4099 % 251);
  }
  const std::vector<Parcel> arrived = exchange_parcels(MPI_COMM_WORLD, parcels);
  ASSERT_EQ(arrived.size(), this_rank() == 1 ? 1u : 0u);
  if (this_rank() != 1) return;
  ASSERT_EQ(arrived[0].bytes.size(), kBytes);
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < kBytes; k += 4099)
    wrong += arrived[0].bytes[k] != static_cast<std::byte>(k / 4099 % 251) ? 1 : 0;
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
}  // namespace scree
