#include "solvers/contact_dynamics/rigid_procedure.hpp"

#include <algorithm>
#include <limits>

#include "contact/bounds/step_limits.hpp"
#include "solvers/contact_dynamics/compatibility.hpp"
#include "solvers/contact_dynamics/contact_energy.hpp"
#include "solvers/contact_dynamics/lcp.hpp"
#include "solvers/contact_dynamics/one_step.hpp"

namespace scree::contact_dynamics {
namespace {

/// Adaptive steps: part of its size that a body may go in a step, for gaps are linear in it.
constexpr double kMotion = 0.1;

/// A body on a support, on each rank: enough for the solvers of a step to be made.
StepProblem body_on_support(const World& world) {
  int rank = 0;
  MPI_Comm_rank(world.comm(), &rank);
  StepBody body;
  body.number = rank;
  body.mass.setIdentity();
  body.inverse_mass.setIdentity();
  StepProblem problem;
  problem.comm = world.comm();
  problem.options_prefix = world.options_prefix();
  problem.h = 1;
  problem.owned = 1;
  problem.bodies = {body};
  problem.constraints = {Constraint{}};
  return problem;
}

}  // namespace

bool RigidProcedure::rehearse(const std::vector<LinearChoice>& /*choices*/,
                              const std::function<bool()>& /*enough*/) {
  const SolverDescription& solver = world_.model().solver;
  const StepProblem problem = body_on_support(world_);
  ContactEnergy energy(problem, {0}, false);
  energy.inertia(1);
  if (solver.method == RigidMethod::one_step) {
    read_one_step_options(energy);
  } else {
    LcpSolver(solver.lcp).read_options(energy);
    CompatibilityOptions options;
    options.method = solver.compatibility;
    read_compatibility_options(energy, options);
  }
  return false;
}

void RigidProcedure::settle(double time) {
  world_.set_load_time(time);
  world_.reset_trial();
  evaluate_near_fields();
}

void RigidProcedure::evaluate_near_fields() {
  world_.pair_forces().evaluate_near_fields(world_.bodies(), contact::Configuration::accepted);
}

void RigidProcedure::populate(double /*time*/, const std::vector<char>& leaves,
                              const std::vector<NewBody>& arrivals) {
  world_.populate(leaves, arrivals, problem_.frame().h, problem_.list_travel());
  rigid_.drop_contacts();
  evaluate_near_fields();  // their pairs are new ones
}

void RigidProcedure::body_wrenches(std::vector<Wrench>& wrench) const {
  wrench.clear();
  for (const Vec6& by_contact : problem_.wrenches())
    wrench.push_back({by_contact.head<3>(), by_contact.tail<3>()});
}

void RigidProcedure::resume(const BodiesState& state, double time) {
  problem_.set_wrenches(state.rigid_wrenches);
  settle(time);
}

contact::StepLimits RigidProcedure::limits(double /*longest*/) {
  return {problem_.step_limit(kMotion * world_.model().time.resolution),
          std::numeric_limits<double>::infinity()};
}

StepReport RigidProcedure::solve(const TimeStep& step) {
  const PhaseClock::Scope scope(clock_, PhaseClock::rigid);
  return solve_covered([&](double factor) { return rigid_.solve(step.from, step.h, factor); });
}

void RigidProcedure::accept(const TimeStep& step, EnergyAccount& energy) {
  note_step();
  const PhaseClock::Scope scope(clock_, PhaseClock::output);
  evaluate_near_fields();
  energy.book(world_, step.to, step.h, rigid_.losses(), rigid_.work_of_loads());
}

std::string RigidProcedure::failure(const TimeStep& step, const StepReport& report) const {
  // The one-step method solves no LCP: a deck with its keys is rejected.
  const bool one_step = world_.model().solver.method == RigidMethod::one_step;
  return failure_of_step(step, report,
                         one_step ? "." : ", another solver/lcp, or a larger solver/lcp_tolerance.");
}

void RigidProcedure::note_step() {
  const RigidFigures& step = rigid_.last();
  if (!step.unique) ++report_.steps_not_unique;
  report_.steps_short += step.lcp_short;
  report_.steps_by_newton += step.by_newton;
  report_.worst_complementarity = std::max(report_.worst_complementarity, step.complementarity);
  report_.worst_balance = std::max(report_.worst_balance, step.balance);
  report_.worst_opening = std::max(report_.worst_opening, step.opening);
  report_.steps_less_rebound += step.less_rebound;
  if (step.recovery_short) ++report_.steps_recovery_short;
  report_.deepest_overlap = std::min(report_.deepest_overlap, step.gap_at_end);
  report_.largest_lcp_distance = std::max(report_.largest_lcp_distance, step.lcp_distance);
}

}  // namespace scree::contact_dynamics
