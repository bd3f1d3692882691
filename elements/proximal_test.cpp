#include "elements/integrators/proximal.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <random>
#include <utility>

#include "core/rotation.hpp"
#include "core/test_extremes.hpp"
#include "elements/test_one_body.hpp"

namespace scree::elements {
namespace {

using one_body::OneBody;
using one_body::random_vector;

constexpr double kTau = 0.07;

OneBody body_under_force(Loads loads) { return {std::make_shared<Proximal>(), std::move(loads)}; }

TEST(Proximal, ResidualIsTheGradientOfTheDistanceAndTheTangentItsHessian) {
  // Theory 02 section 7: (m |u|^2 + alpha^T J alpha) / (2 tau^2), linear gradient and constant Hessian.
  std::mt19937_64 engine(5);
  double worst = 0;
  for (int k = 0; k < 100; ++k) {
    OneBody body = body_under_force(Loads(Vec3::Zero(), {}));
    body.random_state(engine);
    Vec6 d;
    d << random_vector(engine, 0.3), random_vector(engine, 0.9);
    const Mat3 rn = body.bodies.state[0].q.toRotationMatrix();
    Mat6 metric = Mat6::Zero();
    metric.topLeftCorner<3, 3>() = 2.5 * Mat3::Identity();
    metric.bottomRightCorner<3, 3>() = rn * body.bodies.properties[0].inertia_B * rn.transpose();
    metric /= kTau * kTau;
    test::keep_largest(worst, (body.residual(d, kTau) - metric * d).norm() / (metric * d).norm());
    test::keep_largest(worst, (body.tangent(d, kTau) - metric).norm() / metric.norm());
  }
  std::printf("worst relative difference %.1e\n", worst);
  EXPECT_LT(worst, 1e-13);
}

TEST(Proximal, TangentMatchesDifferencesOfResidualWithLoads) {
  std::mt19937_64 engine(6);
  double worst = 0;
  for (int k = 0; k < 100; ++k) {
    ForceLoad force{0, random_vector(engine, 0.3), random_vector(engine, 5000), {}};
    MomentLoad moment{0, random_vector(engine, 5000), {}};
    OneBody body = body_under_force(Loads(Vec3(0, 0, -9.81), {force, moment}));
    body.random_state(engine);
    Vec6 d;
    d << random_vector(engine, 0.3), random_vector(engine, 0.5);
    const Mat6 exact = body.tangent(d, kTau);
    test::keep_largest(worst, (exact - body.differences(d, kTau)).norm() / exact.norm());
  }
  std::printf("worst relative difference %.1e\n", worst);
  EXPECT_LT(worst, 1e-9);
}

TEST(Proximal, ShowsNoVelocityAndKeepsNone) {
  std::mt19937_64 engine(7);
  OneBody body = body_under_force(Loads(Vec3::Zero(), {}));
  body.random_state(engine);
  Vec6 d;
  d << 0.1, 0.2, 0.3, 0.4, 0.5, 0.6;
  body.residual(d, kTau);
  const BodyTrial& trial = body.bodies.trial[0];
  EXPECT_EQ(trial.v, Vec3(Vec3::Zero()));
  EXPECT_EQ(trial.w, Vec3(Vec3::Zero()));
  EXPECT_EQ(trial.dv_du, 0);
  EXPECT_EQ(trial.dw_dtheta, Mat3(Mat3::Zero()));
  const Mat3 before = body.bodies.state[0].q.toRotationMatrix();
  body.integrator->commit(body.bodies.properties[0], kTau, trial, body.bodies.state[0]);
  const BodyState& state = body.bodies.state[0];
  EXPECT_EQ(state.v, Vec3(Vec3::Zero()));
  EXPECT_EQ(state.w, Vec3(Vec3::Zero()));
  EXPECT_EQ(state.x, Vec3(0.1, 0.2, 0.3));
  EXPECT_LT((state.q.toRotationMatrix() - rotation::matrix({0.4, 0.5, 0.6}) * before).norm(), 1e-14);
}

}  // namespace
}  // namespace scree::elements
