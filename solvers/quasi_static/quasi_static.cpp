#include "solvers/quasi_static/quasi_static.hpp"

#include <algorithm>
#include <cmath>

#include "contact/bounds/step_limits.hpp"
#include "contact/pair/pair_commit.hpp"
#include "core/activity.hpp"
#include "core/infinity.hpp"
#include "core/interrupt.hpp"
#include "core/text.hpp"
#include "elements/integrators/proximal.hpp"
#include "solvers/quasi_static/unbalance.hpp"

namespace scree {
namespace {

/// Proximal steps grow by at most this factor, and shrink by it where Newton fails.
constexpr double kGrowthOfLoadSteps = 4;
/// Newton iterations of a proximal step that was not easy.
constexpr int kManyIterations = 15;
constexpr int kMostCuts = 12;
constexpr long kMostProximalSteps = 5000;

/// How far a force that nothing resists takes a body in one proximal step: this part of the mean bounding
/// radius, or this angle [rad]. Free bodies fall in such steps until they are supported.
constexpr double kReach = 0.5;
constexpr double kTurn = 0.5;
/// Nothing holds the tangent where contacts open, because a boundary has moved or on the way of Newton's
/// method: the solution may then be another one, far away. So many times further than what the state at the
/// start of the step lets expect, a proximal step is repeated with a shorter one.
constexpr double kFurther = 2;
/// Proximal steps end at so many times the one in which loads would take a body kReach far: what holds it in
/// soft modes is then 1e-4 of the weight over the radius, and the tangent stays well conditioned.
constexpr double kLongest = 100;

/// A body that has gone so many times across all there is within a load step will not be stopped.
constexpr double kRunaway = 3;

/// The residual has kinks right at accepted states (a contact that slides is at the limit of stick): so many
/// iterates in succession may be worse than the best one.
constexpr int kMostWorse = 3;

/// Longer than anything that a dashpot could resist, and still finite: c / h and rates times h are 0.
constexpr double kForEver = 1e100;  // s

/// A proximal step (theory 02 section 7) displaces a body by twice as far as a step in time of that size.
StepFrame proximal_frame(double start, double end, double tau) {
  return {.start = start, .end = end, .h = tau, .fall = 1};
}

}  // namespace

QuasiStatic::QuasiStatic(World& world, PhaseClock& clock, RunReport& report)
    : CompliantProcedure(world, clock, report, std::make_shared<elements::Proximal>(),
                         {.direct = true, .most_worse = kMostWorse}),
      way_back_(world) {
  problem_.set_lasting({.h = kForEver});
}

void QuasiStatic::begin(const TimeStep& load_step) {
  started_at_ = load_step.from;
  way_back_.keep();
  problem_.set_lasting({.h = kForEver, .switches_of = 0.5 * (load_step.from + load_step.to)});
}

void QuasiStatic::restore(double from) {
  way_back_.restore();
  problem_.set_lasting({.h = kForEver});
  problem_.lists_renewed();
  problem_.settle(from);
}

void QuasiStatic::prepare_first_step() {
  const double h = world_.model().time.step;
  begin({0, h, h});
  problem_.prepare(proximal_frame(0, h, h), 1);
}

contact::StepLimits QuasiStatic::limits(double /*longest*/) {
  return {kInfinity, kInfinity};  // nothing closes or oscillates
}

SolverState QuasiStatic::state() const { return {newton_.notes(), tau_, largest_load_, may_grow_}; }

void QuasiStatic::set_state(const SolverState& state) {
  newton_.set_notes(state.notes);
  tau_ = state.tau;
  largest_load_ = state.largest_load;
  may_grow_ = state.may_grow;
}

void QuasiStatic::choose_tau(double time) {
  problem_.settle(time);
  const Unbalance unbalance = unbalance_of(world_);
  largest_load_ = std::max(largest_load_, unbalance.load);
  const double reach = kReach * world_.mean_length();
  double longest = std::sqrt(reach / std::max(unbalance.acceleration, reach * unbalance.turning / kTurn));
  const double most = largest_load_ > 0 ? kLongest * std::sqrt(reach / largest_load_) : longest;
  if (!std::isfinite(longest)) longest = most;
  if (!std::isfinite(longest)) longest = 1;  // no force anywhere: any will do
  longest = std::min(longest, most);
  tau_ = tau_ > 0 ? std::min((may_grow_ ? kGrowthOfLoadSteps : 1.0) * tau_, longest) : longest;
}

StepReport QuasiStatic::proximal_step(const TimeStep& load_step) {
  double factor = 1;
  int repeats = 0;
  StepReport step;
  for (int cuts = 0; cuts < kMostCuts;) {
    try {
      {
        const PhaseClock::Scope scope(clock_, PhaseClock::search);
        // What is prescribed moves in the first proximal step and stands still in the others.
        const double start = proximal_steps_ == 0 ? load_step.from : load_step.to;
        problem_.prepare(proximal_frame(start, load_step.to, tau_), factor);
      }
      const PhaseClock::Scope scope(clock_, PhaseClock::newton);
      step = newton_.solve();
    } catch (const Interrupted&) {
      problem_.roll_back();
      restore(load_step.from);
      throw;
    }
    report_.newton_iterations += step.newton;
    report_.krylov_iterations += step.krylov;
    if (step.outcome == StepOutcome::converged && goes_too_far()) {
      step.outcome = StepOutcome::failed;
      step.cause = "a body went further than its loads and the boundaries take it";
    }
    if (step.outcome == StepOutcome::converged) {
      may_grow_ = step.newton <= kManyIterations;
      return step;
    }
    problem_.roll_back();
    // Boundaries go as far, however small proximal steps are, and factors are as large.
    if (step.blocked || step.no_memory) return step;
    if (step.outcome == StepOutcome::left_cover && repeats < kMostRepeats) {
      ++repeats;
      ++report_.repeats;
      factor *= 3;
      continue;
    }
    if (step.outcome == StepOutcome::left_cover) step.cause = "neighbour list exceeded";
    ++cuts;
    tau_ /= kGrowthOfLoadSteps;
    factor = 1;
    repeats = 0;
  }
  step.outcome = StepOutcome::failed;
  return step;
}

bool QuasiStatic::goes_too_far() const {
  const Bodies& bodies = world_.bodies();
  double largest[2] = {0, 0};
  for (int i = 0; i < bodies.owned; ++i) {
    largest[0] = std::max(largest[0], bodies.trial[i].u.norm());
    largest[1] = std::max(largest[1], bodies.trial[i].alpha.norm());
  }
  MPI_Allreduce(MPI_IN_PLACE, largest, 2, MPI_DOUBLE, MPI_MAX, world_.comm());
  const double length = world_.mean_length();
  const double foreseen = problem_.foreseen_way();
  return largest[0] > kFurther * (kReach * length + foreseen) ||
         largest[1] > kFurther * (kTurn + foreseen / length);
}

StepReport QuasiStatic::solve(const TimeStep& step) {
  start_ = state();
  const long newton = report_.newton_iterations;
  const long krylov = report_.krylov_iterations;
  StepReport report = find_equilibrium(step);
  report.newton = static_cast<int>(report_.newton_iterations - newton);
  report.krylov = report_.krylov_iterations - krylov;
  report.proximal_steps = proximal_steps_;
  return report;
}

StepReport QuasiStatic::find_equilibrium(const TimeStep& load_step) {
  StepReport report;
  proximal_steps_ = 0;
  losses_ = {};
  work_ = work_of_fluids_ = 0;
  // Of the load step: what is pushed and comes free is balanced when little of it is left.
  double largest_force = 0;
  problem_.set_least_force(0);
  begin(load_step);
  const double extent = extent_of(world_);
  Activity activity("finding the equilibrium at t = " + text::number(load_step.to, 6) + " s");
  while (report.cause.empty()) {
    choose_tau(load_step.to);
    const StepReport step = proximal_step(load_step);
    if (step.outcome != StepOutcome::converged) {
      report.cause = step.cause;
      report.blocked = step.blocked;
      report.no_memory = step.no_memory;
      report.detail = step.detail;
      break;
    }
    largest_force = std::max(largest_force, problem_.norms().force_scale);
    problem_.set_least_force(largest_force);
    work_ += world_.loads().work(world_.bodies(), load_step.from, load_step.to);
    work_of_fluids_ += world_.loads().fluid_work(world_.bodies(), load_step.from, load_step.to);
    // The first guess is that nothing moves: where that is the solution, the state is an equilibrium. Bonds
    // break in equilibria, not on the way to them; what is left has to find another one.
    const bool balanced = step.newton == 0;
    const contact::StepLosses losses = problem_.commit(balanced);
    losses_.damping += losses.damping;
    losses_.friction += losses.friction;
    losses_.bonds += losses.bonds;
    ++proximal_steps_;
    ++report_.proximal_steps;
    const double moved = way_back_.largest_moved();
    activity.report(-1, std::to_string(proximal_steps_) + " proximal iterations, displacement up to " +
                            text::number(moved, 3) + " m");
    if (balanced && !world_.bonds_broke()) {
      report.outcome = StepOutcome::converged;
      return report;
    }
    if (moved > kRunaway * extent) {
      report.cause = "unbounded motion";
    } else if (proximal_steps_ == kMostProximalSteps) {
      report.cause = "limit of proximal iterations";
    }
  }
  if (!report.blocked) {
    problem_.settle(load_step.to);
    report.detail = restless_body(world_, way_back_);
  }
  report.any_size = !report.blocked && !world_.changes(load_step.from, load_step.to);
  restore(load_step.from);
  tau_ = 0;
  may_grow_ = true;
  return report;
}

void QuasiStatic::reject() {
  restore(started_at_);
  tau_ = start_.tau;
  largest_load_ = start_.largest_load;
  may_grow_ = start_.may_grow;
}

void QuasiStatic::accept(const TimeStep& step, EnergyAccount& energy) {
  way_back_.drop();
  problem_.set_lasting({.h = kForEver});
  const PhaseClock::Scope scope(clock_, PhaseClock::output);
  energy.book_load_step(world_, step.to, losses_, work_, work_of_fluids_);
}

std::string QuasiStatic::failure(const TimeStep& step, const StepReport& report) const {
  const std::string smaller = world_.model().time.adaptive ? "/min." : ".";
  return "no equilibrium found after t = " + text::number(step.from, 3) + " s with a load step of " +
         text::number(step.h, 3) + " s (" + report.cause + ")" +
         (report.detail.empty() ? "" : ": " + report.detail) +
         ". No equilibrium exists if the load exceeds the limit load or "
         "a support is missing: support the body, reduce the load, or use \"analysis\": \"dynamic\". "
         "Otherwise try a smaller time/step" +
         smaller;
}

}  // namespace scree
