#include "solvers/time_loop.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "assembly/interrupt.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "solvers/at_rest.hpp"
#include "solvers/contact_dynamics/rigid_step.hpp"
#include "solvers/contact_output.hpp"
#include "solvers/energy.hpp"
#include "solvers/fixed_point_step.hpp"
#include "solvers/nonlinear_step.hpp"
#include "solvers/phase_clock.hpp"
#include "solvers/population.hpp"
#include "solvers/quasi_static.hpp"
#include "solvers/rehearsal.hpp"
#include "solvers/run_warnings.hpp"
#include "solvers/step_control.hpp"
#include "solvers/system.hpp"
#include "solvers/warnings.hpp"

namespace scree {
namespace {

/// A step that left what its lists cover is prepared again with a wider margin, at most so many times.
constexpr int kMostRepeats = 4;

/// So many steps pass between two looks for bodies that left the domain.
constexpr long kStepsBetweenLooks = 100;

/// Adaptive contact dynamics: part of its size that a body may go in a step, for gaps are linear in it.
constexpr double kRigidMotion = 0.1;

/// An observer could not take a state (the disk is full); the state is that of the system.
class OutputFailed : public RunError {
 public:
  using RunError::RunError;
};

class Run {
 public:
  Run(const Model& model, const std::vector<Observer*>& observers, MPI_Comm comm)
      : model_(model),
        observers_(observers),
        comm_(comm),
        start_(MPI_Wtime()),
        system_(model, comm),
        newton_(system_),
        fixed_point_(system_),
        quasi_static_(system_, newton_, clock_),
        rigid_(system_),
        population_(model, comm),
        control_(model.time, rigid() ? "motion of bodies" : "closing of gaps"),
        at_rest_(model.time.stop),
        warnings_(model.warnings) {}

  RunReport go() {
    petsc::check(PetscLogDefaultBegin(), "starting the log");  // the summary reads the phases from it
    check_interrupt(comm_);
    system_.set_time(0);
    check_interrupt(comm_);
    EnergyAccount energy(system_, 0);
    note_contacts(energy);
    warn_at_start(system_, energy, warnings_);
    double time = 0;
    std::string failure;
    // Until here there is nothing to save. From the first state on, which creates the folder, there is.
    check_interrupt(comm_);
    try {
      tell(energy, 0, 0, {}, false);
      failure = steps(energy, time);
      tell(energy, time, last_h_, last_step_, true);
    } catch (const Interrupted&) {  // on all ranks; what was under way has been taken back
      report_.interrupted = true;
    } catch (const OutputFailed& error) {
      failure = error.what();
    }
    // What the run has come to is kept, whether or not somebody wants it to stop.
    const InterruptShield shield;
    try {
      if (report_.interrupted) tell(energy, time, last_h_, last_step_, true);
    } catch (const OutputFailed& error) {
      failure = error.what();
    }
    report_.rest = at_rest_.report(system_, energy.ledger().kinetic());
    report_.time = time;
    report_.energy = energy.ledger();
    report_.population = population_.report();
    report_.bonds = energy.bonds();
    report_.broken_bonds = energy.broken_bonds();
    if (rigid()) report_.rigid = rigid_.figures();
    std::tie(report_.unbalanced_force, report_.unbalanced_moment) = unbalanced(system_);
    for (const auto& [cause, count] : causes_) report_.cut_causes.emplace_back(cause, count);
    for (const auto& [cause, count] : control_.limit_causes())
      report_.limit_causes.emplace_back(cause, count);
    report_.newton = newton_.notes();
    for (const std::string& option : unused_petsc_options(model_)) {
      warnings_.raise({"unused_option", petsc_option_place(option, model_),
                       "no solver of this run asked for \"-" + option + "\": it had no effect.", time});
    }
    report_.overrules = control_.overrules();
    report_.left = energy.domain().left(system_, body_wrench_, time);
    report_.rest_energy = AtRest::kRestEnergy * energy_scale(system_);
    warn_at_end(model_, report_, warnings_);
    report_.warnings = warnings_.all();
    report_.wall_seconds = MPI_Wtime() - start_;
    report_.phase_seconds = clock_.seconds(report_.wall_seconds);
    for (Observer* observer : observers_) {
      try {
        observer->finished(report_);
      } catch (const RunError& error) {
        failure += text::join(failure.empty() ? "" : " ", error.what());
      }
    }
    if (!failure.empty()) throw RunError(failure);
    return report_;
  }

