/// Whole runs with overlap-based laws on 1, 2 and 4 ranks: restitution, energy, the same trajectories.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>

#include "assembly/test_ranks.hpp"
#include "core/error.hpp"
#include "core/rotation.hpp"
#include "core/test_extremes.hpp"
#include "solvers/test_models.hpp"
#include "solvers/test_runs.hpp"
#include "solvers/time_loop.hpp"

namespace scree {
namespace {

using test_runs::LastState;
using test_runs::run_model;

constexpr double kOverlapRadius = 0.05;

/// Spheres and rods of a material, and a rigid floor.
Model rounded_on_floor(const contact::Interface& interface) {
  Model model;
  model.materials = {{"m", 2500, 1e8, 0.3}, {"wall", 0, 0, 0}};
  model.shapes = {make_sphere("ball", kOverlapRadius), make_capsule("rod", 0.03, 0.08),
                  make_box("block", {0.1, 0.1, 0.1})};
  model.interfaces = {interface};
  model.interface_of = {{0, 0}, {0, 0}};
  BoundaryDescription floor;
  floor.name = "floor";
  floor.material = 1;
  model.boundaries.push_back(floor);
  model.boundary_parts.push_back({0, Vec3::Zero(), Vec3::UnitZ()});
  model.solver.newton_relative = 1e-11;
  return model;
}

void add(Model& model, int shape, const Vec3& x, const Vec3& v, const Vec3& w = Vec3::Zero()) {
  BodyDescription body;
  body.shape = shape;
  body.position = x;
  body.velocity = v;
  body.angular_velocity = w;
  body.orientation = rotation::quaternion({0.3 * x.x(), 2 * x.y(), x.z()});
  body.mass = 2500 * model.shapes[shape].volume;
  body.inertia_B = 2500 * model.shapes[shape].inertia_per_density;
  model.bodies.push_back(body);
}

TEST(Overlap, ABallReturnsWithTheRestitutionOfTheDeck) {
  for (const double e : {0.9, 0.5, 0.2}) {
    contact::Interface hooke, hertz;
    hooke.normal = contact::HookeParameters{.stiffness = 1e6, .restitution = e};
    hertz.normal = contact::HertzParameters{.restitution = e};
    for (const contact::Interface& law : {hooke, hertz}) {
      for (const bool adaptive : {false, true}) {
        Model model = rounded_on_floor(law);
        // Contact onset in the middle of a step.
        add(model, 0, {0, 0, kOverlapRadius + 1.005e-4}, {0, 0, -1});
        model.time.end = 0.012;
        model.time.step = 4e-6;
        model.time.adaptive = adaptive;
        model.time.min = 1e-9;
        model.time.max = 1e-3;
        model.time.resolution = 0.02;  // separation is met within a step: C v h of the impulse
        RunReport report;
        const LastState last = run_model(model, MPI_COMM_SELF, &report);
        EXPECT_NEAR(last.values[5], e, 1e-3)
            << e << (adaptive ? " adaptive, law " : " fixed, law ") << law.traits().name;
        EXPECT_LT(last.least_gap, -1e-4);
        EXPECT_LT(std::abs(report.energy.total() - report.energy.initial_total + report.energy.damping_loss),
                  1e-3 * report.energy.initial_total);
        EXPECT_LT(report.steps, adaptive ? 2500 : 3500);
      }
    }
  }
}

/// Balls and rods that fall on each other; the lowest overlap with the floor from the start.
Model overlapping_pile() {
  contact::Interface law;
  law.normal = contact::HertzParameters{.restitution = 0.5};
  law.friction.static_coefficient = law.friction.dynamic_coefficient = 0.3;
  law.friction.rule = contact::TangentialStiffness::mindlin;
  law.friction.damping = 1;
  law.rolling = {.coefficient = 0.1, .stiffness = 2, .damping_ratio = 0.3};
  Model model = rounded_on_floor(law);
  model.gravity = {0, 0, -9.81};
  int k = 0;
  for (int z = 0; z < 3; ++z) {
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 3; ++x, ++k) {
        const double tip = 0.01 * std::sin(3.0 * k);
        add(model, k % 3 == 1 && z > 0 ? 1 : 0,
            {0.16 * x + tip, 0.16 * y - tip, kOverlapRadius - 1e-5 + 0.17 * z},
            {0.1 * std::cos(5.0 * k), 0.1, -1.0 * z}, {std::sin(7.0 * k), 0.5, std::cos(k)});
      }
    }
  }
  model.time.end = 0.12;
  model.time.step = 1e-4;
  return model;
}

