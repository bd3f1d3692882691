/// The limits of adaptive steps hold for what is out of balance and has no speed yet: at the start, and where
/// a contact turns.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/rotation.hpp"
#include "solvers/test_compliant.hpp"
#include "solvers/test_runs.hpp"

namespace scree {
namespace {

using test::add_cube;
using test::cubes_on_floor;

constexpr double kLong = 1e-2;  // [s]

/// Limit by oscillation at the start, the same on all ranks.
double limit_at_start(const Model& model) {
  test::StartedProblem system(model);
  double limit = system.problem.limits(1, kLong).oscillation;
  MPI_Allreduce(MPI_IN_PLACE, &limit, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  return limit;
}

/// Gap at which the law of cubes_on_floor carries a cube at its four lower corners.
double resting_gap() {
  double low = 1e-5, high = 1e-3;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    Model model = cubes_on_floor(0, 0);
    add_cube(model, {0, 0, 0.05 + middle});
    const test::StartedProblem system(model, MPI_COMM_SELF);
    (system.world.bodies().state[0].a.z() > 0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

TEST(FirstStep, AContactInBalanceSetsNoLimitAndOneOutOfBalanceDoesWithoutAnySpeed) {
  const double gap = resting_gap();
  for (const double away : {1.0, 0.7, 0.2}) {
    Model model = cubes_on_floor(0.1, 0.3);
    add_cube(model, {0, 0, 0.05 + away * gap});
    const double at_rest = limit_at_start(model);
    model.bodies[0].velocity = {0, 0, -1};
    const double moving = limit_at_start(model);
    EXPECT_LT(moving, 0.2 * kLong) << away;
    if (away == 1) {
      EXPECT_EQ(at_rest, kLong);
    } else {
      EXPECT_EQ(at_rest, moving) << away;
    }
  }
}

TEST(FirstStep, BondsAndOverlapsOutOfBalanceSetALimitToo) {
  Model balls = test_runs::balls_on_floor(20, 0);
  test_runs::add_ball(balls, {0, 0, 0.05 - 9.81 / 2e4});
  EXPECT_EQ(limit_at_start(balls), kLong);
  balls.bodies[0].position.z() = 0.045;
  EXPECT_LT(limit_at_start(balls), 0.2 * kLong);

  Model bonded = test_runs::balls_on_floor(0, 0);
  bonded.gravity.setZero();
  test_runs::add_ball(bonded, {0, 0, 1});
  test_runs::add_ball(bonded, {0.1005, 0, 1});
  bonded.bonds = contact::BondParameters{.stiffness = 1e6, .within = 0.01};
  const double omega = std::sqrt(1e6 * 2 / 1.0);
  EXPECT_NEAR(limit_at_start(bonded), 1 / omega, 1e-9 / omega);
  // What is held does not swing, whatever its mass.
  Model held = bonded;
  held.bodies[1].fixed.fill(true);
  EXPECT_NEAR(limit_at_start(held), std::sqrt(2) / omega, 1e-9 / omega);
  // A load that holds them where they are: nothing moves, and no limit is set.
  bonded.loads.push_back(elements::ForceLoad{.body = 0, .value = {-500, 0, 0}});
  bonded.loads.push_back(elements::ForceLoad{.body = 1, .value = {500, 0, 0}});
  EXPECT_EQ(limit_at_start(bonded), kLong);
}

/// Sizes of the steps, and the energy balance error, over the largest energy at the start.
struct Steps : Observer {
  std::vector<double> sizes;
  double error = 0, stored = 0;
  void accepted(const AcceptedState& state) override {
    if (!state.first) sizes.push_back(state.step);
    if (state.first) stored = state.energy.contact;
    error = state.energy.closure_error();
  }
};

TEST(FirstStep, EnergyStoredAtTheStartIsReleasedAndNotMultiplied) {
  // Cubes 0.05 to 0.7 mm over the floor, flat and on an edge, whose law begins at 1 mm.
  for (const double gap : {5e-5, 2e-4, 7e-4}) {
    for (const double angle : {0.0, 0.3}) {
      Model model = cubes_on_floor(0, 0);
      const double height = 0.05 * (std::cos(angle) + std::sin(angle)) + gap;
      add_cube(model, {0, 0, height}, Quat(Eigen::AngleAxisd(angle, Vec3::UnitY())));
      model.time = {5e-3, 1e-3, true, 1e-10, 1e-3, StepMode::resolved, 1};
      Steps steps;
      run(model, {&steps}, MPI_COMM_WORLD);
      // A first step of 1 ms, as it stands in the deck, makes up to 2000 times what was stored.
      EXPECT_LT(std::abs(steps.error), 0.3 * steps.stored) << gap << " m, " << angle << " rad";
      EXPECT_LT(steps.sizes.front(), 3e-4) << gap << " m, " << angle << " rad";
    }
  }
}

TEST(FirstStep, OfAFixedSizeIsThatOfTheDeck) {
  Model model = cubes_on_floor(0, 0);
  add_cube(model, {0, 0, 0.0507});
  model.time.end = 5e-4;
  model.time.step = 1e-4;
  Steps steps;
  run(model, {&steps}, MPI_COMM_WORLD);
  EXPECT_EQ(steps.sizes.front(), 1e-4);
}

}  // namespace
}  // namespace scree
