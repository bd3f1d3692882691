/// How the solution of a step ended, whichever solver was used.
#pragma once

#include <algorithm>
#include <string>

namespace scree {

enum class StepOutcome {
  converged,
  left_cover,  ///< contacts appeared that the lists did not foresee: prepare again and repeat
  failed       ///< cut the step
};

/// Errors of a step in the energy of a contact: ContactWork::worst_energy_error, over all ranks.
struct EnergyErrors {
  double absolute = 0;  ///< [J]
  double relative = 0;  ///< of what is at play in the contact
};

struct StepReport {
  StepOutcome outcome = StepOutcome::failed;
  std::string cause;           ///< of a failure, in words: what failures are counted by
  std::string detail;          ///< of this one: its figures, or, where `blocked`, which body was in the way
  EnergyErrors energy_errors;  ///< of the contacts that the step resolves worst
  double impact_turn =
      0;  ///< largest change of spin by contacts of an angular body over the step, times its size [rad]
  double bond_load = 0;  ///< largest tension of a bond over the force that breaks it, at the end
  bool blocked = false;  ///< bodies would have gone through something: only a smaller step helps
  bool linear_failed = false;
  bool no_memory = false;  ///< for factors that a step of any size needs
  bool any_size = false;   ///< a smaller step would have to solve the same
  int newton = 0;          ///< iterations; sweeps of the fixed-point iteration
  long krylov = 0;
  int clipped = 0;          ///< iterations shortened so that no gap closes
  int backtracks = 0;       ///< trial states that the line search rejected
  double residual = 0;      ///< largest component at the end [N]
  double tolerance = 0;     ///< what it was to be below [N]
  double wanted = 0;        ///< that tolerance as the deck has it, before round-off raised it [N]
  double force_scale = 0;   ///< what the deck's tolerance is relative to [N]
  bool at_floor = false;    ///< accepted above the tolerance: the residual is what rounding leaves
  bool factored = false;    ///< the iterative linear solver failed, and a direct one solved the step
  long proximal_steps = 0;  ///< quasi-static: of the load step
};

/// Steps that were longer than a limit allows, as the deck has a smallest step.
struct Overrules {
  long steps = 0;
  double worst = 0;  ///< size over limit, the largest; 0 without any

  /// Counts a step if it is above. @param ratio size over limit.
  void note(double ratio) {
    if (ratio <= 1) return;
    ++steps;
    worst = std::max(worst, ratio);
  }

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("steps", self.steps, "");
    archive("worst", self.worst, "");
  }
};

/// How solves of a run ended that did not go as the deck has it.
struct SolverNotes {
  long solves = 0;    ///< that converged
  long raised = 0;    ///< of these: ended between the deck's tolerance and the one that round-off raised
  long at_floor = 0;  ///< of these: accepted with a residual that rounding leaves, above the tolerance
  long factored = 0;  ///< of these: a direct linear solver took over from the iterative one
  double worst = 0;   ///< largest residual of those raised or at the floor over the force scale

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("solves", self.solves, "");
    archive("raised", self.raised, "");
    archive("at_floor", self.at_floor, "");
    archive("factored", self.factored, "");
    archive("worst", self.worst, "");
  }
};

}  // namespace scree
