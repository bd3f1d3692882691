/// Periodic directions in whole runs, on 1, 2 and 4 ranks: results do not depend on the faces of the cell.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "assembly/test_ranks.hpp"
#include "core/error.hpp"
#include "core/test_extremes.hpp"
#include "elements/integrators/trapezoidal.hpp"
#include "elements/integrators/variational_midpoint.hpp"
#include "elements/integrators/variational_start.hpp"
#include "solvers/test_runs.hpp"
#include "solvers/test_tangent.hpp"

namespace scree {
namespace {

using ranks::rank_count;
using ranks::this_rank;
using test::add_cube;
using test::cubes_on_floor;
using test_runs::add_ball;
using test_runs::balls_on_floor;
using test_runs::LastState;
using test_runs::run_model;

/// Bounding radii of the bodies here are not smaller [m]: spins are compared as speeds of surfaces, in the
/// norm of the solver.
constexpr double kLeastRadius = 0.05;

/// Largest difference of two runs in positions [m], velocities, speeds of surfaces [m/s] and orientations.
double largest_difference(const LastState& a, const LastState& b) {
  double worst = 0;
  for (std::size_t k = 0; k < a.values.size(); ++k) {
    const bool spin = k % 13 >= 6 && k % 13 < 9;
    test::keep_largest(worst, (spin ? kLeastRadius : 1) * std::abs(b.values[k] - a.values[k]));
  }
  return worst;
}

void without_floor(Model& model) {
  model.gravity.setZero();
  model.boundaries.clear();
  model.boundary_parts.clear();
}

/// Two bodies that meet askew near the origin, under each law.
struct NamedModel {
  std::string name;
  Model model;
};

std::vector<NamedModel> meeting_pairs() {
  std::vector<NamedModel> all;
  Model cubes = cubes_on_floor(0.2, 0.5);
  without_floor(cubes);
  add_cube(cubes, {-0.062, 0.01, 0.004}, rotation::quaternion({0.05, 0.02, 0.1}), {0.2, 0.1, 0}, {1, 2, -1});
  add_cube(cubes, {0.0625, -0.01, 0}, rotation::quaternion({-0.03, 0.04, -0.05}), {-0.2, 0, 0.1}, {0, 1, 1});
  cubes.time.end = 0.1;
  cubes.time.step = 2e-4;
  all.push_back({"cubes, barrier", cubes});

  Model balls = balls_on_floor(20, 0.4);
  without_floor(balls);
  add_ball(balls, {-0.05, 0.01, 0.004}, {0.2, 0.1, 0}, {1, 5, -1});
  add_ball(balls, {0.0505, -0.01, 0}, {-0.2, 0, 0.1}, {0, 3, 2});
  balls.time.end = 0.05;
  balls.time.step = 2e-4;
  balls.materials[0].young = 2e6;
  balls.materials[0].poisson = 0.3;
  all.push_back({"balls, Hooke", balls});
  balls.interfaces[0].rolling = {.coefficient = 0.1, .stiffness = 20, .damping_ratio = 0.3};
  all.push_back({"balls, Hooke, rolling resistance", balls});
  balls.interfaces[0].rolling = {};
  balls.interfaces[0].normal = contact::HertzParameters{};
  all.push_back({"balls, Hertz", balls});
  balls.interfaces[0].friction.rule = contact::TangentialStiffness::mindlin;
  all.push_back({"balls, Hertz, Mindlin", balls});
  return all;
}

/// Cells whose faces lie between the two bodies of meeting_pairs(), or do not.
PeriodicCell cell_from(const Vec3& low, double length) {
  PeriodicCell cell;
  cell.low = low;
  cell.length = Vec3::Constant(length);
  return cell;
}

TEST(Periodic, APairThatMeetsThroughAFaceMovesAsOneThatDoesNot) {
  for (auto& [name, model] : meeting_pairs()) {
    SCOPED_TRACE(name);
    model.solver.newton_relative = 1e-13;
    const LastState open = run_model(model, MPI_COMM_WORLD);
    model.periodic = cell_from(Vec3::Constant(-0.25), 0.5);
    RunReport report;
    const double middle = largest_difference(open, run_model(model, MPI_COMM_WORLD, &report));
    EXPECT_GT(report.max_contacts, 0);
    EXPECT_GT(report.energy.friction_loss, 0);
    model.periodic = cell_from({0, -0.25, -0.25}, 0.5);
    const double face = largest_difference(open, run_model(model, MPI_COMM_WORLD));
    model.periodic = cell_from(Vec3::Zero(), 0.5);
    const double corner = largest_difference(open, run_model(model, MPI_COMM_WORLD));
    if (this_rank() == 0)
      std::printf("%s: in the middle %.1e, through a face %.1e, through a corner %.1e\n", name.c_str(),
                  middle, face, corner);
    EXPECT_LT(middle, 1e-12);
    EXPECT_LT(face, 1e-12);
    EXPECT_LT(corner, 1e-12);
  }
}

std::vector<std::pair<std::string, std::shared_ptr<const elements::Integrator>>> integrators() {
  return {{"newmark", std::make_shared<elements::Newmark>(0.3, 0.5)},
          {"variational 1/2", std::make_shared<elements::VariationalMidpoint>()},
          {"variational 0", std::make_shared<elements::VariationalStart>()},
          {"trapezoidal 1/2", std::make_shared<elements::Trapezoidal>(0.5)}};
}

TEST(Periodic, TheTangentIsThatOfTheResidualWithImagesUnderEveryIntegrator) {
  // Each ball touches each other one, the pairs of a row on both sides of the cell, and the floor.
  Model balls = balls_on_floor(50, 0.5);
  balls.periodic.length = Vec3(0.1995, 0.1996, 0);
  balls.periodic.low = Vec3(-0.02, 0.03, 0);
  add_ball(balls, {0, 0, 0.0495}, {0.05, 0, -0.02}, {1, 2, 3});
  add_ball(balls, {0.0998, 0, 0.0497}, {0, 0.1, 0}, {-1, 0, 2});
  add_ball(balls, {0, 0.0998, 0.0498}, {0, 0, 0.1}, {0, 3, 0});
  add_ball(balls, {0.0999, 0.0997, 0.0495}, {0.1, 0, 0}, {0, 1, 0});
  for (const auto& [name, integrator] : integrators()) {
    balls.integrator = integrator;
    const double error = test::tangent_error(balls, 1e-3, 2e-6);
    if (this_rank() == 0) std::printf("%-16s %.1e\n", name.c_str(), error);
    EXPECT_LT(error, 1e-6) << name;
  }
}

TEST(Periodic, ABodyIsHeldByTheSameNeighbourOnBothSides) {
  // Two balls in an infinite row: squeezed by 2e-4 m at each of the two contacts per period, which stay.
  Model row = balls_on_floor(0, 0);
  without_floor(row);
  row.periodic.length = Vec3(0.1996, 0, 0);
  add_ball(row, {0.01, 0, 0});
  add_ball(row, {0.1098, 0, 0});
  row.time.end = 0.02;
  row.time.step = 1e-3;
  RunReport report;
  const LastState last = run_model(row, MPI_COMM_WORLD, &report);
  EXPECT_EQ(report.max_contacts, 2);
  EXPECT_NEAR(last.energies.back(), 2 * 0.5 * 2e4 * 2e-4 * 2e-4, 1e-12);
  EXPECT_LT(last.velocity(0).norm() + last.velocity(1).norm(), 1e-11);
}

/// Elastic balls without friction that fly to and fro.
Model gas(int copies) {
  Model model = balls_on_floor(0, 0);
  without_floor(model);
  constexpr double kPeriod = 0.5;
  model.periodic = cell_from(Vec3::Zero(), kPeriod);
  model.periodic.length[0] *= copies;
  for (int copy = 0; copy < copies; ++copy) {
    for (int k = 0; k < 12; ++k) {
      const Vec3 x(0.05 + 0.167 * (k % 3) + copy * kPeriod, 0.05 + 0.25 * (k / 3 % 2), 0.05 + 0.25 * (k / 6));
      add_ball(model, x, Vec3(2 * std::cos(5.0 * k), 2 * std::sin(2.0 * k), 2 * std::cos(3.0 * k + 1)));
    }
  }
  model.integrator = std::make_shared<elements::Newmark>(0.25, 0.5);
  model.time.step = 4e-4;
  model.solver.newton_relative = 1e-12;
  return model;
}

TEST(Periodic, AGasKeepsItsMomentumOverManyCrossings) {
  Model model = gas(1);
  model.time.end = 1;
  RunReport report;
  const LastState last = run_model(model, MPI_COMM_WORLD, &report);
  Vec3 before = Vec3::Zero(), after = Vec3::Zero();
  double crossings = 0;
  for (std::size_t k = 0; k < model.bodies.size(); ++k) {
    before += model.bodies[k].velocity;
    after += last.velocity(k);
    crossings += ((last.position(k) - model.bodies[k].position).array() / 0.5).abs().floor().sum();
  }
  double swing = 0;
  for (const double energy : last.energies)
    test::keep_largest(swing, std::abs(energy / last.energies[0] - 1));
  if (this_rank() == 0)
    std::printf("%d ranks: momentum changed by %.1e N s, %g periods crossed, energy by %.1e\n", rank_count(),
                (after - before).norm(), crossings, swing);
  EXPECT_GT(crossings, 24);
  EXPECT_GT(report.max_contacts, 1);
  EXPECT_LT((after - before).norm(), 1e-10);
  // Newmark's quadrature of contact that begins within a step, as without periods; not a bound of the cell.
  EXPECT_LT(swing, 2e-2);
}

TEST(Periodic, TheSameGasTwiceInTwoCellsIsTwiceTheGas) {
  Model one = gas(1), two = gas(2);
  one.time.end = two.time.end = 0.2;
  RunReport report_one, report_two;
  const LastState alone = run_model(one, MPI_COMM_WORLD, &report_one);
  const LastState both = run_model(two, MPI_COMM_WORLD, &report_two);
  double worst = 0;
  for (std::size_t k = 0; k < 12; ++k) {
    for (const std::size_t copy : {0, 12}) {
      const Vec3 way = alone.position(k) - one.bodies[k].position;
      test::keep_largest(worst, (both.position(k + copy) - two.bodies[k + copy].position - way).norm());
      test::keep_largest(worst, (both.velocity(k + copy) - alone.velocity(k)).norm());
    }
  }
  for (std::size_t n = 0; n < alone.energies.size(); ++n)
    test::keep_largest(worst, std::abs(both.energies[n] / alone.energies[n] - 2));
  EXPECT_EQ(report_two.max_contacts, 2 * report_one.max_contacts);
  EXPECT_GT(report_one.max_contacts, 0);
  if (this_rank() == 0) std::printf("%d ranks: two cells against one %.1e\n", rank_count(), worst);
  EXPECT_LT(worst, 1e-8);
}

/// 27 cubes and balls in a cell that repeats itself in x and y, above a floor.
Model sliding_layer() {
  Model model = cubes_on_floor(0.3, 0.3);
  model.periodic.length = Vec3(0.6, 0.55, 0);
  model.periodic.low = Vec3(-0.1, 0.3, 0);
  model.shapes.push_back(make_sphere("ball", 0.05));
  for (int k = 0; k < 27; ++k) {
    const int x = k % 3, y = (k / 3) % 3, z = k / 9;
    const Vec3 tilt(0.3 * std::sin(1.0 + k), 0.3 * std::cos(2.0 * k), 0.5 * std::sin(3.0 * k));
    add_cube(model, {0.2 * x, 0.18 * y, 0.1 + 0.18 * z}, rotation::quaternion(tilt),
             {0.5 + 0.8 * std::cos(5.0 * k), 0.6 * std::sin(2.0 * k), -0.8},
             {std::sin(7.0 * k), 0.5, std::cos(k)});
    if (k % 4 != 0) continue;
    model.bodies.back().shape = 1;
    model.bodies.back().inertia_B = 2 * 0.4 * 0.0025 * Mat3::Identity();
  }
  test_runs::take_adaptive_steps(model, 0.092);
  return model;
}

TEST(Periodic, TheFacesOfTheCellAreNowhere) {
  const Model model = sliding_layer();
  RunReport report;
  const LastState first = run_model(model, MPI_COMM_WORLD, &report);
  EXPECT_GT(report.max_contacts, 8);
  // Half a cell, and each body in a cell of its own to begin with.
  Model other = model;
  other.periodic.low += 0.5 * other.periodic.length;
  for (std::size_t b = 0; b < other.bodies.size(); ++b)
    other.bodies[b].position += (static_cast<double>(b % 3) - 1) * other.periodic.length;
  LastState last = run_model(other, MPI_COMM_WORLD);
  for (std::size_t b = 0; b < other.bodies.size(); ++b) {
    for (int k = 0; k < 3; ++k)
      last.values[13 * b + static_cast<std::size_t>(k)] -=
          other.bodies[b].position[k] - model.bodies[b].position[k];
  }
  const double worst = largest_difference(first, last);
  if (this_rank() == 0) std::printf("%d ranks: cell moved by half: %.1e\n", rank_count(), worst);
  // Impacts multiply differences of the solver's tolerance, as in Run.GivesTheSameTrajectory...
  EXPECT_LT(worst, 1e-6);
}

TEST(Periodic, TheTrajectoryIsTheSameOnAnyNumberOfRanksAndTheBitsOnTheSame) {
  const Model model = sliding_layer();
  RunReport report;
  const LastState together = run_model(model, MPI_COMM_WORLD, &report);
  const LastState again = run_model(model, MPI_COMM_WORLD);
  EXPECT_EQ(together.values, again.values);
  const double worst = largest_difference(together, run_model(model, MPI_COMM_SELF));
  EXPECT_LT(worst, 1e-6);
  if (this_rank() == 0)
    std::printf("%d ranks: largest difference to one rank %.1e, %ld steps, migrated: %d\n", rank_count(),
                worst, report.steps, together.migrated);
}

TEST(Periodic, ABlockSlidesThroughTheFacesAsOnAnEndlessFloor) {
  if (ranks::rank_count() > 2) GTEST_SKIP() << "few bodies, many steps";
  Model model = cubes_on_floor(0.3, 0.3);
  // At rest on the law: four vertices carry 19.62 N.
  const double standing = 1e-3 - std::cbrt(19.62 / 4 / 2.8e13);
  add_cube(model, {0.01, 0, 0.05 + standing}, Quat::Identity(), {4, 0.5, 0});
  model.time.end = 1.2;
  model.time.step = 1e-3;
  model.solver.newton_relative = 1e-11;
  const LastState endless = run_model(model, MPI_COMM_WORLD);
  model.periodic.length = Vec3(0.18, 0, 0);
  model.periodic.low = Vec3(-0.07, 0, 0);
  // A strip that ends beyond the faces acts like an infinite one.
  Model strip = model;
  strip.walls.push_back(
      make_surface("strip", {{-0.3, -2, 0}, {0.4, -2, 0}, {0.4, 2, 0}, {-0.3, 2, 0}}, {{0, 1, 2, 3}}));
  strip.boundary_parts[0].wall = 0;
  strip.boundary_parts[0].point = strip.walls[0].shift;
  const double on_strip = largest_difference(endless, run_model(strip, MPI_COMM_WORLD));
  EXPECT_LT(on_strip, 1e-9);
  model.periodic.length = Vec3(0.18, 0.2, 0);
  model.periodic.low = Vec3(-0.07, 0.05, 0);
  const LastState wrapped = run_model(model, MPI_COMM_WORLD);
  const double way = wrapped.position(0).x();
  if (this_rank() == 0)
    std::printf("%g m or %.0f periods; difference %.1e, on a strip %.1e\n", way, way / 0.18,
                largest_difference(endless, wrapped), on_strip);
  EXPECT_GT(way, 10 * 0.18);
  EXPECT_LT(wrapped.velocity(0).x(), 4 - 0.95 * 0.3 * 9.81 * 1.2);
  EXPECT_LT(largest_difference(endless, wrapped), 1e-9);
  double energy = 0;
  for (std::size_t n = 0; n < endless.energies.size(); ++n)
    test::keep_largest(energy, std::abs(wrapped.energies[n] - endless.energies[n]));
  EXPECT_LT(energy, 1e-9);
}

TEST(Periodic, ADrumWithoutEndsIsTheSameEverywhereAlongItsAxis) {
  Model model = cubes_on_floor(0.3, 0.4);
  model.periodic.length = Vec3(0, 0.5, 0);
  model.walls = {make_bore("drum", 0.3)};
  model.boundary_parts = {{0, Vec3(0, 1, 0), Vec3::UnitY(), 0}};
  model.boundaries[0].motion.angular_velocity = Vec3(0, 3, 0);
  for (int k = 0; k < 6; ++k)
    add_cube(model, {0.12 * (k % 2) - 0.06, 0.17 * (k / 2), -0.15}, rotation::quaternion({0.3 * k, 0.2, 0}),
             {0, 0.6, 0});
  test_runs::take_adaptive_steps(model, 0.15);
  RunReport report;
  const LastState first = run_model(model, MPI_COMM_WORLD, &report);
  EXPECT_GE(report.max_contacts, 5);
  model.periodic.low[1] = 0.29;
  const double worst = largest_difference(first, run_model(model, MPI_COMM_WORLD));
  if (this_rank() == 0) std::printf("%d ranks: drum, cell moved: %.1e\n", rank_count(), worst);
  EXPECT_LT(worst, 1e-6);
}

}  // namespace
}  // namespace scree
