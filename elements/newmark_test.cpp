#include "elements/integrators/newmark.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "core/test_extremes.hpp"
#include "elements/test_one_body.hpp"

namespace scree::elements {
namespace {

using one_body::OneBody;
using one_body::random_vector;

TEST(RigidBody, TangentOfInertiaAndLoadsMatchesDifferencesOfResidual) {
  std::mt19937_64 engine(3);
  double worst = 0;
  for (int trial = 0; trial < 200; ++trial) {
    ForceLoad force{0, random_vector(engine, 0.3), random_vector(engine, 50), {}};
    MomentLoad moment{0, random_vector(engine, 50), {}};
    OneBody body(0.25 + 0.1 * (trial % 3), 0.5, {force, moment});
    BodyState& s = body.bodies.state[0];
    s.q = rotation::quaternion(random_vector(engine, 3));
    s.v = random_vector(engine, 1);
    s.w = random_vector(engine, 2);
    s.a = random_vector(engine, 10);
    s.dw = random_vector(engine, 10);
    Vec6 d;
    d << random_vector(engine, 0.2), random_vector(engine, 0.5);
    const double h = 0.05;
    const Mat6 exact = body.tangent(d, h);
    Mat6 numeric;
    const double e = 1e-4;
    for (int c = 0; c < 6; ++c) {
      Vec6 dp = Vec6::Zero();
      dp[c] = e;
      numeric.col(c) = (8 * (body.residual(d + dp, h) - body.residual(d - dp, h)) -
                        (body.residual(d + 2 * dp, h) - body.residual(d - 2 * dp, h))) /
                       (12 * e);
    }
    test::keep_largest(worst, (exact - numeric).norm() / exact.norm());
  }
  std::printf("worst relative difference %.1e\n", worst);
  EXPECT_LT(worst, 1e-9);
}

TEST(RigidBody, FixedUnknownsStayAtZero) {
  ForceLoad force{0, Vec3(0.1, 0, 0), Vec3(3, 4, 5), {}};
  OneBody body(0.3, 0.5, {force});
  body.bodies.properties[0].fixed = {true, false, true, true, true, false};
  for (int k = 0; k < 5; ++k) body.step(0.01);
  const BodyState& s = body.bodies.state[0];
  EXPECT_EQ(s.x.x(), 0);
  EXPECT_EQ(s.x.z(), 0);
  EXPECT_GT(s.x.y(), 0);
  EXPECT_EQ(s.q.x(), 0);
  EXPECT_EQ(s.q.y(), 0);
  EXPECT_GT(s.q.z(), 0);
}

TEST(FreeTop, NewtonConvergesQuadratically) {
  OneBody body;
  body.start({0.6, 4.8, 3.6});
  body.step(0.1);
  const std::vector<double> norms = body.step(0.2);
  for (const double n : norms) std::printf("%.2e ", n);
  std::printf("\n");
  int quadratic = 0;
  for (std::size_t k = 1; k + 1 < norms.size(); ++k) {
    if (norms[k] > 1e-3 || norms[k + 1] < 1e-14) continue;
    EXPECT_LT(norms[k + 1], 5 * norms[k] * norms[k]);
    ++quadratic;
  }
  EXPECT_GE(quadratic, 1);
}

TEST(FreeTop, IsOfSecondOrderAndKeepsMomentumAsTheoryPage02Says) {
  const double end = 2;
  std::vector<Quat> ends;
  std::vector<Vec3> momenta;
  for (const int steps : {40, 80, 160, 320, 5120}) {
    OneBody body;
    body.start({0.15, 1.2, 0.9});
    for (int k = 0; k < steps; ++k) body.step(end / steps);
    ends.push_back(body.bodies.state[0].q);
    momenta.push_back(body.momentum());
  }
  std::vector<double> error, drift;
  for (int k = 0; k < 4; ++k) {
    error.push_back(ends[k].angularDistance(ends.back()));
    drift.push_back((momenta[k] - Vec3(0.15, 2.4, 2.7)).norm());
  }
  for (int k = 0; k < 3; ++k) {
    const double order = std::log2(error[k] / error[k + 1]);
    const double order_pi = std::log2(drift[k] / drift[k + 1]);
    std::printf("order of the attitude %.3f, of the momentum %.3f\n", order, order_pi);
    EXPECT_NEAR(order, 2, 0.05);
    EXPECT_NEAR(order_pi, 2, 0.05);
  }
}

/// Energy range of the trapezoidal rule for Euler's equations in body axes, which Newmark with gamma = 1/2
/// and no moment is (theory 02 section 2, C4), solved by fixed-point iteration: another algorithm.
std::pair<double, double> trapezoidal_energy_range(Vec3 w, double h, int steps) {
  const Vec3 j(1, 2, 3);
  const auto rate = [&](const Vec3& x) -> Vec3 { return -x.cross(j.cwiseProduct(x)).cwiseQuotient(j); };
  const double start = 0.5 * w.dot(j.cwiseProduct(w));
  double low = 0, high = 0;
  for (int k = 0; k < steps; ++k) {
    const Vec3 base = w + 0.5 * h * rate(w);
    for (int it = 0; it < 80; ++it) w = base + 0.5 * h * rate(w);
    const double energy = 0.5 * w.dot(j.cwiseProduct(w)) / start - 1;
    test::keep_smallest(low, energy);
    test::keep_largest(high, energy);
  }
  return {low, high};
}

TEST(FreeTop, MomentumErrorIsBoundedAndEnergyIsThatOfTheTrapezoidalRule) {
  // Theory 02 gives 7.3e-4 for |d pi|/|pi| at h |w| = 0.15, bounded over 1e5 steps.
  OneBody body;
  body.start({0.15, 1.2, 0.9});
  const Vec3 pi0 = body.momentum();
  const double energy0 = body.energy();
  double first = 0, second = 0, low = 0, high = 0;
  for (int k = 0; k < 100000; ++k) {
    body.step(0.1);
    const double drift = (body.momentum() - pi0).norm() / pi0.norm();
    test::keep_largest(k < 50000 ? first : second, drift);
    test::keep_smallest(low, body.energy() / energy0 - 1);
    test::keep_largest(high, body.energy() / energy0 - 1);
  }
  std::printf("momentum %.3e then %.3e, energy %.3e to %.3e\n", first, second, low, high);
  EXPECT_NEAR(first, 7.3e-4, 0.3e-4);
  EXPECT_LT(second, 1.001 * first);
  const auto [trapezoidal_low, trapezoidal_high] = trapezoidal_energy_range({0.15, 1.2, 0.9}, 0.1, 100000);
  EXPECT_NEAR(low, trapezoidal_low, 1e-6);
  EXPECT_NEAR(high, trapezoidal_high, 1e-6);
}

}  // namespace
}  // namespace scree::elements
