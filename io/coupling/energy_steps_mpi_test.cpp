/// Steps that make no energy beside coupled surfaces: balance, restitution, bodies that ride on them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "core/test_extremes.hpp"
#include "io/coupling/test_coupling.hpp"

namespace scree::coupling {
namespace {

class BreathingSurface : public testing::TestWithParam<Scene> {};

/// Steps that resolve no impact.
TEST_P(BreathingSurface, ClosesTheEnergyBalanceAtAnyStep) {
  const Scene& one = GetParam();
  for (const char* step : {"2e-3", R"({"initial": 1e-3, "min": 1e-9, "max": 1e-2})"}) {
    const Sheet sheet(6, 0.01);
    Participant coupled = participant(deck_of(one, sheet.text() + R"(, "motion": "coupled")", 1, step));
    const Surface plate = coupled.add_surface("plate");
    coupled.initialize();
    const std::vector<double>& reference = coupled.mesh(plate).reference;
    double force = 0, work = 0;
    for (int k = 1; k <= (ranks() == 1 ? 60 : 25); ++k) {
      coupled.set_motion(plate, waves(reference, 2e-3 * k, 0.003));
      const StepReport report = coupled.solve_step(2e-3);
      ASSERT_TRUE(report.converged()) << report.message;
      coupled.accept();
      test::keep_largest(force, coupled.resultant(plate).force.norm());
      test::keep_largest(work, std::abs(coupled.simulation().energy().work_of_boundaries));
    }
    const EnergyLedger& energy = coupled.simulation().energy();
    double error = 0;
    test::keep_largest(error, {energy.largest_error, -energy.smallest_error});
    EXPECT_GT(force, 10) << step;
    EXPECT_GT(work, 1e-2 * energy.reference) << step;
    EXPECT_LT(error, 1e-7 * energy.reference) << step << ", work " << work << " J";
  }
}

INSTANTIATE_TEST_SUITE_P(Coupled, BreathingSurface,
                         testing::Values(Scene{"hooke_balls", kHooke, kBall, kTwoBalls, true},
                                         Scene{"hertz_balls", kHertz, kBall, kTwoBalls, true},
                                         Scene{"barrier_blocks", kBarrier, kBlock, kTwoBlocks, true},
                                         Scene{"hooke_tablets", kHooke, kTablet, kTwoTablets, true}),
                         [](const auto& one) { return std::string(one.param.name); });

/// A ball that meets a sheet that comes up to it, both in steps that are far longer than the impact.
double speed_after(double restitution, const char* step) {
  const double up = 0.6;
  const std::string law =
      R"("normal": {"law": "hooke", "stiffness": 1e7, "restitution": )" + text::number(restitution) + "}";
  std::string text = with_energy_steps(
      deck(law, kBall,
           R"({"shape": "ball", "material": "rock", "position": [0.03, 0.02, 0.06], "velocity": [0, 0, -1]})",
           Sheet(4).text() + R"(, "motion": "coupled")", "", 1, step));
  const std::string gravity = "[0, 0, -9.81]";
  text.replace(text.find(gravity), gravity.size(), "[0, 0, 0]");
  Participant coupled = participant(text);
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  std::vector<double> u(coupled.mesh(plate).reference.size(), 0.0);
  constexpr double kStep = 2e-3;
  for (int k = 1; k <= 12; ++k) {
    for (std::size_t i = 2; i < u.size(); i += 3) u[i] = up * kStep * k;
    coupled.set_motion(plate, u);
    EXPECT_TRUE(coupled.solve_step(kStep).converged());
    coupled.accept();
  }
  return (bodies_of(coupled.simulation(), 1)[1].z() - up) / (1 + up);
}

TEST(CoupledEnergySteps, HaveTheRestitutionOfTheDeckAgainstASurfaceThatMoves) {
  for (const double e : {0.0, 0.3, 0.9, 1.0})
    for (const char* step : {"2e-3", "1e-4"}) EXPECT_NEAR(speed_after(e, step), e, 1e-3) << step;
}

/// A block on a tray that goes to and fro with at most half of what friction can give.
TEST(CoupledEnergySteps, CarryABlockOnATray) {
  const std::string law =
      R"("normal": {"law": "barrier", "threshold": 1e-3, "stiffness": 1e9, "restitution": 0},
         "friction": {"static": 0.5, "dynamic": 0.5, "stiffness": 1e6})";
  Participant coupled = participant(with_energy_steps(
      deck(law, kBlock, R"({"shape": "block", "material": "rock", "position": [0.03, 0.02, 0.0405]})",
           Sheet(4).text() + R"(, "motion": "coupled")", "", 1,
           R"({"initial": 1e-3, "min": 1e-9, "max": 1e-2})")));
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  constexpr double kStep = 5e-3, kRate = 20;
  const double size = 0.25 * 9.81 / (kRate * kRate);
  std::vector<double> u(coupled.mesh(plate).reference.size(), 0.0), v = u;
  const double first = bodies_of(coupled.simulation(), 1)[0].x();
  double apart = 0, force = 0;
  const double mass = 2500 * 0.1 * 0.12 * 0.08;
  for (int k = 1; k <= 80; ++k) {
    // Begins at rest, smoothly.
    constexpr double kBegin = 0.2;
    const double t = kStep * k, part = std::min(t / kBegin, 1.0);
    const double begun = part * part * (3 - 2 * part), rate = 6 * part * (1 - part) / kBegin;
    for (std::size_t i = 0; i < u.size(); i += 3) {
      u[i] = size * begun * std::sin(kRate * t);
      v[i] = size * (begun * kRate * std::cos(kRate * t) + rate * std::sin(kRate * t));
    }
    coupled.set_motion(plate, u, v);
    const StepReport report = coupled.solve_step(kStep);
    ASSERT_TRUE(report.converged()) << report.message;
    coupled.accept();
    test::keep_largest(apart, std::abs(bodies_of(coupled.simulation(), 1)[0].x() - first - u[0]));
    if (k > 20) test::keep_largest(force, std::abs(coupled.resultant(plate).force.z() + 9.81 * mass));
  }
  EXPECT_LT(apart, 5e-5) << "amplitude " << size << " m";
  EXPECT_LT(force, 0.02 * 9.81 * mass);
  double error = 0;
  const EnergyLedger& energy = coupled.simulation().energy();
  test::keep_largest(error, {energy.largest_error, -energy.smallest_error});
  EXPECT_LT(error, 1e-6 * energy.reference);
}

}  // namespace
}  // namespace scree::coupling
