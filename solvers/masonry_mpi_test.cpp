/// A wall of bricks with thin gaps: corners, edges and faces of aligned bodies, in which terms of both signs
/// meet.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>

#include "assembly/test_ranks.hpp"
#include "solvers/test_energy.hpp"
#include "solvers/test_models.hpp"
#include "solvers/test_runs.hpp"

namespace scree {
namespace {

constexpr double kBrickHeight = 0.1, kBrickLength = 0.2, kJoint = 8e-6;  // [m]

/// Rows of bricks in stretcher bond on a table that goes to and fro by 10 mm, three times in a second.
Model wall(int rows, int bricks, double end) {
  Model model = test::cubes_on_floor(0.3, 0.6);
  model.interfaces[0].normal = contact::BarrierParameters{1e-5, 1e12, 2, 0.4, -2, 0.3};
  model.shapes = {make_box("brick", {kBrickLength, kBrickHeight, kBrickHeight}),
                  make_box("half", {0.5 * kBrickLength, kBrickHeight, kBrickHeight})};
  const auto lay = [&](int shape, double from, double to, double z) {
    test::add_cube(model, {0.5 * (from + to), 0, z});
    model.bodies.back().shape = shape;
    model.bodies.back().mass = 2000 * model.shapes[static_cast<std::size_t>(shape)].volume;
    model.bodies.back().inertia_B = 2000 * model.shapes[static_cast<std::size_t>(shape)].inertia_per_density;
  };
  for (int row = 0; row < rows; ++row) {
    const double z = kJoint + 0.5 * kBrickHeight + row * (kBrickHeight + kJoint);
    double x = 0;
    for (int k = 0; k < bricks + row % 2; ++k) {
      const bool half = row % 2 == 1 && (k == 0 || k == bricks);
      const double length = half ? 0.5 * kBrickLength : kBrickLength;
      lay(half ? 1 : 0, x, x + length, z);
      x += length + kJoint;
    }
  }
  constexpr double kTableEvery = 0.004;  // [s]
  for (int k = 0; k * kTableEvery < end + kTableEvery; ++k) {
    const double phase = 2 * std::numbers::pi * 3 * k * kTableEvery;
    model.boundaries[0].motion.table.push_back(
        {k * kTableEvery, {0.01 * (1 - std::cos(phase)), 0, 0}, Vec3::Zero()});
  }
  test_runs::take_adaptive_steps(model, end);
  model.time.max = 2e-3;
  model.time.control = StepMode::motion;
  model.solver.newton_relative = 1e-6;
  return test::with_energy(model);
}

TEST(Masonry, OnAShakenTableConverges) {
  if (ranks::rank_count() > 2) GTEST_SKIP() << "few bodies, many steps";
  RunReport report;
  test_runs::run_model(wall(8, 2, 0.2), MPI_COMM_WORLD, &report);
  const double each = static_cast<double>(report.newton_iterations) / static_cast<double>(report.steps);
  const double rejected = static_cast<double>(report.cuts) / static_cast<double>(report.steps + report.cuts);
  if (ranks::this_rank() == 0)
    std::printf("%.3f of the steps rejected, %.1f iterations per step\n", rejected, each);
  EXPECT_LT(rejected, 0.2) << "0.3 if curvature of corners is left out of the tangent";
  // What bodies at rest are damped by makes energy where edges that cross at a small angle are taken off:
  // it shows where nothing else was lost in a step (theory 11 section 9).
  EXPECT_LT(std::abs(report.energy.closure_error()), 2e-5 * report.energy.work_of_boundaries);
}

}  // namespace
}  // namespace scree
