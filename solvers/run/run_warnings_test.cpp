#include "solvers/run/run_warnings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "contact/laws/parameters.hpp"
#include "elements/integrators/energy_consistent.hpp"
#include "solvers/run/step_control.hpp"
#include "solvers/world/passage.hpp"

namespace scree {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A run of 100 steps with nothing to warn of: 50 J fell, 49 J are dissipated, the balance error is -1 J.
class RunWarnings : public ::testing::Test {
 protected:
  RunWarnings() {
    model_.time = {2, 1e-4, true, 1e-9, 1e-3, StepMode::resolved, 1};
    report_.time = 2;
    report_.steps = 100;
    report_.rest_energy = 1e-3;
    report_.energy.initial_total = 100;
    report_.energy.potential = 50;
    report_.energy.reference = 50;
    report_.energy.damping_loss = 49;
  }

  /// @returns "code: text" of the warnings, a line each.
  std::string warned() {
    Warnings warnings;
    warn_at_end(model_, report_, warnings);
    std::string all;
    for (const Warning& one : warnings.all()) all += one.code + ": " + one.where + ": " + one.message + "\n";
    return all;
  }
  /// Sets the energy balance error.
  void close_with(double error) { report_.energy.damping_loss = 50 + error; }

  Model model_;
  RunReport report_;
};

TEST_F(RunWarnings, NothingIsSaidOfARunThatWentWell) { EXPECT_EQ(warned(), ""); }

TEST_F(RunWarnings, EnergyCreatedAboveOnePerCentAndLostAboveTen) {
  close_with(0.49);
  EXPECT_EQ(warned(), "");
  close_with(0.51);
  EXPECT_THAT(warned(), HasSubstr("energy_created: energy balance: error +0.51 J (+1.02 % of the reference "
                                  "energy, 50 J)"));
  EXPECT_THAT(warned(),
              HasSubstr("time/step/resolution 0.25 (now 1), a lower \"stiffness\" of the contact law, "
                        "or \"integrator\": {\"type\": \"energy\"}."));
  close_with(-4.9);
  EXPECT_EQ(warned(), "");
  close_with(-5.1);
  EXPECT_THAT(warned(), HasSubstr("energy_lost: energy balance: error -5.1 J (-10.2 % of the reference"));
  model_.time.adaptive = false;
  EXPECT_THAT(warned(), HasSubstr("a smaller time/step (now 0.0001 s)"));
  report_.energy.lag = -1;  // in free fall, contact dynamics
  EXPECT_EQ(warned(), "");
  report_.energy.lag = 0.5;  // while bodies rebound
  EXPECT_THAT(warned(), HasSubstr("energy_lost: energy balance: error -5.6 J"));
  report_.energy.lag = 0;
  model_.analysis = Analysis::quasi_static;
  EXPECT_EQ(warned(), "");
}

TEST_F(RunWarnings, EnergyThatIsKeptFailsARunSoonerWhereNoneShouldBeMade) {
  close_with(4.9);
  EXPECT_FALSE(created_too_much(model_, report_));
  close_with(5.1);
  EXPECT_TRUE(created_too_much(model_, report_));
  model_.integrator = std::make_shared<elements::EnergyConsistent>();
  close_with(0.51);
  EXPECT_TRUE(created_too_much(model_, report_));
  close_with(0.49);
  EXPECT_FALSE(created_too_much(model_, report_));
  close_with(-5.1);
  EXPECT_FALSE(created_too_much(model_, report_));
}

TEST_F(RunWarnings, BodiesThatAttractEachOtherFailTheRun) {
  close_with(0);
  report_.attracted = 0;
  report_.energy.attraction = -0.49;
  report_.energy.attraction_at = 0.25;
  EXPECT_EQ(warned(), "");
  EXPECT_FALSE(created_too_much(model_, report_));
  report_.energy.attraction = -0.51;
  EXPECT_THAT(warned(),
              HasSubstr("contacts_attract: contacts: the energy of contacts fell to -0.51 J at t = 0.25 s"));
  EXPECT_TRUE(created_too_much(model_, report_));
  EXPECT_THAT(created_too_much_text(model_, report_), HasSubstr("attracted each other"));
}

/// Advice that has no effect with an analysis or integrator is not given.
TEST_F(RunWarnings, AdviceGoesWithTheAnalysisAndTheIntegrator) {
  model_.interfaces.emplace_back().friction.static_coefficient = 0.3;
  close_with(6);
  report_.cuts = 40;
  report_.unresolved = {2, 3};
  report_.min_steps = 50;
  const auto advice = [&] { return warned() + created_too_much_text(model_, report_); };
  for (const char* text : {"a lower \"stiffness\"", "damping_ratio", "friction/stiffness", "integrator"})
    EXPECT_THAT(advice(), HasSubstr(text));
  model_.integrator = std::make_shared<elements::EnergyConsistent>();
  for (const char* text : {"a lower \"stiffness\"", "damping_ratio", "integrator", "not resolved and"})
    EXPECT_THAT(advice(), Not(HasSubstr(text)));
  EXPECT_THAT(advice(), HasSubstr("friction/stiffness near the normal stiffness"));
  model_.analysis = Analysis::contact_dynamics;
  report_.unresolved = {};
  for (const char* text : {"stiffness", "damping_ratio", "integrator", "resolution"})
    EXPECT_THAT(advice(), Not(HasSubstr(text)));
  EXPECT_THAT(advice(), HasSubstr("Try a smaller time/step/max (now 0.001 s)."));
}

TEST_F(RunWarnings, ContactsThatAreTooSoftAreNotToBecomeSofter) {
  report_.newton.worst = 1e-3;
  close_with(6);
  EXPECT_THAT(warned(), HasSubstr("closer to the origin, or a lower \"stiffness\" of the contact law."));
  EXPECT_THAT(warned(), HasSubstr(", a lower \"stiffness\" of the contact law, or \"integrator\""));
  report_.gap_part = 0.009;
  EXPECT_THAT(warned(), HasSubstr("increase \"stiffness\" of the contact law."));
  EXPECT_THAT(warned(), Not(HasSubstr("a lower")));
  EXPECT_THAT(warned(), HasSubstr("closer to the origin."));
  EXPECT_THAT(warned(), HasSubstr("(now 1), or \"integrator\""));
  report_.gap_part = 1;
  report_.overlap_part = 0.051;
  EXPECT_THAT(warned(), Not(HasSubstr("a lower")));
}

TEST_F(RunWarnings, FrictionIsNoAdviceToADeckWithoutFriction) {
  report_.cuts = 40;
  report_.cut_causes = {{"Newton: iteration limit", 40}};
  model_.interfaces.emplace_back();
  EXPECT_THAT(warned(), HasSubstr("limit); try a larger damping_ratio."));
  model_.integrator = std::make_shared<elements::EnergyConsistent>();
  EXPECT_THAT(warned(), HasSubstr("limit); try time/step/resolution 0.25 (now 1)."));
  model_.interfaces[0].friction.static_coefficient = 0.3;
  EXPECT_THAT(warned(), HasSubstr("limit); try friction/stiffness near the normal stiffness."));
  report_.cut_causes = {{Passage::kPathTooLong, 40}};
  EXPECT_THAT(warned(), HasSubstr("check); check velocities and motions, often a unit is wrong."));
}

TEST_F(RunWarnings, EnergyMadeOutOfNothingHasNoShareAndNoiseIsNone) {
  report_.energy = {};
  report_.energy.translational = 5e-4;  // made, less than what counts as rest
  EXPECT_EQ(warned(), "");
  report_.energy.translational = 5;
  EXPECT_THAT(warned(), HasSubstr("energy_created: energy balance: error +5 J: the time integration"));
}

TEST_F(RunWarnings, TheSmallestStepWhereItOverrulesALimitOrIsTakenOften) {
  report_.min_steps = 10;
  EXPECT_EQ(warned(), "");
  report_.overrules = {3, 1.9};
  EXPECT_EQ(warned(), "");
  report_.overrules = {3, 40};
  EXPECT_THAT(
      warned(),
      HasSubstr("smallest_step: /time/step/min: 10 of 100 steps ran at the minimum size, 1e-09 s; 3 of "
                "100 steps above the limit by gap closure or oscillation, by a factor of up to 40"));
  report_.overrules = {};
  report_.min_steps = 11;
  EXPECT_THAT(warned(), HasSubstr("smallest_step"));
  model_.time.min = model_.time.max;  // the deck wants one size
  EXPECT_EQ(warned(), "");
}

TEST_F(RunWarnings, BondsThatBreakFarAboveTheirForce) {
  report_.bond_load = 1.19;
  EXPECT_EQ(warned(), "");
  report_.bond_load = 1.5;
  EXPECT_THAT(warned(), HasSubstr("bonds_overshoot: /bonds/break_force: bonds broke at up to 1.5 times this "
                                  "force"));
  model_.analysis = Analysis::quasi_static;
  EXPECT_EQ(warned(), "");
}

TEST_F(RunWarnings, StepsThatTurnABodyTooFarAndCouldNotBeMadeSmaller) {
  report_.turned.note(0.9);
  EXPECT_EQ(warned(), "");
  report_.turned.note(1.5);
  report_.turned.note(2.5);
  EXPECT_THAT(warned(),
              HasSubstr("unresolved_rotation: /time/step/min: 2 of 100 steps turned a body by an impact "
                        "by more than the limit, by a factor of up to 2.5"));
}

TEST_F(RunWarnings, StepsThatAreCutOften) {
  report_.cuts = 24;
  report_.cut_causes = {{"iteration limit", 20}, {"line search", 4}};
  EXPECT_EQ(warned(), "");
  report_.cuts = 26;
  EXPECT_THAT(warned(),
              HasSubstr("steps_cut: /time/step: 20.6 % of the attempted steps (26) were rejected (mainly: "
                        "iteration limit)"));
  // Those that are a part of the method are no reason to do anything.
  report_.cut_causes.emplace_back(StepControl::kTurned, 2);
  EXPECT_EQ(warned(), "");
}

/// Steps of another size would cost more time and give nothing.
TEST_F(RunWarnings, StepsThatAreCutBeforeAMovingBoundary) {
  const std::string paddle = std::string("boundary \"paddle\"") + Passage::kBoundaryMeetsBody;
  report_.cuts = 119;
  report_.cut_causes = {{paddle, 95}, {"line search", 24}};
  EXPECT_EQ(warned(), "");
  report_.cuts = 121;
  report_.cut_causes = {{paddle, 95}, {"line search", 26}};
  EXPECT_THAT(warned(), HasSubstr("steps_cut: /time/step: 20.6 % of the attempted steps (26) were rejected "
                                  "(mainly: line search); try "));
  EXPECT_THAT(warned(), Not(HasSubstr("paddle")));
  report_.cuts = 121;
  report_.cut_causes = {{paddle, 111}, {"line search", 10}};
  EXPECT_EQ(warned(),
            "steps_cut: moving boundaries: 50.2 % of the attempted steps (111) were rejected "
            "(mainly: boundary \"paddle\" would pass through a body); this costs time only.\n");
}

TEST_F(RunWarnings, ResidualsThatRoundingLeavesWhereForcesAreNotAccurate) {
  report_.newton.at_floor = 5;
  report_.newton.worst = 0.9e-4;
  EXPECT_EQ(warned(), "");
  report_.newton.worst = 1.1e-4;
  EXPECT_THAT(warned(),
              HasSubstr("round_off: /solver/newton/relative: residuals of up to 0.00011 of the reference "
                        "force (tolerance: 1e-06) were accepted"));
}

TEST_F(RunWarnings, ForcesOfContactDynamicsThatAreNotUnique) {
  model_.analysis = Analysis::contact_dynamics;
  model_.solver.method = RigidMethod::one_step;
  report_.rigid.known = true;
  report_.rigid.length = 0.1;
  EXPECT_EQ(warned(), "");
  report_.steps_not_unique = 12;
  report_.worst_opening = 0.21;
  EXPECT_THAT(warned(), HasSubstr("forces_not_unique: contact forces: not unique in 12 of 100 steps: "
                                  "relative change between the last two stiffness levels up to 0.21"));
  model_.solver.method = RigidMethod::two_step;
  report_.worst_balance = 3e-7;
  EXPECT_THAT(warned(), HasSubstr("force balance up to 3e-07, of compatibility up to 0.21"));
  model_.solver.compatibility = contact_dynamics::CompatibilityMethod::none;  // nothing else was requested
  EXPECT_EQ(warned(), "");
  report_.steps_short = 2;
  report_.worst_complementarity = 8e-7;
  EXPECT_THAT(
      warned(),
      HasSubstr("complementarity: /solver/lcp_tolerance: tolerance not reached in 2 of 100 steps: max. "
                "residual 8e-07 (tolerance: 1e-09)"));
}

TEST_F(RunWarnings, RigidBodiesThatWentIntoEachOther) {
  model_.analysis = Analysis::contact_dynamics;
  report_.rigid.known = true;
  report_.rigid.length = 0.1;
  report_.deepest_overlap = -0.9e-3;
  EXPECT_EQ(warned(), "");
  report_.deepest_overlap = -1.1e-3;
  report_.steps_recovery_short = 7;
  EXPECT_THAT(warned(),
              HasSubstr("overlap: contacts: max. overlap 0.0011 m = 1.1 % of the mean bounding radius; "
                        "position correction stopped early in 7 of 100 steps"));
}

TEST_F(RunWarnings, CompliantContactsThatAreTooSoft) {
  model_.interfaces.resize(1);
  report_.overlap_part = 0.049;
  EXPECT_EQ(warned(), "");
  report_.overlap_part = 0.051;
  EXPECT_THAT(warned(),
              HasSubstr("overlap: contacts: max. overlap 5.1 % of the bounding radius of the smaller body"));
  report_.overlap_part = 0;
  report_.gap_part = 0.011;
  EXPECT_EQ(warned(), "");
  report_.gap_part = 0.009;
  EXPECT_THAT(warned(), HasSubstr("small_gap: contacts: min. gap 0.9 % of the activation distance: contacts "
                                  "too soft for the impacts; increase \"stiffness\" of the contact law."));
}

/// "stiffness" is no key of laws of moduli, and there are no impacts between equilibria.
TEST_F(RunWarnings, SoftContactsGetAdviceForTheirLawAndAnalysis) {
  model_.interfaces.emplace_back().normal = contact::HertzParameters{};
  model_.interfaces.emplace_back().normal = contact::BarrierParameters{};
  report_.overlap_part = 0.051;
  EXPECT_THAT(warned(), HasSubstr("too soft for the impacts; increase \"young\" of the materials.\n"));
  model_.analysis = Analysis::quasi_static;
  EXPECT_THAT(warned(), HasSubstr("too soft for the loads; increase \"young\" of the materials.\n"));
}

TEST_F(RunWarnings, BodiesThatLeftOrFoundNoRoomAndRestThatWasNotReached) {
  model_.bodies.resize(8);
  model_.bodies[7].name = "seven";
  report_.left = {1, 7, {1, 2, -3}};
  EXPECT_THAT(warned(),
              HasSubstr("bodies_left: bodies: 1 body left the domain: body \"seven\" at (1, 2, -3) m"));
  report_.left.count = 3;
  EXPECT_THAT(warned(), HasSubstr("3 bodies left the domain, first body \"seven\""));
  report_.left = {};
  report_.population.inlets = {{.name = "pipe", .waiting = 12}};
  EXPECT_THAT(warned(), HasSubstr("bodies_waiting: inlet \"pipe\": 12 bodies pending"));
  report_.population = {};
  report_.rest.wanted = true;
  EXPECT_THAT(warned(), HasSubstr("not_at_rest: /time/stop: stop criterion not met at time/end"));
  report_.time = 1;  // it failed before
  EXPECT_EQ(warned(), "");
  report_.time = 2;
  report_.rest.reached = true;
  EXPECT_EQ(warned(), "");
}

}  // namespace
}  // namespace scree
