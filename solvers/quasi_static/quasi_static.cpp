#include "solvers/quasi_static/quasi_static.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/interrupt.hpp"
#include "core/text.hpp"

namespace scree {
namespace {

/// Proximal steps grow by at most this factor, and shrink by it where Newton fails.
constexpr double kGrowth = 4;
/// Newton iterations of a proximal step that was not easy.
constexpr int kManyIterations = 15;
constexpr int kMostCuts = 12;
constexpr long kMostProximalSteps = 5000;

/// How far a force that nothing resists takes a body in one proximal step: this part of the mean bounding
/// radius, or this angle [rad]. Free bodies fall in such steps until they are supported.
constexpr double kReach = 0.5;
constexpr double kTurn = 0.5;
/// Proximal steps end at so many times the one in which loads would take a body kReach far: what holds it in
/// soft modes is then 1e-4 of the weight over the radius, and the tangent stays well conditioned.
constexpr double kLongest = 100;

/// A body that has gone so many times across all there is within a load step will not be stopped.
constexpr double kRunaway = 3;

}  // namespace

contact::StepLimits QuasiStatic::limits(double /*longest*/) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return {kInfinity, kInfinity};  // nothing closes or oscillates
}

SolverState QuasiStatic::state() const { return {newton_.notes(), tau_, largest_load_, may_grow_}; }

void QuasiStatic::set_state(const SolverState& state) {
  newton_.set_notes(state.notes);
  tau_ = state.tau;
  largest_load_ = state.largest_load;
  may_grow_ = state.may_grow;
}

void QuasiStatic::choose_tau() {
  const Unbalance unbalance = system_.unbalance();
  largest_load_ = std::max(largest_load_, unbalance.load);
  const double reach = kReach * system_.mean_length();
  double longest = std::sqrt(reach / std::max(unbalance.acceleration, reach * unbalance.turning / kTurn));
  const double most = largest_load_ > 0 ? kLongest * std::sqrt(reach / largest_load_) : longest;
  if (!std::isfinite(longest)) longest = most;
  if (!std::isfinite(longest)) longest = 1;  // no force anywhere: any will do
  longest = std::min(longest, most);
  tau_ = tau_ > 0 ? std::min((may_grow_ ? kGrowth : 1.0) * tau_, longest) : longest;
}

StepReport QuasiStatic::proximal_step(const TimeStep& load_step) {
  double factor = 1;
  int repeats = 0;
  StepReport step;
  for (int cuts = 0; cuts < kMostCuts;) {
    system_.set_proximal(tau_);
    {
      const PhaseClock::Scope scope(clock_, PhaseClock::search);
      // What is prescribed moves in the first proximal step and stands still in the others.
      const double start = proximal_steps_ == 0 ? load_step.from : load_step.to;
      system_.prepare(start, load_step.to - start, factor);
    }
    {
      const PhaseClock::Scope scope(clock_, PhaseClock::newton);
      try {
        step = newton_.solve();
      } catch (const Interrupted&) {
        system_.roll_back();
        system_.restore();
        throw;
      }
    }
    report_.newton_iterations += step.newton;
    report_.krylov_iterations += step.krylov;
    if (step.outcome == StepOutcome::converged) {
      may_grow_ = step.newton <= kManyIterations;
      return step;
    }
    system_.roll_back();
    if (step.blocked) return step;  // boundaries go as far, however small proximal steps are
    if (step.outcome == StepOutcome::left_cover && repeats < kMostRepeats) {
      ++repeats;
      ++report_.repeats;
      factor *= 3;
      continue;
    }
    if (step.outcome == StepOutcome::left_cover) step.cause = "contacts that could not be foreseen";
    ++cuts;
    tau_ /= kGrowth;
    factor = 1;
    repeats = 0;
  }
  step.outcome = StepOutcome::failed;
  return step;
}

StepReport QuasiStatic::solve(const TimeStep& step) {
  start_ = state();
  const long newton = report_.newton_iterations;
  const long krylov = report_.krylov_iterations;
  StepReport report = find_equilibrium(step);
  report.newton = static_cast<int>(report_.newton_iterations - newton);
  report.krylov = report_.krylov_iterations - krylov;
  report.proximal_steps = proximal_steps_;
  report_.proximal_steps += proximal_steps_;
  return report;
}

StepReport QuasiStatic::find_equilibrium(const TimeStep& load_step) {
  StepReport report;
  proximal_steps_ = 0;
  losses_ = {};
  work_ = work_of_fluids_ = 0;
  system_.begin_load_step(load_step.from, load_step.to);
  const double extent = system_.extent();
  while (report.cause.empty()) {
    choose_tau();
    const StepReport step = proximal_step(load_step);
    if (step.outcome != StepOutcome::converged) {
      report.cause = step.cause;
      report.blocked = step.blocked;
      report.detail = step.detail;
      break;
    }
    work_ += system_.load_work();
    work_of_fluids_ += system_.fluid_work();
    // The first guess is that nothing moves: where that is the solution, the state is an equilibrium. Bonds
    // break in equilibria, not on the way to them; what is left has to find another one.
    const bool balanced = step.newton == 0;
    const contact::StepLosses losses = system_.commit(balanced);
    losses_.damping += losses.damping;
    losses_.friction += losses.friction;
    losses_.bonds += losses.bonds;
    ++proximal_steps_;
    if (balanced && !system_.bonds_broke()) {
      report.outcome = StepOutcome::converged;
      return report;
    }
    if (system_.moved() > kRunaway * extent) {
      report.cause = "no equilibrium: a body moves on and on";
    } else if (proximal_steps_ == kMostProximalSteps) {
      report.cause = "no equilibrium: too many proximal steps";
    }
  }
  if (!report.blocked) report.detail = system_.restless_body();
  system_.restore();
  tau_ = 0;
  may_grow_ = true;
  return report;
}

void QuasiStatic::reject() {
  system_.restore();
  tau_ = start_.tau;
  largest_load_ = start_.largest_load;
  may_grow_ = start_.may_grow;
}

void QuasiStatic::accept(const TimeStep& step, EnergyAccount& energy) {
  system_.end_load_step();
  const PhaseClock::Scope scope(clock_, PhaseClock::output);
  energy.book_load_step(system_, step.to, losses_, work_, work_of_fluids_);
}

std::string QuasiStatic::failure(const TimeStep& step, const StepReport& report) const {
  const std::string smaller = system_.model().time.adaptive ? "/min." : ".";
  return "no equilibrium was found after t = " + text::number(step.from, 3) + " s with a load step of " +
         text::number(step.h, 3) + " s (" + report.cause + "): " + report.detail +
         ". The equilibrium of that time has been saved. Where the load is more than contact and friction "
         "can "
         "carry, there is none: support the body, take a smaller load, or use \"analysis\": \"dynamic\". "
         "Otherwise try a smaller time/step" +
         smaller;
}

}  // namespace scree
