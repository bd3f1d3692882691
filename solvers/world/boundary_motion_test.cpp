#include "solvers/world/boundary_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>

#include "solvers/world/surface_motion.hpp"

namespace scree {
namespace {

BoundaryMotion table() {
  BoundaryMotion motion;
  motion.about = Vec3(1, 0, 0);
  motion.table = {{0.5, Vec3::Zero(), Vec3::Zero()},
                  {1, Vec3(0, 0, 0.1), Vec3(0.3, 0.4, 0)},
                  {2, Vec3(0, 0, -0.1), Vec3(0, 0.5, 1)}};
  return motion;
}

TEST(BoundaryMotion, GoesInAScrewAtConstantVelocities) {
  BoundaryMotion motion;
  motion.velocity = Vec3(0, 0, 2);
  motion.angular_velocity = Vec3(0, 0, M_PI);
  motion.about = Vec3(1, 0, 0);
  const RigidMotion now = motion_at(motion, 0.5, 0.5);
  // A quarter turn about the line through (1, 0, 0), which rises with the motion.
  EXPECT_LT((now.place(Vec3(2, 0, 0)) - Vec3(1, 1, 1)).norm(), 1e-15);
  EXPECT_TRUE(moves(motion));
  EXPECT_FALSE(moves(BoundaryMotion{}));
  EXPECT_EQ(next_knot(motion, 0), std::numeric_limits<double>::infinity());
}

TEST(BoundaryMotion, TableIsLinearBetweenItsKnotsAndAtRestOutside) {
  const BoundaryMotion motion = table();
  for (const double t : {0.0, 0.5, 3.0}) {
    const RigidMotion now = motion_at(motion, t, t < 1 ? 0.2 : 3.0);
    EXPECT_EQ(now.velocity, Vec3(Vec3::Zero()));
    EXPECT_EQ(now.spin, Vec3(Vec3::Zero()));
    EXPECT_EQ(now.displacement.z(), t < 1 ? 0.0 : -0.1);
  }
  // The velocity at a time point is that of the requested piece; the position is the same.
  const RigidMotion before = motion_at(motion, 1, 0.9), after = motion_at(motion, 1, 1.1);
  EXPECT_NEAR(before.velocity.z(), 0.2, 1e-15);
  EXPECT_NEAR(after.velocity.z(), -0.2, 1e-15);
  EXPECT_LT((before.rotation - after.rotation).norm(), 1e-15);
  // Where it is does not depend on the piece of the velocities.
  for (const double during : {0.2, 0.75, 1.5, 3.0})
    EXPECT_NEAR(motion_at(motion, 0.75, during).displacement.z(), 0.05, 1e-16) << during;
  EXPECT_EQ(next_knot(motion, 0.4), 0.5);
  EXPECT_EQ(next_knot(motion, 1), 2);
}

TEST(BoundaryMotion, VelocitiesAreThoseOfThePlaces) {
  const BoundaryMotion motion = table();
  const double e = 1e-6;
  for (const double t : {0.6, 0.9, 1.3, 1.9}) {
    Model model;
    model.boundaries.resize(1);
    model.boundaries[0].motion = motion;
    const BoundaryPart part{0, Vec3(0.2, -0.3, 0.4), Vec3(1, 2, 2).normalized()};
    const BodyState now = boundary_state(model, part, t, t);
    const BodyState plus = boundary_state(model, part, t + e, t),
                    minus = boundary_state(model, part, t - e, t);
    EXPECT_LT((now.v - (plus.x - minus.x) / (2 * e)).norm(), 1e-9);
    const Mat3 rate = (plus.q.toRotationMatrix() - minus.q.toRotationMatrix()) / (2 * e);
    const Mat3 spin = rate * now.q.toRotationMatrix().transpose();
    EXPECT_LT((now.w - Vec3(spin(2, 1), spin(0, 2), spin(1, 0))).norm(), 1e-9);
  }
}

TEST(BoundaryMotion, WhatStandsStillIsWhereTheStateHasIt) {
  Model moving;
  moving.boundaries.resize(1);
  moving.boundaries[0].motion = table();
  moving.boundary_parts = {{0, Vec3(0.2, -0.3, 0.4), Vec3(1, 2, 2).normalized()},
                           {0, Vec3(1, 0, 0), -Vec3::UnitX()}};
  Model still = moving;
  still.boundaries[0].motion = {};
  Bodies bodies;
  bodies.boundaries = 2;
  for (const BoundaryPart& part : still.boundary_parts)
    bodies.state.push_back(boundary_state(still, part, 0, 0));
  const Vec3 reference(0.3, 0.1, -0.2);
  EXPECT_EQ(boundary_motion(still, 0, 1.5, &bodies).place(reference), reference);
  for (std::size_t k = 0; k < 2; ++k)
    bodies.state[k] = boundary_state(moving, moving.boundary_parts[k], 1.5, 1.5);
  const Vec3 there = motion_at(table(), 1.5, 1.5).place(reference);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_LT((part_motion(still, k, 1.5, &bodies).place(reference) - there).norm(), 1e-14);
    EXPECT_EQ(part_state(still, k, 1.5, &bodies).x, bodies.state[k].x);
  }
  EXPECT_EQ(boundary_motion(still, 0, 1.5, nullptr).place(reference), reference);
  bodies.state[0].x.setZero();  // what moves is where the deck has it
  EXPECT_EQ(boundary_motion(moving, 0, 1.5, &bodies).place(reference), there);
}

TEST(SurfaceMotion, NoVertexIsFasterThanItsLargestSpeed) {
  const auto some = [](double k) { return Vec3(std::sin(3 * k), std::cos(5 * k), std::sin(7 * k + 1)); };
  for (int k = 0; k < 50; ++k) {
    const SurfaceMotion motion{.from = 1,
                               .to = 1.5,
                               .x0 = {some(k)},
                               .x1 = {some(k + 0.1)},
                               .v0 = {Vec3((k % 3) * some(k + 0.2))},
                               .v1 = {Vec3((k % 4) * some(k + 0.3))}};
    for (int s = 1; s < 100; ++s) {
      const double time = 1 + 0.005 * s;
      EXPECT_LE(motion.velocity(0, time, time).norm(), motion.largest_speed(0) * (1 + 1e-12));
    }
  }
  const Vec3 up(0, 0, 2), none = Vec3::Zero();
  const SurfaceMotion from_rest_to_rest{
      .from = 0, .to = 4, .x0 = {none}, .x1 = {up}, .v0 = {none}, .v1 = {none}};
  EXPECT_DOUBLE_EQ(from_rest_to_rest.largest_speed(0), 1.5 * 0.5);
  const SurfaceMotion even{
      .from = 0, .to = 4, .x0 = {none}, .x1 = {up}, .v0 = {Vec3(up / 4)}, .v1 = {Vec3(up / 4)}};
  EXPECT_DOUBLE_EQ(even.largest_speed(0), 0.5);
}

}  // namespace
}  // namespace scree
