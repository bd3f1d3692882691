/// Impacts of bodies that pass each other, and of those that attract: what else opens or closes a gap in the
/// step of an impact (theory 11 section 6).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "assembly/test_ranks.hpp"
#include "core/test_extremes.hpp"
#include "solvers/test_energy.hpp"
#include "solvers/test_runs.hpp"

namespace scree {
namespace {

using test::keep_largest;
using test_runs::add_ball;
using test_runs::run_model;

Model smooth_balls(double restitution) {
  Model model = test::with_energy(test_runs::balls_on_floor(0, 0));
  model.interfaces[0].friction = {};
  model.gravity.setZero();
  contact::HookeParameters hooke;
  hooke.stiffness = 1e8;
  hooke.restitution = restitution;
  model.interfaces[0].normal = hooke;
  return model;
}

/// A ball falls by an attraction that is constant to one that is held: up to 69 % too high where weight alone
/// counted.
TEST(EnergyPassing, ABallThatIsAttractedReboundsAsUnderItsWeight) {
  if (ranks::rank_count() > 1) GTEST_SKIP() << "two bodies";
  double worst = 0;
  for (const double h : {5e-3, 1e-2}) {
    for (const double phase : {0.0, 3e-3, 7e-3, 11e-3}) {
      Model model = smooth_balls(0.3);
      const double drop = 0.1 + phase, weight = 9.81;
      add_ball(model, {0, 0, 1});
      std::fill_n(model.bodies[0].fixed.begin(), 6, true);
      add_ball(model, {0, 0, 1.1 + drop});
      model.near_fields = {{weight * model.bodies[1].mass, 0, 0, 0, 5, contact::AtCutoff::jump}};
      model.time.step = h;
      model.time.end = std::ceil((std::sqrt(2 * drop / weight) + 0.02) / h) * h;
      const test_runs::LastState last = run_model(model, MPI_COMM_SELF);
      const double v = last.velocity(1).z();
      const double height = last.position(1).z() - 1.1 + v * v / (2 * weight);
      keep_largest(worst, std::abs(height / (0.09 * drop) - 1));
    }
  }
  std::printf("height of the rebound: off by at most %.1e\n", worst);
  EXPECT_LT(worst, 0.02);
}

/// In a hollow the gap closes as a ball passes along the wall, at the rate of its centripetal acceleration.
TEST(EnergyPassing, ABallReboundsInABoreWithTheRestitution) {
  if (ranks::rank_count() > 1) GTEST_SKIP() << "one body";
  constexpr double kAlong = 3, kInto = 1.5, kOrbit = 0.9;
  for (const double h : {1e-3, 5e-3, 1e-2}) {
    double worst = 0;
    for (const double phase : {0.0, 0.25, 0.5, 0.75}) {
      Model model = smooth_balls(0.3);
      model.walls = {make_bore("bore", kOrbit + 0.05)};
      model.boundary_parts = {{0, Vec3::Zero(), Vec3::UnitY(), 0}};
      // From the place of the impact backwards, so that it comes in the middle of a step.
      const Vec3 velocity(kAlong, 0, -kInto);
      add_ball(model, Vec3(0, 0, -kOrbit) - (5 + phase) * h * velocity, velocity);
      model.time.step = h;
      model.time.end = 9 * h;
      const test_runs::LastState last = run_model(model, MPI_COMM_SELF);
      const Vec3 x = last.position(0), v = last.velocity(0);
      // Speed towards the axis at the place of the impact, by energy and angular momentum.
      const double along = std::abs(x.x() * v.z() - x.z() * v.x()) / kOrbit;
      const double off = std::sqrt(std::max(v.squaredNorm() - along * along, 0.0));
      EXPECT_NEAR(along, kAlong, 1e-9 * kAlong);
      keep_largest(worst, std::abs(off / (0.3 * kInto) - 1));
    }
    std::printf("steps of %g s: speed of the rebound off by at most %.1e\n", h, worst);
    EXPECT_LT(worst, 0.1) << h;
  }
}

/// Outside of something round it opens.
TEST(EnergyPassing, BallsThatPassEachOtherHaveTheImpulseOfARigidImpact) {
  if (ranks::rank_count() > 1) GTEST_SKIP() << "two bodies";
  constexpr double kAlong = 1, kInto = 1;
  for (const double e : {0.0, 0.5, 1.0}) {
    for (const double h : {1e-3, 5e-3}) {
      double worst = 0;
      for (const double phase : {0.0, 0.25, 0.5, 0.75}) {
        Model model = smooth_balls(e);
        const Vec3 velocity(kAlong, 0, -kInto);
        add_ball(model, {0, 0, 1});
        add_ball(model, Vec3(0, 0, 1.1) - (5 + phase) * h * velocity, velocity);
        model.time.step = h;
        model.time.end = 9 * h;
        const test_runs::LastState last = run_model(model, MPI_COMM_SELF);
        const Vec3 impulse = last.velocity(0);
        keep_largest(worst, (impulse - Vec3(0, 0, -0.5 * (1 + e) * kInto)).norm() / (0.5 * (1 + e) * kInto));
      }
      std::printf("restitution %.1f, steps of %g s: impulse off by at most %.1e\n", e, h, worst);
      EXPECT_LT(worst, 0.1) << e << " " << h;
    }
  }
}

}  // namespace
}  // namespace scree
