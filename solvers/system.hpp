/// All that a step works on: the bodies of this rank, what acts on them, and where it is assembled.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "assembly/assembler.hpp"
#include "assembly/dof_map.hpp"
#include "assembly/ghosts.hpp"
#include "contact/contacts.hpp"
#include "core/body.hpp"
#include "core/local_system.hpp"
#include "elements/integrators/integrator.hpp"
#include "elements/loads/dead_load.hpp"
#include "solvers/model.hpp"

namespace scree {

/// Norms of a residual, the same on all ranks.
struct ResidualNorms {
  double largest = 0;  ///< largest component [N]; moments are divided by the body's bounding radius
  double merit = 0;    ///< root of the sum of squares over masses [N/sqrt(kg)]: what a line search reduces
  double force_scale = 0;  ///< what tolerances are relative to [N]
  double round_off = 0;    ///< no residual can be brought below this [N]
};

class System {
 public:
  /// Puts the bodies of the model on the ranks. Collective. @throws InputError on overlap at the start.
  System(const Model& model, MPI_Comm comm);

  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  [[nodiscard]] const Model& model() const { return *model_; }
  [[nodiscard]] const Bodies& bodies() const { return bodies_; }
  [[nodiscard]] const contact::Contacts& contacts() const { return contacts_; }
  [[nodiscard]] const elements::Loads& loads() const { return loads_; }
  [[nodiscard]] const DofMap& dofs() const { return *dofs_; }
  [[nodiscard]] Mat matrix() const { return assembler_.matrix(); }

  /// Boundaries that act and how they move from `time` on; where something is switched, accelerations are
  /// made consistent with it. Collective.
  void set_time(double time);
  /// Times at which a boundary is switched or its motion has a knot, after `time` and before `end`; infinity
  /// if none.
  [[nodiscard]] double next_event(double time) const;

  /// Makes lists and pattern cover a step of size h (predicted motion). @param factor > 1 widens the margin
  /// after a step that went beyond it. @returns whether the matrix is new. Collective.
  bool prepare(double time, double h, double factor);

  /// Predicted increment, clipped so that no gap closes, as unknowns y. Collective.
  void predict(Vec y);

  /// Residual at the unknowns y into r; keeps norms. @throws RecoverableError, on all ranks if on any.
  /// Collective.
  void residual(Vec y, Vec r);
  [[nodiscard]] const ResidualNorms& norms() const { return norms_; }
  /// Tangent at y into matrix(); evaluates the residual again only if y is not the last one.
  void tangent(Vec y);
  /// Takes bodies out of the update p whose part of it changes no force by a noticeable part of `tolerance`
  /// [N]: what does not move is not evaluated again. Not collective.
  void hold_quiet(Vec p, double tolerance) const;
  /// Largest part of the update y - lambda * p along which gaps stay open. y must be the last one evaluated.
  /// Collective.
  double clip(Vec p);

  /// Whether the state last evaluated left what lists or pattern cover, on any rank. Collective.
  [[nodiscard]] bool left_cover() const;

  /// Accepts the last evaluated state. @returns losses of the step, this rank's share [J].
  contact::StepLosses commit();
  /// Forgets the step: contacts, their gaps and forces are those of the accepted state again.
  void roll_back();

  [[nodiscard]] contact::StepLimits limits(double eta) { return contacts_.limits(bodies_, eta); }
  /// Weight and loads on the owned bodies at the accepted state, as a residual (negative of the force) [N],
  /// [N m]. Valid until the next evaluation.
  LocalSystem& load_residual();

 private:
  void distribute();
  void append_boundaries();
  void refuse_overlap();
  void rebalance();
  void set_boundaries(double time);
  /// Trial state of the boundaries in a step that began at `from`: their prescribed motion at `time`, with
  /// increments since the accepted state. @param from, time [s].
  void boundary_trial(double from, double time);
  /// Accepted state of the boundaries at `time`. @param during [s] where the velocities are taken.
  void move_boundaries(double time, double during);
  /// Ghosts, owners and lists anew for a margin that covers `travel` [m] per body. Collective.
  void redistribute(double travel);
  void update_ghost_states();
  void layout();
  void pattern();
  void reset_trial();
  /// Next time at which a boundary or friction is switched.
  [[nodiscard]] double next_switch(double time) const;
  void set_accepted(int i);
  void evaluate_forces();
  void evaluate_local();
  /// The next evaluation and the next tangent begin anew.
  void forget_evaluation();
  void choose_rows();
  void initialise_accelerations(double time);
  [[nodiscard]] double max_over_ranks(double value) const;

  const Model* model_;
  MPI_Comm comm_;
  std::vector<Shape> shapes_;  ///< of the model, then the plane of boundaries, and their other walls
  int plane_shape_ = 0;
  Bodies bodies_;
  GhostLayer ghosts_;
  contact::Contacts contacts_;
  elements::Loads loads_;
  std::unique_ptr<elements::Integrator> integrator_;
  LocalSystem local_;
  std::optional<DofMap> dofs_;
  Assembler assembler_;
  double time_ = 0, h_ = 0;  ///< end of the step under way, its size
  std::vector<double> increment_, spin_residual_;
  std::vector<double> evaluated_, assembled_;  ///< increments of the last residual and of the last tangent
  std::vector<char> moved_;                    ///< per body: its increment is not the one in `evaluated_`
  std::vector<char> moved_since_tangent_;
  std::vector<Vec3> du_, dalpha_;
  ResidualNorms norms_;
  double base_force_ = 0;                ///< weight and loads [N]
  double inertial_force_ = 0;            ///< largest m v / h [N]
  std::vector<char> boundaries_active_;  ///< per part
  bool layout_changed_ = true;
};

}  // namespace scree
