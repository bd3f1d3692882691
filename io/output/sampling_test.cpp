#include "io/output/sampling.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace scree {
namespace {

AcceptedState state_at(double time, double step, long number, bool last = false) {
  AcceptedState state;
  state.time = time;
  state.step = step;
  state.step_number = number;
  state.first = number == 0;
  state.last = last;
  return state;
}

TEST(Sampling, TakesTheFirstStateAtOrAfterEachDueTimeAndTheLast) {
  Sampling sampling(0.1);
  const std::vector<double> times = {0, 0.06, 0.12, 0.18, 0.24, 0.55, 0.6, 0.61, 0.63};
  std::vector<double> taken;
  for (std::size_t k = 0; k < times.size(); ++k) {
    const double step = k == 0 ? 0 : times[k] - times[k - 1];
    if (sampling.due(state_at(times[k], step, static_cast<long>(k), k + 1 == times.size())))
      taken.push_back(times[k]);
  }
  EXPECT_EQ(taken, (std::vector<double>{0, 0.12, 0.24, 0.55, 0.6, 0.63}));
}

TEST(Sampling, RoundOffInSummedTimesMovesNoRow) {
  Sampling sampling(1e-3);
  const double step = 1e-4;
  double time = 0;  // summed on purpose: 0.001 comes out as 0.0009999999999999998
  long taken = 0;
  for (long k = 0; k <= 20000; ++k, time += step) {
    const bool due = sampling.due(state_at(time, k == 0 ? 0 : step, k));
    ASSERT_EQ(due, k % 10 == 0) << "step " << k;
    if (due) ++taken;
  }
  EXPECT_EQ(taken, 2001);
}

TEST(Sampling, ZeroIsEachStateAndNegativeIsNever) {
  Sampling each(0), never(-1);
  for (long k = 0; k < 5; ++k) {
    EXPECT_TRUE(each.due(state_at(1e-4 * static_cast<double>(k), 1e-4, k)));
    EXPECT_FALSE(never.due(state_at(1e-4 * static_cast<double>(k), 1e-4, k, k == 4)));
  }
}

TEST(Sampling, IsContinuedWithoutTheRowThatIsThereOnlyBecauseTheRunEnded) {
  Sampling ended(0.1);
  ended.due(state_at(0, 0, 0));
  EXPECT_TRUE(ended.reached());
  const double next = ended.next();
  const long last_step = ended.last_step();
  EXPECT_TRUE(ended.due(state_at(0.05, 0.05, 1, true)));
  EXPECT_FALSE(ended.reached());
  Sampling continued(0.1);
  continued.continue_from(next, last_step);
  EXPECT_FALSE(continued.due(state_at(0.05, 0.05, 1)));
  EXPECT_TRUE(continued.due(state_at(0.1, 0.05, 2)));
  EXPECT_TRUE(continued.reached());
}

TEST(Sampling, AStateToldAgainAsTheLastIsTakenOnce) {
  Sampling taken_before(0.1), not_yet(0.1);
  EXPECT_TRUE(taken_before.due(state_at(0, 0, 0)));
  EXPECT_FALSE(taken_before.due(state_at(0, 0, 0, true)));
  EXPECT_TRUE(not_yet.due(state_at(0, 0, 0)));
  EXPECT_FALSE(not_yet.due(state_at(0.05, 0.05, 1)));
  EXPECT_TRUE(not_yet.due(state_at(0.05, 0.05, 1, true)));
}

}  // namespace
}  // namespace scree
