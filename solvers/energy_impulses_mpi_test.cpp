/// Forces that observers see under the energy-consistent integrator: with the impulses of the impact update
/// they are what changes the momenta (theory 11 section 6).
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <variant>
#include <vector>

#include "assembly/test_ranks.hpp"
#include "core/rotation.hpp"
#include "core/test_extremes.hpp"
#include "solvers/simulation.hpp"
#include "solvers/test_energy.hpp"
#include "solvers/test_runs.hpp"

namespace scree {
namespace {

using test::with_energy;
using test_runs::run_model;

Eigen::Map<Vec3> vector_at(std::vector<double>& values, std::size_t at) {
  return Eigen::Map<Vec3>(&values[at]);
}

/// Compares forces, moments and works with momenta and energies, step by step.
struct MomentumBalance : Observer {
  explicit MomentumBalance(MPI_Comm c) : comm(c) {}

  void accepted(const AcceptedState& state) override {
    const Bodies& bodies = *state.bodies;
    // Angular momentum of all about the origin, and mass times place.
    Vec6 whole = Vec6::Zero();
    const std::size_t count = static_cast<std::size_t>(state.population->numbers);
    std::vector<double> momenta(6 * count), wrenches(6 * count), weights(3 * count);
    for (int i = 0; i < bodies.owned; ++i) {
      const BodyProperties& body = bodies.properties[i];
      const BodyState& now = bodies.state[i];
      const auto id = static_cast<std::size_t>(body.id);
      const Mat3 r = now.q.toRotationMatrix();
      vector_at(momenta, 6 * id) = body.mass * now.v;
      vector_at(momenta, 6 * id + 3) = r * body.inertia_B * r.transpose() * now.w;
      vector_at(wrenches, 6 * id) = (*state.body_wrench)[i].force;
      vector_at(wrenches, 6 * id + 3) = (*state.body_wrench)[i].moment;
      vector_at(weights, 3 * id) = body.mass * state.model->gravity;
      const Vec3 place = bodies.unwrapped(now);
      whole.head<3>() += place.cross(body.mass * now.v) + vector_at(momenta, 6 * id + 3);
      whole.tail<3>() += body.mass * place;
    }
    MPI_Allreduce(MPI_IN_PLACE, whole.data(), 6, MPI_DOUBLE, MPI_SUM, comm);
    for (std::vector<double>* values : {&momenta, &wrenches, &weights})
      test_runs::sum_over_ranks(*values, comm);
    // Rows of contact files, summed over the ranks that count them.
    std::vector<double> rows(3 * count);
    for (const ContactRecord& record : state.queries->contacts()) {
      const Vec3 on_a = record.normal_force * record.normal + record.friction;
      vector_at(rows, 3 * static_cast<std::size_t>(record.body_a)) += on_a;
      if (record.body_b >= 0) vector_at(rows, 3 * static_cast<std::size_t>(record.body_b)) -= on_a;
    }
    test_runs::sum_over_ranks(rows, comm);
    if (!state.first) {
      compare(state, momenta, wrenches, weights, rows);
      const double h = state.step;
      const Vec3 turned = 0.5 * h * (whole + whole_before_).tail<3>().cross(state.model->gravity) -
                          h * (*state.boundary_wrench)[0].moment;
      test::keep_largest(of_boundary_moment, ((whole - whole_before_).head<3>() - turned).norm());
    }
    before_ = momenta;
    whole_before_ = whole;
  }

  MPI_Comm comm;
  double largest = 0;                     ///< change of momentum of a body in a step [N s]
  double of_momenta = 0;                  ///< worst errors: of force times step [N s],
  double of_spins = 0;                    ///< of moment times step [N m s],
  double of_rows = 0;                     ///< of rows of contact files times step [N s],
  double of_reactions = 0;                ///< of the forces on boundaries times step [N s],
  double of_boundary_moment = 0;          ///< of the moment on the first about the origin [N m s]
  double work = 0;                        ///< of the first boundary: force times its velocity [J]
  Vec3 boundary_velocity = Vec3::Zero();  ///< of that boundary [m/s]

