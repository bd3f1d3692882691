/// Equilibrium, bonds and near-field forces through faces of the periodic cell, on 1, 2 and 4 ranks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "assembly/test_ranks.hpp"
#include "core/error.hpp"
#include "solvers/test_runs.hpp"

namespace scree {
namespace {

using ranks::rank_count;
using ranks::this_rank;
using test_runs::add_ball;
using test_runs::balls_on_floor;
using test_runs::LastState;
using test_runs::run_model;

/// Two layers of 3 x 3 balls that nearly fill the cell, the upper ones in the hollows, askew.
Model packing() {
  Model model = balls_on_floor(0, 0.4);
  model.analysis = Analysis::quasi_static;
  constexpr double kSpacing = 0.1003;
  model.periodic.length = Vec3(3 * kSpacing, 3 * kSpacing, 0);
  for (int k = 0; k < 18; ++k) {
    const double shift = k < 9 ? 0 : 0.5;
    const Vec3 askew(4e-4 * std::sin(3.0 * k), 4e-4 * std::cos(5.0 * k), 0);
    add_ball(model,
             Vec3(kSpacing * (k % 3 + shift), kSpacing * (k / 3 % 3 + shift), k < 9 ? 0.05 : 0.1215) + askew);
  }
  model.time.end = model.time.step = 1;
  model.solver.newton_relative = 1e-10;
  return model;
}

TEST(PeriodicForces, TheFloorCarriesTheWeightOfAPackingWithoutSides) {
  Model model = packing();
  RunReport report;
  const LastState first = run_model(model, MPI_COMM_WORLD, &report);
  const double weight = 18 * 9.81;
  if (this_rank() == 0)
    std::printf("%d ranks: floor %.9f N of %.9f N, sideways %.1e N, %ld contacts\n", rank_count(),
                first.floor.z(), -weight, std::hypot(first.floor.x(), first.floor.y()), report.max_contacts);
  EXPECT_NEAR(first.floor.z(), -weight, 1e-6 * weight);
  EXPECT_LT(std::hypot(first.floor.x(), first.floor.y()), 1e-6 * weight);
  EXPECT_GE(report.max_contacts, 9 + 36);  // each of the upper ones on four of the lower ones
  // Where friction lets it end depends on the way there: changes of positions by 1e-16 m alone end up to 4e-5
  // m apart (docs/quasi_static.md). What is carried does not.
  model.periodic.low = 0.5 * model.periodic.length + Vec3(1e-3, 2e-3, 0);
  const LastState moved = run_model(model, MPI_COMM_WORLD);
  EXPECT_NEAR(moved.floor.z(), -weight, 1e-6 * weight);
  EXPECT_LT(std::hypot(moved.floor.x(), moved.floor.y()), 1e-6 * weight);
  const double worst = test_runs::largest_difference(first.values, moved.values);
  if (this_rank() == 0) std::printf("%d ranks: cell moved: %.1e m\n", rank_count(), worst);
  EXPECT_LT(worst, 0.05);  // of a ball's radius, 0.05 m
}

/// Balls in a row along x, 0.1 m apart, far above the floor, without weight.
Model row(int count) {
  Model model = balls_on_floor(0, 0);
  model.gravity.setZero();
  for (int k = 0; k < count; ++k)
    add_ball(model, Vec3(0.02 + 0.1 * k, 0.01, 1), Vec3(3, 0.1 * std::sin(2.0 * k), 0.1 * std::cos(3.0 * k)));
  model.time.end = 0.2;
  model.time.step = 4e-4;
  model.solver.newton_relative = 1e-13;
  return model;
}

PeriodicCell cell_of(double low, double length) {
  PeriodicCell cell;
  cell.low[0] = low;
  cell.length[0] = length;
  return cell;
}

TEST(PeriodicForces, BondsHoldThroughFacesWhileTheyCrossThem) {
  Model model = row(2);
  model.bonds = contact::BondParameters{.stiffness = 1e4, .within = 0.01};
  const LastState open = run_model(model, MPI_COMM_WORLD);
  model.periodic = cell_of(0.07, 0.25);  // a face between the two; the row passes two more
  RunReport report;
  const LastState across = run_model(model, MPI_COMM_WORLD, &report);
  EXPECT_EQ(report.bonds, 1);
  EXPECT_GT(across.position(0).x(), 0.6);
  const double worst = test_runs::largest_difference(open.values, across.values);
  if (this_rank() == 0) std::printf("%d ranks: bonds through faces %.1e\n", rank_count(), worst);
  EXPECT_LT(worst, 1e-11);
}

TEST(PeriodicForces, ARowIsBondedToItselfThroughTheFace) {
  Model model = row(4);
  model.bonds = contact::BondParameters{.stiffness = 1e4, .within = 0.01};
  model.periodic = cell_of(0, 0.4);
  RunReport report;
  const LastState first = run_model(model, MPI_COMM_WORLD, &report);
  EXPECT_EQ(report.bonds, 4);
  for (const double energy : first.energies) EXPECT_NEAR(energy, first.energies[0], 1e-3 * first.energies[0]);
  // Two balls in a short cell have two bonds with each other.
  model = row(2);
  model.bonds = contact::BondParameters{.stiffness = 1e4, .within = 0.01};
  model.periodic = cell_of(0, 0.2);
  run_model(model, MPI_COMM_WORLD, &report);
  EXPECT_EQ(report.bonds, 2);
}

TEST(PeriodicForces, BondsThroughFacesTakeThePlaceOfContact) {
  Model model = row(2);
  model.bodies[1].position.x() = 0.02 - 0.09;  // they overlap by 1 cm
  for (BodyDescription& body : model.bodies) body.velocity = Vec3(3, 0, 0);
  model.bodies[1].position.y() = model.bodies[0].position.y();
  model.bonds = contact::BondParameters{.stiffness = 1e4, .within = 0.02};
  const LastState open = run_model(model, MPI_COMM_WORLD);
  model.periodic = cell_of(-0.01, 0.25);
  const LastState across = run_model(model, MPI_COMM_WORLD);
  EXPECT_LT(test_runs::largest_difference(open.values, across.values), 1e-11);
}

TEST(PeriodicForces, NearFieldForcesActThroughFaces) {
  Model model = row(3);
  model.near_fields = {{.attraction = 1e-3, .attraction_exponent = 2, .cutoff = 0.25}};
  const LastState open = run_model(model, MPI_COMM_WORLD);
  model.periodic = cell_of(0.07, 0.71);  // further than the cut-off around the row
  const LastState across = run_model(model, MPI_COMM_WORLD);
  const double worst = test_runs::largest_difference(open.values, across.values);
  if (this_rank() == 0) std::printf("%d ranks: near-field forces through faces %.1e\n", rank_count(), worst);
  EXPECT_LT(worst, 1e-11);
  // In an infinite row that is evenly spaced, forces cancel; without the faces the ends give
  // way.
  Model even = row(3);
  for (BodyDescription& body : even.bodies) body.velocity.setZero();
  even.near_fields = {{.attraction = 1e-3, .attraction_exponent = 2, .cutoff = 0.65}};  // two periods
  for (std::size_t k = 0; k < 3; ++k) even.bodies[k].position.x() = 0.11 * static_cast<double>(k);
  const LastState drawn = run_model(even, MPI_COMM_WORLD);
  EXPECT_GT(drawn.velocity(0).x(), 1e-3);
  even.periodic = cell_of(0, 0.33);
  const LastState held = run_model(even, MPI_COMM_WORLD);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_LT(held.velocity(k).norm(), 1e-12);
}

TEST(PeriodicForces, OverlapThroughAFaceIsRefusedAtTheStart) {
  Model model = test::cubes_on_floor(0.3, 0.3);
  test::add_cube(model, {0.02, 0, 0.06});
  test::add_cube(model, {0.625, 0, 0.06});
  model.bodies[0].where = "/bodies/0";
  model.periodic = cell_of(0, 0.7);
  model.time.end = 1;
  const std::string text = test_runs::refusal(model);
  EXPECT_THAT(text, ::testing::HasSubstr("body 0 and body 1: overlap of 0.005 m at t = 0"));
  EXPECT_THAT(text, ::testing::HasSubstr("through a face of the periodic cell"));
}

}  // namespace
}  // namespace scree
