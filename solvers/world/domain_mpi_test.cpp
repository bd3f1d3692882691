/// Bodies that leave the domain for good, and energy that is measured against what is at play.
#include "solvers/world/domain.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "assembly/test_ranks.hpp"
#include "core/shapes/shape.hpp"
#include "solvers/test_runs.hpp"

namespace scree {
namespace {

using test_runs::add_ball;
using test_runs::balls_on_floor;

/// A square table of 1 m at z = 0 instead of the infinite floor.
Model table() {
  Model model = balls_on_floor(20, 0.3);
  model.walls.push_back(make_surface(
      "table", {{-0.5, -0.5, 0}, {0.5, -0.5, 0}, {0.5, 0.5, 0}, {-0.5, 0.5, 0}}, {{0, 1, 2, 3}}));
  model.boundary_parts = {{0, Vec3::Zero(), Vec3::UnitZ(), 0}};
  model.time.end = 1.5;
  model.time.step = 1e-3;
  return model;
}

/// @returns codes of the warnings, in their order.
std::vector<std::string> codes(const RunReport& report) {
  std::vector<std::string> all;
  for (const Warning& one : report.warnings) all.push_back(one.code);
  return all;
}

RunReport run_of(const Model& model) {
  RunReport report;
  test_runs::run_model(model, MPI_COMM_WORLD, &report);
  return report;
}

TEST(Domain, BodiesThatFallPastEveryBoundaryAreCountedAndNamed) {
  Model model = table();
  add_ball(model, {0, 0, 0.05});
  add_ball(model, {0.7, 0, 0.05});
  add_ball(model, {0.3, 0, 0.05}, {1, 0, 0});  // rolls over the edge
  model.bodies[1].name = "lost";
  const RunReport report = run_of(model);
  EXPECT_EQ(report.left.count, 2);
  EXPECT_EQ(report.left.first, 1);
  EXPECT_NEAR(report.left.place.z(), 0.05 - 0.5 * 9.81 * 1.5 * 1.5, 1e-3);
  ASSERT_THAT(codes(report), ::testing::ElementsAre("bodies_left"));
  EXPECT_THAT(report.warnings[0].message, ::testing::HasSubstr("2 bodies left the domain, first body "
                                                               "\"lost\""));
  EXPECT_LT(report.warnings[0].time, 0.5);  // known long before the end
  // What falls for ever is not at play: three balls of 1 kg fell a few diameters, one came with 0.5 J.
  EXPECT_LT(report.energy.reference, 10);
  EXPECT_GT(report.energy.reference, 0.5);
}

TEST(Domain, WhatHangsBelowAFixedBodyHasNotLeft) {
  Model model = table();
  add_ball(model, {0, 0, 0.05});
  model.bodies[0].fixed.fill(true);
  add_ball(model, {0.7, 0, 0.05});  // as if it hung on the other one: the domain measures 1.6 m across
  model.time.end = 0.5;             // 1.2 m below
  EXPECT_EQ(run_of(model).left.count, 0);
  model.time.end = 0.8;  // 3.1 m below
  EXPECT_EQ(run_of(model).left.count, 1);
}

TEST(Domain, WhatIsStillAboveABoundaryOrOnItHasNotLeft) {
  Model model = table();
  model.time.end = 0.05;
  add_ball(model, {0, 0, 2}, {0, 0, 3});  // comes back
  add_ball(model, {0.7, 0, 0.05});        // has just begun to fall
  add_ball(model, {0, 0.2, 0.05});
  EXPECT_EQ(run_of(model).left.count, 0);
}

TEST(Domain, AnEndlessFloorOrSlopeStopsEveryFallAVerticalWallNone) {
  Model model = balls_on_floor(20, 0.3);
  model.time.end = 1;
  model.time.step = 1e-3;
  model.boundary_parts[0].normal = Vec3(1, 0, 1).normalized();
  add_ball(model, {0, 0, 0.08});  // slides down, far below where it began
  EXPECT_EQ(run_of(model).left.count, 0);
  model.boundary_parts[0].normal = Vec3::UnitX();
  model.bodies[0].position = {0.2, 0, 0};
  const RunReport report = run_of(model);
  EXPECT_EQ(report.left.count, 1);
  EXPECT_LT(report.energy.reference, 5);
}

TEST(Domain, AFloorThatInteractsWithNoBodyStopsNothing) {
  Model model = balls_on_floor(20, 0.3);
  model.materials.push_back(model.materials[0]);
  model.boundaries[0].material = 1;
  model.interface_of = {{0, -1}, {-1, -1}};
  add_ball(model, {0, 0, 0.05});
  model.time.end = 1.5;
  model.time.step = 1e-2;
  EXPECT_EQ(run_of(model).left.count, 1);
  model.interface_of = {{0, 0}, {0, -1}};
  EXPECT_EQ(run_of(model).left.count, 0);
}

TEST(Domain, WithoutABoundaryThereIsNothingToLeave) {
  Model model = table();
  model.boundaries.clear();
  model.boundary_parts.clear();
  add_ball(model, {0, 0, 0});
  const RunReport report = run_of(model);
  EXPECT_EQ(report.left.count, 0);
  EXPECT_NEAR(report.energy.reference, 0.5 * 9.81 * 9.81 * 1.5 * 1.5, 0.2);
}

TEST(Domain, ABodyThatIsThrownOutOfReachHasLeft) {
  Model model = balls_on_floor(0, 0);
  model.time.end = 1;
  model.time.step = 1e-3;
  add_ball(model, {0, 0, 0.05}, {0, 0, 40});
  EXPECT_EQ(run_of(model).left.count, 1);  // comes back after 8 s
  model.bodies[0].velocity = {40, 0, 0};   // along the floor, which has no end
  EXPECT_EQ(run_of(model).left.count, 0);
  model.bodies[0].velocity = {0, 0, 3};
  EXPECT_EQ(run_of(model).left.count, 0);
}

TEST(Domain, ABoundaryThatIsSwitchedOffStopsNothing) {
  Model model = balls_on_floor(20, 0.3);
  model.boundaries[0].active_until = 0.1;
  add_ball(model, {0, 0, 0.05});
  model.time.end = 0.6;
  model.time.step = 1e-3;
  EXPECT_EQ(run_of(model).left.count, 1);
}

TEST(ReferenceEnergy, IsThatOfTheMotionWhateverTheHeightOfTheOrigin) {
  if (ranks::rank_count() > 2) GTEST_SKIP() << "few bodies, many steps";
  std::vector<double> found;
  for (const double height : {0.0, 1e3, -1e3}) {
    Model model = balls_on_floor(20, 0.3);
    model.boundary_parts[0].point.z() = height;
    add_ball(model, {0, 0, height + 0.55}, {1, 0, 0}, {0, 10, 0});
    model.time.end = 0.6;
    model.time.step = 2e-4;
    found.push_back(run_of(model).energy.reference);
  }
  // 1 kg falls by 0.5 m and a little more while it presses the floor; begins with 0.5 J and 0.05 J of spin.
  EXPECT_NEAR(found[0], 9.81 * 0.5 + 0.55, 0.3);
  EXPECT_NEAR(found[1], found[0], 1e-6);
  EXPECT_NEAR(found[2], found[0], 1e-6);
}

TEST(ReferenceEnergy, EnergyThatTheStepsMakeIsNotInItAndIsWarnedOf) {
  // An undamped ball on a spring, by a scheme that makes energy in each step: gamma below 1/2.
  Model model = balls_on_floor(0, 0);
  model.gravity.setZero();
  model.integrator = std::make_shared<elements::Newmark>(0.2, 0.45);
  add_ball(model, {0, 0, 0.045});
  model.time.end = 0.02;
  model.time.step = 2e-3;
  const RunReport report = run_of(model);
  const double stored = 0.5 * 2e4 * 0.005 * 0.005;
  EXPECT_NEAR(report.energy.reference, stored, 1e-12);
  EXPECT_GT(report.energy.closure_error(), 0.01 * stored);
  EXPECT_THAT(codes(report), ::testing::ElementsAre("stored_energy", "energy_created", "overlap"));
}

TEST(StoredEnergy, IsWarnedOfWhereItIsMuchAndNotInBalance) {
  const auto warned = [](const Model& model) {
    const auto all = codes(run_of(model));
    return std::count(all.begin(), all.end(), "stored_energy");
  };
  Model model = balls_on_floor(20, 0.3);
  model.time.end = 1e-3;
  model.time.step = 1e-4;
  add_ball(model, {0, 0, 0.05 - 9.81 / 2e4});  // at rest on the floor
  EXPECT_EQ(warned(model), 0);
  model.bodies[0].position.z() = 0.045;  // 0.25 J, and weight times radius is 0.49 J
  EXPECT_EQ(warned(model), 0);
  model.bodies[0].position.z() = 0.04;  // 1 J
  EXPECT_EQ(warned(model), 1);
  // The same between two walls that face each other: nothing is thrown anywhere.
  model.gravity.setZero();
  model.boundary_parts.push_back({0, {0, 0, 0.08}, -Vec3::UnitZ()});
  EXPECT_EQ(warned(model), 0);
  model.boundary_parts.pop_back();
  EXPECT_EQ(warned(model), 1);
  model.bodies[0].velocity = {0, 0, 2};  // 2 J of motion: it is one form among others
  EXPECT_EQ(warned(model), 0);
}

TEST(StartOverlap, IsWarnedOfWhereItIsMoreThanHalfOfABodyWhateverItWeighs) {
  const auto warned = [](double z) {
    Model model = balls_on_floor(20, 0.3);
    model.time.end = 2e-4;
    model.time.step = 1e-4;
    add_ball(model, {0, 0, z});
    model.bodies[0].mass *= 1e6;  // its weight outweighs what the contact stores
    return run_of(model).warnings;
  };
  for (const Warning& one : warned(0.026)) EXPECT_NE(one.code, "overlap_at_start");
  const std::vector<Warning> all = warned(0.02);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].code, "overlap_at_start");
  EXPECT_THAT(all[0].message, ::testing::HasSubstr("overlap 60 % of the bounding radius"));
  EXPECT_EQ(all[1].code, "overlap");
  EXPECT_THAT(all[1].message, ::testing::HasSubstr("see its warning"));
}