 private:
  void compare(const AcceptedState& state, const std::vector<double>& momenta,
               const std::vector<double>& wrenches, const std::vector<double>& weights,
               const std::vector<double>& rows) {
    const double h = state.step;
    Vec3 all = Vec3::Zero();
    for (std::size_t id = 0; id < momenta.size() / 6; ++id) {
      const Eigen::Map<const Vec6> now(&momenta[6 * id]), last(&before_[6 * id]), wrench(&wrenches[6 * id]);
      const Eigen::Map<const Vec3> weight(&weights[3 * id]), by_rows(&rows[3 * id]);
      const Vec6 change = now - last;
      test::keep_largest(largest, change.head<3>().norm());
      test::keep_largest(of_momenta, (change.head<3>() - h * (wrench.head<3>() + weight)).norm());
      test::keep_largest(of_spins, (change.tail<3>() - h * wrench.tail<3>()).norm());
      test::keep_largest(of_rows, h * (wrench.head<3>() - by_rows).norm());
      all += wrench.head<3>();
    }
    for (const Wrench& boundary : *state.boundary_wrench) all += boundary.force;
    test::keep_largest(of_reactions, h * all.norm());
    work -= h * (*state.boundary_wrench)[0].force.dot(boundary_velocity);
  }

  std::vector<double> before_;
  Vec6 whole_before_ = Vec6::Zero();
};

void expect_balance(const MomentumBalance& balance, double least, double tolerance) {
  std::printf("largest change %.2e N s; errors: momenta %.1e, spins %.1e, rows %.1e, reactions %.1e, %.1e\n",
              balance.largest, balance.of_momenta, balance.of_spins, balance.of_rows, balance.of_reactions,
              balance.of_boundary_moment);
  EXPECT_GT(balance.largest, least);
  EXPECT_LT(balance.of_momenta, tolerance);
  EXPECT_LT(balance.of_spins, tolerance);
  EXPECT_LT(balance.of_rows, tolerance);
  EXPECT_LT(balance.of_reactions, tolerance);
  EXPECT_LT(balance.of_boundary_moment, tolerance);
}

TEST(EnergyImpulses, OfBallsWithFrictionAndRollingChangeTheirMomenta) {
  if (ranks::rank_count() > 2) GTEST_SKIP() << "few bodies, many steps";
  for (const double e : {0.0, 0.5, 1.0}) {
    for (const double h : {2e-5, 5e-4, 4e-3}) {
      Model model = test_runs::falling_balls(0);
      contact::HookeParameters hooke;
      hooke.stiffness = 2e4;
      hooke.restitution = e;
      model.interfaces[0].normal = hooke;
      model.interfaces[0].rolling = {.coefficient = 0.2, .stiffness = 10, .damping_ratio = 0.3};
      model = with_energy(model);
      model.time.step = h;
      model.time.end = h < 1e-4 ? 0.02 : 0.08;
      MomentumBalance balance(MPI_COMM_WORLD);
      run(model, {&balance}, MPI_COMM_WORLD);
      std::printf("e %.1f, h %g s: ", e, h);
      expect_balance(balance, h < 1e-4 ? 1e-3 : 0.05, 1e-7);
    }
  }
}

TEST(EnergyImpulses, OfCubesChangeTheirMomenta) {
  Model model = test_runs::falling_cubes();
  std::get<contact::BarrierParameters>(model.interfaces[0].normal).restitution = 0.2;
  model = with_energy(model);
  model.time.max = 2e-3;
  MomentumBalance balance(MPI_COMM_WORLD);
  run(model, {&balance}, MPI_COMM_WORLD);
  expect_balance(balance, 0.1, 1e-7);
}

TEST(EnergyImpulses, OfAFloorThatMovesDoTheWorkOfTheBalance) {
  if (ranks::rank_count() > 2) GTEST_SKIP() << "few bodies, many steps";
  for (const double h : {2e-5, 4e-3}) {
    Model model = test_runs::falling_balls(0);
    contact::HookeParameters hooke;
    hooke.stiffness = 2e4;
    hooke.restitution = 0.3;
    model.interfaces[0].normal = hooke;
    model.boundaries[0].motion.velocity = Vec3(0.5, 0, 1);
    model = with_energy(model);
    model.time.step = h;
    model.time.end = 0.04;
    MomentumBalance balance(MPI_COMM_WORLD);
    balance.boundary_velocity = model.boundaries[0].motion.velocity;
    const RunReport report = run(model, {&balance}, MPI_COMM_WORLD);
    std::printf("h %g s: work %.6g J, in the balance %.6g J\n", h, balance.work,
                report.energy.work_of_boundaries);
    EXPECT_GT(balance.work, 1);
    EXPECT_NEAR(balance.work, report.energy.work_of_boundaries, 1e-6 * balance.work);
  }
}

/// A body of 1 kg that falls onto a floor, energy steps of fixed size.
Model falling(bool cube, double height, double restitution, double h) {
  Model model = cube ? test::cubes_on_floor(0, 0) : test_runs::balls_on_floor(0, 0);
  contact::HookeParameters hooke;
  hooke.stiffness = 1e7;
  hooke.restitution = restitution;
  model.interfaces[0].normal = hooke;
  if (cube) {
    test::add_cube(model, {0, 0, 0.05 + height});
  } else {
    test_runs::add_ball(model, {0, 0, 0.05 + height});
  }
  model = with_energy(model);
  model.time.step = h;
  model.solver.newton_relative = 1e-11;
  return model;
}

TEST(EnergyImpulses, BodiesReboundToTheirHeightAtAnyStep) {
  // e^2 of the height of the fall, wherever in the step the impact is, and gravity before and after it.
  double worst = 0;
  for (const bool cube : {false, true}) {
    for (const double e : {0.3, 0.5, 0.9}) {
      for (const double h : {5e-3, 2e-3, 1e-3, 1e-4}) {
        for (const double height : {0.1, 0.1013, 0.1027}) {
          Model model = falling(cube, height, e, h);
          model.time.end = 0.19;
          const test_runs::LastState last = run_model(model, MPI_COMM_SELF);
          const double reached = last.position(0).z() - 0.05 + last.velocity(0).squaredNorm() / (2 * 9.81);
          test::keep_largest(worst, std::abs(reached / (e * e * height) - 1));
        }
      }
    }
  }
  std::printf("height of rebound is off by %.1e\n", worst);
  EXPECT_LT(worst, 1e-3);
}

/// A cube, without gravity and friction, that strikes the floor with a vertex or an edge not below its
/// centre.
struct SlantedImpact {
  Vec3 turn, place;  ///< rotation vector; the vertex, or the middle of the edge, in the body frame [m]
  bool barrier;      ///< law; otherwise Hooke's
  double restitution, h_omega;
  double phase;  ///< part of a step at whose end the floor is touched
};

/// Largest errors against the balance of a rigid body, as parts of what is expected.
struct RigidBalanceErrors {
  double rebound = 0, momentum = 0, spin = 0;
  double across = 0;  ///< change of the velocity along the floor, of the speed towards it
};

void compare_with_rigid_body(const SlantedImpact& impact, RigidBalanceErrors& errors) {
  const double h = 2e-4, e = impact.restitution;
  const Vec3 before(0.2, -0.1, -0.5);
  const double speed = -before.z();
  const Quat q = rotation::quaternion(impact.turn);
  const Vec3 arm = q * impact.place;
  const Vec3 turning = arm.cross(Vec3::UnitZ());
  Model model = test::cubes_on_floor(0, 0);
  model.gravity.setZero();
  test::add_cube(model, Vec3::Zero(), q, before);
  const double mass = model.bodies[0].mass, inertia = model.bodies[0].inertia_B(0, 0);
  const double moved = 1 / (1 / mass + turning.squaredNorm() / inertia);
  const double stiffness = moved * impact.h_omega * impact.h_omega / (h * h);
  double onset = 0;
  if (impact.barrier) {
    auto& barrier = std::get<contact::BarrierParameters>(model.interfaces[0].normal);
    // Force over depth is that stiffness at the deepest place.
    barrier.stiffness = stiffness * stiffness / (2 * moved * speed * speed);
    barrier.restitution = e;
    onset = barrier.threshold;
  } else {
    contact::HookeParameters hooke;
    hooke.stiffness = stiffness;
    hooke.restitution = e;
    model.interfaces[0].normal = hooke;
  }
  model.bodies[0].position.z() = onset + (1 + impact.phase) * speed * h - arm.z();
  model = with_energy(model);
  model.time.step = h;
  model.time.end = 5e-3;
  model.solver.newton_relative = 1e-8;
  const test_runs::LastState last = run_model(model, MPI_COMM_SELF);
  const Vec3 v = last.velocity(0), w = last.spin(0);
  const double impulse = (1 + e) * moved * speed;
  const Vec3 spin = turning * (impulse / inertia);
  test::keep_largest(errors.rebound, std::abs((v + w.cross(arm)).z() - e * speed) / speed);
  test::keep_largest(errors.momentum, std::abs(mass * (v - before).z() - impulse) / impulse);
  test::keep_largest(errors.spin, (w - spin).norm() / spin.norm());
  test::keep_largest(errors.across, (v - before).head<2>().norm() / speed);
}

TEST(EnergyImpulses, VerticesAndEdgesThatHitGetTheImpulseOfARigidBody) {
  // J = (1 + e) v / (1/m + (r x n) . I^-1 (r x n)) along the normal n of the floor.
  if (ranks::rank_count() > 1) GTEST_SKIP() << "one rank runs it";
  struct Place {
    const char* name;
    Vec3 turn, place;
  };
  for (const auto& [name, turn, place] :
       {Place{"vertex", {0.5, 0.3, 0}, {0.05, -0.05, -0.05}}, Place{"edge", {0, 0.5, 0}, {0.05, 0, -0.05}}}) {
    for (const bool barrier : {false, true}) {
      for (const double h_omega : {1.0, 100.0}) {
        RigidBalanceErrors errors;
        for (const double e : {0.0, 0.3, 0.5, 0.9}) {
          for (const double phase : {0.3, 0.8})
            compare_with_rigid_body({turn, place, barrier, e, h_omega, phase}, errors);
        }
        std::printf("%s, %s, h omega %g: rebound off by %.1e, momentum %.1e, spin %.1e, across %.1e\n", name,
                    barrier ? "barrier" : "hooke", h_omega, errors.rebound, errors.momentum, errors.spin,
                    errors.across);
        EXPECT_LT(errors.rebound, 0.05);
        EXPECT_LT(errors.momentum, 0.05);
        EXPECT_LT(errors.spin, 0.05);
        EXPECT_LT(errors.across, 1e-3);
      }
    }
  }
}

/// Corners beside edges of the other cube: forces of vertices and of edge pairs are tilted, and their sum is
/// not. What impacts take back has to be so too.
TEST(EnergyImpulses, CubesThatLieAlmostFlushAreNotPushedSideways) {
  double drift = 0, turn = 0, rebound = 0;
  for (const double offset : {1e-5, 1e-4, 2e-4, 3e-4, 5e-4}) {
    Model model = test::cubes_on_floor(0, 0);
    std::get<contact::BarrierParameters>(model.interfaces[0].normal).restitution = 0.6;
    model.gravity.setZero();
    test::add_cube(model, {0, 0, 0.06});
    model.bodies[0].fixed.fill(true);
    test::add_cube(model, {offset, 0, 0.1621}, Quat::Identity(), {0, 0, -1});
    model = with_energy(model);
    model.time.step = 1e-4;
    model.time.end = 0.01;
    const test_runs::LastState last = run_model(model, MPI_COMM_SELF);
    test::keep_largest(drift, last.velocity(1).head<2>().norm());
    test::keep_largest(turn, last.spin(1).norm());
    test::keep_largest(rebound, std::abs(last.velocity(1).z() / 0.6 - 1));
  }
  std::printf("sideways %.2g m/s, %.2g rad/s, rebound off by %.1e\n", drift, turn, rebound);
  EXPECT_LT(drift, 0.01);
  EXPECT_LT(turn, 0.1);
  EXPECT_LT(rebound, 0.02);
}

struct FlushImpact {
  double offset, restitution, friction, step;
  bool energy;  ///< integrator; otherwise Newmark's
};

/// A cube falls on one that is held and lies flush with it but for an offset.
test_runs::LastState impact_of(const FlushImpact& impact) {
  Model model = test::cubes_on_floor(0, impact.friction);
  std::get<contact::BarrierParameters>(model.interfaces[0].normal).restitution = impact.restitution;
  model.gravity.setZero();
  test::add_cube(model, {0, 0, 0.06});
  model.bodies[0].fixed.fill(true);
  test::add_cube(model, {impact.offset, 0.3 * impact.offset, 0.1621}, Quat::Identity(), {0, 0, -1});
  if (impact.energy) model = with_energy(model);
  model.time.step = impact.step;
  model.time.end = 0.02;
  return run_model(model, MPI_COMM_SELF);
}

/// Dashpots and friction have to be so too, and an impact that takes all.
TEST(EnergyImpulses, NorDoFrictionOrAnImpactWithoutReboundPushThem) {
  double drift = 0, turn = 0, rebound = 0;
  for (const double offset : {1e-5, 1e-4, 2e-4, 3e-4, 5e-4}) {
    for (const double restitution : {0.0, 0.6}) {
      for (const double friction : {0.0, 0.4}) {
        for (const double step : {1e-4, 2e-3}) {
          const test_runs::LastState last = impact_of({offset, restitution, friction, step, true});
          test::keep_largest(drift, last.velocity(1).head<2>().norm());
          test::keep_largest(turn, last.spin(1).norm());
          test::keep_largest(rebound, std::abs(last.velocity(1).z() - restitution));
        }
      }
    }
  }
  std::printf("sideways %.2g m/s, %.2g rad/s, rebound off by %.1e m/s\n", drift, turn, rebound);
  EXPECT_LT(drift, 0.02);  // with a direction and a weight for each contact 0.1, 2.2 and 0.17
  EXPECT_LT(turn, 0.5);
  EXPECT_LT(rebound, 0.03);
}

TEST(EnergyImpulses, DashpotsDoNotPushCubesSidewaysThatLieAlmostFlush) {
  double drift = 0, turn = 0;
  for (const double offset : {1e-5, 1e-4, 2e-4, 3e-4, 5e-4}) {
    for (const double friction : {0.0, 0.4}) {
      const test_runs::LastState last = impact_of({offset, 0.0, friction, 1e-5, false});
      test::keep_largest(drift, last.velocity(1).head<2>().norm());
      test::keep_largest(turn, last.spin(1).norm());
    }
  }
  std::printf("sideways %.2g m/s, %.2g rad/s\n", drift, turn);
  EXPECT_LT(drift, 0.005);
  EXPECT_LT(turn, 0.1);
}

TEST(EnergyImpulses, FrictionOfAnImpactDoesNotDependOnWhereTheStepsAre) {
  // Touches exactly at the end of a step, or anywhere else: mu (1 + e) times the speed.
  for (const double h : {5e-3, 1e-3, 5e-4, 1e-4}) {
    for (const double gap : {0.01, 0.01 + 1e-7, 0.0102, 0.0103, 0.0107}) {
      Model model = test_runs::balls_on_floor(0, 0.2);
      model.gravity.setZero();
      model.materials[0].young = 5e9;
      model.materials[0].poisson = 0.25;
      contact::HertzParameters hertz;
      hertz.restitution = 0.5;
      model.interfaces[0].normal = hertz;
      model.interfaces[0].friction.rule = contact::TangentialStiffness::mindlin;
      model.interfaces[0].friction.damping = 0;
      test_runs::add_ball(model, {0, 0, 0.05 + gap}, {5, 0, -2});
      model = with_energy(model);
      model.time.step = h;
      model.time.end = 0.02;
      const Vec3 v = run_model(model, MPI_COMM_SELF).velocity(0);
      EXPECT_NEAR(v.z(), 1, 1e-6) << h << ' ' << gap;
      EXPECT_NEAR(5 - v.x(), 0.6, 0.006) << h << ' ' << gap;
    }
  }
}

}  // namespace
}  // namespace scree
