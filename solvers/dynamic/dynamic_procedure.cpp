#include "solvers/dynamic/dynamic_procedure.hpp"

#include <algorithm>

#include "contact/bounds/settling.hpp"
#include "contact/bounds/step_limits.hpp"
#include "contact/contacts.hpp"
#include "contact/pair/pair_commit.hpp"
#include "core/infinity.hpp"
#include "core/interrupt.hpp"
#include "solvers/run/remedies.hpp"
#include "solvers/run/run_warnings.hpp"
#include "solvers/world/boundary_motion.hpp"

namespace scree {
namespace {

/// Rotation of a body in a step [rad]. Increments of 90 degrees and more are rejected
/// (CompliantProblem::residual), and the spin may still grow in the step.
constexpr double kLargestTurn = 1;

/// @returns the step in which the fastest owned body turns by that [s].
double turning_limit(const Bodies& bodies) {
  double fastest = 0;
  for (int i = 0; i < bodies.owned; ++i) fastest = std::max(fastest, bodies.state[i].w.norm());
  return fastest > 0 ? kLargestTurn / fastest : kInfinity;
}

}  // namespace

contact::StepLimits DynamicProcedure::limits(double longest) {
  contact::StepLimits own = problem_.limits(world_.model().time.resolution, longest);
  own.turning = turning_limit(world_.bodies());
  double all[3] = {own.closing, own.oscillation, own.turning};
  MPI_Allreduce(MPI_IN_PLACE, all, 3, MPI_DOUBLE, MPI_MIN, world_.comm());
  return {all[0], all[1], all[2]};
}

bool DynamicProcedure::rehearse(const std::vector<LinearChoice>& choices,
                                const std::function<bool()>& enough) {
  if (world_.model().solver.nonlinear == NonlinearChoice::newton && problem_.integrator().secant_forces()) {
    prepare_first_step();  // numbers the unknowns
    impacts_.rehearse();
  }
  return CompliantProcedure::rehearse(choices, enough);
}

StepReport DynamicProcedure::solve(const TimeStep& step) {
  return solve_covered([&](double factor) { return attempt(step, factor); });
}

StepReport DynamicProcedure::attempt(const TimeStep& step, double factor) {
  contact::Settling& settling = world_.contacts().settling();
  settling.restore();
  StepReport report = attempt_once(step, factor);
  if (report.outcome != StepOutcome::converged || !problem_.integrator().secant_forces() ||
      !makes_energy(step.h))
    return report;
  // What takes energy from each contact that comes to rest may give some to a body with many of them.
  settling.leave_out();
  problem_.roll_back();
  const int iterations = report.newton;
  report = attempt_once(step, factor);
  report.newton += iterations;
  return report;
}

bool DynamicProcedure::makes_energy(double h) const {
  // Of the energy that weight gives to bodies at rest in a step: less disappears in what Newton's method
  // leaves.
  constexpr double kNoticed = 1e-3;
  const Bodies& bodies = world_.bodies();
  double sums[3] = {world_.contacts().settling().taken(bodies),
                    impact_energy_.damping + impact_energy_.friction + impact_energy_.before, 0};
  for (int i = 0; i < bodies.owned; ++i)
    if (!pole_fixed(bodies.properties[i].fixed)) sums[2] += bodies.properties[i].mass;
  MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_DOUBLE, MPI_SUM, world_.comm());
  const double of_weight = 0.5 * sums[2] * (h * world_.model().gravity).squaredNorm();
  return sums[0] < 0 && sums[0] + sums[1] < -kNoticed * of_weight;
}

StepReport DynamicProcedure::attempt_once(const TimeStep& step, double factor) {
  const auto or_roll_back = [this](const auto& solve) {
    try {
      return solve();
    } catch (const Interrupted&) {
      problem_.roll_back();
      throw;
    }
  };
  {
    const PhaseClock::Scope scope(clock_, PhaseClock::search);
    or_roll_back([&] { return problem_.prepare(step.from, step.h, factor); });
    if (problem_.integrator().secant_forces()) problem_.grade_bodies();
  }
  const PhaseClock::Scope scope(clock_, PhaseClock::newton);
  const bool newton = world_.model().solver.nonlinear == NonlinearChoice::newton;
  StepReport report = or_roll_back([&] { return newton ? newton_.solve() : fixed_point_.solve(); });
  if (report.outcome == StepOutcome::converged) problem_.reach_end(report);
  if (report.outcome == StepOutcome::converged) problem_.passage().fail(report);
  const bool secant = problem_.integrator().secant_forces();
  impact_energy_ = {};
  if (report.outcome == StepOutcome::converged && world_.pair_forces().breakable()) {
    report.bond_load = world_.pair_forces().largest_bond_load(world_.bodies());
    MPI_Allreduce(MPI_IN_PLACE, &report.bond_load, 1, MPI_DOUBLE, MPI_MAX, world_.comm());
  }
  if (report.outcome == StepOutcome::converged) work_of_loads_ = problem_.work_of_loads();
  if (report.outcome == StepOutcome::converged && secant) {
    const double numerical = problem_.at_rest().loss();
    report.cause = or_roll_back([&] { return impacts_.apply(report.tolerance, impact_energy_); });
    impact_energy_.damping += numerical;
    report.impact_turn = impacts_.turn();
    if (impacts_.factored() && !report.factored) {
      newton_.note_factored();
      report.factored = true;
    }
    if (!report.cause.empty()) report.outcome = StepOutcome::failed;
  } else if (report.outcome == StepOutcome::converged && world_.model().time.control == StepMode::resolved) {
    report.energy_errors = problem_.energy_errors();
  }
  if (report.outcome != StepOutcome::converged) problem_.roll_back();
  return report;
}

void DynamicProcedure::accept(const TimeStep& step, EnergyAccount& energy) {
  contact::StepLosses losses = problem_.commit();
  losses.damping += impact_energy_.damping;
  losses.friction += impact_energy_.friction;
  losses.boundaries -= impact_energy_.work_of_boundaries;
  const PhaseClock::Scope scope(clock_, PhaseClock::output);
  energy.book(world_, step.to, step.h, losses, work_of_loads_);
}

std::string DynamicProcedure::failure(const TimeStep& step, const StepReport& report) const {
  const Model& model = world_.model();
  std::string remedy = remedies_of_step(model, too_soft(model, report_), report.cause);
  for (const BoundaryDescription& boundary : model.boundaries) {
    if (!moves(boundary.motion)) continue;
    remedy += " Boundary \"" + boundary.name + "\" moves: it may leave bodies no room.";
    break;
  }
  return failure_of_step(step, report, remedy);
}

}  // namespace scree