TEST(Overlap, GivesTheSameTrajectoryOnAnyNumberOfRanks) {
  const Model model = overlapping_pile();
  RunReport report;
  const LastState together = run_model(model, MPI_COMM_WORLD, &report);
  const LastState again = run_model(model, MPI_COMM_WORLD);
  const LastState alone = run_model(model, MPI_COMM_SELF);
  const double worst = test_runs::largest_difference(together.values, alone.values);
  EXPECT_LT(worst, 1e-7);
  EXPECT_EQ(std::memcmp(together.values.data(), again.values.data(), 8 * again.values.size()), 0);
  EXPECT_GT(report.max_contacts, 12);
  EXPECT_GT(report.energy.friction_loss, 0);
  if (ranks::this_rank() == 0)
    std::printf("%ld contacts, ranks differ by %.1e, %ld steps, %ld iterations\n", report.max_contacts, worst,
                report.steps, report.newton_iterations);
}

TEST(Overlap, DeeperThanTheRoundingIsRefusedAtTheStartAndLessIsNot) {
  contact::Interface law;
  law.normal = contact::HookeParameters{.stiffness = 1e6};
  for (const auto& [height, good] :
       {std::pair{0.1 + kOverlapRadius - 1e-3, true}, {0.1 + 0.01, true}, {0.09, false}}) {
    Model model = rounded_on_floor(law);
    add(model, 2, {0, 0, 0.05}, Vec3::Zero());
    model.bodies.back().orientation = Quat::Identity();
    add(model, 0, {0, 0, height}, Vec3::Zero());
    model.time.end = model.time.step = 1e-6;
    if (good) {
      EXPECT_NO_THROW(run_model(model, MPI_COMM_SELF)) << height;
    } else {
      EXPECT_THROW(run_model(model, MPI_COMM_SELF), InputError) << height;
    }
  }
}

/// Its axis is far from all vertices and edges.
TEST(Overlap, ACapsuleThroughABodyIsRefusedUnderABarrierToo) {
  Model model = test::cubes_on_floor(0, 0);
  model.shapes.push_back(make_capsule("rod", 5e-3, 0.3));
  test::add_cube(model, {0, 0, 0.2});
  for (const bool through : {true, false}) {
    Model tried = model;
    test::add_cube(tried, {0, through ? 0.0 : 0.06, 0.2}, Quat(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitY())));
    tried.bodies.back().shape = static_cast<int>(tried.shapes.size()) - 1;
    EXPECT_EQ(test_runs::refusal(tried, MPI_COMM_SELF).empty(), !through);
  }
}

/// Which has no vertices that a separating axis could be measured by.
TEST(Overlap, AThinCylinderThroughASharpBodyIsRefused) {
  contact::Interface law;
  law.normal = contact::HookeParameters{.stiffness = 1e6};
  for (const bool through : {true, false}) {
    Model model = rounded_on_floor(law);
    add(model, 2, {0, 0, 0.3}, Vec3::Zero());
    model.walls = {make_cylinder("wire", 2e-3)};
    model.boundary_parts.push_back({0, Vec3(0, 0, through ? 0.3 : 0.4), Vec3::UnitX(), 0});
    model.time.end = model.time.step = 1e-6;
    EXPECT_EQ(test_runs::refusal(model, MPI_COMM_SELF).empty(), !through);
  }
}

}  // namespace
}  // namespace scree