TEST(StoredEnergy, IsWarnedOfWhereABoundaryBecomesActiveInABodyWithItsNameAndTime) {
  Model model = balls_on_floor(20, 0.3);
  model.boundaries[0].active_from = 1e-3;
  model.time.end = 5e-3;
  model.time.step = 1e-4;
  add_ball(model, {0, 0, 0.045});  // 0.25 J, and weight times radius is 0.49 J
  EXPECT_THAT(codes(run_of(model)), ::testing::ElementsAre("overlap"));
  model.bodies[0].position.z() = 0.04;  // 1 J
  const RunReport report = run_of(model);
  ASSERT_THAT(codes(report), ::testing::ElementsAre("stored_energy", "overlap"));
  EXPECT_EQ(report.warnings[0].where, "boundary \"floor\"");
  EXPECT_NEAR(report.warnings[0].time, 1e-3, 1e-12);
  EXPECT_THAT(report.warnings[0].message,
              ::testing::AllOf(::testing::HasSubstr("stored energy 1 J at activation, t = 0.001 s (kinetic"),
                               ::testing::HasSubstr("activate it at another time.")));
  // A higher stiffness would store more.
  EXPECT_THAT(report.warnings[1].message, ::testing::HasSubstr("see its warning"));
  EXPECT_THAT(report.warnings[1].message, ::testing::Not(::testing::HasSubstr("too soft")));
  model.boundaries.push_back(model.boundaries[0]);
  model.boundaries[1].name = "lid";
  model.boundary_parts.push_back({1, {0, 0, 1}, -Vec3::UnitZ()});
  EXPECT_EQ(run_of(model).warnings[0].where, "boundaries \"floor\", \"lid\"");
}

}  // namespace
}  // namespace scree
