#include "io/collective.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "io/output/fabricated_run.hpp"

namespace scree {
namespace {

TEST(Together, AllRanksThrowWhatTheLowestFailedRankSays) {
  const int rank = rank_of(MPI_COMM_WORLD), ranks = ranks_of(MPI_COMM_WORLD);
  EXPECT_NO_THROW(together(MPI_COMM_WORLD, [] {}));
  for (int failing = 0; failing < ranks; ++failing) {
    try {
      together(MPI_COMM_WORLD, [&] {
        if (rank >= failing) throw std::runtime_error("rank " + std::to_string(rank) + " failed");
      });
      FAIL() << "rank " << rank << " did not learn of the failure";
    } catch (const RunError& error) {
      EXPECT_EQ(std::string(error.what()), "rank " + std::to_string(failing) + " failed");
    }
  }
}

}  // namespace
}  // namespace scree
