#include "io/output/run_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "core/text.hpp"
#include "io/output/run_end.hpp"

namespace scree {
namespace {

using testing::HasSubstr;
using testing::Not;

class RunLogText : public testing::Test {
 protected:
  RunLogText() {
    model_.title = "Box of blocks";
    model_.deck_file = "box.json";
    model_.shapes.resize(2);
    model_.shapes[0].name = "block";
    model_.shapes[1].name = "ball";
    model_.bodies.resize(5);
    for (auto& body : model_.bodies) body.mass = 2;
    model_.bodies[4].shape = 1;
    model_.boundaries.resize(2);
    model_.boundaries[0].name = "floor";
    model_.boundaries[1].name = "walls";
    model_.boundaries[1].active_until = 1.5;
    model_.boundary_parts.resize(5);
    for (int k = 1; k < 5; ++k) model_.boundary_parts[k].boundary = 1;
    model_.time = {2, 1e-4, true, 1e-9, 1e-3, StepMode::resolved, 1};
    model_.output.directory = "results/box";
    model_.output.final_state = "final.csv";
    report_.time = 2;
    report_.steps = 100;
    report_.cuts = 3;
    report_.repeats = 4;
    report_.cut_causes = {{"iteration limit", 1}, {"line search", 2}, {"gap closed", 0}};
    report_.limit_causes = {{"closing distance", 60}};
    report_.newton_iterations = 250;
    report_.krylov_iterations = 1000;
    report_.max_contacts = 33;
    report_.min_gap = 1e-5;
    report_.largest_force = 321;
    report_.energy.initial_total = 10;
    report_.energy.potential = 4;
    report_.energy.rotational = 0.5;
    report_.energy.work_of_loads = 1;
    report_.energy.damping_loss = 2;
    report_.energy.friction_loss = 4.25;
    report_.energy.reference = 8;
    report_.newton.solves = 100;
    report_.phase_seconds = {{"contact search", 3}, {"linear solves", 5}};
    report_.wall_seconds = 10;
  }

