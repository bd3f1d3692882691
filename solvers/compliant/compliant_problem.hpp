/// The nonlinear problem of a step in which contact forces follow from gaps: residual, tangent, prediction,
/// collision-free step length.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "contact/bounds/step_limits.hpp"
#include "contact/forces/contact_forces.hpp"
#include "contact/forces/contact_impacts.hpp"
#include "contact/pair/pair_commit.hpp"
#include "solvers/compliant/bodies_at_rest.hpp"
#include "solvers/compliant/body_tolerances.hpp"
#include "solvers/compliant/changed_rows.hpp"
#include "solvers/compliant/islands.hpp"
#include "solvers/compliant/step_stage.hpp"
#include "solvers/compliant/tangent_blocks.hpp"
#include "solvers/run/step_report.hpp"
#include "solvers/world/passage.hpp"
#include "solvers/world/world.hpp"

namespace scree {

/// Norms of a residual, the same on all ranks.
struct ResidualNorms {
  /// Largest component [N]; moments are divided by the body's bounding radius. In dynamic steps those of a
  /// body count by as much more as its loads and contact forces are below the largest load (docs/theory/09,
  /// section 5).
  double largest = 0;
  double merit = 0;  ///< root of the sum of squares over masses [N/sqrt(kg)]: what a line search reduces
  double force_scale = 0;  ///< what tolerances are relative to [N]
  double round_off = 0;    ///< no residual can be brought below this [N]
};

class CompliantProblem {
 public:
  /// @param world outlives this object.
  CompliantProblem(World& world, std::shared_ptr<const elements::Integrator> integrator);

  [[nodiscard]] const World& world() const { return *world_; }
  [[nodiscard]] const Model& model() const { return world_->model(); }
  [[nodiscard]] const DofMap& dofs() const { return world_->dofs(); }
  [[nodiscard]] Mat matrix() const { return blocks_.matrix(); }
  [[nodiscard]] const elements::Integrator& integrator() const { return stage_.integrator(); }
  [[nodiscard]] const StepFrame& frame() const { return stage_.frame(); }
  /// Largest displacement of a body, or of a boundary as bodies see it, that the last step was prepared for
  /// [m].
  [[nodiscard]] double foreseen_way() const { return foreseen_way_; }
  /// A force [N] that tolerances go by where nothing weighs: contact forces alone may fall to 0.
  void set_least_force(double force) { least_force_ = force; }
  /// Contacts see such a step, see StepStage.
  void set_lasting(const LastingStep& lasting) { stage_.set_lasting(lasting); }

  /// Evaluates forces at the accepted state of `time` [s], and gives the owned bodies the accelerations that
  /// they make. Collective.
  void settle(double time);
  /// The same for bodies that were inserted, the last `arrivals` owned ones: by weight and loads alone.
  /// Collective.
  void settle_arrivals(int arrivals);
  /// Evaluates forces at the accepted state of `time` [s], as step limits and outputs read them.
  void evaluate_accepted(double time);
  /// To be called when another has rebuilt the neighbour lists.
  void lists_renewed();

  /// How much the residuals of single bodies count.
  [[nodiscard]] const BodyTolerances& tolerances() const { return tolerances_; }

  /// Makes lists and blocks cover a step (predicted motion). @param factor > 1 widens the margin of lists
  /// after a step that went beyond it. @returns whether the matrix is new. @throws Interrupted, with lists
  /// that fit the state; `roll_back` is due. Collective.
  bool prepare(const StepFrame& frame, double factor);
  /// The same for a step of size h from `time` [s].
  bool prepare(double time, double h, double factor) {
    return prepare({.start = time, .end = time + h, .h = h}, factor);
  }

  /// Returns to the start of the step that was prepared, after a solve that failed: another one may begin.
  /// Collective.
  void begin_again();

  /// Predicted increment as unknowns y: as much of it as no body goes through another one on, while
  /// boundaries go to where the forces are. @returns a boundary that goes further than bodies let it.
  /// @pre the state last evaluated is that at the start of the step. Collective.
  [[nodiscard]] Obstacle predict(Vec y);

  /// Residual at the unknowns y into r; keeps norms. @throws RecoverableError, on all ranks if on any.
  /// Collective.
  void residual(Vec y, Vec r);
  [[nodiscard]] const ResidualNorms& norms() const { return norms_; }
  /// Tolerance of the deck for the residual last evaluated, on all ranks [N].
  [[nodiscard]] double wanted_residual() const { return tolerances_.at(norms_.force_scale); }
  /// The residual of an owned body at the last evaluation [N], [N m], moments in virtual spins.
  [[nodiscard]] Vec6 spin_residual(int i) const {
    return Eigen::Map<const Vec6>(&spin_residual_[world_->rows().offset[i]]);
  }
  /// Newton's method starts at the prediction, or ends: in between, `tangent` is called at its iterates only
  /// (ContactForces::begin_solve).
  void begin_solve() { world_->contacts().forces().begin_solve(); }
  void end_solve() { world_->contacts().forces().end_solve(); }
  /// Tangent at y into matrix(); evaluates the residual again only if y is not the last one.
  /// @param tolerance of the residual [N]: rows of bodies below it stay what they were, until a contact of
  /// theirs is made or lost; 0: all rows are those of y.
  /// @returns whether the matrix is new: there are contacts at y that had no blocks. Collective.
  bool tangent(Vec y, double tolerance = 0);
  /// What rounding leaves of the residual last evaluated, per owned body, weighed as the residual is [N]: a
  /// bound on the errors of its parts (contact/pair/round_off.hpp). Not collective.
  [[nodiscard]] std::vector<double> residual_floors() const;
  /// Whether the residual last evaluated is noise: no body has more than `tolerance` [N] and than what
  /// rounding leaves of its own. Collective.
  [[nodiscard]] bool is_round_off(double tolerance) const;
  /// Islands::weights at the last tangent, per body: where they are 0, no residual exceeded its tolerance.
  /// None if that was 0.
  [[nodiscard]] const std::optional<std::vector<double>>& island_weights() const { return island_weights_; }
  /// Takes bodies out of the update p whose part of it changes no force by a noticeable part of `tolerance`
  /// [N], and those of islands in balance: what does not move is not evaluated again. Not collective.
  void hold_quiet(Vec p, double tolerance) const;
  /// Shortens the parts of the update p of bodies that would meet others, and returns the largest part of
  /// y - lambda * p along which gaps stay open. y must be the last one evaluated.
  /// Collective.
  double clip(Vec p);
  /// Whether since the last `predict` the collision check gave up on a path, on any rank. Collective.
  [[nodiscard]] bool path_too_long() const { return passage_.is_too_long(); }
  /// Whether the state last evaluated left what lists cover, on any rank. Collective.
  [[nodiscard]] bool left_cover() const;

