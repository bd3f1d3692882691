/// Coupled surfaces beside bodies of all shapes, with all laws: rigid motion, forces on vertices, fast
/// surfaces, derivatives.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "core/test_extremes.hpp"
#include "io/coupling/test_coupling.hpp"

namespace scree::coupling {
namespace {

const Vec3 kTurn(2, -1.25, 3.75);  ///< [rad/s]

class RigidMotion : public testing::TestWithParam<Scene> {};

TEST_P(RigidMotion, ThroughSetMotionEqualsTheSameMotionOfTheDeck) {
  const Scene& one = GetParam();
  // On more ranks gaps of 2 to 18 mm close at 1.3 to 1.9 m/s: all bodies touch within 10 ms.
  const Fall fall = fall_on_sheet(6, 0.013, 2e-4, 60);
  // A motion that is linear within each step, as the deck has it, has to be met exactly; a turn by cubics of
  // time, with an error of 1e-12 m. Secants of energy steps on facets that are rigid and on those that may
  // deform differ by terms of second order in the angle of a step.
  const RigidBodyMotion motion{Vec3(0.4, 0.1, 0.8), one.turn};
  // Forces of energy steps are means over the coupled step: of one time step here.
  const std::string step = one.energy ? text::number(fall.dt) : "1e-4";
  Participant prescribed =
      participant(deck_of(one, fall.sheet.text() + R"(, "motion": )" + motion.text(), 1, step));
  prescribed.initialize();
  Participant coupled = participant(deck_of(one, fall.sheet.text() + R"(, "motion": "coupled")", 1, step));
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  const std::vector<double>& reference = coupled.mesh(plate).reference;
  double largest = 0, force_error = 1;  // of the last step that can be compared
  int compared = 0;
  for (int k = 1; k <= fall.steps; ++k) {
    // A run that is never saved: history that is lost on a way back makes a difference.
    while (prescribed.simulation().time() < k * fall.dt * (1 - 1e-9))
      prescribed.simulation().step(k * fall.dt);
    const std::vector<double> u = motion.displacements(reference, k * fall.dt);
    if (one.turn.isZero(0)) {
      coupled.set_motion(plate, u);
    } else {
      coupled.set_motion(plate, u, motion.velocities(reference, k * fall.dt));
    }
    const StepReport report = coupled.solve_step(fall.dt);
    ASSERT_TRUE(report.converged()) << report.message;
    coupled.accept();
    const Vec3 force = coupled.resultant(plate).force;
    test::keep_largest(largest, force.norm());
    if (one.energy && report.substeps > 1) continue;  // the mean over several time steps
    ++compared;
    const Vec3 expected = (*prescribed.simulation().view(false, false).boundary_wrench)[0].force;
    force_error = (force - expected).norm() / (1 + expected.norm());
  }
  EXPECT_GT(compared, fall.steps / 2);
  EXPECT_LT(force_error, 1e-4);
  EXPECT_EQ(coupled.simulation().steps(), prescribed.simulation().steps());
  EXPECT_GT(largest, 10);
  EXPECT_LT(difference(bodies_of(coupled.simulation(), 2), bodies_of(prescribed.simulation(), 2)), 2e-7);
}

INSTANTIATE_TEST_SUITE_P(
    Coupled, RigidMotion,
    testing::Values(
        Scene{"hooke_balls", kHooke, kBall, kTwoBalls}, Scene{"hertz_balls", kHertz, kBall, kTwoBalls},
        Scene{"barrier_balls", kBarrier, kBall, kTwoBalls},
        Scene{"barrier_blocks", kBarrier, kBlock, kTwoBlocks},
        Scene{"hooke_tablets", kHooke, kTablet, kTwoTablets},
        Scene{"energy_balls", kHertz, kBall, kTwoBalls, true},
        Scene{"energy_blocks", kBarrier, kBlock, kTwoBlocks, true},
        Scene{"energy_tablets", kHooke, kTablet, kTwoTablets, true},
        Scene{"dmt_balls", kDmt, kBall, kTwoBalls}, Scene{"hertz_tablets", kHertz, kTablet, kTwoTablets},
        Scene{"barrier_sharp", kBarrier, kSharp, kTwoSharp}, Scene{"barrier_ells", kBarrier, kEll, kTwoElls},
        Scene{"energy_sharp", kBarrier, kSharp, kTwoSharp, true},
        Scene{"energy_ells", kBarrier, kEll, kTwoElls, true},
        Scene{"hertz_balls_turn", kHertz, kBall, kTwoBalls, false, kTurn},
        Scene{"barrier_ells_turn", kBarrier, kEll, kTwoElls, false, kTurn},
        Scene{"hooke_tablets_turn", kHooke, kTablet, kTwoTablets, false, kTurn},
        Scene{"energy_tablets_turn", kHooke, kTablet, kTwoTablets, true, kTurn}),
    [](const auto& one) { return std::string(one.param.name); });

class Forces : public testing::TestWithParam<Scene> {};

TEST_P(Forces, OnVerticesHaveTheSumAndTheMomentOfThoseOfTheBodies) {
  const Scene& one = GetParam();
  // On more ranks gaps of 2 to 17 mm close at 0.5 to 1.3 m/s: all bodies touch within 16 ms.
  const Fall fall = fall_on_sheet(5, 0.0175, 5e-4, 40);
  const std::string surface = fall.sheet.text() + R"(, "motion": "coupled")";
  Participant coupled =
      participant(one.energy ? deck_of(one, surface, 1, text::number(fall.dt)) : deck_of(one, surface));
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  double force_error = 0, moment_error = 0, largest = 0;
  for (int k = 1; k <= fall.steps; ++k) {
    coupled.set_motion(plate, waves(coupled.mesh(plate).reference, k * fall.dt, 0.004));
    const StepReport report = coupled.solve_step(fall.dt);
    ASSERT_TRUE(report.converged()) << report.message;
    coupled.accept();
    if (one.energy && report.substeps > 1) continue;  // the forces are means over all of them
    const std::vector<Wrench> wrench = *coupled.simulation().view(false, false).boundary_wrench;
    const Wrench sum = coupled.resultant(plate);
    test::keep_largest(force_error, (sum.force - wrench[0].force).norm());
    // Of mean forces the impacts of a step have another moment: CoupledEnergySteps.
    if (!one.energy) test::keep_largest(moment_error, (sum.moment - wrench[0].moment).norm());
    test::keep_largest(largest, wrench[0].force.norm());
  }
  EXPECT_GT(largest, 10);
  EXPECT_LT(force_error, 1e-13 * (1 + largest));
  EXPECT_LT(moment_error, 1e-13 * (1 + largest));
}

INSTANTIATE_TEST_SUITE_P(Coupled, Forces,
                         testing::Values(Scene{"hooke_balls", kHooke, kBall, kTwoBalls},
                                         Scene{"hertz_balls", kHertz, kBall, kTwoBalls},
                                         Scene{"barrier_blocks", kBarrier, kBlock, kTwoBlocks},
                                         Scene{"hooke_tablets", kHooke, kTablet, kTwoTablets},
                                         Scene{"energy_blocks", kBarrier, kBlock, kTwoBlocks, true},
                                         Scene{"energy_tablets", kHooke, kTablet, kTwoTablets, true},
                                         Scene{"dmt_balls", kDmt, kBall, kTwoBalls},
                                         Scene{"hertz_tablets", kHertz, kTablet, kTwoTablets},
                                         Scene{"barrier_sharp", kBarrier, kSharp, kTwoSharp},
                                         Scene{"barrier_ells", kBarrier, kEll, kTwoElls},
                                         Scene{"energy_dmt_balls", kDmt, kBall, kTwoBalls, true},
                                         Scene{"energy_sharp", kBarrier, kSharp, kTwoSharp, true},
                                         Scene{"energy_ells", kBarrier, kEll, kTwoElls, true}),
                         [](const auto& one) { return std::string(one.param.name); });

class FastSurface : public testing::TestWithParam<Scene> {};

/// In one step the sheet goes further than a body is large.
TEST_P(FastSurface, NeverLetsABodyThrough) {
  const Scene& one = GetParam();
  Participant coupled = participant(deck_of(one, Sheet(4, 0.01).text() + R"(, "motion": "coupled")", 1,
                                            R"({"initial": 1e-3, "min": 1e-9, "max": 1e-2})"));
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  const std::vector<double>& reference = coupled.mesh(plate).reference;
  const RigidBodyMotion motion{Vec3(0, 0, 20), one.turn};
  constexpr double kStep = 0.01;
  for (int k = 1; k <= 4; ++k) {
    const double t = k * kStep;
    coupled.set_motion(plate, motion.displacements(reference, t));
    const StepReport report = coupled.solve_step(kStep);
    ASSERT_TRUE(report.converged()) << report.message;
    coupled.accept();
    const Vec3 height = bodies_of(coupled.simulation(), 1)[0] - t * motion.velocity;
    EXPECT_GT(motion.rotation(t).col(2).dot(height), 0) << "step " << k;
  }
}

/// @returns a body of a shape at rest above the middle of the sheet.
std::string above(const std::string& shape) {
  return R"({"shape": ")" + shape + R"(", "material": "rock", "position": [0.01, 0.02, 0.2]})";
}

const Vec3 kSwing(0, 25, 5);  ///< 6 m/s more at a distance of 0.25 m [rad/s]

INSTANTIATE_TEST_SUITE_P(
    Coupled, FastSurface,
    testing::Values(Scene{"hooke_ball", kHooke, kBall, above("ball")},
                    Scene{"barrier_ball", kBarrier, kBall, above("ball")},
                    Scene{"barrier_block", kBarrier, kBlock, above("block")},
                    Scene{"barrier_sharp", kBarrier, kSharp, above("sharp")},
                    Scene{"barrier_ell", kBarrier, kEll, above("ell")},
                    Scene{"energy_block", kBarrier, kBlock, above("block"), true},
                    Scene{"energy_sharp", kBarrier, kSharp, above("sharp"), true},
                    Scene{"barrier_block_swing", kBarrier, kBlock, above("block"), false, kSwing},
                    Scene{"barrier_tablet_swing", kBarrier, kTablet, above("tablet"), false, kSwing},
                    Scene{"energy_ell_swing", kBarrier, kEll, above("ell"), true, kSwing}),
    [](const auto& one) { return std::string(one.param.name); });

class Derivative : public testing::TestWithParam<Scene> {};

/// With a motion that shears, stretches and bends the sheet under a body that sticks to it, or slides.
TEST_P(Derivative, OfForcesIsThatOfCentralDifferences) {
  if (ranks() > 2) GTEST_SKIP() << "one body";
  const Scene& one = GetParam();
  std::string text = deck_of(one, Sheet(4).text() + R"(, "motion": "coupled")", 1, "1e-3");
  const std::string relative = R"("relative": 1e-11)";
  text.replace(text.find(relative), relative.size(), R"("relative": 1e-13)");  // of forces that differ little
  Participant coupled = participant(text);
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  for (int k = 0; k < 3; ++k) {
    ASSERT_TRUE(coupled.solve_step(1e-3).converged());
    coupled.accept();
  }
  const std::size_t size = coupled.mesh(plate).reference.size();
  std::vector<double> du(size), df(size);
  for (std::size_t i = 0; i < size; ++i) du[i] = std::sin(1.7 * static_cast<double>(i) + 0.3);
  const auto forces_at = [&](double part) {
    std::vector<double> u(size), f(size);
    for (std::size_t i = 0; i < size; ++i) u[i] = part * du[i] + (i % 3 == 2 ? 1e-5 : 0.0);
    coupled.set_motion(plate, u);
    EXPECT_TRUE(coupled.solve_step(1e-3).converged());
    coupled.forces(plate, f);
    return f;
  };
  constexpr double kDifference = 1e-8;  ///< [m]
  const std::vector<double> more = forces_at(kDifference), less = forces_at(-kDifference);
  (void)forces_at(0);
  coupled.apply_tangent(plate, du, df);
  double error = 0, largest = 0, tangential = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const double expected = (more[i] - less[i]) / (2 * kDifference);
    test::keep_largest(error, std::abs(df[i] - expected));
    test::keep_largest(i % 3 == 2 ? largest : tangential, std::abs(expected));
  }
  EXPECT_GT(tangential, 0.1 * largest);
  // The difference of apply_tangent is one-sided: 2.5e-8 m here, of a barrier at a gap of 0.5 mm.
  EXPECT_LT(error, 5e-4 * largest) << largest << " N/m";
}

/// Soft enough for bodies that lie half a threshold above the sheet.
const char* const kSoftBarrier = R"("normal": {"law": "barrier", "threshold": 1e-3, "stiffness": 1e9},
       "friction": {"static": 0.5, "dynamic": 0.4, "stiffness": 3e5})";

