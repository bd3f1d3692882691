/// Contact dynamics of a body in a fluid: drag and Magnus forces in steps of any size; on 1, 2 and 4 ranks.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/test_extremes.hpp"
#include "solvers/test_models.hpp"
#include "solvers/test_runs.hpp"
#include "solvers/time_loop.hpp"

namespace scree {
namespace {

constexpr double kMassInFluid = 2;     // [kg]
constexpr double kStepInFluid = 2e-3;  // [s]
constexpr double kWeightInFluid = kMassInFluid * 9.81;

/// A rigid ball of 5 cm over a floor.
Model ball_in_fluid(double height, const Vec3& velocity, const Vec3& spin) {
  Model model = test::cubes_on_floor(0, 0);
  model.analysis = Analysis::contact_dynamics;
  model.interfaces[0].normal = contact::RigidParameters{0, 1, 1};
  model.interfaces[0].friction = {};
  model.shapes[0] = make_sphere("ball", 0.05);
  model.time.step = kStepInFluid;
  model.time.end = 10 * kStepInFluid;
  model.solver.lcp_tolerance = 1e-12;
  BodyDescription body;
  body.position = {0, 0, height};
  body.velocity = velocity;
  body.angular_velocity = spin;
  body.mass = kMassInFluid;
  body.inertia_B = 0.4 * kMassInFluid * 0.05 * 0.05 * Mat3::Identity();
  model.bodies.push_back(body);
  return model;
}

/// Of the ball: its last velocity, its largest speed, and the least loss to the fluid in a step.
struct FluidWatch : Observer {
  explicit FluidWatch(const Model& model) { run(model, {this}, MPI_COMM_WORLD); }
  void accepted(const AcceptedState& state) override {
    const std::vector<double> values = test_runs::all_states(state, MPI_COMM_WORLD);
    velocity = Vec3(&values[3]);
    test::keep_largest(fastest, velocity.norm());
    if (!state.boundary_wrench->empty()) floor = state.boundary_wrench->front().force;
    test::keep_smallest(least_loss, state.energy.fluid_loss - lost);
    lost = state.energy.fluid_loss;
  }
  Vec3 velocity = Vec3::Zero(), floor = Vec3::Zero();
  double fastest = 0, least_loss = 0, lost = 0;
};

TEST(RigidFluid, DragLeadsToTheTerminalSpeedInStepsOfAnySize) {
  for (const double ratio : {0.1, 3.0, 50.0}) {  // h c / m
    Model model = ball_in_fluid(1, Vec3::Zero(), Vec3::Zero());
    model.time.end = 200 * kStepInFluid;
    const double c = ratio * kMassInFluid / kStepInFluid;
    model.loads.emplace_back(elements::DragLoad{.coefficient = c});
    const FluidWatch ball(model);
    const double terminal = kWeightInFluid / c;
    EXPECT_NEAR(ball.velocity.z(), -terminal, 1e-6 * terminal) << ratio;
    EXPECT_LT(ball.fastest, terminal * (1 + 1e-6)) << ratio;
    EXPECT_GE(ball.least_loss, 0) << ratio;
    EXPECT_GT(ball.lost, 0) << ratio;
  }
}

TEST(RigidFluid, MagnusForceTurnsTheVelocityAndDoesNoWork) {
  for (const double drag : {0.0, 1000.0}) {
    for (const double s : {5.0, 500.0}) {  // h S w / m = 0.1, 10
      Model model = ball_in_fluid(1, {2, 0, 0}, {0, 0, 20});
      model.gravity = Vec3::Zero();
      model.time.end = 100 * kStepInFluid;
      model.loads.emplace_back(elements::MagnusLoad{.coefficient = s});
      if (drag > 0) model.loads.emplace_back(elements::DragLoad{.coefficient = drag});
      const FluidWatch ball(model);
      EXPECT_LT(ball.fastest, 2 + 1e-12) << drag << ' ' << s;
      EXPECT_GE(ball.least_loss, -1e-12) << drag << ' ' << s;
      if (drag > 0) continue;
      EXPECT_NEAR(ball.velocity.norm(), 2, 1e-12) << s;
      if (s > 5) continue;
      const double angle = s * 20 / kMassInFluid * model.time.end;
      EXPECT_LT((ball.velocity - 2 * Vec3(std::cos(angle), std::sin(angle), 0)).norm(), 0.02);
    }
  }
}

/// With M alone in the response to contacts the floor would carry 1/51 of it.
TEST(RigidFluid, FloorThatLiftsABallCarriesItsWeightAndDrag) {
  for (const RigidMethod method : {RigidMethod::two_step, RigidMethod::one_step}) {
    Model model = ball_in_fluid(0.05, Vec3::Zero(), Vec3::Zero());
    model.solver.method = method;
    model.boundaries[0].motion.velocity = {0, 0, 0.25};
    model.loads.emplace_back(elements::DragLoad{.coefficient = 5e4});  // h c / m = 50
    const FluidWatch ball(model);
    const double force = kWeightInFluid + 5e4 * 0.25;
    EXPECT_NEAR(ball.velocity.z(), 0.25, 1e-6);
    EXPECT_NEAR(ball.floor.z(), -force, 1e-6 * force);
  }
}

TEST(RigidFluid, BallThatSpinsOnTheFloorIsNotTurnedAside) {
  Model model = ball_in_fluid(0.05, Vec3::Zero(), {20, 0, 0});
  model.loads.emplace_back(elements::MagnusLoad{.coefficient = 5});
  // The first step has no contact force of a step before: h S w / (2 m) = 0.05 of h g.
  EXPECT_LT(FluidWatch(model).fastest, 1.1 * 0.05 * kStepInFluid * 9.81);
}

}  // namespace
}  // namespace scree