  /// Advances from the solution to the end of the step where the integrator's forces are elsewhere, and
  /// evaluates the forces there. To be called when a solver has converged, before `commit`.
  /// @param[in,out] report its outcome becomes failed, with a cause, if bodies touch on the way or at the
  /// end; left_cover if they went further than lists foresaw. Collective.
  void reach_end(StepReport& report);
  /// @returns what the core of a body went through on the straight way from the accepted state to that at the
  /// end of the step: between `reach_end` and acceptance. Collective.
  [[nodiscard]] Obstacle passage();
  /// ContactWork::worst_energy_error of the step, over all ranks: between `reach_end` and acceptance.
  /// Collective.
  [[nodiscard]] EnergyErrors energy_errors() const;
  /// BodiesAtRest::grade for the step that was prepared: between `prepare` and `predict`. Collective.
  void grade_bodies() { at_rest_.grade(frame()); }
  /// Bodies that are at rest, as the step that was graded has them.
  [[nodiscard]] const BodiesAtRest& at_rest() const { return at_rest_; }
  /// Work of loads in the step, before velocities are updated, this rank's share; none of integrators whose
  /// forces are not those at the ends of the step.
  [[nodiscard]] std::optional<elements::LoadWork> work_of_loads() const;
  /// The next evaluation and the next tangent are those of all bodies: the state at the end of the step has
  /// changed.
  void forget_evaluation();
  /// Velocities of the owned bodies at the end of the step, instead of those of the integrator; ghosts get
  /// those of their owners in `commit`. @param velocity per owned body at least.
  void set_velocities(const std::vector<Vec6>& velocity);
  /// ContactImpacts::note_update.
  void note_update(const contact::Impact& impact, double taken, const Vec6& on_a, double wound) {
    world_->contacts().impacts().note_update(impact, taken, on_a, wound);
  }
  /// Accepts the state at the end of the step. @param breaks lets bonds break there. @returns losses of the
  /// step, this rank's share [J]. Collective.
  contact::StepLosses commit(bool breaks = true);
  /// Forgets the step: contacts, their gaps and forces are those of the accepted state again.
  void roll_back();

  /// Limits of the next step from the accepted state, of this rank. @param eta the deck's resolution.
  /// @param longest step that is asked about [s]; no limit is longer.
  [[nodiscard]] contact::StepLimits limits(double eta, double longest);

 private:
  /// Takes over numbers of bodies that are other ones since the last call.
  void follow_layout();
  /// What the residual needs of the state at the start of the step.
  void keep_forces_at_start();
  void reset_trial();
  void take_accelerations(int first);
  /// Motion of bodies and boundaries in the step, and its forces; all ranks. Collective.
  struct Foreseen;
  [[nodiscard]] Foreseen foresee();
  void evaluate_local();
  /// Residual of an owned body as forces: moments are divided by its bounding radius [N].
  [[nodiscard]] Vec6 scaled_residual(int i) const;
  /// Largest component of that of an owned body, as in ResidualNorms::largest [N].
  [[nodiscard]] double largest_force_on(int i) const;
  /// Finds islands and their weights at the residual last evaluated. Collective.
  void weigh_islands(double tolerance);

  World* world_;
  StepStage stage_;
  Passage passage_;
  BodiesAtRest at_rest_;
  BodyTolerances tolerances_;
  ChangedRows changed_;
  TangentBlocks blocks_;
  Islands islands_;
  std::optional<std::vector<double>> island_weights_;
  std::vector<double> increment_, spin_residual_;
  ResidualNorms norms_;
  double base_force_ = 0;        ///< weight and loads [N]
  double least_force_ = 0;       ///< in their place without them [N]
  double inertial_force_ = 0;    ///< largest m v / h [N]
  double nothing_ = 0;           ///< moves no body by a part of its size that counts [N]
  double foreseen_way_ = 0;      ///< of a body or a boundary in the last step that was prepared [m]
  bool blocks_missing_ = false;  ///< at the last evaluation, on any rank
  long layout_ = 0;              ///< of the world, that vectors and matrix are made for
  bool layout_changed_ = true;
  bool cover_widened_ = false;  ///< the lists are those of a repeated step, wider than others need
};

}  // namespace scree
