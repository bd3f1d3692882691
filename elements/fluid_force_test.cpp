#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <random>
#include <utility>

#include "core/test_extremes.hpp"
#include "elements/integrators/newmark.hpp"
#include "elements/test_one_body.hpp"

namespace scree::elements {
namespace {

using one_body::OneBody;
using one_body::random_vector;

OneBody body_under(Loads loads) { return {std::make_shared<Newmark>(), std::move(loads)}; }

TEST(FluidForce, TangentMatchesDifferencesOfResidual) {
  std::mt19937_64 engine(11);
  double worst = 0;
  for (int k = 0; k < 100; ++k) {
    const Vec3 wind = random_vector(engine, 2), turn = random_vector(engine, 2);
    OneBody body = body_under(Loads(Vec3::Zero(), {DragLoad{0.7, wind}, MagnusLoad{1.3, turn}}));
    body.inertia = false;
    body.random_state(engine);
    Vec6 d;
    d << random_vector(engine, 0.2), random_vector(engine, 0.5);
    const Mat6 exact = body.tangent(d, 0.05);
    const Mat6 numeric = body.differences(d, 0.05);
    test::keep_largest(worst, (exact - numeric).norm() / exact.norm());
  }
  std::printf("worst relative difference %.1e\n", worst);
  EXPECT_LT(worst, 1e-9);
}

TEST(FluidForce, SlopeMatchesDifferencesInVelocities) {
  std::mt19937_64 engine(13);
  const Vec3 wind = random_vector(engine, 2), turn = random_vector(engine, 2);
  OneBody body = body_under(Loads(Vec3(0, 0, -9.81), {DragLoad{0.7, wind}, MagnusLoad{1.3, turn}}));
  BodyState& state = body.bodies.state[0];
  state.v = random_vector(engine, 2);
  state.w = random_vector(engine, 3);
  const auto value = [&] { return Vec6(body.loads.fluid_forces(body.bodies, 0)[0].value); };
  const Mat6 slope = body.loads.fluid_forces(body.bodies, 0)[0].slope;
  const double step = 1e-3;
  double worst = 0;
  for (int k = 0; k < 6; ++k) {
    double& at = k < 3 ? state.v[k] : state.w[k - 3];
    const double here = at;
    at = here + step;
    const Vec6 forth = value();
    at = here - step;
    const Vec6 back = value();
    at = here;
    test::keep_largest(worst, ((forth - back) / (2 * step) - slope.col(k)).norm());
  }
  EXPECT_LT(worst, 1e-10 * slope.norm());
  EXPECT_GT(slope.norm(), 1);
  const Loads dead(Vec3(0, 0, -9.81), {MomentLoad{0, Vec3(0, 3, 0), {}}});
  EXPECT_TRUE(dead.fluid_forces(body.bodies, 0).empty());
}

/// Starts at rest with the acceleration that its loads give.
void start(OneBody& body, const Vec3& v, const Vec3& w) {
  BodyState& s = body.bodies.state[0];
  s.v = body.bodies.trial[0].v = v;
  s.w = body.bodies.trial[0].w = w;
  body.system.clear_residual();
  body.loads.residual(body.bodies, 0, body.system);
  s.a = -Eigen::Map<Vec3>(body.system.residual_of(0)) / body.bodies.properties[0].mass;
}

TEST(Drag, LeadsToTheTerminalVelocityOnTheExactCurve) {
  // m dv/dt = m g - c (v - v_f): v = v_t + (v_0 - v_t) exp(-c t/m), v_t = v_f + m g / c.
  const Vec3 gravity(0, 0, -9.81), wind(3, 0, 0), v0(0, 1, 0);
  const double c = 5, m = 2.5;
  double error[2];
  for (int k = 0; k < 2; ++k) {
    OneBody body = body_under(Loads(gravity, {DragLoad{c, wind}}));
    start(body, v0, Vec3::Zero());
    const int steps = k == 0 ? 50 : 100;
    for (int n = 0; n < steps; ++n) body.step(1.0 / steps);
    const Vec3 terminal = wind + m / c * gravity;
    error[k] = (body.bodies.state[0].v - terminal - (v0 - terminal) * std::exp(-c / m)).norm();
  }
  std::printf("errors %.2e, %.2e m/s\n", error[0], error[1]);
  EXPECT_LT(error[1], 1e-3);
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.1);
}

TEST(Magnus, TurnsTheVelocityOnACircleAndDoesNoWork) {
  // m dv/dt = S w x v with constant w: v turns about w at the rate S w / m.
  const double s_coefficient = 1.5, m = 2.5;
  OneBody body = body_under(Loads(Vec3::Zero(), {MagnusLoad{s_coefficient, Vec3::Zero()}}));
  body.bodies.properties[0].inertia_B = Mat3::Identity();
  const Vec3 w(0, 0, 2);
  start(body, {1, 0, 0.5}, w);
  const double end = 1;
  for (int n = 0; n < 400; ++n) {
    body.step(end / 400);
    body.bodies.trial[0].v = body.bodies.state[0].v;
    body.bodies.trial[0].w = body.bodies.state[0].w;
    EXPECT_LT(std::abs(body.loads.fluid_power(body.bodies, 0)), 1e-14);
  }
  const double angle = s_coefficient * w.z() / m * end;
  EXPECT_LT((body.bodies.state[0].v - Vec3(std::cos(angle), std::sin(angle), 0.5)).norm(), 1e-5);
}

TEST(Loads, WorkAlongAnIncrementIsThatOfTheMeanForce) {
  // Half of the ramp has passed: the mean of 0 and 1.
  ForceLoad force{0, Vec3(0.5, 0, 0), Vec3(0, 0, 8), {{0, 0}, {1, 1}}};
  MomentLoad moment{0, Vec3(0, 3, 0), {{0, 0}, {1, 1}}};
  OneBody body = body_under(Loads(Vec3::Zero(), {force, moment}));
  const double turn = 0.3;  // about -y, which lifts the point of the force
  Vec6 d;
  d << 0, 0, 0.1, 0, -2 * std::tan(0.5 * turn), 0;
  body.residual(d, 1);
  const double expected = 0.5 * (8 * (0.1 + 0.5 * std::sin(turn)) - 3 * turn);
  EXPECT_NEAR(body.loads.work(body.bodies, 0, 1), expected, 1e-14);
  // The mean of two forces, and moments on the increment of rotation itself.
  const LoadWork mean = body.loads.mean_work(body.bodies, 0, 1);
  const double moment_at_end = 8 * 0.5 * std::cos(turn) - 3;
  EXPECT_NEAR(mean.dead, 0.5 * (8 * 0.1 + moment_at_end * 2 * std::tan(0.5 * turn)), 1e-14);
  EXPECT_EQ(mean.fluid, 0);
}

TEST(Loads, StepsEndAtRowsOfRamps) {
  ForceLoad force{0, Vec3::Zero(), Vec3(0, 0, 8), {{0.5, 0}, {1, 1}}};
  MomentLoad moment{0, Vec3(0, 3, 0), {{0.7, 0}, {2, 1}}};
  const Loads loads(Vec3::Zero(), {force, moment, DragLoad{5, Vec3::Zero()}});
  double time = 0;
  for (const double row : {0.5, 0.7, 1.0, 2.0}) EXPECT_EQ(time = loads.next_row(time), row);
  EXPECT_TRUE(std::isinf(loads.next_row(2)));
}

}  // namespace
}  // namespace scree::elements
