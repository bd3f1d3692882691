/// The problem of a step of rigid bodies: its bodies and contacts, and the states and forces that come of it
/// (theory 07 section 1).
#pragma once

#include <vector>

#include "contact/forces/rigid_forces.hpp"
#include "elements/loads/loads.hpp"
#include "solvers/contact_dynamics/body_wrenches.hpp"
#include "solvers/contact_dynamics/step_problem.hpp"
#include "solvers/run/step_frame.hpp"
#include "solvers/world/passage.hpp"
#include "solvers/world/world.hpp"

namespace scree::contact_dynamics {

class RigidProblem {
 public:
  /// @param world outlives this object.
  explicit RigidProblem(World& world) : world_(&world), passage_(world), wrenches_(world) {}

  [[nodiscard]] const World& world() const { return *world_; }
  [[nodiscard]] const StepFrame& frame() const { return frame_; }
  /// Displacement that lists should cover for steps like the last [m].
  [[nodiscard]] double list_travel() const;

  /// A step that begins at `time`: finds what may touch when bodies move as without contact.
  /// @param factor > 1 looks further, after a step that went beyond it. @param[out] contacts beside the
  /// problem's constraints. @returns smallest gap at its start, of all ranks [m]. Collective.
  /// @throws RecoverableError on all ranks where a contact cannot be found.
  double begin(double time, double h, double factor, StepProblem& problem,
               std::vector<contact::RigidContact>& contacts);
  /// Moves bodies by their velocities at the end of the step, and gives contacts their forces.
  /// @param velocities six per owned body. @param corrections as many: what pushes overlap out, no part of
  /// the motion. @param wrenches by contact, on owned bodies. @returns whether no body went further than
  /// `begin` looked. Collective.
  bool end(const double* velocities, const double* corrections,
           const std::vector<contact::RigidContact>& contacts, const std::vector<contact::RigidForce>& forces,
           const std::vector<Vec6>& wrenches);
  /// Adds the work of loads in a stage of the step to `work`, this rank's share [J]. @param problem has the
  /// velocities before it. @param after six per owned body. @param first of the stages, in which alone loads
  /// act; fluids follow the velocities in all of them.
  void add_work(const StepProblem& problem, const double* after, bool first, elements::LoadWork& work) const;
  /// Whether bodies were moved by `end`, and the step is neither accepted nor undone.
  [[nodiscard]] bool moved() const { return !accepted_.empty(); }
  /// Takes the last step back; contacts keep its forces, from which the next attempt starts. Collective.
  void undo();
  /// Takes the last step back, with the forces of its contacts. Collective.
  void reject();

  /// @returns what the core of a body went through in the step, between `end` and acceptance. Collective.
  [[nodiscard]] Obstacle passage() { return passage_.over_step(accepted_, frame_, true); }
  /// Smallest gap at the accepted state of what took part in the step, of all ranks [m]. Collective.
  /// @throws RecoverableError on all ranks where it cannot be found.
  [[nodiscard]] double smallest_gap();
  /// Longest way of a body in the step, part of its bounding radius, between `end` and acceptance.
  /// Collective.
  [[nodiscard]] double longest_way();
  /// Gaps that the step under way looked at [m].
  [[nodiscard]] double reach() const { return reach_; }
  /// Largest step in which no body goes further than `part` of its size [s]. Collective.
  [[nodiscard]] double step_limit(double part) const;

  /// Wrenches by contact on owned bodies in the last step [N], [N m].
  [[nodiscard]] std::vector<Vec6> wrenches() const { return wrenches_.of_owned(); }
  void set_wrenches(const std::vector<Vec6>& of_owned) { wrenches_.set(of_owned); }

 private:
  /// Sets the reach of contacts, and makes the lists cover it. Leaves the loads in the world's residual.
  void look_ahead(double factor);
  /// Weight, loads and near-field forces into the world's residual, and fluid forces apart from it.
  LocalSystem& find_loads();
  void add_bodies(StepProblem& problem);
  /// Takes contacts out between bodies that are held: nothing can be found out about them.
  /// @param mean_length of all bodies [m].
  void add_constraints(StepProblem& problem, std::vector<contact::RigidContact>& contacts,
                       double mean_length) const;

  World* world_;
  Passage passage_;
  StepFrame frame_;                  ///< of the step under way
  double reach_ = 0;                 ///< [m]
  std::vector<BodyState> accepted_;  ///< between `end` and acceptance: where the step began
  BodyWrenches wrenches_;            ///< by contact
  /// Per owned body and ghost; empty without such loads. Values contain what turning adds in the step, not
  /// what braking does, which is in the mass matrix.
  std::vector<elements::FluidForce> fluid_;
};

}  // namespace scree::contact_dynamics
