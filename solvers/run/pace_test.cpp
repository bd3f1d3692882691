#include "solvers/run/pace.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/test_extremes.hpp"

namespace scree {
namespace {

constexpr double kMostStep = 0.01;

/// Takes steps as long as allowed. @param cost iterations of a step by its size. @returns iterations in all.
template <class Cost>
double run(Pace& pace, double duration, const Cost& cost) {
  double time = 0, all = 0, size = kMostStep;
  while (time < duration) {
    size = 1.4 * size;
    test::keep_smallest(size, kMostStep);
    test::keep_smallest(size, pace.longest());
    const int iterations = cost(size);
    pace.spent(iterations);
    pace.accepted(size, kMostStep, true);
    time += size;
    all += iterations;
  }
  return all;
}

TEST(Pace, LeavesStepsAloneThatTakeFewIterations) {
  Pace pace;
  run(pace, 3, [](double) { return 6; });
  EXPECT_GE(pace.longest(), kMostStep);
}

TEST(Pace, FindsStepsThatCostLess) {
  Pace pace;
  // As long as they are resolved, steps take 3 iterations; then the number grows with the third power.
  const auto cost = [](double size) {
    return size < 2e-3 ? 3 : static_cast<int>(3 * std::pow(size / 2e-3, 3));
  };
  const double all = run(pace, 3, cost);
  EXPECT_LT(pace.longest(), 6e-3);
  EXPECT_LT(all, 0.25 * 3 / kMostStep * cost(kMostStep));
}

TEST(Pace, ReturnsToLongStepsWhereShortOnesCostMore) {
  Pace pace;
  // The same number at any size: long steps are cheapest, whatever they take.
  const auto cost = [](double) { return 20; };
  const double all = run(pace, 30, cost);
  EXPECT_LT(all, 1.2 * 30 / kMostStep * 20);
}

TEST(Pace, AStepThatCouldNotBeSolvedIsNotTriedAgainAtOnce) {
  Pace pace;
  pace.spent(30);
  pace.failed(kMostStep, kMostStep);
  EXPECT_EQ(pace.longest(), 0.5 * kMostStep);
  int steps = 0;
  for (; pace.longest() < kMostStep && steps < 1000; ++steps) {
    pace.spent(3);
    pace.accepted(pace.longest(), kMostStep, true);
  }
  EXPECT_GE(steps, 10);
  EXPECT_LE(steps, 20);
  // Each time later.
  pace.failed(kMostStep, kMostStep);
  int more = 0;
  for (; pace.longest() < kMostStep && more < 1000; ++more) {
    pace.spent(3);
    pace.accepted(pace.longest(), kMostStep, true);
  }
  EXPECT_GT(more, steps);
}

TEST(Pace, ABoundHasAFloorAndForgetsStepsThatOthersSet) {
  Pace pace;
  for (int k = 0; k < 50; ++k) pace.failed(pace.longest(), kMostStep);
  EXPECT_EQ(pace.longest(), kMostStep / 64);
  Pace other;
  for (int k = 0; k < 50; ++k) {
    other.spent(30);
    other.accepted(1e-4, kMostStep, false);
  }
  EXPECT_GT(other.longest(), kMostStep);
  // Nor do their iterations count.
  for (int k = 0; k < 50; ++k) {
    other.spent(40);
    other.accepted(1e-4, kMostStep, false);
    other.spent(4);
    other.accepted(kMostStep, kMostStep, true);
  }
  EXPECT_GE(other.longest(), kMostStep);
}

}  // namespace
}  // namespace scree
