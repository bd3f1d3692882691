/// Equilibrium at the end of a load step, by proximal steps (theory 02 section 7, docs/quasi_static.md).
#pragma once

#include "contact/bounds/step_limits.hpp"
#include "contact/pair/pair_commit.hpp"
#include "solvers/compliant/compliant_procedure.hpp"
#include "solvers/quasi_static/way_back.hpp"

namespace scree {

class QuasiStatic : public CompliantProcedure {
 public:
  QuasiStatic(World& world, PhaseClock& clock, RunReport& report);

  contact::StepLimits limits(double longest) override;
  /// Goes from the equilibrium at the start of the load step to one under the loads of its end: until no
  /// component of the sum of contact forces and loads on a body exceeds Newton's tolerance, with nothing left
  /// out of it. Contact history is committed at each proximal step, because friction depends on the path;
  /// what was at the start is kept until `accept`.
  StepReport solve(const TimeStep& step) override;
  void reject() override;
  void accept(const TimeStep& step, EnergyAccount& energy) override;
  [[nodiscard]] SolverState state() const override;
  void set_state(const SolverState& state) override;
  [[nodiscard]] std::string failure(const TimeStep& step, const StepReport& report) const override;

 private:
  void prepare_first_step() override;
  /// Keeps the state at the start of a load step; contacts see the switches of the time in between.
  void begin(const TimeStep& load_step);
  /// Returns to the state at the start of a load step that began at `from` [s]. Collective.
  void restore(double from);
  StepReport find_equilibrium(const TimeStep& step);
  void choose_tau(double time);
  StepReport proximal_step(const TimeStep& step);
  /// Whether bodies went much further in the proximal step than its start lets expect. Collective.
  [[nodiscard]] bool goes_too_far() const;

  WayBack way_back_;
  double tau_ = 0;           ///< of the last proximal step [s]; 0: none yet
  double largest_load_ = 0;  ///< per mass, of the run [m/s^2]
  bool may_grow_ = true;     ///< the last proximal step was an easy one
  SolverState start_;        ///< of the load step under way
  double started_at_ = 0;    ///< [s]
  // Of the load step under way, this rank's share.
  long proximal_steps_ = 0;
  contact::StepLosses losses_;            ///< [J]
  double work_ = 0, work_of_fluids_ = 0;  ///< of dead loads and of fluid forces [J]
};

}  // namespace scree
