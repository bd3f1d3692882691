/// Steps that make no energy beside coupled surfaces: balance, restitution, bodies that ride on them,
/// moments.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
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
                                         Scene{"hooke_tablets", kHooke, kTablet, kTwoTablets, true},
                                         Scene{"dmt_balls", kDmt, kBall, kTwoBalls, true},
                                         Scene{"hertz_tablets", kHertz, kTablet, kTwoTablets, true},
                                         Scene{"barrier_sharp", kBarrier, kSharp, kTwoSharp, true},
                                         Scene{"barrier_ells", kBarrier, kEll, kTwoElls, true}),
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

/// Without friction and with restitution 1 there is nothing for the impact update to do.
std::vector<Scene> elastic_scenes() {
  const std::string barrier =
      R"("normal": {"law": "barrier", "threshold": 1e-3, "stiffness": 2.8e11, "restitution": 1})";
  return {{"barrier_balls", barrier, kBall, kTwoBalls, true},
          {"barrier_blocks", barrier, kBlock, kTwoBlocks, true},
          {"hertz_balls", R"("normal": {"law": "hertz", "restitution": 1})", kBall, kTwoBalls, true},
          {"hooke_tablets", R"("normal": {"law": "hooke", "stiffness": 2e5})", kTablet, kTwoTablets, true}};
}

/// What forces on vertices do with those on the bodies, which the history of the boundary has.
struct Moments {
  int acting = 0;
  double of_resultant = 0, at_end = 0;  ///< errors over the force [m]
};

Moments moments_on_waves(const Scene& one, Options options) {
  const Fall fall = fall_on_sheet(5, 0.0175, 5e-4, 40);
  Participant coupled =
      participant(deck_of(one, fall.sheet.text() + R"(, "motion": "coupled")", 1, text::number(fall.dt)),
                  std::move(options));
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  Moments found;
  for (int k = 1; k <= fall.steps; ++k) {
    coupled.set_motion(plate, waves(coupled.mesh(plate).reference, k * fall.dt, 0.004));
    const StepReport report = coupled.solve_step(fall.dt);
    EXPECT_TRUE(report.converged()) << report.message;
    coupled.accept();
    if (report.substeps > 1) continue;  // the history has the last of them
    const Wrench of_bodies = (*coupled.simulation().view(false, false).boundary_wrench)[0];
    const double size = of_bodies.force.norm();
    if (size < 1) continue;
    ++found.acting;
    test::keep_largest(found.of_resultant,
                       (coupled.resultant(plate).moment - of_bodies.moment).norm() / size);
    const std::vector<double> x = coupled.positions(plate);
    std::vector<double> f(x.size());
    coupled.forces(plate, f);
    Vec3 at_end = Vec3::Zero();
    for (std::size_t i = 0; i < x.size(); i += 3)
      at_end += Vec3(x[i], x[i + 1], x[i + 2]).cross(Vec3(f[i], f[i + 1], f[i + 2]));
    test::keep_largest(found.at_end, (at_end - of_bodies.moment).norm() / size);
  }
  return found;
}

/// The positions at the end are off by half the way of the surface in a step.
TEST(CoupledEnergySteps, HaveTheMomentOfTheBodiesWhereVerticesAreInTheMiddleOfTheStep) {
  for (const Scene& one : elastic_scenes()) {
    SCOPED_TRACE(one.name);
    const Moments found = moments_on_waves(one, {.write_outputs = false});
    EXPECT_GE(found.acting, 2);
    EXPECT_LT(found.of_resultant, 4e-15);
    EXPECT_GT(found.at_end, 1e-6);
  }
}

struct Impacts {
  std::vector<std::vector<double>> forces;  ///< on vertices, of all steps [N]
  Vec3 first = Vec3::Zero();                ///< force on the surface in the first step with contact [N]
  Vec3 ahead = Vec3::Zero();                ///< moment of the bodies less that of the vertices there [N m]
};

/// A ball that slides on a surface, both seen from a frame that moves.
Impacts impacts_seen(const Vec3& velocity) {
  constexpr double kStep = 1e-3;
  const std::string law =
      R"("normal": {"law": "hooke", "stiffness": 2e5, "damping": 20},
         "friction": {"static": 0.5, "dynamic": 0.4, "stiffness": 1e5})";
  const Vec3 v = Vec3(0.5, 0.3, -1.2) + velocity;
  const std::string ball =
      R"({"shape": "ball", "material": "rock", "position": [0.03, 0.02, 0.06], "velocity": [)" +
      text::number(v.x(), 17) + ", " + text::number(v.y(), 17) + ", " + text::number(v.z(), 17) + "]}";
  Participant coupled = participant(with_energy_steps(
      deck(law, kBall, ball, Sheet(4).text() + R"(, "motion": "coupled")", "", 1, text::number(kStep))));
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  std::vector<double> u(coupled.mesh(plate).reference.size(), 0.0), f(u.size());
  Impacts seen;
  for (int k = 1; k <= 14; ++k) {
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = k * kStep * velocity[static_cast<Eigen::Index>(i % 3)];
    coupled.set_motion(plate, u);
    const StepReport report = coupled.solve_step(kStep);
    EXPECT_TRUE(report.converged()) << report.message;
    EXPECT_EQ(report.substeps, 1);
    coupled.accept();
    coupled.forces(plate, f);
    seen.forces.push_back(f);
    const Wrench sum = coupled.resultant(plate);
    if (!seen.first.isZero(0) || sum.force.isZero(0)) continue;
    seen.first = sum.force;
    seen.ahead = (*coupled.simulation().view(false, false).boundary_wrench)[0].moment - sum.moment;
  }
  return seen;
}

/// Impulses of the update act on bodies at the end of the step, and on the structure over all of it, on the
/// same place of the surface. So they are the same in each frame, and the moment is not that of the bodies,
/// by half the way of the place times the impulse. Friction of a new contact is all of the update.
TEST(CoupledEnergySteps, PutImpulsesOnTheSamePlaceOfTheSurfaceInEachFrame) {
  const Impacts at_rest = impacts_seen(Vec3::Zero());
  EXPECT_LT(at_rest.ahead.norm(), 7e-16 * at_rest.first.norm());
  double largest = 0;
  for (const std::vector<double>& f : at_rest.forces)
    for (const double one : f) test::keep_largest(largest, std::abs(one));
  EXPECT_GT(largest, 10);
  for (const Vec3& velocity : {Vec3(2, 0, 0), Vec3(0, 0, 1)}) {
    const Impacts seen = impacts_seen(velocity);
    double error = 0;
    for (std::size_t k = 0; k < seen.forces.size(); ++k)
      for (std::size_t i = 0; i < seen.forces[k].size(); ++i)
        test::keep_largest(error, std::abs(seen.forces[k][i] - at_rest.forces[k][i]));
    EXPECT_LT(error, 2e-13 * largest) << velocity.transpose();
    EXPECT_LT(std::abs(seen.ahead.dot(velocity.normalized())), 7e-16 * seen.first.norm());
    if (velocity.z() == 0) continue;
    const Vec3 expected = 0.5e-3 * velocity.cross(seen.first);
    EXPECT_GT(expected.norm(), 1e-4 * seen.first.norm());
    EXPECT_LT((seen.ahead - expected).norm(), 7e-16 * seen.first.norm());
  }
}

}  // namespace
}  // namespace scree::coupling
