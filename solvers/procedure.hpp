/// How an analysis takes a step: the one interface behind which dynamic, quasi-static and contact dynamics
/// differ.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "contact/bounds/step_limits.hpp"
#include "solvers/analysis.hpp"
#include "solvers/observer.hpp"
#include "solvers/run/energy.hpp"
#include "solvers/run/phase_clock.hpp"
#include "solvers/run/step_report.hpp"
#include "solvers/world/world.hpp"

namespace scree {

/// A step from one time to another.
struct TimeStep {
  double from = 0, to = 0;  ///< [s]
  double h = 0;             ///< its size [s]; `to` may differ from `from + h` by round-off: it is met exactly
};

/// What solvers keep from step to step beside the state of bodies and contacts.
struct SolverState {
  SolverNotes notes;
  double tau = 0;           ///< quasi-static: size of the last proximal step [s]; 0: none yet
  double largest_load = 0;  ///< quasi-static: largest load per mass of the run [m/s^2]
  bool may_grow = true;     ///< quasi-static: the last proximal step was an easy one

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("notes", self.notes, "");
    archive("tau", self.tau, "s");
    archive("largest_load", self.largest_load, "m/s^2");
    archive("may_grow", self.may_grow, "");
  }
};

class Procedure {
 public:
  /// @param world, clock, report outlive this object. @param report counts iterations and repeated steps.
  Procedure(World& world, PhaseClock& clock, RunReport& report)
      : world_(world), clock_(clock), report_(report) {}
  Procedure(const Procedure&) = delete;
  Procedure& operator=(const Procedure&) = delete;
  Procedure(Procedure&&) = delete;
  Procedure& operator=(Procedure&&) = delete;
  virtual ~Procedure() = default;

  [[nodiscard]] const World& world() const { return world_; }

  // Between steps.

  /// World::set_time, with accelerations that are consistent with the forces from then on. Collective.
  World::Switched set_time(double time);
  /// Removes and inserts bodies at the accepted state of `time` [s], see World::populate. Those that are
  /// inserted move under their loads alone until they touch. Collective.
  virtual void populate(double time, const std::vector<char>& leaves,
                        const std::vector<NewBody>& arrivals) = 0;
  /// Force and moment by contact and bonds on each owned body (about its centre of mass) at the accepted
  /// state. @param[out] wrench size owned.
  virtual void body_wrenches(std::vector<Wrench>& wrench) const;
  /// Largest unbalanced force and moment on a body that is free to move, see RunReport. Collective.
  std::pair<double, double> unbalanced();

  // Steps.

  /// Limits of the size of the next step from the accepted state [s], the same on all ranks.
  /// @param longest step that is asked about [s]. Collective.
  virtual contact::StepLimits limits(double longest) = 0;
  /// Name of what StepLimits::closing limits, for the summary.
  [[nodiscard]] virtual const char* closing_name() const { return "gap closure"; }

  /// Solves a step. On success the state at its end waits for `accept` or `reject`; otherwise the accepted
  /// state is there again. Collective. @throws Interrupted on all ranks; the accepted state is then there.
  virtual StepReport solve(const TimeStep& step) = 0;
  /// Takes a solved step back: bodies, contacts and their memory are those of the accepted state. Collective.
  virtual void reject() = 0;
  /// Accepts the solved step and books it. Collective.
  virtual void accept(const TimeStep& step, EnergyAccount& energy) = 0;

  // Saved states.

  /// Adds what the procedure keeps of bodies to their state.
  virtual void save(BodiesState& /*state*/) const {}
  /// Takes over a state that the world has been made from, accepted at `time` [s]. Collective.
  virtual void resume(const BodiesState& state, double time) = 0;
  /// The same where the world has the lists and forces that it had when that state was accepted.
  virtual void resume_with_lists(const BodiesState& state, double time) { resume(state, time); }
  [[nodiscard]] virtual SolverState state() const { return {}; }
  virtual void set_state(const SolverState& /*state*/) {}

  /// Makes the solver of the first step with one linear solver after the other, until that is `enough`, so
  /// that it reads its options. @returns whether it could be set up to the end. Collective. @throws RunError
  /// if PETSc does not take an option.
  virtual bool rehearse(const std::vector<LinearChoice>& /*choices*/,
                        const std::function<bool()>& /*enough*/) {
    return false;
  }

  /// Message of a step that failed and cannot be cut further.
  [[nodiscard]] virtual std::string failure(const TimeStep& step, const StepReport& report) const = 0;

  /// Contact dynamics: how the last step went; null otherwise. Not collective.
  [[nodiscard]] virtual const RigidFigures* figures() const { return nullptr; }
  /// Contact dynamics: the same with the degree of indeterminacy. Collective.
  virtual void find_indeterminacy() {}
  /// Contact dynamics: intervals of normal forces that the deck requests. Collective.
  virtual void add_intervals(std::vector<ContactRecord>& /*records*/) {}

 protected:
  /// Evaluates what follows from the accepted state at `time` [s]: forces and accelerations. Collective.
  virtual void settle(double time) = 0;

  /// A step that left what its lists cover is prepared again with a wider margin, at most so many times.
  static constexpr int kMostRepeats = 4;

  /// Repeats a step with a wider cover where contacts appeared that were not foreseen.
  /// @param attempt (factor of the cover) -> StepReport.
  template <class Attempt>
  StepReport solve_covered(Attempt&& attempt) {
    double factor = 1;
    StepReport step;
    for (int k = 0; k < kMostRepeats; ++k) {
      step = attempt(factor);
      report_.newton_iterations += step.newton;
      report_.krylov_iterations += step.krylov;
      if (step.outcome != StepOutcome::left_cover) return step;
      ++report_.repeats;
      factor *= 3;
    }
    step.cause = "neighbour list exceeded";
    step.outcome = StepOutcome::failed;
    return step;
  }

  /// "time step at t = ... rejected ...", with remedies.
  [[nodiscard]] std::string failure_of_step(const TimeStep& step, const StepReport& report,
                                            const std::string& remedy) const;

  World& world_;
  PhaseClock& clock_;
  RunReport& report_;
};

}  // namespace scree
