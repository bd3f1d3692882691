/// The energy-consistent integrator as a whole: energy, restitution, friction, rest, any number of ranks
/// (theory 11).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <utility>

#include "assembly/test_ranks.hpp"
#include "core/rotation.hpp"
#include "core/test_extremes.hpp"
#include "solvers/simulation.hpp"
#include "solvers/test_energy.hpp"
#include "solvers/test_models.hpp"
#include "solvers/test_runs.hpp"

namespace scree {
namespace {

using ranks::rank_count;
using ranks::this_rank;
using test::with_energy;
using test_runs::LastState;
using test_runs::run_model;

/// Extremes of the energy balance error of a run, and its reference energy [J].
struct Balance {
  double largest = 0, smallest = 0, reference = 0;
};

Balance run_to_end(const Model& model, MPI_Comm comm = MPI_COMM_SELF) {
  Simulation simulation(std::make_shared<const Model>(model), comm);
  while (!simulation.finished()) simulation.step();
  const EnergyLedger& energy = simulation.energy();
  return {energy.largest_error, energy.smallest_error, energy.reference};
}

TEST(EnergySteps, FreeTopKeepsEnergyAndMomentum) {
  BodyProperties body;
  body.mass = 2;
  body.inertia_B.diagonal() << 0.01, 0.02, 0.025;
  BodyState state;
  state.w = {10, 1, 4};
  const elements::EnergyConsistent integrator;
  Bodies bodies;
  bodies.owned = 1;
  bodies.properties = {body};
  bodies.state = {state};
  bodies.trial.resize(1);
  const auto momentum = [](const BodyState& s, const BodyProperties& p) {
    return Vec3(s.q * (p.inertia_B * (s.q.conjugate() * s.w)));
  };
  const auto energy = [](const BodyState& s, const BodyProperties& p) {
    const Vec3 spin = s.q.conjugate() * s.w;
    return 0.5 * spin.dot(p.inertia_B * spin);
  };
  const double energy0 = energy(state, body);
  const Vec3 momentum0 = momentum(state, body);
  const double h = 0.02;  // turns by 0.2
  LocalSystem rows;
  rows.set_entities(1, {6});
  rows.set_couplings({});
  rows.assembling.assign(1, 1);
  for (int step = 0; step < 1000; ++step) {
    BodyTrial& trial = bodies.trial[0];
    trial = {};
    integrator.predict(bodies.state[0], h, trial.u, trial.alpha);
    for (int it = 0; it < 12; ++it) {
      integrator.kinematics(bodies.state[0], h, trial);
      rows.clear_residual();
      rows.clear_tangent();
      integrator.residual(bodies, h, rows);
      integrator.tangent(bodies, h, rows);
      const Eigen::Map<const Vec6> r(rows.residual_of(0));
      const Eigen::Map<const Eigen::Matrix<double, 6, 6, Eigen::RowMajor>> k(rows.diagonal(0));
      // Virtual spins.
      const Vec6 change = -(k.partialPivLu().solve(r));
      trial.u += change.head<3>();
      trial.alpha += rotation::inverse_spin_map(trial.alpha) * change.tail<3>();
      if (change.norm() < 1e-15) break;
    }
    integrator.kinematics(bodies.state[0], h, trial);
    integrator.commit(body, h, trial, bodies.state[0]);
  }
  EXPECT_NEAR(energy(bodies.state[0], body), energy0, 1e-12 * energy0);
  EXPECT_LT((momentum(bodies.state[0], body) - momentum0).norm(), 1e-12 * momentum0.norm());
}

TEST(EnergySteps, RestitutionIsThatOfTheLawAtAnyStepAndStiffness) {
  if (ranks::rank_count() > 1) GTEST_SKIP() << "one rank runs it";
  // h omega = 0.014, 0.14, 1.4, 14, 140 and 1000 of the ball of 1 kg, at four phases of the step.
  double worst = 0;
  for (const double e : {0.0, 0.3, 0.5, 0.9, 1.0}) {
    for (const auto& [stiffness, h] : {std::pair(2e4, 1e-4), std::pair(2e4, 1e-3), std::pair(2e8, 1e-4),
                                       std::pair(2e8, 1e-3), std::pair(2e8, 1e-2), std::pair(1e10, 1e-2)}) {
      for (int phase = 0; phase < 4; ++phase) {
        Model model = test_runs::balls_on_floor(0, 0);
        contact::HookeParameters hooke;
        hooke.stiffness = stiffness;
        hooke.restitution = e;
        model.interfaces[0].normal = hooke;
        model.gravity.setZero();
        test_runs::add_ball(model, {0, 0, 0.052 + 0.25 * phase * h}, {0, 0, -1.0});
        model = with_energy(model);
        model.time.step = h;
        model.time.end = 0.1;
        model.solver.newton_relative = 1e-10;
        const LastState last = run_model(model, MPI_COMM_SELF);
        test::keep_largest(worst, std::abs(last.velocity(0).z() - e));
      }
    }
  }
  std::printf("largest error of the restitution: %.1e\n", worst);
  EXPECT_LT(worst, 1e-4);
}

/// A box of 12 kg/dm^3 on the floor, which restitution 0 to 1 belongs to.
Model one_box(const Vec3& size, double restitution, const Vec3& x, const Quat& q, const Vec3& v) {
  Model model = test::cubes_on_floor(0, 1);
  std::get<contact::BarrierParameters>(model.interfaces[0].normal).restitution = restitution;
  model.shapes = {make_box("box", size)};
  test::add_cube(model, x, q, v);
  BodyDescription& body = model.bodies[0];
  body.mass = 12e3 * size.prod();
  const Vec3 square = size.cwiseProduct(size);
  body.inertia_B = (body.mass / 12 * (Vec3::Constant(square.sum()) - square)).asDiagonal();
  model = with_energy(model);
  model.solver.newton_relative = 1e-10;
  return model;
}

/// @returns speed over that before of a box that has landed flat with 2 m/s, without gravity.
double rebound_of(const Vec3& size, double restitution, double h, double end) {
  Model model = one_box(size, restitution, {0, 0, 0.5 * size.z() + 0.003}, Quat::Identity(), {0, 0, -2});
  model.gravity.setZero();
  model.time.step = h;
  model.time.end = end;
  return run_model(model, MPI_COMM_SELF).velocity(0).z() / 2;
}

TEST(EnergySteps, CornersThatHitTogetherShareTheMass) {
  double worst = 0;
  for (const double e : {0.0, 0.5, 1.0}) {
    for (const double h : {1e-3, 2e-5})
      test::keep_largest(worst, std::abs(rebound_of({0.1, 0.08, 0.06}, e, h, 0.02) - e));
  }
  std::printf("largest error of the restitution of a box: %.1e\n", worst);
  EXPECT_LT(worst, 1e-4);
}

TEST(EnergySteps, CornersOfRodsAndPlatesShareTheMassToo) {
  // Of a rod that stands on its end each corner moves nearly all of the mass if it is alone.
  double worst[2] = {0, 0};
  for (const Vec3& size : {Vec3(0.02, 0.02, 0.4), Vec3(0.4, 0.02, 0.02), Vec3(0.2, 0.1, 0.004)}) {
    for (const double e : {0.0, 0.2, 0.5, 0.8, 1.0}) {
      for (const double h : {1e-3, 2e-5}) {
        const bool resolved = h < 1e-4;
        test::keep_largest(worst[resolved], std::abs(rebound_of(size, e, h, resolved ? 3e-3 : 0.02) - e));
      }
    }
  }
  std::printf("largest error of the restitution of rods and plates: %.1e, resolved %.1e\n", worst[0],
              worst[1]);
  EXPECT_LT(worst[0], 1e-4);
  EXPECT_LT(worst[1], 2e-3);
}

TEST(EnergySteps, AnEdgeThatHitsLeavesWithItsRestitutionHoweverLongItIs) {
  // Balance of a rigid impact without friction: an impulse (1 + e) v / (1/m + x^2/I) on the edge.
  const double angle = M_PI / 6;
  const Quat tilt = rotation::quaternion({0, angle, 0});
  double worst[2] = {0, 0};
  for (const double length : {0.01, 0.02, 0.1, 0.4}) {
    for (const double e : {0.0, 0.2, 0.5, 1.0}) {
      for (const double h : {1e-3, 2e-5}) {
        const Vec3 edge = tilt * Vec3(0.05, 0, -0.05);
        Model model = one_box({0.1, length, 0.1}, e, {0, 0, 0.003 - edge.z()}, tilt, {0, 0, -2});
        model.interfaces[0].friction.static_coefficient = model.interfaces[0].friction.dynamic_coefficient =
            0;
        model.gravity.setZero();
        model.time.step = h;
        model.time.end = 3e-3;
        const LastState last = run_model(model, MPI_COMM_SELF);
        const BodyDescription& body = model.bodies[0];
        const double moved = 1 / (1 / body.mass + edge.x() * edge.x() / body.inertia_B(1, 1));
        test::keep_largest(worst[h < 1e-4],
                           std::abs(last.velocity(0).z() + 2 - (1 + e) * 2 * moved / body.mass));
      }
    }
  }
  std::printf("largest error of the velocity after an impact on an edge: %.1e, resolved %.1e, of 2 m/s\n",
              worst[0], worst[1]);
  EXPECT_LT(worst[0], 0.08);  // the body turns in the step: the same with e = 1
  EXPECT_LT(worst[1], 0.02);
}

TEST(EnergySteps, ABlockRocksAsHousnerHasIt) {
  // Each time that it lands on the other edge, the angular velocity loses 1 - r = 1.5 sin^2(alpha) of itself,
  // and 1 - cos(alpha - theta) the square of that [Housner]; corners that lift off are not held.
  const double alpha = std::atan(0.2), r = 1 - 1.5 * std::sin(alpha) * std::sin(alpha);
  const double lift = 0.4 * alpha;
  const Quat tilt = rotation::quaternion({0, lift, 0});
  const Vec3 corner = tilt * Vec3(0.05, 0, -0.25);
  for (const double h : {2e-3, 5e-4}) {
    Model model = one_box({0.1, 0.1, 0.5}, 0, {0, 0, 0.0009 - corner.z()}, tilt, Vec3::Zero());
    model.time.step = h;
    double angle = lift, rate = 0, peaks[3] = {};
    int peak = 0;
    model.time.end = 1.2;
    Simulation simulation(std::make_shared<const Model>(model), MPI_COMM_SELF);
    while (!simulation.finished() && peak < 3) {
      simulation.step();
      const BodyState& body = simulation.bodies().state[0];
      angle = 2 * body.q.y() / body.q.w();
      if (rate * body.w.y() < 0 && std::abs(angle) > 0.02) peaks[peak++] = std::abs(angle) / alpha;
      rate = body.w.y();
    }
    double expected = 0.4;
    for (int k = 0; k < 2; ++k) {
      // cos(alpha - theta') = 1 - r^2 (1 - cos(alpha - theta)) about the height of the upright block.
      const double now = 1 - std::cos(alpha) - r * r * (std::cos(alpha - expected * alpha) - std::cos(alpha));
      expected = 1 - std::acos(1 - now) / alpha;
      EXPECT_NEAR(peaks[k], expected, 0.02) << "step " << h << ", swing " << k + 1;
    }
    std::printf("step %g s: peaks %.4f, %.4f\n", h, peaks[0], peaks[1]);
  }
}

TEST(EnergySteps, SlidingImpactHasTheImpulseOfCoulomb) {
  // Rigid sphere: tangential velocity v - mu (1 + e) v_n while it slides, 5/7 v where it ends rolling.
  for (const double h : {1e-3, 4e-3}) {
    for (const auto& [speed, expected] : {std::pair{5.0, 5 - 0.4 * 1.5}, {1.0, 5.0 / 7}}) {
      Model model = test_runs::balls_on_floor(0, 0.4);
      contact::HookeParameters hooke;
      hooke.stiffness = 1e7;  // t_c = 1 ms
      hooke.restitution = 0.5;
      model.interfaces[0].normal = hooke;
      model.interfaces[0].friction.damping = 0;
      model.interfaces[0].friction.stiffness = 2e5;
      model.gravity.setZero();
      test_runs::add_ball(model, {0, 0, 0.0521}, {speed, 0, -1.0});
      model = with_energy(model);
      model.time.step = h;
      model.time.end = 0.05;
      model.solver.newton_relative = 1e-10;
      const LastState last = run_model(model, MPI_COMM_SELF);
      std::printf("h %.0e s, %.1f m/s: %.4f m/s, Coulomb %.4f\n", h, speed, last.velocity(0).x(), expected);
      EXPECT_NEAR(last.velocity(0).x(), expected, (speed > 2 ? 1e-3 : 0.05) * expected);
      EXPECT_NEAR(last.velocity(0).z(), 0.5, 1e-5);
    }
  }
}

TEST(EnergySteps, AFastSpinLimitsTheStepInFlightToo) {
  // At the largest step it would turn by 172 degrees.
  Model model = test::cubes_on_floor(0.3, 0.3);
  test::add_cube(model, {0, 0, 5}, Quat::Identity(), {0, 0, 0}, {100, 0, 283});
  model = with_energy(model);
  model.time = {
      .end = 0.5, .step = 1e-4, .adaptive = true, .min = 1e-9, .max = 1e-2, .control = StepMode::motion};
  RunReport report;
  run_model(model, MPI_COMM_SELF, &report);
  EXPECT_EQ(report.cuts, 0);
  EXPECT_TRUE(std::any_of(report.limit_causes.begin(), report.limit_causes.end(),
                          [](const auto& cause) { return cause.first == "rotation"; }));
}

TEST(EnergySteps, NeverRisesInRandomHeapsOfCubes) {
  // Undamped, with friction, fixed steps up to 5 ms, speeds up to 3 m/s.
  std::mt19937_64 engine(7);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int deck = 0; deck < 6; ++deck) {
    Model model = test::cubes_on_floor(0, deck % 2 == 0 ? 0.3 : 0.0);
    for (int k = 0; k < 6; ++k) {
      const Vec3 turn(any(engine), any(engine), any(engine));
      const Vec3 v(any(engine), any(engine), 3 * any(engine));
      const Vec3 x(0.09 * (k % 2), 0.09 * ((k / 2) % 2), 0.12 + 0.19 * k);
      test::add_cube(model, x, rotation::quaternion(turn), v, Vec3(any(engine), any(engine), any(engine)));
    }
    model = with_energy(model);
    model.time.step = 5e-3 / (1 << deck);
    model.time.end = 0.25;
    model.solver.newton_relative = 1e-8;
    const Balance balance = run_to_end(model);
    std::printf("h %.1e s: energy balance error %.1e to %.1e J of %.1f J\n", model.time.step,
                balance.smallest, balance.largest, balance.reference);
    EXPECT_LT(balance.largest, 1e-5 * balance.reference);
    EXPECT_GT(balance.smallest, -1e-5 * balance.reference);
  }
}

TEST(EnergySteps, CubeComesToRestUnderItsWeight) {
  for (const double h : {5e-4, 2e-3}) {
    Model model = test::cubes_on_floor(0.3, 0.3);
    test::add_cube(model, {0, 0, 0.11}, rotation::quaternion(Vec3(0.2, 0.1, 0)));
    model = with_energy(model);
    model.time.step = h;
    model.time.end = 1.5;
    RunReport report;
    const LastState last = run_model(model, MPI_COMM_SELF, &report);
    EXPECT_LT(report.energy.kinetic(), 1e-10);
    EXPECT_NEAR(std::abs(last.floor.z()), 2 * 9.81, 1e-3 * 2 * 9.81);
  }
}

/// One boundary around everything, of a shape of its own.
void set_wall(Model& model, const Shape& wall) {
  model.walls = {wall};
  model.boundary_parts = {{0, Vec3::Zero(), Vec3::UnitY(), 0}};
}

TEST(EnergySteps, AnUndampedBallBouncesForEverWhereverStepsEnd) {
  // Steps that end in the middle of an impact leave the ball slow, but not at rest.
  for (const auto& [h, mu] : {std::pair(5e-3, 0.0), std::pair(1e-2, 0.0), std::pair(5e-3, 0.5)}) {
    Model model = test_runs::balls_on_floor(0, mu);
    contact::HookeParameters hooke;
    hooke.stiffness = 1e8;
    model.interfaces[0].normal = hooke;
    test_runs::add_ball(model, {0, 0, 0.25});
    model = with_energy(model);
    model.time.step = h;
    model.time.end = 20;
    RunReport report;
    run_model(model, MPI_COMM_SELF, &report);
    EXPECT_LT(report.energy.dissipated(), 1e-9 * report.energy.total());
    EXPECT_NEAR(report.energy.total(), report.energy.initial_total, 1e-6 * report.energy.total());
  }
}

TEST(EnergySteps, ABallThatSwingsInABoreIsNotAtRest) {
  // {restitution, friction, step [s], largest part of the energy of the swing that is lost in 5 s}. A swing
  // whose speed stays below what counts as slow is one of 0.06 rad at 10 ms.
  struct Case {
    double restitution, friction, step, angle, most;
  };
  for (const auto& [restitution, friction, step, angle, most] :
       {Case{1.0, 0, 2e-3, 0.3, 1e-9}, Case{1.0, 0.5, 2e-3, 0.3, 0.01}, Case{0.5, 0, 2e-3, 0.3, 0.05},
        Case{0.5, 0, 1e-2, 0.06, 0.2}}) {
    Model model = test_runs::balls_on_floor(0, friction);
    contact::HookeParameters hooke;
    hooke.stiffness = 1e8;
    hooke.restitution = restitution;
    model.interfaces[0].normal = hooke;
    set_wall(model, make_bore("bore", 0.5));
    test_runs::add_ball(model, 0.45 * Vec3(std::sin(angle), 0, -std::cos(angle)));
    model = with_energy(model);
    model.time.step = step;
    model.time.end = 5;
    RunReport report;
    run_model(model, MPI_COMM_SELF, &report);
    const double swing = model.bodies[0].mass * 9.81 * 0.45 * (1 - std::cos(angle));
    std::printf("restitution %.1f, friction %.1f, %g s: dissipated %.1e of %.4f J\n", restitution, friction,
                step, report.energy.dissipated(), swing);
    EXPECT_LT(report.energy.dissipated(), most * swing);
  }
}

TEST(EnergySteps, ASuperquadricThatTumblesInACavityGainsNothing) {
  // Places near the wall appear and vanish within a step: what one stored may be released once.
  Model model = test::cubes_on_floor(0, 0);
  std::get<contact::BarrierParameters>(model.interfaces[0].normal).restitution = 1;
  set_wall(model, make_cavity("shell", 0.3));
  model.shapes[0] = make_superquadric("block", {0.05, 0.04, 0.03}, 4, 4, 30);
  test::add_cube(model, {0, 0, -0.1}, rotation::quaternion({1.2, 0.6, 0.25}), {0.5, 0.8, -1}, {5, 5, 5});
  model = with_energy(model);
  model.time = {
      .end = 3.0, .step = 1e-3, .adaptive = true, .min = 1e-9, .max = 1e-2, .control = StepMode::motion};
  const Balance balance = run_to_end(model);
  std::printf("balance error %.1e to %.1e of %.3f J\n", balance.smallest, balance.largest, balance.reference);
  EXPECT_LT(balance.largest, 1e-5 * balance.reference);
}

TEST(EnergySteps, HertzianSuperquadricsKeepTheRadiusThatTheyTouchWith) {
  // Six bodies with rounded edges that collide with each other and a floor: their radii of curvature differ
  // by decades from place to place.
  Model model = test::cubes_on_floor(0, 0.3);
  contact::HertzParameters hertz;
  hertz.restitution = 1;
  model.interfaces[0].normal = hertz;
  model.interfaces[0].friction.stiffness = 1e5;
  for (Material& material : model.materials) {
    material.young = 1e7;
    material.poisson = 0.25;
  }
  model.shapes[0] = make_superquadric("block", {0.05, 0.04, 0.03}, 4, 4, 30);
  for (int k = 0; k < 6; ++k) {
    test::add_cube(model, {0.02 * (k % 2), 0.01 * k, 0.1 + 0.11 * k},
                   rotation::quaternion({1.2 * k, 0.6 + k, 0.25}), {0.1 * k, 0, -1}, {5, -5, 3.0 * k});
  }
  model = with_energy(model);
  model.time = {
      .end = 1.0, .step = 1e-3, .adaptive = true, .min = 1e-9, .max = 1e-2, .control = StepMode::motion};
  const Balance balance = run_to_end(model);
  std::printf("balance error %.1e to %.1e of %.3f J\n", balance.smallest, balance.largest, balance.reference);
  EXPECT_LT(balance.largest, 1e-5 * balance.reference);
  EXPECT_GT(balance.smallest, -1e-5 * balance.reference);
}

TEST(EnergySteps, WorkOfAWallThatTurnsIsThatOfItsForces) {
  if (ranks::rank_count() > 2) GTEST_SKIP() << "few bodies, many steps";
  Model model = test_runs::balls_on_floor(20, 0.5);
  set_wall(model, make_bore("drum", 0.2));
  model.boundary_parts.push_back({0, Vec3(0, -0.06, 0), Vec3::UnitY(), -1});
  model.boundary_parts.push_back({0, Vec3(0, 0.06, 0), -Vec3::UnitY(), -1});
  model.boundaries[0].motion.angular_velocity = Vec3(0, 6, 0);
  for (int k = 0; k < 5; ++k)
    test_runs::add_ball(model, 0.13 * Vec3(std::cos(1.2 * k), 0, std::sin(1.2 * k)));
  model = with_energy(model);
  model.time.step = 1e-3;
  model.time.end = 0.5;
  model.solver.newton_relative = 1e-10;
  RunReport report;
  run_model(model, MPI_COMM_WORLD, &report);
  EXPECT_GT(report.energy.work_of_boundaries, 0.1);
  EXPECT_LT(std::abs(report.energy.closure_error()), 1e-6 * report.energy.work_of_boundaries);
  EXPECT_GE(report.energy.friction_loss, 0);
}

TEST(EnergySteps, VelocitiesAfterImpactsInABedAreFoundByIterations) {
  // 216 balls that lie on each other: impacts and slips of all of them are coupled.
  Model model = test_runs::balls_on_floor(0, 0.3);
  contact::HookeParameters hooke;
  hooke.stiffness = 1e6;
  hooke.restitution = 0.3;
  model.interfaces[0].normal = hooke;
  model.interfaces[0].friction.stiffness = 1e6;
  const double side = 0.1;  // of a cell, the diameter of a ball
  for (int k = 0; k < 216; ++k) {
    test_runs::add_ball(model, side * Vec3(k % 6, k / 6 % 6, k / 36 + 0.5));
    model.bodies.back().velocity = 0.05 * Vec3(std::sin(1.0 * k), std::cos(2.0 * k), std::sin(3.0 * k));
  }
  model = with_energy(model);
  model.time.step = 1e-3;
  model.time.end = 0.02;
  RunReport report;
  run_model(model, MPI_COMM_WORLD, &report);
  EXPECT_EQ(report.cuts, 0);
  EXPECT_EQ(report.newton.factored, 0);
}

TEST(EnergySteps, AnyNumberOfRanksGivesTheSame) {
  Model model = with_energy(test_runs::falling_balls(20));
  model.time.step = 1e-3;
  model.time.end = 0.06;
  const LastState together = run_model(model, MPI_COMM_WORLD);
  const LastState alone = run_model(model, MPI_COMM_SELF);
  const double difference = test_runs::largest_difference(together.values, alone.values);
  if (this_rank() == 0) std::printf("%d ranks: %.1e to one\n", rank_count(), difference);
  EXPECT_LT(difference, 1e-8);
}

}  // namespace
}  // namespace scree
