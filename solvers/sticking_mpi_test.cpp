/// Friction in time: contacts that are made within a step, which part of the step they act in (theory 05
/// section 1), and dashpots in contacts that last.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>

#include "assembly/test_ranks.hpp"
#include "solvers/test_integrators.hpp"
#include "solvers/test_runs.hpp"

namespace scree {
namespace {

using ranks::this_rank;
using test_runs::add_ball;
using test_runs::balls_on_floor;
using test_runs::LastState;
using test_runs::run_model;

constexpr int kPhases = 9;

/// Balls side by side that meet the floor obliquely, each at another phase of the step.
Model oblique_balls(const contact::Interface& law, double radius_and_reach, double unit) {
  Model model = balls_on_floor(0, 0);
  model.gravity.setZero();
  model.interfaces = {law};
  for (int k = 0; k < kPhases; ++k) {
    const double z = radius_and_reach + (0.5 + 0.37 * k) * unit;
    add_ball(model, {0.2 * k, 0, z}, {0.6, 0.1, -1}, {0.2, 3, 0.5});
  }
  model.solver.newton_relative = 1e-12;
  return model;
}

struct Error {
  double velocity = 0, spin = 0;
};

/// Root mean square over the balls.
Error difference(const LastState& a, const LastState& b) {
  Error sum;
  for (std::size_t k = 0; k < kPhases; ++k) {
    sum.velocity += (a.velocity(k) - b.velocity(k)).head<2>().squaredNorm() / kPhases;
    sum.spin += (a.spin(k) - b.spin(k)).squaredNorm() / kPhases;
  }
  return {std::sqrt(sum.velocity), std::sqrt(sum.spin)};
}

/// Mean order over two halvings of the step, of tangential velocity and spin. @param most steps per unit.
Error order_of(Model& model, double unit, int most) {
  const auto at = [&](int per_unit) {
    model.time.step = unit / per_unit;
    return run_model(model, MPI_COMM_SELF);
  };
  const LastState truth = at(most);
  const Error coarse = difference(at(most / 16), truth), fine = difference(at(most / 4), truth);
  if (this_rank() == 0) {
    std::printf("tangential velocity to %.1e, then %.1e m/s; spin to %.1e, then %.1e rad/s\n",
                coarse.velocity, fine.velocity, coarse.spin, fine.spin);
  }
  return {0.5 * std::log2(coarse.velocity / fine.velocity), 0.5 * std::log2(coarse.spin / fine.spin)};
}

TEST(FirstTouch, ObliqueImpactOnABarrierIsOfTheIntegratorsOrder) {
  // Order 1 where the slip of the step of contact onset is lost, or counted whole.
  contact::Interface law;
  law.normal = contact::BarrierParameters{.threshold = 5e-3, .stiffness = 6e9, .exponent = 3};
  law.friction.static_coefficient = law.friction.dynamic_coefficient = 5;
  law.friction.stiffness = 6e4;
  const double unit = 1e-3 * 1.25;
  Model model = oblique_balls(law, 0.055, unit);
  model.time.end = 48 * unit;
  for (const test::IntegratorEntry& integrator : test::registered_integrator_entries()) {
    if (integrator.order < 2 || !integrator.takes_dashpots()) continue;
    model.integrator = integrator.integrator;
    const Error order = order_of(model, unit, 128);
    if (this_rank() == 0)
      std::printf("%s: order %.2f and %.2f\n", integrator.name.c_str(), order.velocity, order.spin);
    EXPECT_GT(order.velocity, 1.6) << integrator.name;
    EXPECT_GT(order.spin, 1.6) << integrator.name;
  }
}

TEST(FirstTouch, StickingIsOfTheIntegratorsOrderWithinTheContact) {
  // Until the ball is on its way back: spring and normal force end in a jump of their own.
  contact::Interface law;
  contact::HookeParameters hooke;
  hooke.stiffness = 2e4;
  law.normal = hooke;
  law.friction.static_coefficient = law.friction.dynamic_coefficient = 5;
  law.friction.stiffness = 6e3;
  const double duration = std::numbers::pi * std::sqrt(1 / hooke.stiffness);
  const double unit = duration / 40;
  Model model = oblique_balls(law, 0.05, unit);
  model.time.end = 28 * unit;
  for (const test::IntegratorEntry& integrator : test::registered_integrator_entries()) {
    if (integrator.order < 2 || !integrator.takes_dashpots()) continue;
    model.integrator = integrator.integrator;
    const Error order = order_of(model, unit, 16);
    if (this_rank() == 0)
      std::printf("%s: order %.2f and %.2f\n", integrator.name.c_str(), order.velocity, order.spin);
    EXPECT_NEAR(order.velocity, 2, 0.15) << integrator.name;
    EXPECT_NEAR(order.spin, 2, 0.15) << integrator.name;
  }
}

TEST(TangentialDashpot, IsOfTheIntegratorsOrderWithinTheContact) {
  // In overlap from the start, at nine depths. With the mean velocity of the step it is of order 1 where
  // forces act at the end of the step.
  contact::Interface law;
  contact::HookeParameters hooke;
  hooke.stiffness = 2e4;
  law.normal = hooke;
  law.friction.limit = contact::FrictionLimit::none;
  law.friction.damping = 60;
  const double unit = std::numbers::pi * std::sqrt(1 / hooke.stiffness) / 40;
  Model model = oblique_balls(law, 0.048, 0.1 * unit);
  model.time.end = 16 * unit;
  for (const test::IntegratorEntry& integrator : test::registered_integrator_entries()) {
    if (integrator.order < 2 || !integrator.takes_dashpots()) continue;
    model.integrator = integrator.integrator;
    const Error order = order_of(model, unit, 32);
    if (this_rank() == 0)
      std::printf("%s: order %.2f and %.2f\n", integrator.name.c_str(), order.velocity, order.spin);
    EXPECT_GT(order.velocity, 1.7) << integrator.name;
    EXPECT_GT(order.spin, 1.7) << integrator.name;
  }
}

}  // namespace
}  // namespace scree
