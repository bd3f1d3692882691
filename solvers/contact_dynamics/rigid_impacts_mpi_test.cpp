/// Impacts of rigid bodies: restitution, its end at slow speeds, and the energy of impacts with friction.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "assembly/test_ranks.hpp"
#include "solvers/contact_dynamics/test_rigid_steps.hpp"

namespace scree {
namespace {

using rigid_steps::add_ball;
using rigid_steps::last_of;
using rigid_steps::LastStep;
using rigid_steps::rigid_cubes;
using test::add_cube;

constexpr double kFall = 9.81;

TEST(RigidImpacts, OffCentreImpactOfABoxIsTheRigidOne) {
  // A cube falls on one of its edges' ends: impulse J = m v / (1 + m s^2 / I) along z.
  Model model = rigid_cubes();
  model.gravity = Vec3::Zero();
  model.time.step = 1e-5;
  model.time.end = 5e-5;
  const Quat turned(Eigen::AngleAxisd(0.3, Vec3::UnitY()));
  const double low = 0.05 * (std::cos(0.3) + std::sin(0.3));
  add_cube(model, {0, 0, low + 1e-6}, turned, {0, 0, -1});
  const LastStep last = last_of(model);
  const double lever = 0.05 * (std::cos(0.3) - std::sin(0.3));
  const double inertia = 2 * 0.01 / 6;
  // The gap closes in the first step, the approach that is left ends in the second.
  EXPECT_NEAR(last.velocity(0).z(), -1 + 1 / (1 + 2 * lever * lever / inertia), 1e-3);
}

TEST(RigidImpacts, CornersThatStrikeBecauseOthersDidReboundToo) {
  // A cube that comes down tilted, 2.83 m/s: in a step of 5 ms its lower corners hit the floor, and the cube
  // turns such that the others do as well, before or after.
  for (const double tilt : {0.05, 0.15, 0.25, 0.35}) {
    for (const double part : {0.1, 0.4, 0.7, 0.95}) {
      Model model = rigid_cubes(1.0);
      model.gravity = Vec3::Zero();
      model.time.step = 5e-3;
      model.time.end = 0.02;
      const double low = 0.05 * std::sqrt(2.0) * std::cos(M_PI / 4 - tilt);
      add_cube(model, {0, 0, low + part * 2.83 * 5e-3}, rotation::quaternion(Vec3(0, tilt, 0)),
               {0, 0, -2.83});
      RunReport report;
      last_of(model, &report);
      EXPECT_NEAR(report.energy.kinetic(), 8.0089, 1e-9) << tilt << ' ' << part;
    }
  }
}

TEST(RigidImpacts, FastImpactsReboundAndSlowOnesEnd) {
  // In a step of 1 ms weight gives 9.81 mm/s: up to 2.2 times this is no impact, unless e = 1.
  for (const auto& [speed, e, after] : {std::tuple(1.0, 0.5, 0.5), std::tuple(0.022, 0.5, 0.011),
                                        std::tuple(0.021, 0.5, -0.01), std::tuple(0.021, 1.0, 0.021)}) {
    Model model = rigid_cubes(e);
    model.time.step = model.time.end = 1e-3;
    add_ball(model, 0.05, 1, {0, 0, 0.05 + 1e-5}, {0, 0, -speed});
    EXPECT_NEAR(last_of(model).velocity(0).z(), after, 1e-10) << speed << ' ' << e;
  }
}

TEST(RigidImpacts, BouncingBallsOnEachOtherComeToRest) {
  if (ranks::rank_count() > 2) GTEST_SKIP() << "few bodies, many steps";
  for (const double e : {0.3, 0.7, 0.9}) {
    Model model = rigid_cubes(e);
    model.time.step = 0.01;
    model.time.end = 3;
    add_ball(model, 0.05, 1, {0, 0, 0.05 + 0.02}, Vec3::Zero());
    add_ball(model, 0.05, 1, {0, 0, 0.15 + 0.05}, Vec3::Zero());
    const LastStep last = last_of(model);
    const double fall = kFall * 0.07;
    EXPECT_LT(last.velocity(1).norm(), 1e-9) << e;
    EXPECT_NEAR(last.place(1).z(), 0.15, 1e-8) << e;
    EXPECT_NEAR(last.energy.closure_error(), 0, 1e-6 * fall) << e;
  }
}

/// Newton's restitution with friction: a tilted cube with 5 J would have 5.82 J after an impact that sticks.
TEST(RigidImpacts, ImpactsWithFrictionMakeNoEnergy) {
  if (ranks::rank_count() > 2) GTEST_SKIP() << "a single body";
  Model model = rigid_cubes(1);
  model.solver.method = RigidMethod::one_step;
  model.interfaces[0].friction = {.static_coefficient = 1, .dynamic_coefficient = 1};
  model.gravity = Vec3::Zero();
  model.time.step = 1e-3;
  model.time.end = 3e-3;
  const double low = 0.05 * (std::cos(0.3) + std::sin(0.3));
  add_cube(model, {0, 0, low + 1e-4}, Quat(Eigen::AngleAxisd(0.3, Vec3::UnitY())), {-1, 0, -2});
  RunReport report;
  const LastStep last = last_of(model, &report);
  EXPECT_EQ(report.steps_less_rebound, 1);
  // The largest of the parts k/64 that makes none: 55/64, from the rigid impact of a corner that sticks.
  EXPECT_NEAR(last.energy.kinetic(), 4.949598, 1e-4);
  EXPECT_NEAR(last.energy.closure_error(), 0, 1e-4);
}

TEST(RigidImpacts, FallLosesNoEnergy) {
  Model model = rigid_cubes();
  model.time.step = 0.01;
  model.time.end = 0.08;
  add_cube(model, {0, 0, 2});
  const LastStep last = last_of(model);
  // Positions have the velocity of the end of a step, as after an impact: so much is given back then.
  EXPECT_NEAR(last.energy.closure_error(), -0.5 * 2 * kFall * kFall * 0.08 * 0.01, 1e-12);
  EXPECT_NEAR(last.energy.smallest_error, 0, 1e-12);
  EXPECT_NEAR(last.energy.largest_error, 0, 1e-12);
}

}  // namespace
}  // namespace scree