/// @returns a body that lies on the sheet. @param z [m]. @param speed with which it slides [m/s].
std::string lying(const std::string& shape, double z, double speed) {
  return R"({"shape": ")" + shape + R"(", "material": "rock", "position": [0.06, 0.05, )" + text::number(z) +
         R"(], "velocity": [)" + text::number(speed) + ", 0, 0]}";
}

INSTANTIATE_TEST_SUITE_P(
    Coupled, Derivative,
    testing::Values(Scene{"hertz_ball", kHertz, kBall, lying("ball", 0.0495, 0)},
                    Scene{"dmt_ball", kDmt, kBall, lying("ball", 0.0495, 0)},
                    Scene{"barrier_block", kSoftBarrier, kBlock, lying("block", 0.0405, 0)},
                    Scene{"barrier_block_slides", kSoftBarrier, kBlock, lying("block", 0.0405, 0.5)},
                    Scene{"barrier_sharp", kSoftBarrier, kSharp, lying("sharp", 0.0405, 0)},
                    Scene{"energy_tablet", kHooke, kTablet, lying("tablet", 0.0397, 0), true},
                    Scene{"energy_tablet_slides", kHooke, kTablet, lying("tablet", 0.0397, 0.5), true},
                    Scene{"energy_block", kSoftBarrier, kBlock, lying("block", 0.0405, 0), true}),
    [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace scree::coupling
