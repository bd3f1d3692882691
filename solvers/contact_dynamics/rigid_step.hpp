/// A time step of rigid bodies: contacts, their complementarity problem, the forces among its solutions that
/// elastic bodies would have, and the new state (theory 07).
#pragma once

#include <memory>
#include <vector>

#include "contact/forces/rigid_forces.hpp"
#include "contact/pair/pair_commit.hpp"
#include "elements/loads/loads.hpp"
#include "solvers/contact_dynamics/compatibility.hpp"
#include "solvers/contact_dynamics/contact_operator.hpp"
#include "solvers/contact_dynamics/lcp.hpp"
#include "solvers/contact_dynamics/rigid_problem.hpp"
#include "solvers/observer.hpp"
#include "solvers/run/step_report.hpp"

namespace scree::contact_dynamics {

class RigidStep {
 public:
  /// @param problem outlives this object, as does its model.
  explicit RigidStep(RigidProblem& problem);

  /// Solves the step from `time` to time + h and moves the bodies there. Collective.
  /// @returns converged; left_cover where bodies moved further than the search radius (the step is
  /// rejected; `factor` > 1 looks further); failed where the complementarity problem was not solved or
  /// bodies came to overlap more than a step may leave (the step is rejected).
  /// @throws Interrupted on all ranks if any was asked to stop; bodies are then where they were.
  StepReport solve(double time, double h, double factor);
  /// Bodies have come or gone: the contacts of the last step are no longer those of the lists.
  void drop_contacts() { operator_.reset(); }
  /// What the last step dissipated in impacts and by friction, this rank's share [J].
  [[nodiscard]] const contact::StepLosses& losses() const { return losses_; }
  /// What loads did in it, this rank's share [J].
  [[nodiscard]] const elements::LoadWork& work_of_loads() const { return work_of_loads_; }
  /// How the last step went, without the degree of indeterminacy. Not collective.
  [[nodiscard]] const RigidFigures& last() const { return figures_; }
  /// How unique the forces of the last step are, and how well it was solved. The degree of indeterminacy is
  /// computed on request. Collective.
  const RigidFigures& figures();
  /// Bounds of the normal forces that the deck names, into the records of the last step; none after
  /// `drop_contacts` or a step that failed. Collective.
  void add_intervals(std::vector<ContactRecord>& records);

 private:
  StepReport attempt(double time, double h, double factor);
  struct Forces {
    petsc::VecHandle normal, first;  ///< per contact: compatible, and as the LCP had them [N]
    std::vector<Vec3> friction;      ///< per contact of this rank, on body a; empty if not rough() [N]
    petsc::VecHandle velocities;     ///< per body, at the end of the step
  };
  /// Solves the step. With restitution in stages, for impacts that follow from others: a contact that does
  /// not close by the motion of a stage waits, and if it closes by the velocities after it, the next stage
  /// is its impact with these. So each has Newton's restitution ([CD] section 4), and with 1 none loses
  /// energy. Forces of stages are added. @returns why it failed, "" if it did not. Collective.
  std::string solve_stages();
  /// Solves a stage with the largest part of the restitution with which its impulses create no energy (that
  /// of Newton with friction may, theory 07 section 1), of those tried. @returns as solve_stages. Collective.
  std::string solve_without_gain(Forces& forces);
  std::string solve_stage(Forces& forces);
  /// Whether the work of the impulses of a stage is positive beyond round-off. Collective.
  [[nodiscard]] bool creates_energy(const Forces& forces) const;
  /// Power of the forces along the velocities of boundaries, negative where these drive; of this rank [W].
  [[nodiscard]] double power_of_boundaries(const Forces& forces) const;
  /// Contacts with restitution that the motion without contact forces does not close.
  [[nodiscard]] std::vector<char> beyond(const std::vector<Constraint>& constraints) const;
  std::string two_step(Forces& forces);
  std::string one_step(Forces& forces);
  /// Whether forces have friction: the same on all ranks, also on those without a contact.
  [[nodiscard]] bool rough() const { return choice_.method == RigidMethod::one_step; }
  /// Adds the wrenches of friction on both bodies of a contact. Collective.
  void add_friction(const Forces& forces, Vec sum) const;
  /// Velocities that take out the overlap that earlier steps left, and no more: they move bodies, but are
  /// forgotten (per body). Not solved to the end: where bodies are jammed there is no solution.
  [[nodiscard]] petsc::VecHandle corrections(const Forces& forces);
  [[nodiscard]] std::vector<Vec6> wrenches(const Forces& forces) const;
  /// What the step from the velocities of the problem to those after it makes of the work of weight, this
  /// rank's share [J].
  [[nodiscard]] double lag_between(const Forces& forces) const;
  /// Adds to the losses what the velocities make of the work of weight, and what overlap holds.
  void measure_lag();
  /// Adds what contacts dissipate between the velocities of the problem and those after it.
  /// @param first of the stages, in which alone loads act: finds their work too.
  void measure(const Forces& forces, bool first);

  RigidProblem& step_;
  const SolverDescription& choice_;
  double overlap_in_step_ = 0;  ///< allowed at the end of a step, part of the mean bounding radius
  StepProblem problem_;
  std::vector<contact::RigidContact> contacts_;
  std::unique_ptr<ContactOperator> operator_;
  Forces forces_;
  std::string detail_;  ///< figures of what did not converge
  long krylov_ = 0;     ///< iterations of linear solvers in the step: those of the one-step method
  contact::StepLosses losses_;
  elements::LoadWork work_of_loads_;
  RigidFigures figures_;
};

}  // namespace scree::contact_dynamics