 private:
  /// From the start to the end, or to a step that cannot be solved.
  /// @param[in,out] time of the accepted state [s], also where it throws. @returns what failed; "" if nothing
  /// did.
  /// @throws Interrupted on all ranks.
  std::string steps(EnergyAccount& energy, double& time) {
    exchange(energy, time);
    double event = system_.next_event(0);
    std::string failure;
    while (time < model_.time.end && failure.empty()) {
      check_interrupt(comm_);
      if (population_.report().bodies == 0) {
        time = std::min(model_.time.end, population_.next_due());
        if (time >= model_.time.end) break;
        system_.set_time(time);
        event = system_.next_event(time * (1 + 1e-12));
        exchange(energy, time);
        continue;
      }
      double h = 0;
      {
        const PhaseClock::Scope scope(clock_, PhaseClock::control);
        h = control_.next(time, event, common_limits());
      }
      StepReport step;
      LoadStepReport load_step;
      const double next = end_of_step(time, h);
      if (!solve_any(time, h, next, load_step, step)) {
        ++report_.cuts;
        ++causes_[step.cause];
        if (step.no_memory || !control_.cut(time, h)) failure = describe_failure(time, h, step, load_step);
        continue;
      }
      const contact::StepLosses losses = quasi_static() ? load_step.losses
                                         : rigid()      ? rigid_.losses()
                                                        : system_.commit();
      const double before = time;
      time = next;
      ++report_.steps;
      control_.accepted(time, h);
      {
        const PhaseClock::Scope scope(clock_, PhaseClock::output);
        if (quasi_static()) {
          energy.book_load_step(system_, time, losses, load_step.work, load_step.fluid_work);
        } else {
          energy.book(system_, time, h, losses);
        }
        note_contacts(energy);
      }
      if (model_.time.adaptive && h <= model_.time.min * (1 + 1e-9)) ++report_.min_steps;
      // The last state is told once, as the last.
      rest_ = population_.next_due() > model_.time.end &&
              at_rest_.reached(system_, time, energy.ledger().kinetic());
      const bool last = time >= model_.time.end || rest_;
      last_step_ = step;
      last_h_ = time - before;
      last_proximal_ = load_step.proximal_steps;
      if (!last) tell(energy, time, last_h_, step, false);
      const bool event_met = event <= time * (1 + 1e-12);
      if (!last && (event_met || system_.bonds_broke())) {
        const System::Switched now = system_.set_time(time);
        if (!now.blocked.empty()) {
          failure =
              "at t = " + short_number(time) + " s: " + now.blocked +
              ". The state of that time has been saved. Move the body or the boundary, or let it become "
              "active at another time.";
          break;
        }
        if (now.any) energy.book_switch(system_, time);
        event = system_.next_event(time * (1 + 1e-12));
      }
      if (last) break;
      exchange(energy, time);
    }
    return failure;
  }

  void note_contacts(const EnergyAccount& energy) {
    report_.max_contacts = std::max(report_.max_contacts, energy.contacts().contacts);
    report_.min_gap = std::min(report_.min_gap, energy.contacts().min_gap);
    report_.largest_force = std::max(report_.largest_force, energy.contacts().largest_force);
  }

  /// Bodies come and go between two steps.
  void exchange(EnergyAccount& energy, double time) {
    const PhaseClock::Scope scope(clock_, PhaseClock::search);
    if (population_.exchange(system_, time)) energy.book_exchange(system_, time, population_.brought());
  }

  contact::StepLimits common_limits() {
    if (!model_.time.adaptive) return {};
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (rigid()) return {system_.rigid_step_limit(kRigidMotion * model_.time.resolution), kInfinity};
    if (quasi_static()) return {kInfinity, kInfinity};  // nothing closes or oscillates
    const contact::StepLimits own = system_.limits(model_.time.resolution, control_.longest());
    double both[2] = {own.closing, own.oscillation};
    MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_DOUBLE, MPI_MIN, comm_);
    return {both[0], both[1]};
  }

  /// The step of size h, which ends at `next`, by what the analysis asks for. @returns whether it was solved.
  bool solve_any(double time, double h, double next, LoadStepReport& load_step, StepReport& step) {
    if (quasi_static()) return solve_load_step(time, next, load_step, step);
    return rigid() ? solve_rigid(time, h, step) : solve(time, h, step);
  }

