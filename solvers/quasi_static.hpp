/// Equilibrium at the end of a load step, by proximal steps (theory 02 section 7, docs/quasi_static.md).
#pragma once

#include "solvers/nonlinear_step.hpp"
#include "solvers/phase_clock.hpp"
#include "solvers/system.hpp"

namespace scree {

/// What a load step came to.
struct LoadStepReport {
  bool found = false;               ///< an equilibrium
  std::string cause, detail;        ///< of a failure: the kind, and the body that finds no rest
  bool blocked = false;             ///< as StepReport::blocked; `detail` is then that one's
  long newton = 0, krylov = 0;      ///< iterations of all proximal steps
  long proximal_steps = 0;          ///< accepted ones
  long repeats = 0;                 ///< proximal steps solved again with contacts not foreseen
  contact::StepLosses losses;       ///< this rank's share [J]
  double work = 0, fluid_work = 0;  ///< of dead loads and of fluid forces, this rank's share [J]
};

class QuasiStatic {
 public:
  QuasiStatic(System& system, NonlinearStep& newton, PhaseClock& clock)
      : system_(&system), newton_(&newton), clock_(&clock) {}

  /// Goes from the equilibrium at `from` to one under the loads of `to` [s]: until no component of the sum of
  /// contact forces and loads on a body exceeds Newton's tolerance, with nothing left out of it. The state is
  /// then accepted, memory of friction included (committed at each proximal step, because friction depends on
  /// the path). Otherwise the state of `from` is there again. Collective.
  LoadStepReport solve(double from, double to);

 private:
  void choose_tau();
  StepReport proximal_step(double from, double to, LoadStepReport& report);

  System* system_;
  NonlinearStep* newton_;
  PhaseClock* clock_;
  double tau_ = 0;        ///< of the last proximal step [s]; 0: none yet
  double reference_ = 0;  ///< largest load per mass of the run [m/s^2]
  bool may_grow_ = true;  ///< the last proximal step was an easy one
};

}  // namespace scree
