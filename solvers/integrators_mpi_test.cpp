/// Every integrator in whole steps: tangent, order, energy, and the same answer on 1, 2 and 4 ranks.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <string>

#include "assembly/petsc.hpp"
#include "assembly/test_ranks.hpp"
#include "core/test_extremes.hpp"
#include "elements/integrators/variational_midpoint.hpp"
#include "solvers/dynamic/nonlinear_step.hpp"
#include "solvers/test_integrators.hpp"
#include "solvers/test_runs.hpp"
#include "solvers/test_tangent.hpp"

namespace scree {
namespace {

using elements::VariationalMidpoint;
using ranks::rank_count;
using ranks::this_rank;
using test::add_cube;
using test::cubes_on_floor;
using test::tangent_error;
using test_runs::add_ball;
using test_runs::balls_on_floor;
using test_runs::falling_balls;
using test_runs::falling_cubes;
using test_runs::LastState;
using test_runs::run_model;

std::vector<test::IntegratorEntry> entries() { return test::registered_integrator_entries(); }

TEST(Integrators, TangentOfTheWholeSystemMatchesDifferencesOfItsResidual) {
  // Large steps, so that contact and not inertia is most of the tangent.
  Model cubes = cubes_on_floor(0.2, 0.3);
  add_cube(cubes, {0, 0, 0.0506}, rotation::quaternion({0, 0, 0.1}), {0.05, 0, -0.02}, {0.2, 0.1, 0.5});
  add_cube(cubes, {0.01, 0.02, 0.1512}, rotation::quaternion({0, 0, 0.3}), {0, 0, -0.02}, {0, 0, 0.3});
  Model balls = balls_on_floor(50, 0.5);
  add_ball(balls, {0, 0, 0.0495}, {0.05, 0, -0.02}, {1, 2, 3});
  add_ball(balls, {0.0995, 0, 0.0497}, {0, 0.1, 0}, {-1, 0, 2});
  add_ball(balls, {0.04, 0.001, 0.135}, {0, 0, 0.1}, {0, 3, 0});
  for (const test::IntegratorEntry& entry : entries()) {
    // In secant tangents friction acts on a surface, not halfway between both.
    const double bound = entry.integrator->secant_forces() ? 5e-4 : 1e-6;
    if (entry.takes_barrier()) {
      cubes.integrator = entry.integrator;
      cubes.loads = {elements::ForceLoad{0, {0.03, 0.02, 0.01}, {3, 4, 5}}};
      const double error = tangent_error(cubes, 1e-3, 2e-6);
      if (this_rank() == 0) std::printf("%-16s cubes, barrier: %.1e\n", entry.name.c_str(), error);
      EXPECT_LT(error, bound) << entry.name;
    }
    balls.integrator = entry.integrator;
    const double error = tangent_error(balls, 1e-3, 2e-6);
    if (this_rank() == 0) std::printf("%-16s balls, Hooke: %.1e\n", entry.name.c_str(), error);
    EXPECT_LT(error, bound) << entry.name;
  }
}

/// State of one body, and its rates, for a Runge-Kutta solution of the equations of motion.
struct Motion {
  Vec3 x, v, pi;      ///< spatial angular momentum
  Eigen::Vector4d q;  ///< x, y, z, w
  friend Motion operator+(const Motion& a, const Motion& b) {
    return {a.x + b.x, a.v + b.v, a.pi + b.pi, a.q + b.q};
  }
  friend Motion operator*(double c, const Motion& a) { return {c * a.x, c * a.v, c * a.pi, c * a.q}; }
};

Motion integrate(const std::function<Motion(const Motion&)>& rate, Motion s, double end, int steps) {
  const double h = end / steps;
  for (int k = 0; k < steps; ++k) {
    const Motion k1 = rate(s), k2 = rate(s + 0.5 * h * k1), k3 = rate(s + 0.5 * h * k2),
                 k4 = rate(s + h * k3);
    s = s + (h / 6) * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  return s;
}

TEST(Integrators, HaveTheirOrdersForATurningBodyUnderLoads) {
  Model model;
  model.gravity = {0, 0, -9.81};
  model.materials.push_back({"rock", 2000, 0, 0});
  model.shapes.push_back(make_box("brick", {0.4, 0.3, 0.2}));
  BodyDescription body;
  body.mass = 2.5;
  body.inertia_B = Vec3(1, 2, 3).asDiagonal();
  body.velocity = {0.3, 0.2, 1};
  body.angular_velocity = {0.15, 1.2, 0.9};
  model.bodies.push_back(body);
  const Vec3 point(0.3, -0.2, 0.25), force(3, 4, 5), moment(0.4, -0.3, 0.5);
  model.loads = {elements::ForceLoad{0, point, force}, elements::MomentLoad{0, moment}};
  model.interface_of = {{-1}};
  model.time.end = 2;
  model.solver.newton_relative = 1e-12;

  const auto rate = [&](const Motion& s) -> Motion {
    const Quat q = Quat(s.q).normalized();
    const Vec3 w = q * body.inertia_B.inverse() * (q.conjugate() * s.pi);
    const Quat turn = Quat(0, w.x(), w.y(), w.z()) * Quat(s.q);
    return {s.v, model.gravity + force / body.mass, moment + (q * point).cross(force), 0.5 * turn.coeffs()};
  };
  const Motion exact = integrate(
      rate, {Vec3::Zero(), body.velocity, body.inertia_B * body.angular_velocity, Quat::Identity().coeffs()},
      2, 20000);
  const Quat exact_q = Quat(exact.q).normalized();
  for (const test::IntegratorEntry& entry : entries()) {
    model.integrator = entry.integrator;
    std::vector<double> attitude, momentum;
    for (const int steps : {200, 400, 800}) {
      model.time.step = model.time.end / steps;
      const LastState last = run_model(model, MPI_COMM_SELF);
      const Quat q = last.orientation(0);
      attitude.push_back(q.angularDistance(exact_q));
      momentum.push_back((q * body.inertia_B * (q.conjugate() * last.spin(0)) - exact.pi).norm());
    }
    for (int k = 0; k < 2; ++k) {
      const double order = std::log2(attitude[k] / attitude[k + 1]);
      const double order_pi = std::log2(momentum[k] / momentum[k + 1]);
      if (this_rank() == 0) {
        std::printf("%-16s order of the attitude %.3f, of the momentum %.3f (errors %.1e, %.1e)\n",
                    entry.name.c_str(), order, order_pi, attitude[k + 1], momentum[k + 1]);
      }
      EXPECT_NEAR(order, entry.order, 0.1) << entry.name;
      EXPECT_NEAR(order_pi, entry.order, 0.1) << entry.name;
    }
  }
}

TEST(Integrators, HaveTheirOrdersWithinADampedContact) {
  // A ball in overlap with the floor: m z'' = -m g + k d - c z', d = r - z; exact solution of the oscillator.
  const double damping = 40;
  Model model = balls_on_floor(damping, 0);
  const double start = 0.002, speed = -0.3;
  add_ball(model, {0, 0, 0.05 - start}, {0, 0, speed});
  const double k = 2e4, mass = 1, rest = mass * 9.81 / k;
  const double decay = 0.5 * damping, omega = std::sqrt(k / mass - decay * decay);
  const double end = 0.012;
  // s = d - rest: s'' + 2 decay s' + (k/m) s = 0.
  const double s0 = start - rest, rate0 = -speed;
  const double b = (rate0 + decay * s0) / omega;
  const double e = std::exp(-decay * end), c = std::cos(omega * end), s = std::sin(omega * end);
  const double overlap = rest + e * (s0 * c + b * s);
  const double velocity = -e * ((b * omega - decay * s0) * c - (s0 * omega + decay * b) * s);
  ASSERT_GT(overlap, 0);
  model.time.end = end;
  model.solver.newton_relative = 1e-12;
  for (const test::IntegratorEntry& entry : entries()) {
    if (!entry.takes_dashpots()) continue;
    model.integrator = entry.integrator;
    std::vector<double> position, speeds;
    for (const int steps : {200, 400, 800}) {
      model.time.step = end / steps;
      const LastState last = run_model(model, MPI_COMM_SELF);
      position.push_back(std::abs(last.position(0).z() - (0.05 - overlap)));
      speeds.push_back(std::abs(last.velocity(0).z() - velocity));
    }
    for (int n = 0; n < 2; ++n) {
      const double order = std::log2(position[n] / position[n + 1]);
      const double order_v = std::log2(speeds[n] / speeds[n + 1]);
      if (this_rank() == 0) {
        std::printf("%-16s order of the position %.3f, of the velocity %.3f (errors %.1e m, %.1e m/s)\n",
                    entry.name.c_str(), order, order_v, position[n + 1], speeds[n + 1]);
      }
      EXPECT_NEAR(order, entry.order, 0.1) << entry.name;
      EXPECT_NEAR(order_v, entry.order, 0.1) << entry.name;
    }
  }
}

TEST(Integrators, GiveTheSameTrajectoryOnAnyNumberOfRanks) {
  for (const test::IntegratorEntry& entry : entries()) {
    Model model = entry.takes_barrier() ? falling_cubes() : falling_balls();
    if (entry.takes_barrier()) model.time.end = 0.08;
    model.integrator = entry.integrator;
    RunReport report;
    const LastState together = run_model(model, MPI_COMM_WORLD, &report);
    const LastState again = run_model(model, MPI_COMM_WORLD);
    const LastState alone = run_model(model, MPI_COMM_SELF);
    const double worst = test_runs::largest_difference(together.values, alone.values);
    if (this_rank() == 0) {
      std::printf("%-16s %d ranks: largest difference to one rank %.1e, %ld steps, %ld contacts\n",
                  entry.name.c_str(), rank_count(), worst, report.steps, report.max_contacts);
    }
    EXPECT_GT(report.max_contacts, 4) << entry.name;
    // Collisions multiply round-off by about 100 in 0.01 s, whatever the tolerance.
    EXPECT_LT(worst, 1e-6) << entry.name;
    EXPECT_EQ(together.values, again.values) << entry.name;
  }
}

TEST(Variational, KeepsTheEnergyOfACubeThatBouncesOnABarrier) {
  // Theory 02 section 8: bounded, no drift; theory 09 section 4: resolved steps.
  Model model = cubes_on_floor(0, 0);
  add_cube(model, {0, 0, 0.071}, Quat::Identity());
  model.time.end = 0.6;
  model.time.step = 2.5e-5;
  model.solver.newton_relative = 1e-10;
  model.integrator = std::make_shared<VariationalMidpoint>();
  RunReport report;
  const LastState last = run_model(model, MPI_COMM_SELF, &report);
  double first = 0, second = 0;
  for (std::size_t k = 0; k < last.energies.size(); ++k) {
    double& worst = k < last.energies.size() / 2 ? first : second;
    test::keep_largest(worst, std::abs(last.energies[k] - last.energies[0]));
  }
  const double exchanged = 2 * 9.81 * 0.02;
  if (this_rank() == 0) {
    std::printf("energy error %.1e, then %.1e, of the reference energy; smallest gap %.3g mm; %ld cuts\n",
                first / exchanged, second / exchanged, 1e3 * report.min_gap, report.cuts);
  }
  EXPECT_LT(first, 3e-3 * exchanged);
  EXPECT_LT(second, 1.2 * first);
  EXPECT_GT(report.min_gap, 0);
  EXPECT_LT(report.min_gap, 1e-3);
  EXPECT_EQ(report.cuts, 0);
}

TEST(Variational, CutsAStepWhoseEndPenetratesThoughItsMiddleDoesNot) {
  // Theory 02 section 8: half way the gap is open, and the end lies in the floor.
  Model model = cubes_on_floor(0.1, 0);
  add_cube(model, {0, 0, 0.058}, Quat::Identity(), {0, 0, -2.5});
  model.time.end = 0.05;
  model.time.step = 5e-3;
  model.solver.newton_relative = 1e-10;
  model.integrator = std::make_shared<VariationalMidpoint>();
  RunReport report;
  const LastState last = run_model(model, MPI_COMM_WORLD, &report);
  ASSERT_FALSE(report.cut_causes.empty());
  long penetrating = 0;
  for (const auto& [cause, count] : report.cut_causes) {
    if (cause == "a body would pass through boundary \"floor\"") penetrating += count;
  }
  EXPECT_GT(penetrating, 0);
  EXPECT_GT(report.min_gap, 0);
  EXPECT_GT(last.velocity(0).z(), 0);
}

TEST(Variational, KeepsMomentaOfAPairThatCollides) {
  Model model = cubes_on_floor(0.2, 0.5);
  model.gravity.setZero();
  model.boundaries.clear();
  model.boundary_parts.clear();
  add_cube(model, {0, 0, 0}, rotation::quaternion({0.2, 0.1, 0.3}), {0, 0.2, 0.5}, {1, 2, -1});
  add_cube(model, {0.03, 0.02, 0.16}, rotation::quaternion({-0.1, 0.3, 0.2}), {0, 0, -0.5}, {0.5, -1, 1});
  model.time.end = 0.1;
  model.time.step = 1e-4;
  model.solver.newton_relative = 1e-11;
  model.integrator = std::make_shared<VariationalMidpoint>();
  RunReport report;
  const LastState last = run_model(model, MPI_COMM_WORLD, &report);
  Vec3 p = Vec3::Zero(), l = Vec3::Zero(), p0 = Vec3::Zero(), l0 = Vec3::Zero();
  for (std::size_t b = 0; b < 2; ++b) {
    const BodyDescription& start = model.bodies[b];
    const double j = start.inertia_B(0, 0);  // a cube: the same about all axes
    p0 += 2 * start.velocity;
    l0 += 2 * start.position.cross(start.velocity) + j * start.angular_velocity;
    p += 2 * last.velocity(b);
    l += 2 * last.position(b).cross(last.velocity(b)) + j * last.spin(b);
  }
  if (this_rank() == 0) std::printf("momenta to %.1e and %.1e\n", (p - p0).norm(), (l - l0).norm());
  EXPECT_GT(report.largest_force, 50);
  EXPECT_LT((p - p0).norm(), 1e-13);  // whatever the solver's tolerance
  EXPECT_LT((l - l0).norm(), 1e-12);
}

}  // namespace
}  // namespace scree