  bool solve_rigid(double time, double h, StepReport& step) {
    const PhaseClock::Scope scope(clock_, PhaseClock::rigid);
    const bool solved = solve_covered(step, [&](double factor) { step = rigid_.solve(time, h, factor); });
    if (solved) note_rigid_step();
    return solved;
  }

  void note_rigid_step() {
    const RigidFigures& step = rigid_.last();
    if (!step.unique) ++report_.steps_not_unique;
    report_.steps_short += step.lcp_short;
    report_.steps_by_newton += step.by_newton;
    report_.worst_complementarity = std::max(report_.worst_complementarity, step.complementarity);
    report_.worst_balance = std::max(report_.worst_balance, step.balance);
    report_.worst_opening = std::max(report_.worst_opening, step.opening);
    if (step.recovery_short) ++report_.steps_recovery_short;
    report_.deepest_overlap = std::min(report_.deepest_overlap, step.gap_at_end);
    report_.largest_lcp_distance = std::max(report_.largest_lcp_distance, step.lcp_distance);
  }

  bool solve(double time, double h, StepReport& step) {
    return solve_covered(step, [&](double factor) {
      {
        const PhaseClock::Scope scope(clock_, PhaseClock::search);
        system_.prepare(time, h, factor);
      }
      const PhaseClock::Scope scope(clock_, PhaseClock::newton);
      try {
        step = model_.solver.nonlinear == NonlinearChoice::newton ? newton_.solve() : fixed_point_.solve();
      } catch (const Interrupted&) {
        system_.roll_back();
        throw;
      }
      if (step.outcome == StepOutcome::converged) system_.reach_end(step);
      if (step.outcome == StepOutcome::converged) system_.passage().fail(step);
      if (step.outcome != StepOutcome::converged) system_.roll_back();
    });
  }

  /// Repeats a step with a wider cover where contacts appeared that were not foreseen.
  /// @param attempt (factor of the cover); fills `step`.
  template <class Attempt>
  bool solve_covered(StepReport& step, Attempt&& attempt) {
    double factor = 1;
    for (int k = 0; k < kMostRepeats; ++k) {
      attempt(factor);
      report_.newton_iterations += step.newton;
      report_.krylov_iterations += step.krylov;
      if (step.outcome == StepOutcome::converged) return true;
      if (step.outcome == StepOutcome::failed) return false;
      ++report_.repeats;
      factor *= 3;
    }
    step.cause = "contacts that could not be foreseen";
    return false;
  }

  /// The load step to time `next`; its commits are done.
  bool solve_load_step(double time, double next, LoadStepReport& load_step, StepReport& step) {
    load_step = quasi_static_.solve(time, next);
    report_.newton_iterations += load_step.newton;
    report_.krylov_iterations += load_step.krylov;
    report_.proximal_steps += load_step.proximal_steps;
    report_.repeats += load_step.repeats;
    step.newton = static_cast<int>(load_step.newton);
    step.krylov = load_step.krylov;
    step.cause = load_step.cause;
    step.blocked = load_step.blocked;
    step.detail = load_step.detail;
    return load_step.found;
  }

  [[nodiscard]] bool rigid() const { return model_.analysis == Analysis::contact_dynamics; }
  [[nodiscard]] bool quasi_static() const { return model_.analysis == Analysis::quasi_static; }

  [[nodiscard]] double end_of_step(double time, double h) const {
    return model_.time.end - (time + h) < 1e-12 * model_.time.end ? model_.time.end : time + h;
  }

