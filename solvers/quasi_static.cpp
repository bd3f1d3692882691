#include "solvers/quasi_static.hpp"

#include <algorithm>
#include <cmath>

#include "core/interrupt.hpp"
namespace scree {
namespace {

/// Proximal steps grow by at most this factor, and shrink by it where Newton fails.
constexpr double kGrowth = 4;
/// Newton iterations of a proximal step that was not easy.
constexpr int kManyIterations = 15;
constexpr int kMostCuts = 12;
constexpr long kMostProximalSteps = 5000;
constexpr int kMostRepeats = 4;

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

void QuasiStatic::choose_tau() {
  const Unbalance unbalance = system_->unbalance();
  reference_ = std::max(reference_, unbalance.load);
  const double reach = kReach * system_->mean_length();
  double longest = std::sqrt(reach / std::max(unbalance.acceleration, reach * unbalance.turning / kTurn));
  const double most = reference_ > 0 ? kLongest * std::sqrt(reach / reference_) : longest;
  if (!std::isfinite(longest)) longest = most;
  if (!std::isfinite(longest)) longest = 1;  // no force anywhere: any will do
  longest = std::min(longest, most);
  tau_ = tau_ > 0 ? std::min((may_grow_ ? kGrowth : 1.0) * tau_, longest) : longest;
}

StepReport QuasiStatic::proximal_step(double from, double to, LoadStepReport& report) {
  double factor = 1;
  int repeats = 0;
  StepReport step;
  for (int cuts = 0; cuts < kMostCuts;) {
    system_->set_proximal(tau_);
    {
      const PhaseClock::Scope scope(*clock_, PhaseClock::search);
      // What is prescribed moves in the first proximal step and stands still in the others.
      const double start = report.proximal_steps == 0 ? from : to;
      system_->prepare(start, to - start, factor);
    }
    {
      const PhaseClock::Scope scope(*clock_, PhaseClock::newton);
      try {
        step = newton_->solve();
      } catch (const Interrupted&) {
        system_->roll_back();
        system_->restore();
        throw;
      }
    }
    report.newton += step.newton;
    report.krylov += step.krylov;
    if (step.outcome == StepOutcome::converged) {
      may_grow_ = step.newton <= kManyIterations;
      return step;
    }
    system_->roll_back();
    if (step.blocked) return step;  // boundaries go as far, however small proximal steps are
    if (step.outcome == StepOutcome::left_cover && repeats < kMostRepeats) {
      ++repeats;
      ++report.repeats;
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

LoadStepReport QuasiStatic::solve(double from, double to) {
  LoadStepReport report;
  system_->begin_load_step(from, to);
  const double extent = system_->extent();
  while (report.cause.empty()) {
    choose_tau();
    const StepReport step = proximal_step(from, to, report);
    if (step.outcome != StepOutcome::converged) {
      report.cause = step.cause;
      report.blocked = step.blocked;
      report.detail = step.detail;
      break;
    }
    report.work += system_->load_work();
    report.fluid_work += system_->fluid_work();
    // The first guess is that nothing moves: where that is the solution, the state is an equilibrium. Bonds
    // break in equilibria, not on the way to them; what is left has to find another one.
    const bool balanced = step.newton == 0;
    const contact::StepLosses losses = system_->commit(balanced);
    report.losses.damping += losses.damping;
    report.losses.friction += losses.friction;
    report.losses.bonds += losses.bonds;
    ++report.proximal_steps;
    if (balanced && !system_->bonds_broke()) {
      system_->end_load_step();
      report.found = true;
      return report;
    }
    if (system_->moved() > kRunaway * extent) {
      report.cause = "no equilibrium: a body moves on and on";
    } else if (report.proximal_steps == kMostProximalSteps) {
      report.cause = "no equilibrium: too many proximal steps";
    }
  }
  if (!report.blocked) report.detail = system_->restless_body();
  system_->restore();
  tau_ = 0;
  may_grow_ = true;
  return report;
}

}  // namespace scree