  Model model_;
  RunReport report_;
};

TEST_F(RunLogText, HeaderSaysWhatWasRead) {
  const std::string text = header_text(model_, 4);
  EXPECT_THAT(text, HasSubstr("Box of blocks"));
  EXPECT_THAT(text, HasSubstr("5 (4 x block, 1 x ball); total mass 10 kg"));
  EXPECT_THAT(text, HasSubstr("floor, walls (4 walls) active until 1.5 s"));
  EXPECT_THAT(text, HasSubstr("0 to 2 s; adaptive step 1e-09 to 0.001 s, initial at most 0.0001 s"));
  EXPECT_THAT(text, HasSubstr("results/box"));
  EXPECT_THAT(text, testing::ContainsRegex("MPI ranks +4"));
}

TEST_F(RunLogText, HeaderCountsShapesThatAreTooManyToName) {
  model_.shapes.resize(100);
  model_.bodies.resize(100);
  for (int k = 0; k < 100; ++k) {
    model_.shapes[k].name = text::join("s", std::to_string(k));
    model_.bodies[k].shape = k;
  }
  EXPECT_THAT(header_text(model_, 1), HasSubstr("1 x s5, 94 other shapes"));
}

TEST_F(RunLogText, HeaderOfAModelThatWasCutWouldBeWrongAndIsRefused) {
  model_.keep_own_block(0, 2);
  EXPECT_THROW(header_text(model_, 2), std::logic_error);
  EXPECT_EQ(nlohmann::json::parse(report_json(model_, report_, 2))["bodies"], 5);
}

TEST_F(RunLogText, SummarySaysStepsCausesAndLedger) {
  const std::string text = summary_text(model_, report_);
  EXPECT_THAT(text, HasSubstr("Completed: end time reached at t = 2 s; wall-clock time 10 s"));
  EXPECT_THAT(text, HasSubstr("100 accepted, 3 rejected, 4 repeated (neighbour list exceeded)"));
  EXPECT_THAT(text, testing::ContainsRegex("rejected +line search 2, iteration limit 1\n"));
  EXPECT_THAT(text, testing::ContainsRegex("limited by +closing distance 60\n"));
  EXPECT_THAT(text, HasSubstr("250 Newton (2.50 per step), 1000 Krylov (4.00 per Newton iteration)"));
  EXPECT_THAT(text, HasSubstr("max. 33 at one time; min. gap 1e-05 m; max. normal force 321 N"));
  model_.interfaces.emplace_back().normal =
      contact::BarrierParameters{.threshold = 3e-5, .barrier_fraction = 0.3};
  report_.gap_part = 1.0 / 3;
  EXPECT_THAT(summary_text(model_, report_),
              HasSubstr("min. gap 1e-05 m, 0.33 of the activation distance; max."));
  report_.gap_part = 0.25;
  EXPECT_THAT(summary_text(model_, report_),
              HasSubstr(", 0.25 of the activation distance (below barrier_fraction, 0.3); "));
  report_.gap_part = std::numeric_limits<double>::infinity();
  report_.min_gap = -2e-5;
  EXPECT_THAT(summary_text(model_, report_), HasSubstr("; max. overlap 2e-05 m; max. normal force 321 N"));
  EXPECT_THAT(text, testing::ContainsRegex("dissipated by friction +-4.25\n"));
  EXPECT_THAT(text, testing::ContainsRegex("expected total energy +4.75\n"));
  EXPECT_THAT(text, testing::ContainsRegex("actual total energy +4.5\n"));
  EXPECT_THAT(text,
              testing::ContainsRegex("energy balance error +-0.25  = -3.1 % of the reference energy, 8 J\n"));
  EXPECT_THAT(text, testing::ContainsRegex("linear solves +5.000 s +50.0 %"));
  EXPECT_THAT(text, testing::ContainsRegex("not assigned +2.000 s +20.0 %"));
  EXPECT_THAT(text, HasSubstr("results/box: final.csv, report.json"));
}

TEST_F(RunLogText, GapsOfDifferentContactsAreSeparateItems) {
  model_.interfaces.emplace_back().normal =
      contact::BarrierParameters{.threshold = 4e-4, .barrier_fraction = 0.4};
  model_.interfaces.emplace_back().normal = contact::HertzParameters{};
  report_.min_gap = -1.023e-4;  // of the other law
  report_.gap_part = 0.75;
  EXPECT_THAT(summary_text(model_, report_),
              HasSubstr("; max. overlap 0.0001023 m; smallest gap of a barrier 0.75 of its activation "
                        "distance; max. normal force"));
  report_.gap_part = 0.25;
  EXPECT_THAT(summary_text(model_, report_),
              HasSubstr("; smallest gap of a barrier 0.25 of its activation distance (below "
                        "barrier_fraction, 0.4); max."));
  const auto with = [&](double threshold, double fraction) {
    model_.interfaces[1].normal =
        contact::BarrierParameters{.threshold = threshold, .barrier_fraction = fraction};
    return summary_text(model_, report_);
  };
  report_.min_gap = 1e-5;
  EXPECT_THAT(with(4e-4, 0.4), HasSubstr("; min. gap 1e-05 m, 0.25 of the activation distance (below "
                                         "barrier_fraction, 0.4); max."));
  EXPECT_THAT(with(3e-5, 0.4), HasSubstr("; min. gap 1e-05 m; smallest gap of a barrier 0.25 of its "
                                         "activation distance (below barrier_fraction, 0.4); max."));
  // Which of two fractions is that of the contact is not known.
  EXPECT_THAT(with(3e-5, 0.1), HasSubstr("0.25 of its activation distance (barrier_fraction: 0.1 to 0.4)"));
  EXPECT_THAT(with(3e-5, 0.3),
              HasSubstr("0.25 of its activation distance (below barrier_fraction, 0.3 to 0.4)"));
  report_.gap_part = 0.5;
  EXPECT_THAT(with(3e-5, 0.1), HasSubstr("0.5 of its activation distance; max."));
}

TEST_F(RunLogText, SummaryOfAnInterruptedRunPointsToTheSavedState) {
  report_.interrupted = true;
  report_.time = 0.5;
  const std::string text = summary_text(model_, report_);
  EXPECT_THAT(text, HasSubstr("INTERRUPTED at t = 0.5 s of 2 s; wall-clock time"));
  EXPECT_THAT(text, HasSubstr("results/box: last_state.csv, report.json"));
  EXPECT_THAT(text, Not(HasSubstr("final.csv")));
}

TEST_F(RunLogText, ARunThatFailsIsNotDone) {
  report_.time = 0.5;
  EXPECT_THAT(summary_text(model_, report_), HasSubstr("FAILED at t = 0.5 s of 2 s; wall-clock time"));
}

TEST_F(RunLogText, TheReportSaysHowTheRunEndedAndWhy) {
  const auto told = [&] {
    const auto json = nlohmann::json::parse(report_json(model_, report_, 1));
    return nlohmann::json{json["exit_status"], json["ended_by"], json["message"]};
  };
  report_.ended = true;
  EXPECT_EQ(told(), (nlohmann::json{0, "end time", ""}));
  EXPECT_EQ(nlohmann::json::parse(report_json(model_, report_, 1))["end"], 2);
  report_.time = 0.5;
  report_.failure = "t = 0.5 s: no step can be solved.";
  EXPECT_EQ(told(), (nlohmann::json{1, "failure", "t = 0.5 s: no step can be solved."}));
  report_.interrupted = true;  // and then the state could not be written
  EXPECT_EQ(told()[0], 1);
  report_.failure = "";
  EXPECT_EQ(told(), (nlohmann::json{130, "interrupt", ""}));
  report_.interrupted = false;
  EXPECT_EQ(told(), (nlohmann::json{1, "failure", ""}));
  report_.complete = true;
  EXPECT_EQ(told(), (nlohmann::json{0, "coupling", ""}));
  report_.rest.reached = true;
  EXPECT_EQ(told(), (nlohmann::json{0, "static equilibrium", ""}));
}

TEST_F(RunLogText, TheReportOfARunThatIsNotOverHasNoEnd) {
  report_.time = 0.5;
  auto json = nlohmann::json::parse(report_json(model_, report_, 1));
  EXPECT_TRUE(json["exit_status"].is_null());
  EXPECT_TRUE(json["ended_by"].is_null());
  report_.time = 2;
  json = nlohmann::json::parse(report_json(model_, report_, 1));
  EXPECT_EQ(json["ended_by"], "end time");
}

TEST_F(RunLogText, TheReportHasTheStatusOfARunWhoseResultsAreComplete) {
  report_.ended = true;
  report_.warnings = {{"a", "here", "of any kind", 1}};
  const auto status = [&] { return nlohmann::json::parse(report_json(model_, report_, 1))["exit_status"]; };
  EXPECT_EQ(status(), 0);
  model_.strict = true;
  EXPECT_EQ(status(), 1);
  EXPECT_THAT(failure_text(model_, report_), HasSubstr("1 warning with --strict"));
  model_.strict = false;
  report_.energy.damping_loss += 1.25;  // the error, -0.25 J, becomes 1 J of 8 J: more than 10 %
  EXPECT_EQ(status(), 1);
  EXPECT_THAT(failure_text(model_, report_), HasSubstr("created energy"));
  EXPECT_THAT(summary_text(model_, report_), HasSubstr("Completed: end time"));
}

TEST_F(RunLogText, AnOutputThatFailsAtTheEndIsAFailure) {
  report_.ended = true;
  report_.failure = "final.csv: cannot be written.";
  EXPECT_THAT(summary_text(model_, report_), HasSubstr("FAILED at t = 2 s of 2 s"));
  EXPECT_THAT(summary_text(model_, report_), HasSubstr("results/box: last_state.csv, report.json"));
}

TEST_F(RunLogText, ACoupledRunThatIsEndedBeforeTheEndTimeIsComplete) {
  report_.time = 0.5;
  report_.complete = true;
  EXPECT_THAT(summary_text(model_, report_), HasSubstr("Completed: coupled run ended at t = 0.5 s of 2 s;"));
  EXPECT_THAT(summary_text(model_, report_), HasSubstr("final.csv"));
}

TEST_F(RunLogText, SummarySaysThatRestEndedTheRunOrWhatWasLeft) {
  model_.time.stop = {true, 1e-9, -1, 0.3};
  report_.time = 0.5;
  report_.rest = {.wanted = true,
                  .reached = true,
                  .kinetic_energy = 2e-10,
                  .unbalanced_force = 3e-5,
                  .slow = 1e-9,
                  .balanced = 0.1};
  std::string text = summary_text(model_, report_);
  EXPECT_THAT(text, HasSubstr("Completed: static equilibrium (time/stop) at t = 0.5 s;"));
  EXPECT_THAT(text, testing::ContainsRegex(
                        "stop criterion +met at t = 0.5 s: kinetic energy 2e-10 J .limit 1e-09 J., "
                        "unbalanced force ratio 3e-05 .limit 0.1, default.\n"));
  EXPECT_THAT(text, HasSubstr("final.csv"));  // the run is whole
  EXPECT_EQ(nlohmann::json::parse(report_json(model_, report_, 1))["at_rest"], true);
  report_.rest.reached = false;
  report_.time = 2;
  text = summary_text(model_, report_);
  EXPECT_THAT(text, HasSubstr("Completed: end time reached at t = 2 s"));
  EXPECT_THAT(text, testing::ContainsRegex("stop criterion +not met: kinetic energy 2e-10 J"));
  report_.time = 0.2;
  EXPECT_THAT(summary_text(model_, report_), HasSubstr("not checked before t = 0.3 s"));
  EXPECT_THAT(summary_text(model_, report_), Not(HasSubstr("final.csv")));
}

TEST_F(RunLogText, QuasiStaticRunsCountProximalStepsAndCloseTheBalanceByWhatIsLetGo) {
  model_.analysis = Analysis::quasi_static;
  report_.proximal_steps = 321;
  report_.energy.let_go = -report_.energy.closure_error();
  EXPECT_THAT(header_text(model_, 1), testing::ContainsRegex("analysis +quasi-static"));
  const std::string text = summary_text(model_, report_);
  EXPECT_THAT(text, HasSubstr("321 proximal iterations in total"));
  EXPECT_THAT(text, testing::ContainsRegex("released during relaxation +-0.25\n"));
  EXPECT_THAT(text, Not(HasSubstr("balance error")));
  EXPECT_EQ(nlohmann::json::parse(report_json(model_, report_, 1))["proximal_steps"], 321);
}

TEST_F(RunLogText, TheFluidHasItsRowWhereThereIsOne) {
  EXPECT_THAT(summary_text(model_, report_), Not(HasSubstr("fluid")));
  report_.energy.fluid_loss = 0.75;
  EXPECT_THAT(summary_text(model_, report_), testing::ContainsRegex("dissipated by fluid drag +-0.75\n"));
}

TEST_F(RunLogText, ARunWithoutContactsHasNoSmallestGap) {
  report_.min_gap = std::numeric_limits<double>::infinity();
  report_.max_contacts = 0;
  EXPECT_THAT(summary_text(model_, report_), Not(HasSubstr("gap")));
  EXPECT_TRUE(nlohmann::json::parse(report_json(model_, report_, 2))["min_gap"].is_null());
}

TEST_F(RunLogText, SaysWhatBondsAndNearFieldForcesAreThereAndWhatBecameOfThem) {
  EXPECT_THAT(header_text(model_, 1), Not(HasSubstr("bonds")));
  EXPECT_THAT(summary_text(model_, report_), Not(HasSubstr("bonds")));
  model_.bonds = contact::BondParameters{.stiffness = 2e5, .within = 0.01, .break_force = 250};
  model_.near_fields.push_back({.attraction = 1, .cutoff = 0.3});
  report_.bonds = 34;
  report_.broken_bonds = 8;
  report_.energy.bonds = 0.25;
  report_.energy.bond_loss = 1.5;
  report_.energy.near_field = -0.125;
  EXPECT_THAT(header_text(model_, 1), testing::ContainsRegex("bonds +200000 N/m, breaking force 250 N\n"));
  EXPECT_THAT(header_text(model_, 1), testing::ContainsRegex("near field +cut-off 0.3 m\n"));
  const std::string text = summary_text(model_, report_);
  EXPECT_THAT(text, testing::ContainsRegex("bonds +34 intact, 8 broken\n"));
  EXPECT_THAT(text, testing::ContainsRegex("dissipated by broken bonds +-1.5\n"));
  EXPECT_THAT(text, testing::ContainsRegex("elastic, bonds +0.25\n"));
  EXPECT_THAT(text, testing::ContainsRegex("near-field forces +-0.125\n"));
  const auto json = nlohmann::json::parse(report_json(model_, report_, 2));
  EXPECT_EQ(json["broken_bonds"], 8);
  EXPECT_EQ(json["energy"]["bond_loss"], 1.5);
}

TEST_F(RunLogText, WarningsAreRepeatedAtTheEndAndStandInTheReport) {
  EXPECT_THAT(summary_text(model_, report_), testing::ContainsRegex("\n  warnings +none\n$"));
  EXPECT_TRUE(nlohmann::json::parse(report_json(model_, report_, 1))["warnings"].empty());
  report_.warnings = {{"deck", "box.json: /shapes/a", "the mesh is 100 m large.", 0},
                      {"bodies_lost", "bodies", "1 body fell past the boundaries", 0.25}};
  EXPECT_THAT(
      summary_text(model_, report_),
      testing::ContainsRegex("\n  warnings +2\nwarning: box.json: /shapes/a: the mesh is 100 m large.\n"
                             "warning: bodies: 1 body fell past the boundaries\n$"));
  const auto json = nlohmann::json::parse(report_json(model_, report_, 1))["warnings"];
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[1]["code"], "bodies_lost");
  EXPECT_EQ(json[1]["where"], "bodies");
  EXPECT_EQ(json[1]["message"], "1 body fell past the boundaries");
  EXPECT_EQ(json[1]["time"], 0.25);
}

TEST(Warnings, OneOfAKindAndPlaceIsKeptWithItsLastText) {
  Warnings warnings({{Warnings::kDeckWarning, "/a", "first", 0}});
  warnings.raise({Warnings::kDeckWarning, "/a", "another of the deck at the same place", 0});
  warnings.raise({"lost", "bodies", "1 body", 1});
  warnings.raise({"lost", "energy", "10 %", 2});
  warnings.raise({"lost", "bodies", "3 bodies", 3});
  ASSERT_EQ(warnings.all().size(), 4u);
  EXPECT_EQ(warnings.all()[2].message, "3 bodies");
  EXPECT_EQ(warnings.all()[2].time, 1);
}

TEST_F(RunLogText, SummarySaysWhatWasNotAsTheDeckHasIt) {
  const std::string good = summary_text(model_, report_);
  EXPECT_THAT(good, Not(HasSubstr("at minimum")));
  EXPECT_THAT(good, Not(HasSubstr("tolerance")));
  EXPECT_THAT(good, Not(HasSubstr("linear solver ")));
  report_.overrules = {7, 12.5};
  report_.newton = {100, 30, 4, 2, 3e-9};
  model_.solver.newton_relative = 1e-11;
  const std::string text = summary_text(model_, report_);
  EXPECT_THAT(text, testing::ContainsRegex(
                        "at minimum +7 of 100 steps at time/step/min exceeded a step-size limit, by "
                        "a factor of up to 12.5\n"));
  EXPECT_THAT(
      text,
      testing::ContainsRegex(
          "tolerance +of 100 solves, 30 ended within the round-off of inertia, 4 within that of forces; "
          "max. residual 3e-09 of the reference force .deck: 1e-11.\n"));
  EXPECT_THAT(text, testing::ContainsRegex(
                        "linear solver +iterative solver failed, direct solver used in 2 of 100 solves\n"));
  const auto json = nlohmann::json::parse(report_json(model_, report_, 1));
  EXPECT_EQ(json["newton"]["tolerance_raised"], 30);
  EXPECT_EQ(json["newton"]["ended_at_round_off"], 4);
  EXPECT_EQ(json["newton"]["direct_fallbacks"], 2);
  EXPECT_EQ(json["newton"]["largest_relative_residual"], 3e-9);
  EXPECT_EQ(json["steps_longer_than_limits"], 7);
  EXPECT_EQ(json["largest_step_over_limit"], 12.5);
  EXPECT_EQ(json["energy"]["reference"], 8);
}

TEST_F(RunLogText, ForcesAreUniqueOnlyWhereTheyConvergedInAllSteps) {
  model_.analysis = Analysis::contact_dynamics;
  model_.solver.method = RigidMethod::one_step;
  report_.rigid.known = true;
  report_.rigid.lcp = "one-step";
  report_.rigid.compatibility = "one-step, Cholesky factors";
  report_.rigid.opening = 2e-9;
  report_.worst_opening = 3e-8;
  EXPECT_THAT(summary_text(model_, report_),
              testing::ContainsRegex("forces +unique .one-step, Cholesky factors.\n"));
  report_.steps_not_unique = 12;
  report_.worst_opening = 0.21;
  std::string text = summary_text(model_, report_);
  EXPECT_THAT(text, testing::ContainsRegex("forces +unique in 88 of 100 steps .one-step"));
  EXPECT_THAT(text, HasSubstr("stiffness levels: last step 2e-09, max. 0.21\n"));
  EXPECT_EQ(
      nlohmann::json::parse(report_json(model_, report_, 1))["contact_dynamics"]["worst_incompatibility"],
      0.21);
  model_.solver.method = RigidMethod::two_step;
  report_.rigid.lcp = "apgd";
  report_.rigid.compatibility = "dual, Cholesky factors";
  report_.worst_balance = 4e-7;
  report_.steps_short = 3;
  report_.steps_recovery_short = 5;
  report_.steps_less_rebound = 2;
  text = summary_text(model_, report_);
  EXPECT_THAT(
      text, HasSubstr("unique in 88 of 100 steps (dual, Cholesky factors); max. error: force balance 4e-07, "
                      "compatibility 0.21\n"));
  EXPECT_THAT(text, HasSubstr("tolerance 1e-09 not reached in 3 of 100 steps\n"));
  EXPECT_THAT(text, testing::ContainsRegex("restitution +reduced in 2 of 100 steps, in which impacts would"));
  EXPECT_EQ(
      nlohmann::json::parse(report_json(model_, report_, 1))["contact_dynamics"]["steps_restitution_reduced"],
      2);
  EXPECT_THAT(text, HasSubstr("position correction: tolerance not reached in 5 of 100 steps\n"));
}

TEST_F(RunLogText, LimitsOfRestThatTheDeckDoesNotGiveAreTheDefaults) {
  model_.time.stop = {true, 1e-9, -1, 0};
  report_.rest = {.wanted = true, .kinetic_energy = 1, .unbalanced_force = 3, .slow = 1e-9, .balanced = 0.1};
  EXPECT_THAT(
      summary_text(model_, report_),
      HasSubstr("kinetic energy 1 J (limit 1e-09 J), unbalanced force ratio 3 (limit 0.1, default)\n"));
}

TEST_F(RunLogText, SweepsOfTheFixedPointIterationAreNotCalledNewton) {
  model_.solver.nonlinear = NonlinearChoice::fixed_point;
  report_.newton = {};
  EXPECT_THAT(summary_text(model_, report_), HasSubstr("250 sweeps (2.50 per step)\n"));
}

TEST_F(RunLogText, JsonHoldsTheFigures) {
  const auto json = nlohmann::json::parse(report_json(model_, report_, 2));
  EXPECT_EQ(json["steps"], 100);
  EXPECT_EQ(json["ranks"], 2);
  EXPECT_EQ(json["cut_causes"]["line search"], 2);
  EXPECT_EQ(json["energy"]["closure_error"], -0.25);
  EXPECT_EQ(json["phase_seconds"]["contact search"], 3.0);
}

}  // namespace
}  // namespace scree
