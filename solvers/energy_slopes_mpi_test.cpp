/// Friction under the energy-consistent integrator: blocks that slide, and blocks that stay on slopes
/// (theory 11 sections 6 and 9).
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "solvers/test_energy.hpp"
#include "solvers/test_models.hpp"
#include "solvers/test_runs.hpp"

namespace scree {
namespace {

using test::with_energy;
using test_runs::run_model;

TEST(EnergySlopes, FrictionOfASlidingBlockIsCoulombWhereItsCornersRattle) {
  // Dropped by 0.2 mm at 3 m/s, h omega from 14 to 45: the corners open and close from step to step, and
  // share the impulse.
  for (const double stiffness : {1e6, 1e7}) {
    Model model = test::cubes_on_floor(0.3, 0.5);
    contact::HookeParameters hooke;
    hooke.stiffness = stiffness;
    hooke.restitution = 0.5;
    model.interfaces[0].normal = hooke;
    test::add_cube(model, {0, 0, 0.0502}, Quat::Identity(), {3, 0, 0});
    model = with_energy(model);
    model.time = {
        .end = 0.3, .step = 1e-4, .adaptive = true, .min = 1e-9, .max = 1e-2, .control = StepMode::motion};
    RunReport report;
    const Vec3 v = run_model(model, MPI_COMM_SELF, &report).velocity(0);
    const double normal = v.z() + 9.81 * model.time.end;
    std::printf("%g N/m: friction is %.4f of mu N\n", stiffness, (3 - v.x()) / (0.5 * normal));
    EXPECT_NEAR((3 - v.x()) / (0.5 * normal), 1, 0.01);
    EXPECT_LT(std::abs(report.energy.closure_error()), 1e-6 * report.energy.reference);
  }
}

TEST(EnergySlopes, ACubeStaysOnASlopeBelowTheAngleOfFriction) {
  // tan 14 = 0.83 mu; long steps, h omega about 20.
  Model model = test::cubes_on_floor(0.3, 0.3);
  const double a = 14 * M_PI / 180;
  model.gravity = 9.81 * Vec3(std::sin(a), 0, -std::cos(a));
  test::add_cube(model, {0, 0, 0.05095});
  model = with_energy(model);
  model.time.step = 2e-3;
  double x[2] = {0, 0};
  for (const int late : {0, 1}) {
    model.time.end = late ? 3.0 : 0.5;
    x[late] = run_model(model, MPI_COMM_SELF).position(0).x();
  }
  std::printf("moved by %.2e m, in the last 2.5 s by %.1e m\n", x[0], x[1] - x[0]);
  EXPECT_LT(std::abs(x[0]), 1e-4);
  EXPECT_LT(std::abs(x[1] - x[0]), 1e-7);
}

TEST(EnergySlopes, ACubeStaysWhereItIsOnATurntable) {
  // 5 rad/s at 0.15 m: 76 % of the limit of friction. Damped as a body that comes to rest, it left its
  // circle by up to 2.7 mm/s, the more the longer the step.
  const double spin = 5, radius = 0.15;
  for (const double h : {2e-3, 1e-2}) {
    Model model = test::cubes_on_floor(0.3, 0.5);
    model.boundaries[0].motion.angular_velocity = Vec3(0, 0, spin);
    test::add_cube(model, {radius, 0, 0.05095}, Quat::Identity(), {0, radius * spin, 0}, {0, 0, spin});
    model = with_energy(model);
    model.time.step = h;
    double off[2] = {0, 0};
    for (const int late : {0, 1}) {
      model.time.end = late ? 2.5 : 0.5;
      off[late] = run_model(model, MPI_COMM_SELF).position(0).head<2>().norm() - radius;
    }
    std::printf("steps of %g s: radius %.3f mm larger, in the last 2 s %.1e m\n", h, 1e3 * off[0],
                off[1] - off[0]);
    EXPECT_NEAR(off[0], 0, 1e-3) << h;  // until its contacts carry it
    EXPECT_NEAR(off[1], off[0], 1e-6) << h;
  }
}

TEST(EnergySlopes, AStackStaysWhereItIsOnATurntable) {
  // Three boxes, 3 rad/s at 0.25 m: 77 % of the limit of friction. Those that lie on others were damped as
  // bodies that come to rest: the stack rocked at 0.03 rad/s, and each turn took the upper one 0.5 mm
  // outward.
  const double spin = 3, radius = 0.25, height = 0.05;
  for (const double h : {2e-3, 5e-3}) {
    Model model = test::cubes_on_floor(0.3, 0.3);
    model.boundaries[0].motion.angular_velocity = Vec3(0, 0, spin);
    model.shapes = {make_box("box", {0.1, 0.1, height})};
    model.interfaces[0].normal = contact::BarrierParameters{5e-4, 1e13, 3, 0.4, -2, 0, 0.5};
    model.interfaces[0].friction.stiffness = 1e5;
    for (int k = 0; k < 3; ++k) {
      test::add_cube(model, {radius, 0, 0.0255 + k * (height + 5e-4)}, Quat::Identity(),
                     {0, radius * spin, 0}, {0, 0, spin});
      model.bodies.back().mass = 2500 * model.shapes[0].volume;
      model.bodies.back().inertia_B = 2500 * model.shapes[0].inertia_per_density;
    }
    model = with_energy(model);
    model.time = {
        .end = 0, .step = 1e-3, .adaptive = true, .min = 1e-9, .max = h, .control = StepMode::motion};
    double off[2] = {0, 0};
    RunReport report;
    for (const int late : {0, 1}) {
      model.time.end = late ? 3 : 1;
      off[late] = run_model(model, MPI_COMM_SELF, &report).position(2).head<2>().norm() - radius;
    }
    const double iterations =
        static_cast<double>(report.newton_iterations) / static_cast<double>(report.steps);
    std::printf(
        "steps of %g s: radius of the upper box %.3f mm larger, in the last 2 s %.1e m; %.1f iterations\n", h,
        1e3 * off[0], off[1] - off[0], iterations);
    EXPECT_NEAR(off[0], 0, 2e-3) << h;  // until its contacts carry it
    EXPECT_NEAR(off[1], off[0], 1e-5) << h;
    EXPECT_LT(iterations, 3) << h;
  }
}

TEST(EnergySlopes, ABlockThatSlidesHasTheFrictionOfItsWeightAtAnyStep) {
  // Contacts that are stiff against the step, h omega from 1 to 26, do not ring while the block slides: in
  // phase with their force, friction would take less than its part of the weight. The limit is 0.49, the
  // slope 1/2; the first quarter of a second is the landing.
  const double angle = std::atan(0.5);
  for (const double speed : {0.0, 1.0}) {
    for (const double h : {1e-3, 2e-3, 5e-3, 1e-2, 2e-2}) {
      Model model = test::cubes_on_floor(0.3, 0.49);
      model.shapes = {make_box("block", {1, 1, 1})};
      model.interfaces[0].normal = contact::BarrierParameters{1e-3, 6e17, 3, 0.4, -2, 0, 0.0};
      model.interfaces[0].friction.stiffness = 4.6e8;
      model.gravity = 9.81 * Vec3(std::sin(angle), 0, -std::cos(angle));
      test::add_cube(model, {0, 0, 0.5053});
      model.bodies.back().velocity = {speed, 0, 0};
      model.bodies.back().mass = 1000;
      model.bodies.back().inertia_B = 1000.0 / 6 * Mat3::Identity();
      model = with_energy(model);
      model.time = {
          .end = 0, .step = h / 10, .adaptive = true, .min = 1e-9, .max = h, .control = StepMode::motion};
      double v[2] = {0, 0};
      for (const int late : {0, 1}) {
        model.time.end = late ? 1.25 : 0.25;
        RunReport report;
        v[late] = run_model(model, MPI_COMM_SELF, &report).velocity(0).x();
        EXPECT_LT(std::abs(report.energy.closure_error()), 1e-6 * report.energy.reference);
      }
      const double friction = std::tan(angle) - (v[1] - v[0]) / (9.81 * std::cos(angle));
      std::printf("from %g m/s, steps of %g s: friction %.5f\n", speed, h, friction);
      EXPECT_NEAR(friction, 0.49, 1e-3);
    }
  }
}

TEST(EnergySlopes, ABlockOfAnUndampedLawStaysOnASlope) {
  // The weight comes on at once: the block vibrates, and each time that its force falls it would slip. h
  // omega from 0.5 to 14. A slope that moves along itself carries the block: what rests on it is judged
  // there.
  struct Case {
    double stiffness;
    double part;       ///< of the limit of friction
    double speed = 0;  ///< of the slope [m/s]
  };
  for (const auto& [stiffness, part, speed] :
       {Case{1e5, 0.3}, {1e5, 0.83}, {1e6, 0.83}, {1e7, 0.83}, {1e8, 0.95}, {1e6, 0.83, 1}, {1e8, 0.95, 5}}) {
    Model model = test::cubes_on_floor(0.3, 0.3);
    contact::HookeParameters hooke;
    hooke.stiffness = stiffness;
    model.interfaces[0].normal = hooke;
    model.interfaces[0].friction.stiffness = stiffness;
    const double angle = std::atan(part * 0.3);
    model.gravity = 9.81 * Vec3(std::sin(angle), 0, -std::cos(angle));
    model.boundaries[0].motion.velocity = {speed, 0, 0};
    test::add_cube(model, {0, 0, 0.05}, Quat::Identity(), {speed, 0, 0});
    model = with_energy(model);
    model.time = {
        .end = 0, .step = 1e-4, .adaptive = true, .min = 1e-9, .max = 2e-3, .control = StepMode::motion};
    double x[2] = {0, 0};
    for (const int late : {0, 1}) {
      model.time.end = late ? 3.0 : 1.5;
      RunReport report;
      x[late] = run_model(model, MPI_COMM_SELF, &report).position(0).x() - speed * model.time.end;
      EXPECT_LT(std::abs(report.energy.closure_error()), 1e-6 * report.energy.reference);
    }
    std::printf("%g N/m, %.2f, slope at %g m/s: moved by %.1e m, then at %.1e m/s\n", stiffness, part, speed,
                x[0], (x[1] - x[0]) / 1.5);
    EXPECT_LT(std::abs(x[0]), 1e-3);
    EXPECT_LT(std::abs(x[1] - x[0]), 1.5e-6);
  }
}

}  // namespace
}  // namespace scree