  [[nodiscard]] std::string describe_failure(double time, double h, const StepReport& step,
                                             const LoadStepReport& load_step) const {
    const std::string smaller = std::string(model_.time.adaptive ? "/min" : "");
    if (step.no_memory) {
      return "the step at t = " + short_number(time) + " s could not be solved (" + step.cause +
             "). The state of that time has been saved. Use solver/linear \"iterative\", fewer bodies, or "
             "ranks "
             "on more machines.";
    }
    if (step.blocked) {
      return step.cause + ": " + step.detail + " is in its way after t = " + short_number(time) +
             " s, also in a step of " + short_number(h) +
             " s. The state of that time has been saved. Take a smaller time/step" + smaller +
             ", let boundaries and bodies go more slowly, or give bodies room that are pushed against "
             "others.";
    }
    if (quasi_static()) {
      return "no equilibrium was found after t = " + short_number(time) + " s with a load step of " +
             short_number(h) + " s (" + step.cause + "): " + load_step.detail +
             ". The equilibrium of that time has been saved. Where the load is more than contact and "
             "friction "
             "can carry, there is none: support the body, take a smaller load, or use \"analysis\": "
             "\"dynamic\". Otherwise try a smaller time/step" +
             smaller + ".";
    }
    return "the step at t = " + short_number(time, 6) + " s could not be solved with a size of " +
           short_number(h) + " s (" + step.cause +
           "). The state of that time has been saved. Try a smaller time/step" + smaller +
           (rigid() ? ", another solver/lcp or a larger solver/lcp_tolerance."
                    : ", a softer law or more damping.");
  }

  static std::string short_number(double value, int digits = 3) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    return text;
  }

  void tell(const EnergyAccount& energy, double time, double h, const StepReport& step, bool last) {
    const PhaseClock::Scope scope(clock_, PhaseClock::output);
    AcceptedState state;
    state.time = time;
    state.step = h;
    state.step_number = report_.steps;
    state.first = report_.steps == 0 && !last;
    state.last = last;
    state.at_rest = last && rest_;
    state.interrupted = report_.interrupted;
    state.newton_iterations = step.newton;
    state.krylov_iterations = step.krylov;
    state.proximal_steps = last_proximal_;
    state.contacts = energy.contacts().contacts;
    state.min_gap = energy.contacts().min_gap;
    state.bonds = energy.bonds();
    state.broken_bonds = energy.broken_bonds();
    state.max_velocity = energy.max_velocity();
    state.energy = energy.ledger();
    state.population = &population_.report();
    state.warnings = &warnings_.all();
    state.model = &model_;
    state.bodies = &system_.bodies();
    body_wrenches(system_, body_wrench_);
    boundary_wrenches(system_, boundary_wrench_);
    state.body_wrench = &body_wrench_;
    if (report_.steps % kStepsBetweenLooks == 0 && !last)
      warn_of_left(model_, energy.domain().left(system_, body_wrench_, time), time, warnings_);
    state.boundary_wrench = &boundary_wrench_;
    state.context = this;
    state.contacts_on_demand = [](void* context) -> const std::vector<ContactRecord>& {
      Run& run = *static_cast<Run*>(context);
      contact_records(run.system_, run.records_);
      if (run.rigid()) run.rigid_.add_intervals(run.records_);
      return run.records_;
    };
    if (rigid()) {
      state.rigid = &rigid_.last();
      state.indeterminacy_on_demand = [](void* context) { static_cast<Run*>(context)->rigid_.figures(); };
    }
    try {
      for (Observer* observer : observers_) observer->accepted(state);
    } catch (const RunError& error) {
      throw OutputFailed(error.what() + rescued(state));
    }
  }

  /// After a failure of output, on all ranks. @returns where the state is saved, for the message.
  std::string rescued(const AcceptedState& state) {
    std::string text;
    for (Observer* observer : observers_) {
      try {
        if (const std::string file = observer->rescue(state); !file.empty())
          text += " The state of t = " + short_number(state.time) + " s has been saved in " + file + ".";
      } catch (const RunError& error) {
        text += std::string(" Nor could the state be saved: ") + error.what();
      }
    }
    return text;
  }

  const Model& model_;
  const std::vector<Observer*>& observers_;
  MPI_Comm comm_;
  double start_ = 0;  ///< wall time; bodies are dealt out and their neighbours found after it [s]
  PhaseClock clock_;
  System system_;
  NonlinearStep newton_;
  FixedPointStep fixed_point_;
  QuasiStatic quasi_static_;
  contact_dynamics::RigidStep rigid_;
  Population population_;
  StepControl control_;
  AtRest at_rest_;
  Warnings warnings_;
  RunReport report_;
  StepReport last_step_;
  double last_h_ = 0;
  long last_proximal_ = 0;
  bool rest_ = false;
  std::map<std::string, long> causes_;
  std::vector<Wrench> body_wrench_, boundary_wrench_;
  std::vector<ContactRecord> records_;
};

}  // namespace

RunReport run(const Model& model, const std::vector<Observer*>& observers, MPI_Comm comm) {
  return Run(model, observers, comm).go();
}

}  // namespace scree
