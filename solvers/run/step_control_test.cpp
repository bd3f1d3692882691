#include "solvers/run/step_control.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "contact/bounds/step_limits.hpp"

namespace scree {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

TimeDescription adaptive() {
  TimeDescription time;
  time.end = 1;
  time.step = 1e-4;
  time.adaptive = true;
  time.min = 1e-6;
  time.max = 1e-3;
  return time;
}

/// Takes a step; @returns its size.
double take(StepControl& control, double& now, const contact::StepLimits& limits, double event = kNever) {
  const double h = control.next(now, event, limits);
  now += h;
  control.accepted(now, h, 0);
  return h;
}

TEST(StepControl, EnergyErrorsOfContactsRejectStepsAndSetTheSizeOfTheNext) {
  StepControl control(adaptive());
  // 2 % of the contact's energy, or 0.1 % of both the contact's and the run's.
  EXPECT_GT(control.excess({.absolute = 1e-9, .relative = 0.021}, 1), 1);
  EXPECT_LE(control.excess({.absolute = 1e-9, .relative = 0.019}, 1), 1);
  EXPECT_GT(control.excess({.absolute = 1.1e-3, .relative = 1.1e-3}, 1), 1);
  EXPECT_LE(control.excess({.absolute = 1.1e-3, .relative = 0.9e-3}, 1), 1);
  // Where single impacts need not be resolved the limits grow.
  TimeDescription coarse = adaptive();
  coarse.resolution = 2;
  EXPECT_LE(StepControl(coarse).excess({.absolute = 0, .relative = 0.15}, 1), 1);
  EXPECT_GT(StepControl(coarse).excess({.absolute = 0, .relative = 0.17}, 1), 1);
  // The error goes with the third power of the size, and steps aim at half of what is allowed.
  double now = 0;
  const double h = control.next(now, kNever, {kNever, kNever});
  ASSERT_TRUE(control.cut(now, h, 4));
  EXPECT_NEAR(control.next(now, kNever, {kNever, kNever}), 0.5 * h, 1e-12 * h);
  ASSERT_TRUE(control.cut(now, 0.5 * h, 600));
  EXPECT_NEAR(control.next(now, kNever, {kNever, kNever}), 0.05 * h, 1e-12 * h);
  now += 0.05 * h;
  EXPECT_FALSE(control.accepted(now, 0.05 * h, 0.5));
  EXPECT_NEAR(control.next(now, kNever, {kNever, kNever}), 0.05 * h, 1e-12 * h);
  EXPECT_TRUE(control.accepted(now + 1e-6, 1e-6, 1.5));  // the smallest one: a smaller would be better
}

TEST(StepControl, AnErrorThatNoStepMakesSmallerIsTakenIfItIsNothingToTheRun) {
  // From 1e-4 s on, cut to what the error says, until the step is to be taken. @returns its size; 0: never.
  const auto taken = [](double absolute, double falls_with) {
    StepControl control(adaptive());
    for (double h = 1e-4; h > 2e-6;) {
      const EnergyErrors errors{.absolute = absolute, .relative = 0.3 * std::pow(h / 1e-4, falls_with)};
      const double excess = control.excess(errors, 1);
      if (excess <= 1) return h;
      if (control.is_jump(0.5, h, errors, 1)) {
        EXPECT_FALSE(control.accepted(0.5 + h, h, excess));  // no smaller one is better
        EXPECT_EQ(control.longest(), 1e-4);                  // as before the jump
        return h;
      }
      if (!control.cut(0.5, h, excess)) break;
      h = control.next(0.5, kNever, {kNever, kNever});
    }
    return 0.0;
  };
  EXPECT_NEAR(taken(0.9e-5, 0), 1e-4 * 0.3 * 0.3, 2e-6);
  EXPECT_EQ(taken(1.1e-5, 0), 0);
  // One that falls with the step is waited for.
  EXPECT_LT(0.3 * taken(0.9e-5, 1) / 1e-4, 0.02);
  // Another time begins anew, and so does a longer step.
  StepControl control(adaptive());
  const EnergyErrors errors{.absolute = 1e-9, .relative = 0.3};
  EXPECT_FALSE(control.is_jump(0.1, 1e-4, errors, 1));
  EXPECT_FALSE(control.is_jump(0.1, 5e-5, errors, 1));
  EXPECT_FALSE(control.is_jump(0.2, 2e-5, errors, 1));
  EXPECT_FALSE(control.is_jump(0.2, 1e-5, errors, 1));
  EXPECT_TRUE(control.is_jump(0.2, 5e-6, errors, 1));
  EXPECT_FALSE(control.is_jump(0.2, 2e-5, errors, 1));
  EXPECT_FALSE(control.is_jump(0.2, 1e-5, errors, 1));
}

TEST(StepControl, BondsBreakAtMostFivePerCentAboveTheirForceWhereStepsAreAdaptive) {
  EXPECT_EQ(StepControl(adaptive()).excess_of_bonds(0.9), 0);
  EXPECT_LE(StepControl(adaptive()).excess_of_bonds(1.049), 1);
  EXPECT_GT(StepControl(adaptive()).excess_of_bonds(1.051), 1);
  TimeDescription coarse = adaptive();
  coarse.resolution = 2;
  EXPECT_LE(StepControl(coarse).excess_of_bonds(1.099), 1);
  EXPECT_GT(StepControl(coarse).excess_of_bonds(1.101), 1);
  coarse.adaptive = false;
  EXPECT_EQ(StepControl(coarse).excess_of_bonds(3), 0);
}

TEST(StepControl, ImpactsTurnABodyByAStatedAngleAtMost) {
  TimeDescription coarse = adaptive();
  coarse.resolution = 2;
  for (const bool is_adaptive : {true, false}) {
    coarse.adaptive = is_adaptive;
    EXPECT_EQ(StepControl(coarse).excess_of_turn(0), 0);
    EXPECT_LE(StepControl(coarse).excess_of_turn(0.059), 1);
    EXPECT_GT(StepControl(coarse).excess_of_turn(0.061), 1);
  }
  // The worst of a step decides, and gives the reason.
  StepReport step;
  step.impact_turn = 0.07;
  const StepControl control(coarse);
  EXPECT_STREQ(control.coarseness(step, 1).cause, "rotation by an impact");
  EXPECT_EQ(control.coarseness(step, 1).excess, control.excess_of_turn(0.07));
  step.energy_errors = {.absolute = 1, .relative = 1};
  EXPECT_STREQ(control.coarseness(step, 1).cause, "energy error of a contact");
  EXPECT_EQ(control.coarseness(step, 1).beside_energy, control.excess_of_turn(0.07));
}

TEST(StepControl, PiecesOfAFixedStepGetLongerAfterAnImpact) {
  TimeDescription fixed;
  fixed.step = 1e-2;
  fixed.end = 1;
  StepControl control(fixed);
  double now = 0;
  for (int k = 0; k < 5; ++k) EXPECT_TRUE(control.cut(now, control.next(now, kNever, {}), 8));
  int pieces = 0;
  for (; now < 1e-2 * (1 - 1e-9); ++pieces) {
    const double h = control.next(now, kNever, {});
    now += h;
    EXPECT_FALSE(control.accepted(now, h, 0));
  }
  EXPECT_EQ(pieces, 6);  // 1 1 2 4 8 16 of 32
  EXPECT_NEAR(now, 1e-2, 1e-15);
  // A step that could not be solved is solved in equal pieces.
  for (int k = 0; k < 3; ++k) EXPECT_TRUE(control.cut(now, control.next(now, kNever, {})));
  for (pieces = 0; now < 2e-2 * (1 - 1e-9); ++pieces) {
    const double h = control.next(now, kNever, {});
    now += h;
    EXPECT_FALSE(control.accepted(now, h, 0));
  }
  EXPECT_EQ(pieces, 8);
}

TEST(StepControl, StepsGrowToTheSpacingOfEvents) {
  TimeDescription time = adaptive();
  time.max = 1e-2;
  for (const double start : {1e-4, 3.4e-3, 5e-3, 1e-2}) {
    time.step = start;
    StepControl control(time);
    double now = 0;
    int steps = 0;
    for (int event = 1; event <= 40; ++event) {
      steps = 0;
      while (now < 1e-2 * event * (1 - 1e-9)) {
        const double h = control.next(now, 1e-2 * event, {kNever, kNever});
        now += h;
        ++steps;
        EXPECT_FALSE(control.accepted(now, h, 0));
      }
    }
    EXPECT_EQ(steps, 1) << start;
  }
}

TEST(StepControl, TheFirstStepObeysTheLimitsAndIsAtMostThatOfTheDeck) {
  StepControl free(adaptive());
  double now = 0;
  EXPECT_EQ(take(free, now, {kNever, kNever}), 1e-4);
  EXPECT_EQ(free.limit_causes().at("initial step"), 1);
  for (const contact::StepLimits& limits :
       {contact::StepLimits{2e-5, kNever}, contact::StepLimits{kNever, 2e-5}}) {
    StepControl limited(adaptive());
    now = 0;
    EXPECT_EQ(take(limited, now, limits), 2e-5);
    EXPECT_EQ(limited.overrules().steps, 0);
  }
}

TEST(StepControl, AStepThatNewtonsMethodFailedAtIsNotTriedAgainAtOnce) {
  StepControl control(adaptive());
  double now = 0;
  ASSERT_EQ(control.next(now, kNever, {kNever, kNever}), 1e-4);
  ASSERT_TRUE(control.cut(now, 1e-4));
  for (int k = 0; k < 10; ++k) {
    control.spent(3);
    EXPECT_EQ(take(control, now, {kNever, kNever}), 5e-5);
  }
  EXPECT_EQ(control.limit_causes().at("cutback"), 1);
  EXPECT_EQ(control.limit_causes().at("cost of Newton iterations"), 9);
  for (int k = 0; k < 100; ++k) {
    control.spent(3);
    take(control, now, {kNever, kNever});
  }
  EXPECT_EQ(take(control, now, {kNever, kNever}), 1e-3);
}

TEST(StepControl, CountsTheCauseOfAcceptedStepsOnly) {
  StepControl control(adaptive());
  double now = 0;
  ASSERT_EQ(control.next(now, kNever, {kNever, kNever}), 1e-4);
  ASSERT_TRUE(control.cut(now, 1e-4, 4));
  EXPECT_EQ(take(control, now, {kNever, kNever}), 5e-5);
  EXPECT_EQ(control.limit_causes(), (std::map<std::string, long>{{"cutback", 1}}));
  EXPECT_DOUBLE_EQ(take(control, now, {kNever, kNever}), 7e-5);
  EXPECT_EQ(control.limit_causes().at("step growth"), 1);
  take(control, now, {kNever, 3e-5});
  EXPECT_EQ(control.limit_causes().at("contact oscillation"), 1);
  take(control, now, {kNever, kNever, 3e-5});
  EXPECT_EQ(control.limit_causes().at("rotation"), 1);
  EXPECT_DOUBLE_EQ(take(control, now, {kNever, kNever}, now + 4e-5), 4e-5);
  EXPECT_EQ(control.limit_causes().at("next event or end time"), 1);
  now = 0.5;
  for (int k = 0; k < 20; ++k) take(control, now, {kNever, kNever});
  EXPECT_GT(control.limit_causes().at("maximum step"), 5);
}

TEST(StepControl, CountsStepsForWhichTheSmallestOfTheDeckIsLongerThanALimit) {
  StepControl control(adaptive());
  double now = 0;
  EXPECT_EQ(take(control, now, {kNever, 2.5e-7}), 1e-6);
  EXPECT_EQ(take(control, now, {5e-7, kNever}), 1e-6);
  EXPECT_EQ(take(control, now, {kNever, kNever}), 1.4e-6);  // growth is no matter of stability
  EXPECT_EQ(control.overrules().steps, 2);
  EXPECT_DOUBLE_EQ(control.overrules().worst, 4);
  EXPECT_EQ(control.limit_causes().at("minimum step"), 2);
}

TEST(StepControl, AFixedStepIsThatOfTheDeckWhateverTheLimits) {
  TimeDescription time = adaptive();
  time.adaptive = false;
  StepControl control(time);
  double now = 0;
  EXPECT_EQ(take(control, now, {1e-7, 1e-7}), 1e-4);
  EXPECT_EQ(control.overrules().steps, 0);
  EXPECT_TRUE(control.limit_causes().empty());
}

TEST(StepControl, AFixedStepThatWasShortenedIsCutToLessThanItWas) {
  TimeDescription time = adaptive();
  time.adaptive = false;
  const contact::StepLimits none{kNever, kNever};
  StepControl control(time);
  const double event = 0.3e-4;
  ASSERT_DOUBLE_EQ(control.next(0, event, none), event);
  ASSERT_TRUE(control.cut(0, event));
  EXPECT_DOUBLE_EQ(control.next(0, event, none), 0.25e-4);
  // A step may be cut ten times, however short it was.
  for (const double window : {kNever, 2e-8}) {
    StepControl coupled(time);
    double last = coupled.next(0, window, none);
    int cuts = 0;
    for (; cuts < 20 && coupled.cut(0, last); ++cuts) {
      const double h = coupled.next(0, window, none);
      EXPECT_LT(h, last);
      last = h;
    }
    EXPECT_EQ(cuts, 10) << window;
  }
}

TEST(StepControl, AShortPieceThatWasCutLeavesTheRestOfTheFixedStepWhole) {
  TimeDescription time = adaptive();
  time.adaptive = false;
  const contact::StepLimits none{kNever, kNever};
  StepControl control(time);
  const double event = 2e-8;  // less than a step that is halved ten times
  double now = 0;
  ASSERT_DOUBLE_EQ(control.next(now, event, none), event);
  ASSERT_TRUE(control.cut(now, event));
  ASSERT_TRUE(control.cut(now, control.next(now, event, none)));
  const double part = control.next(now, event, none);
  EXPECT_DOUBLE_EQ(part, std::ldexp(time.step, -14));
  // All parts up to the event have the size that could be solved, the last one what is left.
  for (int k = 0; k < 3; ++k) EXPECT_DOUBLE_EQ(take(control, now, none, event), part);
  take(control, now, none, event);
  EXPECT_NEAR(now, event, 1e-15);
  EXPECT_NEAR(take(control, now, none), time.step - event, 1e-15);
}

TEST(StepControl, FixedStepsGoFromAnyTimeToTheNextPointOfTheirGrid) {
  TimeDescription time = adaptive();
  time.adaptive = false;
  time.end = 1e4;
  StepControl control(time);
  const contact::StepLimits none{kNever, kNever};
  EXPECT_NEAR(control.next(0.5, kNever, none), 1e-4, 1e-12);  // time has passed without steps
  EXPECT_NEAR(control.next(0.50003, kNever, none), 7e-5,
              1e-12);  // the state is that of a run with other steps
  EXPECT_NEAR(control.next(0.20003, kNever, none), 7e-5, 1e-12);
  double now = 4e3;  // round-off is more than a billionth of a step
  for (int k = 0; k < 9; ++k) EXPECT_NEAR(take(control, now, none), 1e-4, 1e-10);
}

}  // namespace
}  // namespace scree
