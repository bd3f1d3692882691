/// Superquadrics that fall on each other, on 1, 2 and 4 ranks: the same trajectories.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "assembly/test_ranks.hpp"
#include "core/rotation.hpp"
#include "elements/integrators/newmark.hpp"
#include "elements/integrators/trapezoidal.hpp"
#include "elements/integrators/variational_midpoint.hpp"
#include "solvers/test_runs.hpp"

namespace scree {
namespace {

using test_runs::LastState;
using test_runs::run_model;

/// 48 tablets, rounded boxes and ellipsoids, turned at random, in four layers above a floor.
Model falling_superquadrics(const contact::Interface& law) {
  Model model;
  model.gravity = {0, 0, -9.81};
  model.materials = {{"grain", 2500, 1e7, 0.3}};
  model.shapes = {make_superquadric("tablet", {0.05, 0.05, 0.03}, 4, 2, 30),
                  make_superquadric("box", {0.04, 0.03, 0.05}, 8, 8, 30),
                  make_superquadric("ellipsoid", {0.03, 0.04, 0.05}, 2, 2, 30)};
  model.interfaces = {law};
  model.interface_of = {{0}};
  BoundaryDescription floor;
  floor.name = "floor";
  model.boundaries.push_back(floor);
  model.boundary_parts.push_back({0, Vec3::Zero(), Vec3::UnitZ()});
  for (int k = 0; k < 48; ++k) {
    const int x = k % 4;
    const int y = k / 4 % 3;
    const int z = k / 12;
    BodyDescription body;
    body.shape = k % 3;
    body.position = {0.125 * x + 0.005 * z, 0.125 * y - 0.007 * z, 0.08 + 0.125 * z};
    body.orientation = rotation::quaternion({std::sin(1.0 + k), std::cos(2.0 * k), std::sin(3.0 * k)});
    body.velocity = {0.2 * std::cos(5.0 * k), 0.2 * std::sin(2.0 * k), -1.0 - 0.8 * z};
    body.angular_velocity = {std::sin(7.0 * k), 0.5, std::cos(k)};
    const Shape& shape = model.shapes[body.shape];
    body.mass = 2500 * shape.volume;
    body.inertia_B = 2500 * shape.inertia_per_density;
    model.bodies.push_back(body);
  }
  test_runs::take_adaptive_steps(model, 0.06);
  return model;
}

void expect_the_same_on_all_ranks(const char* name, contact::Interface law, double resolution) {
  law.friction.static_coefficient = law.friction.dynamic_coefficient = 0.3;
  Model model = falling_superquadrics(law);
  model.time.resolution = resolution;
  RunReport report;
  const LastState together = run_model(model, MPI_COMM_WORLD, &report);
  const LastState again = run_model(model, MPI_COMM_WORLD);
  const LastState alone = run_model(model, MPI_COMM_SELF);
  const double worst = test_runs::largest_difference(together.values, alone.values);
  // Impacts multiply differences of the solver's tolerance, as in Run.GivesTheSameTrajectory...
  EXPECT_LT(worst, 1e-6);
  EXPECT_EQ(std::memcmp(together.values.data(), again.values.data(), 8 * again.values.size()), 0);
  EXPECT_LE(together.owned, ranks::rank_count() > 1 ? 47 : 48);
  EXPECT_GT(report.max_contacts, 20);
  EXPECT_GT(report.energy.friction_loss, 0);
  if (ranks::this_rank() == 0)
    std::printf("%d ranks, %s: %ld contacts, largest difference to one rank %.1e, %ld steps, %ld cut\n",
                ranks::rank_count(), name, report.max_contacts, worst, report.steps, report.cuts);
}

TEST(Superquadrics, GiveTheSameTrajectoryOnAnyNumberOfRanksAndTheSameBitsOnTheSame) {
  contact::Interface law;
  law.normal = contact::HertzParameters{.restitution = 0.5, .radius = contact::CurvatureRule::mean};
  law.friction.rule = contact::TangentialStiffness::mindlin;
  law.friction.damping_ratio = 0.2;
  expect_the_same_on_all_ranks("Hertz", law, 1);
}

TEST(Superquadrics, GiveItUnderABarrierLawThatTakesTheirImpacts) {
  if (ranks::rank_count() > 2) GTEST_SKIP() << "few bodies, many steps";
  // As for cubes: the penalty part stores what an impact brings, in several steps. A softer law is driven
  // into its barrier, where steps have several solutions, and ranks differ in which one they find.
  contact::Interface law;
  law.normal =
      contact::BarrierParameters{.threshold = 1e-3, .stiffness = 2.8e13, .exponent = 3, .damping_ratio = 0.3};
  law.friction.stiffness = 3e5;
  law.friction.damping = 1;
  expect_the_same_on_all_ranks("barrier", law, 0.25);
}

/// In contact at the start, on walls of every kind and on others: no energy comes from radii of curvature
/// that are found only once a step is taken.
TEST(Superquadrics, BeginWithTheRadiiThatTheyGoOnWith) {
  contact::Interface law;
  law.normal = contact::HertzParameters{.restitution = 1, .radius = contact::CurvatureRule::mean};
  constexpr double kOverlap = 1e-5;
  // What the lowest point of the first lies on, and its height [m]: a plane, others or a superquadric.
  const std::vector<std::pair<Shape, double>> walls = {
      {make_plane("plane"), 0}, {make_sphere("ball", 0.5), 0.5}, {make_cavity("cavity", 1), -1}};
  for (int w = 0; w < 4; ++w) {
    Model model = falling_superquadrics(law);
    model.bodies.resize(w < 3 ? 1 : 2);
    for (BodyDescription& body : model.bodies) {
      body.shape = 2;  // 0.05 m high; its curvature below is far from that of the sphere of its volume
      body.orientation = Quat::Identity();
      body.velocity = body.angular_velocity = Vec3::Zero();
    }
    model.bodies[0].position = {0, 0, 0.05 - kOverlap + (w < 3 ? walls[w].second : 0)};
    if (w == 3) model.bodies[1].position = {0, 0, 0.15 - 2 * kOverlap};
    if (w == 1 || w == 2) {
      model.walls.push_back(walls[w].first);
      model.boundary_parts[0].wall = 0;
    }
    model.time.step = model.time.end = 1e-6;
    model.time.adaptive = false;
    RunReport report;
    run_model(model, MPI_COMM_WORLD, &report);
    EXPECT_GT(report.energy.contact, 1e-8) << w;
    EXPECT_LT(std::abs(report.energy.closure_error()), 1e-6 * report.energy.contact) << w;
  }
}

/// A brick that turns on the floor within an impact: the radius of curvature where it touches changes much.
TEST(Superquadrics, KeepTheirEnergyInAnImpactInWhichTheyTurn) {
  contact::Interface law;
  law.normal = contact::HertzParameters{};
  Model model = falling_superquadrics(law);
  model.materials = {{"rock", 2000, 1e8, 0.3}};
  model.shapes = {make_superquadric("brick", {0.05, 0.08, 0.1}, 6, 6, 30)};
  model.bodies.resize(1);
  BodyDescription& brick = model.bodies[0];
  brick.position = {0, 0, 0.4};
  brick.orientation = Quat::Identity();
  brick.velocity = {-5.9, 0, -14.5};
  brick.angular_velocity = {-35.7, 0, -14.4};
  brick.mass = 2000 * model.shapes[0].volume;
  brick.inertia_B = 2000 * model.shapes[0].inertia_per_density;
  test_runs::take_adaptive_steps(model, 0.04);
  model.time.resolution = 0.1;
  const std::vector<std::shared_ptr<const elements::Integrator>> integrators = {
      std::make_shared<elements::Newmark>(), std::make_shared<elements::VariationalMidpoint>(),
      std::make_shared<elements::Trapezoidal>(0.5)};
  for (const auto& integrator : integrators) {
    model.integrator = integrator;
    RunReport report;
    run_model(model, MPI_COMM_WORLD, &report);
    EXPECT_EQ(report.max_contacts, 1);
    EXPECT_LT(std::abs(report.energy.closure_error()), 0.01 * report.energy.reference);
  }
}

}  // namespace
}  // namespace scree
