/// Impacts of boxes that are shorter than the step, under the energy-consistent integrator: friction and
/// impulse are those of rigid bodies (theory 11 sections 6 and 7).
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <random>
#include <vector>

#include "assembly/test_ranks.hpp"
#include "core/rotation.hpp"
#include "core/test_extremes.hpp"
#include "solvers/simulation.hpp"
#include "solvers/test_energy.hpp"
#include "solvers/test_models.hpp"
#include "solvers/test_runs.hpp"

namespace scree {
namespace {

constexpr double kStickingReach = 1e-3;  ///< of the law of test::cubes_on_floor, where a contact begins [m]

/// A box that touches the floor in 1e-4 m at its lowest corner or edge, without gravity.
struct FallingBox {
  Vec3 size;
  Quat tilt;
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();
  Vec3 lowest = Vec3::Zero();  ///< corner, from the pole: of several the first

  int low = 0;  ///< corners within 30 mm above it, with itself

  FallingBox(const Vec3& box, const Quat& q) : size(box), tilt(q) {
    const std::vector<Vec3> corners = make_box("block", size).vertices;
    lowest.z() = 1;
    for (const Vec3& x : corners) {
      const Vec3 corner = tilt * x;
      if (corner.z() < lowest.z() - 1e-9) lowest = corner;
    }
    for (const Vec3& x : corners) low += (tilt * x).z() < lowest.z() + 0.03 ? 1 : 0;
  }

  [[nodiscard]] Model model(double restitution, double friction, double stiffness) const {
    Model made = test::cubes_on_floor(0, friction);
    made.gravity.setZero();
    auto& law = std::get<contact::BarrierParameters>(made.interfaces[0].normal);
    law.restitution = restitution;
    law.stiffness = stiffness;
    made.interfaces[0].friction.stiffness = 1e-8 * stiffness;
    made.shapes[0] = make_box("block", size);
    test::add_cube(made, {0, 0, kStickingReach + 1e-4 - lowest.z()}, tilt, v, w);
    made.bodies[0].mass = 2000 * made.shapes[0].volume;
    made.bodies[0].inertia_B = 2000 * made.shapes[0].inertia_per_density;
    return test::with_energy(made);
  }
};

/// An impact that ends at rest where the bodies touch: inverse mass matrix there and the velocities after it.
struct PlasticImpact {
  Vec3 v, w, impulse;

