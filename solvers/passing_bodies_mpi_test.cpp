/// Steps of bodies that skim over others or slide on them: only what closes sets a limit.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "solvers/test_compliant.hpp"
#include "solvers/test_energy.hpp"
#include "solvers/test_models.hpp"
#include "solvers/test_runs.hpp"

namespace scree {
namespace {

enum class Ground { plane, body, sheet, fine_sheet };

/// A flat sheet of triangles, 30 m long.
Shape sheet_of(int cells) {
  std::vector<Vec3> vertices;
  std::vector<std::vector<int>> faces;
  for (int i = 0; i <= cells; ++i) {
    vertices.emplace_back(30.0 * i / cells - 5, -1, 0);
    vertices.emplace_back(30.0 * i / cells - 5, 1, 0);
  }
  for (int i = 0; i < 2 * cells; i += 2) {
    faces.push_back({i, i + 2, i + 3});
    faces.push_back({i, i + 3, i + 1});
  }
  return make_surface("sheet", vertices, faces);
}

/// A cube at a gap over flat ground that is at z = 0, with 50 m/s along it.
Model skimming(Ground ground, double gap, double gravity) {
  Model model = test::cubes_on_floor(0, 0);
  model.gravity = {0, 0, -gravity};
  test::add_cube(model, {0, 0, 0.05 + gap}, Quat::Identity(), {50, 0, 0});
  if (ground == Ground::body) {
    model.boundaries.clear();
    model.boundary_parts.clear();
    model.shapes.push_back(make_box("slab", {30, 2, 0.5}));
    BodyDescription slab;
    slab.shape = 1;
    slab.position = {10, 0, -0.25};
    slab.mass = 1e4;
    slab.inertia_B = 1e5 * Mat3::Identity();
    slab.fixed.fill(true);
    model.bodies.push_back(slab);
  } else if (ground != Ground::plane) {
    model.walls.push_back(sheet_of(ground == Ground::sheet ? 1 : 300));
    model.boundary_parts[0].wall = 0;
    model.boundary_parts[0].point = model.walls[0].shift;
  }
  model.time = {0.3, 1e-4, true, 1e-10, 1e-2, StepMode::motion, 1};
  return model;
}

struct Count : Observer {
  long steps = 0;
  void accepted(const AcceptedState& state) override { steps = state.step_number; }
};

long steps_of(Model model, StepMode mode) {
  model.time.control = mode;
  if (mode == StepMode::motion) model = test::with_energy(std::move(model));
  Count count;
  run(model, {&count}, MPI_COMM_WORLD);
  return count.steps;
}

TEST(PassingBodies, SkimOverAnyFlatGroundInAsManyStepsAsOverAPlane) {
  for (const StepMode mode : {StepMode::motion, StepMode::resolved}) {
    const long over_plane = steps_of(skimming(Ground::plane, 5e-3, 0), mode);
    EXPECT_LT(over_plane, 60);
    for (const Ground ground : {Ground::body, Ground::sheet, Ground::fine_sheet})
      EXPECT_EQ(steps_of(skimming(ground, 5e-3, 0), mode), over_plane) << static_cast<int>(ground);
  }
}

TEST(PassingBodies, SlideOnAnyFlatGroundInAboutAsManyStepsAsOnAPlane) {
  for (const StepMode mode : {StepMode::motion, StepMode::resolved}) {
    const auto on_plane = static_cast<double>(steps_of(skimming(Ground::plane, 8e-4, 9.81), mode));
    for (const Ground ground : {Ground::body, Ground::sheet, Ground::fine_sheet})
      EXPECT_NEAR(static_cast<double>(steps_of(skimming(ground, 8e-4, 9.81), mode)), on_plane, 0.1 * on_plane)
          << static_cast<int>(ground);
  }
}

TEST(PassingBodies, LimitsDoNotDependOnTheOrderOfPairs) {
  // Two balls that pass each other, and two that close, far from them.
  using test_runs::add_ball;
  const auto limit_of = [](bool passing_first, StepMode mode) {
    Model model = test_runs::balls_on_floor(0, 0);
    model.gravity.setZero();
    for (const bool passing : {passing_first, !passing_first}) {
      if (passing) {
        add_ball(model, {0, 0, 5}, {5, 0, 0});
        add_ball(model, {0.03, 0.102, 5}, {-5, -0.1, 0});
      } else {
        add_ball(model, {0, 3, 5}, {0.5, 0, 0});
        add_ball(model, {0.105, 3, 5}, {-0.5, 0, 0});
      }
    }
    model.time = {1, 1e-3, true, 1e-10, 0.015, mode, 1};
    if (mode == StepMode::motion) model = test::with_energy(std::move(model));
    test::StartedProblem system(model);
    double limit = system.problem.limits(1, 0.015).closing;
    MPI_Allreduce(MPI_IN_PLACE, &limit, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    return limit;
  };
  for (const StepMode mode : {StepMode::motion, StepMode::resolved}) {
    const double limit = limit_of(true, mode);
    EXPECT_EQ(limit_of(false, mode), limit) << static_cast<int>(mode);
    EXPECT_GE(limit, 4.9e-3) << static_cast<int>(
        mode);  // 5 mm at 1 m/s; along their line the others are 2.2 ms apart
    EXPECT_LT(limit, 0.01);
  }
}

}  // namespace
}  // namespace scree
