/// What every registered integrator has to do, and what theory 02 says of each.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "core/test_extremes.hpp"
#include "elements/integrators/energy_consistent.hpp"
#include "elements/integrators/integrator_parameters.hpp"
#include "elements/integrators/trapezoidal.hpp"
#include "elements/integrators/variational_midpoint.hpp"
#include "elements/integrators/variational_start.hpp"
#include "elements/test_one_body.hpp"

namespace scree::elements {
namespace {

using one_body::OneBody;
using one_body::random_vector;

struct Entry {
  std::string name;
  std::shared_ptr<const Integrator> integrator;
};

/// Every registered integrator: with its defaults, and with each number at the ends of its range in turn.
std::vector<Entry> entries() {
  std::vector<Entry> all;
  for (const auto& registered : registered_integrators()) {
    const auto make = [&](const std::string& key, double number) {
      Value values = Value::object();
      for (const ParameterSpec& p : registered.specification.parameters)
        values.append(p.key, p.key == key ? Value(number) : *p.fallback);
      std::vector<Diagnostic> faults;
      all.push_back({registered.specification.name + " " + to_text(values), registered.make(values, faults)});
      EXPECT_TRUE(faults.empty());
    };
    make("", 0);
    for (const ParameterSpec& p : registered.specification.parameters) {
      if (!p.range.low_open) make(p.key, p.range.low);
      if (!p.range.high_open) make(p.key, p.range.high);
    }
  }
  return all;
}

TEST(Integrators, TangentMatchesDifferencesOfResidualForEveryRegisteredEntry) {
  std::mt19937_64 engine(5);
  ASSERT_GE(entries().size(), 9u);
  for (const Entry& entry : entries()) {
    const ForceStage stage = entry.integrator->stage();
    double worst = 0;
    for (int trial = 0; trial < 100; ++trial) {
      std::vector<Load> dead;
      if (stage == ForceStage::end || stage == ForceStage::middle)  // loads where the body is
        dead.push_back(ForceLoad{0, random_vector(engine, 0.3), random_vector(engine, 50)});
      OneBody body(entry.integrator, dead);
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
    std::printf("%-50s worst relative difference %.1e\n", entry.name.c_str(), worst);
    EXPECT_LT(worst, 1e-9) << entry.name;
  }
}

TEST(Integrators, VelocityDerivativesMatchDifferencesForEveryRegisteredEntry) {
  std::mt19937_64 engine(6);
  for (const Entry& entry : entries()) {
    double worst = 0;
    for (int trial = 0; trial < 50; ++trial) {
      BodyState s;
      s.q = rotation::quaternion(random_vector(engine, 3));
      s.v = random_vector(engine, 1);
      s.w = random_vector(engine, 2);
      s.a = random_vector(engine, 10);
      s.dw = random_vector(engine, 10);
      BodyTrial t;
      t.u = random_vector(engine, 0.2);
      t.alpha = random_vector(engine, 0.5);
      const double h = 0.05;
      const auto at = [&](const Vec3& u, const Vec3& alpha) {
        BodyTrial moved = t;
        moved.u = u;
        moved.alpha = alpha;
        entry.integrator->kinematics(s, h, moved);
        return moved;
      };
      const BodyTrial here = at(t.u, t.alpha);
      const double e = 1e-5;
      for (int k = 0; k < 3; ++k) {
        const Vec3 step = e * Vec3::Unit(k);
        const Vec3 dv = (at(t.u + step, t.alpha).v - at(t.u - step, t.alpha).v) / (2 * e);
        const Vec3 dw = (at(t.u, t.alpha + step).w - at(t.u, t.alpha - step).w) / (2 * e);
        test::keep_largest(worst, (dv - here.dv_du * Vec3::Unit(k)).norm() * h);
        test::keep_largest(worst, (dw - here.dw_dtheta * here.Xi.col(k)).norm() * h);
      }
    }
    std::printf("%-50s worst difference %.1e of 1/h\n", entry.name.c_str(), worst);
    EXPECT_LT(worst, 1e-8) << entry.name;
  }
}

TEST(Integrators, PredictionIsOfSecondOrderForEveryRegisteredEntry) {
  // The first guess differs from the solution by less than (h w)^2: Newton starts close.
  for (const Entry& entry : entries()) {
    const double h = 1e-3;
    OneBody body(entry.integrator);
    body.start({0.6, 4.8, 3.6});
    Vec3 u, guess;
    entry.integrator->predict(body.bodies.state[0], h, u, guess);
    body.step(h);
    Vec3 alpha = guess;
    entry.integrator->full_increment(u, alpha);
    EXPECT_LT((alpha - rotation::rodrigues(body.bodies.state[0].q.toRotationMatrix())).norm(), 3.6e-5)
        << entry.name;
  }
}

/// Largest error of the angular momentum, and the range of the energy's, of the top of theory 02.
struct TopErrors {
  double momentum = 0, low = 0, high = 0;
};
TopErrors free_top(OneBody& body, int steps, double h) {
  body.start({0.15, 1.2, 0.9});
  const Vec3 pi0 = body.momentum();
  const double energy0 = body.energy();
  TopErrors errors;
  for (int k = 0; k < steps; ++k) {
    body.step(h);
    test::keep_largest(errors.momentum, (body.momentum() - pi0).norm() / pi0.norm());
    test::keep_smallest(errors.low, body.energy() / energy0 - 1);
    test::keep_largest(errors.high, body.energy() / energy0 - 1);
  }
  return errors;
}

struct Range {
  double low = 0, high = 0;
};

/// Energy range of theory 02 section 4 for a free body, in body axes: h Pi = G(alpha) solved for alpha
/// by fixed-point iteration, Pi turned back by it. Another algorithm, without orientations.
Range lie_group_energy_range(const Vec3& w, double h, int steps) {
  const Vec3 j(1, 2, 3);
  Vec3 momentum = j.cwiseProduct(w);
  const auto energy = [&] { return 0.5 * momentum.dot(momentum.cwiseQuotient(j)); };
  const double start = energy();
  Range range;
  for (int k = 0; k < steps; ++k) {
    Vec3 alpha = h * momentum.cwiseQuotient(j);
    for (int it = 0; it < 80; ++it) {
      const Vec3 ja = j.cwiseProduct(alpha);
      alpha = (h * momentum - 0.5 * alpha.cross(ja) - 0.25 * alpha * alpha.dot(ja)).cwiseQuotient(j);
    }
    momentum = rotation::matrix(alpha).transpose() * momentum;
    test::keep_smallest(range.low, energy() / start - 1);
    test::keep_largest(range.high, energy() / start - 1);
  }
  return range;
}

TEST(FreeTop, VariationalMidpointKeepsMomentumToRoundOffAndEnergyInBounds) {
  // Theory 02 section 4: 3e-14, and the same range of energy after 1e3 as after 1e5 steps.
  OneBody body(std::make_shared<VariationalMidpoint>());
  const TopErrors early = free_top(body, 1000, 0.1);
  OneBody again(std::make_shared<VariationalMidpoint>());
  const TopErrors all = free_top(again, 100000, 0.1);
  std::printf("momentum %.1e, energy %.3e to %.3e (first 1000 steps: %.3e to %.3e)\n", all.momentum, all.low,
              all.high, early.low, early.high);
  EXPECT_LT(all.momentum, 1e-12);
  const Range range = lie_group_energy_range({0.15, 1.2, 0.9}, 0.1, 100000);
  EXPECT_NEAR(all.low, range.low, 1e-8);
  EXPECT_NEAR(all.high, range.high, 1e-8);
  EXPECT_NEAR(all.low, early.low, 1e-2 * std::abs(all.low));
  EXPECT_NEAR(all.high, early.high, 1e-2 * all.high);
}

TEST(FreeTop, TrapezoidalRuleKeepsMomentumAndBoundsEnergy) {
  OneBody body(std::make_shared<Trapezoidal>(0.5));
  const TopErrors errors = free_top(body, 10000, 0.1);
  std::printf("momentum %.1e, energy %.3e to %.3e\n", errors.momentum, errors.low, errors.high);
  EXPECT_LT(errors.momentum, 1e-12);
  // As far from the true energy as the variational integrator, on the other side (theory 02 section 4).
  const Range range = lie_group_energy_range({0.15, 1.2, 0.9}, 0.1, 10000);
  EXPECT_NEAR(errors.low, -range.high, 0.02 * range.high);
  EXPECT_NEAR(errors.high, -range.low, 0.02 * range.high);
}

TEST(FreeTop, EveryIntegratorHasItsOrder) {
  struct Case {
    const char* name;
    std::shared_ptr<const Integrator> integrator;
    double order;
  };
  const Case cases[] = {{"variational 1/2", std::make_shared<VariationalMidpoint>(), 2},
                        {"variational 0", std::make_shared<VariationalStart>(), 2},
                        {"trapezoidal 1/2", std::make_shared<Trapezoidal>(0.5), 2},
                        {"trapezoidal 1", std::make_shared<Trapezoidal>(1), 1},
                        {"trapezoidal 0", std::make_shared<ExplicitEuler>(), 1}};
  const double end = 2;
  OneBody exact(std::make_shared<VariationalMidpoint>());
  exact.start({0.15, 1.2, 0.9});
  for (int k = 0; k < 40000; ++k) exact.step(end / 40000);
  for (const Case& c : cases) {
    std::vector<double> error;
    for (const int steps : {160, 320, 640}) {
      OneBody body(c.integrator);
      body.start({0.15, 1.2, 0.9});
      for (int k = 0; k < steps; ++k) body.step(end / steps);
      error.push_back(body.bodies.state[0].q.angularDistance(exact.bodies.state[0].q));
    }
    for (int k = 0; k < 2; ++k) {
      const double order = std::log2(error[k] / error[k + 1]);
      std::printf("%-16s order %.3f (error %.1e)\n", c.name, order, error[k + 1]);
      EXPECT_NEAR(order, c.order, 0.05) << c.name;
    }
  }
}

constexpr int kHeldAxis = 0;  ///< global axis about which the body of the next tests may not turn

/// Euler's equations with a support about that axis: spin and orientation after `time` by Runge and Kutta.
/// @returns the spin [rad/s].
Vec3 spin_on_support(const Mat3& inertia_B, Mat3 r, Vec3 w, double time, int steps) {
  const auto rate = [&](const Mat3& pose, const Vec3& spin) {
    const Mat3 inertia = pose * inertia_B * pose.transpose();
    const Vec3 gyroscopic = -spin.cross(inertia * spin);
    Vec3 dw = Vec3::Zero();
    dw.tail<2>() = inertia.bottomRightCorner<2, 2>().inverse() * gyroscopic.tail<2>();
    return dw;
  };
  const double h = time / steps;
  for (int k = 0; k < steps; ++k) {
    const Mat3 r1 = rotation::skew(w) * r;
    const Vec3 w1 = rate(r, w);
    const Mat3 r2 = rotation::skew(w + h / 2 * w1) * (r + h / 2 * r1);
    const Vec3 w2 = rate(r + h / 2 * r1, w + h / 2 * w1);
    const Mat3 r3 = rotation::skew(w + h / 2 * w2) * (r + h / 2 * r2);
    const Vec3 w3 = rate(r + h / 2 * r2, w + h / 2 * w2);
    const Mat3 r4 = rotation::skew(w + h * w3) * (r + h * r3);
    const Vec3 w4 = rate(r + h * r3, w + h * w3);
    r += h / 6 * (r1 + 2 * r2 + 2 * r3 + r4);
    w += h / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
  }
  return w;
}

TEST(Supports, ABodyThatMayNotTurnAboutOneGlobalAxisKeepsTheOrder) {
  struct Case {
    const char* name;
    std::shared_ptr<const Integrator> integrator;
  };
  const Case cases[] = {{"energy", std::make_shared<EnergyConsistent>()},
                        {"newmark", std::make_shared<Newmark>(0.3, 0.5)},
                        {"trapezoidal 1/2", std::make_shared<Trapezoidal>(0.5)},
                        {"variational 1/2", std::make_shared<VariationalMidpoint>()}};
  const Vec3 start(0, 2, 3);
  const double end = 1;
  for (const Case& c : cases) {
    std::vector<double> error;
    for (const int steps : {100, 1600}) {
      OneBody body(c.integrator);
      body.bodies.properties[0].fixed[3 + kHeldAxis] = true;
      BodyState& s = body.bodies.state[0];
      s.q = rotation::quaternion({0, 0.5, 0});
      s.w = start;
      set_accelerations(body.bodies.properties[0], Vec3::Zero(), Vec3::Zero(), s);
      const Vec3 exact =
          spin_on_support(body.bodies.properties[0].inertia_B, s.q.toRotationMatrix(), start, end, 2000);
      const double energy = body.energy();
      for (int k = 0; k < steps; ++k) body.step(end / steps);
      error.push_back((s.w - exact).norm() / exact.norm());
      if (c.integrator->secant_forces()) {
        EXPECT_NEAR(body.energy(), energy, 1e-12 * energy);
      }
    }
    const double order = std::log2(error[0] / error[1]) / 4;
    std::printf("%-16s order %.3f (error %.1e)\n", c.name, order, error[1]);
    EXPECT_NEAR(order, 2, 0.1) << c.name;
  }
}

TEST(Supports, TangentOfTheFreeRowsMatchesDifferences) {
  std::mt19937_64 engine(17);
  for (const Entry& entry : entries()) {
    double worst = 0;
    for (int trial = 0; trial < 20; ++trial) {
      OneBody body(entry.integrator);
      body.random_state(engine);
      body.bodies.properties[0].fixed[3 + trial % 3] = true;
      Vec6 d;
      d << random_vector(engine, 0.2), random_vector(engine, 0.5);
      Mat6 exact = body.tangent(d, 0.05);
      Mat6 numeric = body.differences(d, 0.05);
      for (Mat6* matrix : {&exact, &numeric}) {
        matrix->row(3 + trial % 3).setZero();
        matrix->col(3 + trial % 3).setZero();
      }
      test::keep_largest(worst, (exact - numeric).norm() / exact.norm());
    }
    EXPECT_LT(worst, 1e-9) << entry.name;
  }
}

TEST(EndOfStep, ForcesAndAccelerationsAreInverse) {
  std::mt19937_64 engine(8);
  for (int trial = 0; trial < 20; ++trial) {
    OneBody body;
    BodyState& s = body.bodies.state[0];
    s.q = rotation::quaternion(random_vector(engine, 3));
    s.w = random_vector(engine, 2);
    const Vec3 force = random_vector(engine, 5), moment = random_vector(engine, 5);
    set_accelerations(body.bodies.properties[0], force, moment, s);
    Vec3 f, m;
    inertia_forces(body.bodies.properties[0], s, f, m);
    EXPECT_LT((f - force).norm() + (m - moment).norm(), 1e-13);
  }
}

TEST(EndOfStep, FixedAxesDoNotTurnAndTheFreeOneAnswersToItsOwnInertia) {
  OneBody body;
  BodyProperties& properties = body.bodies.properties[0];
  properties.fixed = {false, true, false, true, true, false};
  BodyState& s = body.bodies.state[0];
  s.q = rotation::quaternion({0.3, -0.8, 0.5});
  BodyTrial trial;
  trial.R = s.q.toRotationMatrix();
  apply_impulse(properties, s, {1, 2, 3}, {0.4, 0.5, 0.6}, trial);
  const Mat3 inertia = trial.R * properties.inertia_B * trial.R.transpose();
  EXPECT_LT((trial.v - Vec3(1, 0, 3) / properties.mass).norm(), 1e-15);
  EXPECT_LT((trial.w - Vec3(0, 0, 0.6 / inertia(2, 2))).norm(), 1e-15);
  set_accelerations(properties, {1, 2, 3}, {0.4, 0.5, 0.6}, s);
  EXPECT_LT((s.a - Vec3(1, 0, 3) / properties.mass).norm(), 1e-15);
  EXPECT_LT((s.dw - Vec3(0, 0, 0.6 / inertia(2, 2))).norm(), 1e-15);
}

}  // namespace
}  // namespace scree::elements