  PlasticImpact(const FallingBox& box, const BodyDescription& body, const Vec3& arm) {
    const Mat3 r = box.tilt.toRotationMatrix();
    const Mat3 inverse = (r * body.inertia_B * r.transpose()).inverse();
    const Mat3 cross = rotation::skew(arm);
    const Mat3 mobility = Mat3::Identity() / body.mass - cross * inverse * cross;
    impulse = -mobility.ldlt().solve(box.v + box.w.cross(arm));
    v = box.v + impulse / body.mass;
    w = box.w + inverse * arm.cross(impulse);
  }
};

TEST(EnergySticking, ACornerThatSticksLeavesAsThatOfARigidBody) {
  if (ranks::rank_count() > 1) GTEST_SKIP() << "one body";
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(-1, 1);
  int judged = 0;
  double worst = 0, sum = 0;
  while (judged < 12) {
    const Vec3 size(0.2 + 0.1 * unit(random), 0.2 + 0.1 * unit(random), 0.2 + 0.1 * unit(random));
    const Quat tilt = Quat(unit(random), unit(random), unit(random), unit(random)).normalized();
    FallingBox box(size, tilt);
    box.v = {unit(random), unit(random), -1.5};
    Model model = box.model(0, 1, 2.5e16);
    const PlasticImpact exact(box, model.bodies[0], box.lowest);
    // The next corner has to be far, and friction to suffice.
    if (box.low > 1 || exact.impulse.head<2>().norm() > 0.7 * exact.impulse.z()) continue;
    ++judged;
    const double change = (exact.v - box.v).norm() + 0.1 * (exact.w - box.w).norm();
    for (const double h : {5e-4, 2e-3}) {
      model.time.step = h;
      model.time.end = 6e-3;
      const test_runs::LastState last = test_runs::run_model(model, MPI_COMM_SELF);
      const double off =
          ((last.velocity(0) - exact.v).norm() + 0.1 * (last.spin(0) - exact.w).norm()) / change;
      test::keep_largest(worst, off);
      sum += off;
    }
  }
  std::printf("off by %.3f of the change on average, at most %.3f\n", sum / 24, worst);
  EXPECT_LT(sum / 24, 0.02);  // with friction that the normal impulse's end leaves as it was: 0.1
  EXPECT_LT(worst, 0.1);
}

TEST(EnergySticking, AnEdgeThatSticksLeavesAsThatOfARigidBody) {
  if (ranks::rank_count() > 1) GTEST_SKIP() << "one body";
  // Corners of an edge: one contact in the plane, 20 degrees from the vertical.
  FallingBox box({0.15, 0.15, 0.3}, rotation::quaternion({0, std::numbers::pi / 9, 0}));
  box.v = {0, 0, -1};
  Model model = box.model(0, 1, 2.5e16);
  const PlasticImpact exact(box, model.bodies[0], {box.lowest.x(), 0, box.lowest.z()});
  for (const double h : {1e-4, 5e-4, 2e-3}) {
    model.time.step = h;
    model.time.end = 6e-3;
    const test_runs::LastState last = test_runs::run_model(model, MPI_COMM_SELF);
    const Vec3 slip = last.velocity(0) + last.spin(0).cross(box.lowest);
    std::printf("steps of %g s: spin %.3f rad/s, slip %.3f m/s\n", h, last.spin(0).y(), slip.x());
    EXPECT_NEAR(last.spin(0).y(), exact.w.y(), 0.05 * std::abs(exact.w.y())) << h;
    EXPECT_LT(std::abs(slip.x()), 0.02) << h;
  }
}

TEST(EnergySticking, TheImpulseOfACornerIsThatOfARigidBodyAtAnyStep) {
  if (ranks::rank_count() > 1) GTEST_SKIP() << "one body";
  // The box turns while it is struck: in a step of 10 ms the lever would change by a tenth.
  std::mt19937 random(11);
  std::uniform_real_distribution<double> unit(-1, 1);
  int judged = 0;
  double worst = 0;
  while (judged < 6) {
    const Vec3 size(0.2 + 0.1 * unit(random), 0.2 + 0.1 * unit(random), 0.2 + 0.1 * unit(random));
    FallingBox box(size, Quat(unit(random), unit(random), unit(random), unit(random)).normalized());
    if (box.low > 1) continue;
    box.v.z() = -1;
    const double restitution = judged % 3 == 0 ? 0 : judged % 3 == 1 ? 0.5 : 1;
    ++judged;
    for (const double h : {2e-3, 5e-3, 1e-2, 0.0}) {
      Model model = box.model(restitution, 0, 2.5e16);
      const BodyDescription& body = model.bodies[0];
      const Mat3 r = box.tilt.toRotationMatrix();
      const Vec3 lever = box.lowest.cross(Vec3::UnitZ());
      const double mobility = 1 / body.mass + lever.dot(r * body.inertia_B.inverse() * r.transpose() * lever);
      model.time.step = h > 0 ? h : 1e-2;
      model.time.end = 1.2e-2;
      if (h == 0) {
        test_runs::take_adaptive_steps(model, model.time.end);
        model.time.max = 1e-2;
      }
      const double impulse = body.mass * (test_runs::run_model(model, MPI_COMM_SELF).velocity(0).z() + 1);
      const double off = impulse * mobility / (1 + restitution) - 1;
      EXPECT_LT(std::abs(off), 0.05) << "step " << h << ", restitution " << restitution;
      test::keep_largest(worst, std::abs(off));
    }
  }
  std::printf("impulse off by %.3f at most\n", worst);
}

/// A ball and a cube that slide over the floor through an impact at a grazing angle, without gravity.
/// @returns change of the slip velocity over that of the normal one, at the centre of the body.
double sliding_ratio(bool ball, double restitution, double h) {
  Model model = test::cubes_on_floor(0, 0.3);
  model.gravity.setZero();
  if (ball) model.shapes[0] = make_sphere("ball", 0.05);
  std::get<contact::BarrierParameters>(model.interfaces[0].normal).restitution = restitution;
  const Vec3 before(3, 0, -0.5);
  test::add_cube(model, {0, 0, 0.0513}, Quat::Identity(), before);
  model.bodies[0].mass = 2000 * model.shapes[0].volume;
  model.bodies[0].inertia_B = 2000 * model.shapes[0].inertia_per_density;
  model.time.step = h;
  model.time.end = 0.02;
  const Vec3 change = test_runs::run_model(test::with_energy(model), MPI_COMM_SELF).velocity(0) - before;
  return -change.x() / change.z();
}

TEST(EnergySticking, FrictionOfABodyThatSlidesThroughAnImpactIsCoulombsAtAnyStep) {
  if (ranks::rank_count() > 1) GTEST_SKIP() << "one body";
  // Collisions of 2 ms: many steps, a few, less than one. The spring of friction is a twentieth as stiff as
  // the normal one: where its end was held to the limit of the step before, it never wound up, and the ratio
  // was down to 0.17.
  double least = 1, most = 0;
  for (const bool ball : {true, false}) {
    for (const double restitution : {0.0, 0.3, 1.0}) {
      for (const double h : {2e-5, 1e-4, 2e-4, 3e-4, 5e-4, 1e-3}) {
        const double ratio = sliding_ratio(ball, restitution, h);
        test::keep_smallest(least, ratio);
        test::keep_largest(most, ratio);
      }
    }
  }
  std::printf("friction over normal impulse: %.3f to %.3f\n", least, most);
  EXPECT_GT(least, 0.285);
  EXPECT_LT(most, 0.303);
}

/// Largest friction of a run over what Coulomb's law allows.
struct CoulombCheck : Observer {
  explicit CoulombCheck(double mu) : coefficient(mu) {}
  void accepted(const AcceptedState& state) override {
    if (state.first) return;
    for (const ContactRecord& record : state.queries->contacts()) {
      if (record.normal_force > 0.01)
        test::keep_largest(worst, record.friction.norm() / (coefficient * record.normal_force));
    }
  }
  double coefficient, worst = 0;
};

TEST(EnergySticking, ABallOnThreePlanesRolls) {
  if (ranks::rank_count() > 1) GTEST_SKIP() << "one body";
  // Their slips cannot all vanish: w r / v is between 1 and 1 / cos(20 degrees).
  constexpr double kRadius = 0.0195, kGap = 4e-4;
  for (const double friction : {0.5, 1.0}) {
    Model model = test::cubes_on_floor(0, friction);
    const double slope = std::numbers::pi / 9;
    model.gravity = {9.81 * std::sin(slope), 0, -9.81 * std::cos(slope)};
    model.materials[0].density = 1000;
    model.shapes[0] = make_sphere("ball", kRadius);
    model.interfaces[0].normal = contact::BarrierParameters{2e-4, 1e12, 3, 0.4, -2, 0};
    std::get<contact::BarrierParameters>(model.interfaces[0].normal).restitution = friction > 0.5 ? 0 : 0.5;
    model.interfaces[0].friction.stiffness = friction > 0.5 ? 1e5 : 5e3;
    model.boundaries.clear();
    model.boundary_parts.clear();
    for (int k = 0; k < 3; ++k) {
      const double angle = (k - 1) * slope;
      const Vec3 normal(0, -std::sin(angle), std::cos(angle));
      BoundaryDescription plane;
      plane.name = "plane " + std::to_string(k);
      model.boundaries.push_back(plane);
      model.boundary_parts.push_back({k, Vec3(-(kRadius + kGap) * normal), normal});
    }
    BodyDescription ball;
    ball.mass = 1000 * model.shapes[0].volume;
    ball.inertia_B = 0.4 * ball.mass * kRadius * kRadius * Mat3::Identity();
    model.bodies.push_back(ball);
    test_runs::take_adaptive_steps(model, 0.05);
    model.time.max = 5e-3;
    model = test::with_energy(model);
    CoulombCheck coulomb(friction);
    test_runs::Watch watch(MPI_COMM_SELF);
    run(model, {&coulomb, &watch}, MPI_COMM_SELF);
    const Eigen::Map<const Vec3> v(&watch.values[3]), w(&watch.values[6]);
    const double rolls = w.y() * kRadius / v.x();
    std::printf("coefficient %.1f: w r / v = %.3f, friction at most %.3f of its limit\n", friction, rolls,
                coulomb.worst);
    EXPECT_GT(rolls, 0.98);
    EXPECT_LT(rolls, 1.08);
    EXPECT_LT(coulomb.worst, 1.1);
  }
}

}  // namespace
}  // namespace scree
