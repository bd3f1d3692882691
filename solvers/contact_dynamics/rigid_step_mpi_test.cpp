/// Contact dynamics from a model to its outputs, against exact statics and impacts; on 1, 2 and 4 ranks.
#include "solvers/contact_dynamics/rigid_step.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <tuple>

#include "assembly/test_ranks.hpp"
#include "contact/test_bodies.hpp"
#include "core/error.hpp"
#include "core/test_extremes.hpp"
#include "solvers/contact_dynamics/test_rigid_steps.hpp"
#include "solvers/test_models.hpp"
#include "solvers/test_runs.hpp"
#include "solvers/time_loop.hpp"

namespace scree {
namespace {

using rigid_steps::add_ball;
using rigid_steps::last_of;
using rigid_steps::LastStep;
using rigid_steps::rigid_cubes;
using test::add_cube;

constexpr double kGravity = 9.81;

TEST(RigidStep, CubeLandsFlatAndStays) {
  Model model = rigid_cubes();
  add_cube(model, {0, 0, 0.0501});
  RunReport report;
  const LastStep last = last_of(model, &report);
  EXPECT_NEAR(last.place(0).z(), 0.05, 1e-15);
  EXPECT_LT(last.velocity(0).norm(), 1e-12);
  EXPECT_NEAR(last.force(0).z(), 2 * kGravity, 1e-9);
  EXPECT_NEAR(last.floor.force.z(), -2 * kGravity, 1e-9);
  EXPECT_GE(last.lowest_gap, -1e-15);
  EXPECT_EQ(report.cuts, 0);
}

/// All four corners close exactly at the end of a step: round-off has some of them closed and some not.
TEST(RigidStep, CornersThatCloseAtTheEndOfAStepReboundTogether) {
  for (const double restitution : {0.0, 0.3, 0.6, 1.0}) {
    for (int turn = 0; turn < 12; ++turn) {
      const Quat q(Eigen::AngleAxisd(0.3 * turn, Vec3(1, 2 - 0.3 * turn, 0.5).normalized()));
      Model model = rigid_cubes(restitution);
      model.gravity.setZero();
      model.boundary_parts[0].normal = q * Vec3::UnitZ();
      model.time.step = 1e-3;
      add_cube(model, q * Vec3(0.01, -0.02, 0.054), q, q * Vec3(0, 0, -1));
      const LastStep last = last_of(model);
      EXPECT_LT((last.velocity(0) - q * Vec3(0, 0, restitution)).norm(), 1e-9) << restitution << ", " << turn;
      EXPECT_LT(Vec3(&last.bodies[6]).norm(), 1e-8) << restitution << ", " << turn;
    }
  }
}

TEST(RigidStep, AStateThatStepsLeaveCanBeAStart) {
  Model model = rigid_cubes();
  add_cube(model, {0, 0, 0.05 - 5e-5});
  add_cube(model, {0, 0, 0.15 - 8e-5});
  model.time.end = 0.2;
  const LastStep last = last_of(model);
  EXPECT_NEAR(last.place(0).z(), 0.05, 1e-6);
  EXPECT_NEAR(last.place(1).z(), 0.15, 1e-6);
  EXPECT_LT(last.velocity(1).norm(), 1e-4);
  const double lifted = 2 * kGravity * (5e-5 + 8e-5);
  EXPECT_NEAR(last.energy.inflow, lifted, 1e-2 * lifted);
  EXPECT_NEAR(last.energy.closure_error(), 0, 1e-3 * lifted);
}

/// Where steps grow, weight does less in the fall than impacts count as lost: the balance had 20 % too much.
TEST(RigidStep, WhatIsSetDownInGrowingStepsMakesNoEnergy) {
  for (const double gap : {1e-6, 1e-4, 1e-3}) {
    Model model = rigid_cubes();
    add_cube(model, {0, 0, 0.05 + gap});
    add_cube(model, {0, 0, 0.15 + 2 * gap});
    test_runs::take_adaptive_steps(model, 0.2);
    model.time.max = 5e-3;
    const LastStep last = last_of(model);
    const double fall = 2 * kGravity * 3 * gap;
    EXPECT_LT(last.velocity(1).norm(), 1e-9) << gap;
    EXPECT_NEAR(last.energy.closure_error(), 0, 1e-6 * fall) << gap;
    EXPECT_NEAR(last.energy.damping_loss, fall, 1e-6 * fall) << gap;
  }
}

TEST(RigidStep, OverlapThatStepsLeaveCanBeAStartOnABodyThatIsNotConvex) {
  for (const double overlap : {1e-6, 1e-3}) {
    Model model = rigid_cubes();
    model.shapes.push_back(contact::testing::staple());
    BodyDescription staple;
    staple.shape = 1;
    staple.mass = 7;
    staple.inertia_B = Mat3::Identity();
    staple.position = model.shapes[1].shift + Vec3(0, 0, 1);
    staple.fixed.fill(true);
    model.bodies.push_back(staple);
    add_cube(model, {0.01, 0.01, 1.15 - overlap});
    if (overlap < 1e-4) {
      const LastStep last = last_of(model);
      EXPECT_NEAR(last.place(1).z(), 1.15, 2e-6);
      EXPECT_NEAR(last.force(1).z(), 2 * kGravity, 1e-6);
    } else {
      EXPECT_THAT(test_runs::refusal(model), ::testing::HasSubstr("allows at most 1e-3 of the body size"));
    }
  }
}

TEST(RigidStep, LargestForceComesFromBothEndsOfThePile) {
  Model model = rigid_cubes();
  for (int k = 0; k < 4; ++k) add_cube(model, {0.01 * k, 0, 0.05 + 0.1 * k});
  const LastStep last = last_of(model);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_LT(last.velocity(k).norm(), 1e-10) << k;
    EXPECT_NEAR((last.force(k) - Vec3(0, 0, 2 * kGravity)).norm(), 0, 1e-8) << k;
  }
  for (const auto& [pair, force] : last.of_pairs) {
    const auto above = static_cast<double>(pair.second < 0 ? 4 : 4 - std::max(pair.first, pair.second));
    EXPECT_NEAR(force, above * 2 * kGravity, 1e-7) << pair.first << ' ' << pair.second;
  }
}

TEST(RigidStep, CubeFallsOnTwoOthersAndRests) {
  Model model = rigid_cubes();
  model.time.end = 0.06;
  add_cube(model, {0, 0, 0.05});
  add_cube(model, {0.16, 0, 0.05});
  add_cube(model, {0.08, 0, 0.152});
  const LastStep last = last_of(model);
  EXPECT_NEAR(last.place(2).z(), 0.15, 1e-12);
  EXPECT_NEAR(last.floor.force.z(), -6 * kGravity, 1e-7);
}

TEST(RigidStep, CubeSpinsAndSlidesOverFlushJointsUnhindered) {
  if (ranks::rank_count() > 2) GTEST_SKIP() << "few bodies, many steps";
  Model model = rigid_cubes();
  model.time.end = 0.12;
  for (int k = 0; k < 3; ++k) {
    add_cube(model, {0.1 * k, 0, 0.05});
    model.bodies.back().fixed.fill(true);
  }
  add_cube(model, {0.01, 0, 0.15}, Quat::Identity(), {1.5, 0, 0});
  for (const double spin : {0.0, 5.0}) {
    model.bodies.back().angular_velocity = {0, 0, spin};
    const LastStep last = last_of(model);
    EXPECT_NEAR((last.velocity(3) - Vec3(1.5, 0, 0)).norm(), 0, 1e-9) << spin;
    EXPECT_NEAR((last.place(3) - Vec3(0.19, 0, 0.15)).norm(), 0, 1e-9) << spin;
    EXPECT_NEAR(last.bodies[13 * 3 + 8], spin, 1e-9);
  }
}

TEST(RigidStep, CubeStopsAtAStepThatIsNotFlush) {
  Model model = rigid_cubes();
  model.time.end = 0.12;
  add_cube(model, {0, 0, 0.05});
  add_cube(model, {0.1, 0, 0.12});
  for (BodyDescription& body : model.bodies) body.fixed.fill(true);
  add_cube(model, {-0.04, 0, 0.15}, Quat::Identity(), {1.5, 0, 0});
  const LastStep last = last_of(model);
  EXPECT_NEAR((last.place(2) - Vec3(0, 0, 0.15)).norm(), 0, 1e-6);
}

/// The force of a step is that of its start, and so is its work: the mean of both ends made 10 % of it.
TEST(RigidStep, AForceWhoseLeverTurnsGivesTheEnergyThatIsBooked) {
  Model model = rigid_cubes();
  model.gravity = Vec3::Zero();
  model.time.step = 1e-3;
  model.time.end = 0.3;
  add_cube(model, {0, 0, 1});
  model.loads.emplace_back(elements::ForceLoad{.body = 0, .point_B = {0.05, 0.02, 0}, .value = {0, 40, 10}});
  const LastStep last = last_of(model);
  std::printf("work %.6g J, spin %.3g rad/s\n", last.energy.work_of_loads, Vec3(&last.bodies[6]).norm());
  EXPECT_GT(Vec3(&last.bodies[6]).norm(), 10);
  EXPECT_NEAR(last.energy.closure_error(), 0, 1e-10 * last.energy.work_of_loads);
}

TEST(RigidStep, TwoBallsSeparateByNewtonsRestitution) {
  for (const double e : {0.0, 0.4, 1.0}) {
    Model model = rigid_cubes(e);
    model.gravity = Vec3::Zero();
    model.time.step = 1e-3;
    add_ball(model, 0.05, 1, {0, 0, 1}, {1, 0, 0});
    add_ball(model, 0.05, 3, {0.1055, 0, 1}, {-0.5, 0, 0});
    const LastStep last = last_of(model);
    // Momentum -0.5 kg m/s, approach 1.5 m/s.
    const double mean = -0.5 / 4;
    EXPECT_NEAR(last.velocity(0).x(), mean - e * 1.5 * 3 / 4, 1e-12) << e;
    EXPECT_NEAR(last.velocity(1).x(), mean + e * 1.5 * 1 / 4, 1e-12) << e;
    EXPECT_NEAR(last.energy.closure_error(), 0, 1e-13) << e;
  }
}

TEST(RigidStep, BallsThatOthersHitInTheSameStepReboundToo) {
  // One step: the first reaches the second, which has then to reach the third, and so on.
  Model model = rigid_cubes(1);
  model.gravity = Vec3::Zero();
  for (int k = 0; k < 5; ++k) add_ball(model, 0.05, 1, {0.101 * k, 0, 1}, {k == 0 ? 1.0 : 0.0, 0, 0});
  const LastStep last = last_of(model);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(last.velocity(k).x(), k == 4 ? 1 : 0, 1e-12) << k;
  EXPECT_NEAR(last.energy.kinetic(), 0.5, 1e-12);
  EXPECT_NEAR(last.energy.closure_error(), 0, 1e-13);
}

TEST(RigidStep, BallAndCubeSwingInABoreWithTheirEnergy) {
  if (ranks::rank_count() > 2) GTEST_SKIP() << "a long run of one body";
  for (const bool ball : {true, false}) {
    Model model = rigid_cubes();
    model.walls = {make_bore("bore", 0.5)};
    model.boundary_parts = {{0, Vec3::Zero(), Vec3::UnitY(), 0}};
    model.time.end = 2;
    const double angle = 8 * M_PI / 180;
    const double height = ball ? 0.45 : std::sqrt(0.25 - 0.0025) - 0.05;
    const Vec3 x(height * std::sin(angle), 0, -height * std::cos(angle));
    if (ball) {
      add_ball(model, 0.05, 2, x, Vec3::Zero());
    } else {
      add_cube(model, x, Quat(Eigen::AngleAxisd(-angle, Vec3::UnitY())));
    }
    const LastStep last = last_of(model);
    const double swing = 2 * kGravity * height * (1 - std::cos(angle));
    // With gaps that are linear in the step, and their overlap taken out: 4 % more.
    EXPECT_NEAR(last.energy.total(), last.energy.initial_total, 0.004 * swing);
  }
}

TEST(RigidStep, SlidingCubeStaysOnTheFloorAndBrakesByCoulombsForce) {
  Model model = rigid_cubes();
  model.solver.method = RigidMethod::one_step;
  model.interfaces[0].friction = {.static_coefficient = 0.5, .dynamic_coefficient = 0.5};
  add_cube(model, {0, 0, 0.05}, Quat::Identity(), {10, 0, 0});
  const LastStep last = last_of(model);
  EXPECT_NEAR((last.velocity(0) - Vec3(10 - 0.5 * kGravity * model.time.end, 0, 0)).norm(), 0, 1e-6);
  EXPECT_NEAR(last.place(0).z(), 0.05, 1e-8);
}

TEST(RigidStep, BeltTakesACubeAlongFromRest) {
  if (ranks::rank_count() > 2) GTEST_SKIP() << "few bodies, many steps";
  Model model = rigid_cubes();
  model.solver.method = RigidMethod::one_step;
  model.interfaces[0].friction = {.static_coefficient = 0.3, .dynamic_coefficient = 0.3};
  model.boundaries[0].motion.velocity = {1, 0, 0};
  model.time.step = 1e-4;
  model.time.end = 2e-3;
  add_cube(model, {0, 0, 0.05});
  const LastStep last = last_of(model);
  EXPECT_NEAR((last.velocity(0) - Vec3(0.3 * kGravity * model.time.end, 0, 0)).norm(), 0, 1e-8);
  EXPECT_NEAR(last.place(0).z(), 0.05, 1e-10);
}

TEST(RigidStep, MovingFloorLifts) {
  Model model = rigid_cubes();
  model.boundaries[0].motion.velocity = {0, 0, 0.25};
  add_cube(model, {0, 0, 0.05});
  const LastStep last = last_of(model);
  EXPECT_NEAR(last.velocity(0).z(), 0.25, 1e-12);
  EXPECT_NEAR(last.place(0).z(), 0.05 + 0.25 * 0.02, 1e-13);
}

TEST(RigidStep, StapleHangsOnABar) {
  // Not convex: its convex hull holds the bar.
  Model model = rigid_cubes();
  model.time.end = 0.1;
  model.shapes.push_back(contact::testing::staple());
  model.shapes.push_back(make_box("bar", {0.05, 0.4, 0.05}));
  BodyDescription staple;
  staple.shape = 1;
  staple.mass = 7;
  staple.inertia_B = Vec3(0.03, 0.08, 0.06).asDiagonal();
  staple.position = model.shapes[1].shift + Vec3(0, 0, 1.026);
  BodyDescription bar;
  bar.shape = 2;
  bar.mass = 1;
  bar.inertia_B = Mat3::Identity();
  bar.position = Vec3(0, 0, 1);
  bar.fixed.fill(true);
  model.bodies = {staple, bar};
  const LastStep last = last_of(model);
  EXPECT_NEAR(last.place(0).z(), model.shapes[1].shift.z() + 1.025, 1e-9);
  EXPECT_LT(last.velocity(0).norm(), 1e-8);
  EXPECT_NEAR(last.force(0).z(), 7 * kGravity, 1e-7);
  EXPECT_GE(last.lowest_gap, -1e-6);
  EXPECT_NEAR(last.force(1).z(), -7 * kGravity, 1e-7);
}

TEST(RigidStep, OverlapAtTheStartIsRefusedWithBothBodiesAndTheDepth) {
  Model model = rigid_cubes();
  add_cube(model, {0, 0, 0.05});
  add_cube(model, {0, 0, 0.1499});
  const std::string what = test_runs::refusal(model);
  EXPECT_NE(what.find("overlap of 0.0001 m at t = 0"), std::string::npos) << what;
  EXPECT_NE(what.find("allows at most 1e-3 of the body size"), std::string::npos) << what;
}

TEST(RigidStep, RanksWithoutContactsTakePartInFriction) {
  // Gravity pulls aslant: a cube sticks, the others fly, so that on more than one rank some have no contact.
  Model model = rigid_cubes();
  model.solver.method = RigidMethod::one_step;
  model.interfaces[0].friction = {.static_coefficient = 0.4, .dynamic_coefficient = 0.4};
  model.gravity = {1, 0, -kGravity};
  for (int k = 0; k < 4; ++k) add_cube(model, {0.5 * k, 0, k == 0 ? 0.05 : 2.0 * k});
  const LastStep last = last_of(model);
  EXPECT_LT(last.velocity(0).norm(), 1e-8);
  EXPECT_NEAR((last.force(0) - Vec3(-2, 0, 2 * kGravity)).norm(), 0, 1e-6);
  EXPECT_NEAR((last.velocity(3) - 0.02 * model.gravity).norm(), 0, 1e-12);
  EXPECT_NEAR((last.velocity(1) - last.velocity(3)).norm(), 0, 1e-12);
}

TEST(RigidStep, TheOneStepMethodHasTheBitsOfOneRank) {
  Model model = rigid_cubes();
  model.solver.method = RigidMethod::one_step;
  model.interfaces[0].friction = {.static_coefficient = 0.5, .dynamic_coefficient = 0.5};
  model.time.end = model.time.step;  // overlap that a step leaves is taken out by all ranks together
  for (int k = 0; k < 8; ++k)
    add_cube(model, {0.3 * (k / 2) + 0.01 * (k % 2), 0, 0.05 + 0.1 * (k % 2)}, Quat::Identity(),
             {1.0 - 0.2 * k, 0, 0});
  RunReport of_all, of_one;
  const LastStep together = last_of(model, &of_all);
  const LastStep alone = last_of(model, &of_one, MPI_COMM_SELF);
  EXPECT_EQ(together.bodies, alone.bodies);
  EXPECT_GT(of_one.krylov_iterations, 0);
  EXPECT_EQ(of_all.krylov_iterations, of_one.krylov_iterations);
}

TEST(RigidStep, RanksAgree) {
  Model model = rigid_cubes();
  model.time.end = 0.06;
  for (int k = 0; k < 12; ++k) {
    add_cube(model, {0.11 * (k % 3) + 0.01 * (k / 3), 0.005 * k, 0.06 + 0.115 * (k / 3)},
             Quat(Eigen::AngleAxisd(0.02 * k, Vec3(1, 0.5, 0.2).normalized())));
  }
  const LastStep together = last_of(model);
  const LastStep alone = last_of(model, nullptr, MPI_COMM_SELF);
  for (std::size_t k = 0; k < 12; ++k) {
    EXPECT_NEAR((together.place(k) - alone.place(k)).norm(), 0, 1e-7) << k;
    EXPECT_NEAR((together.velocity(k) - alone.velocity(k)).norm(), 0, 1e-6) << k;
  }
}

}  // namespace
}  // namespace scree
