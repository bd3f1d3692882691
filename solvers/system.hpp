/// All that a step works on: the bodies of this rank, what acts on them, and where it is assembled.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assembly/assembler.hpp"
#include "assembly/dof_map.hpp"
#include "assembly/ghosts.hpp"
#include "assembly/migration.hpp"
#include "contact/contacts.hpp"
#include "contact/pair_forces.hpp"
#include "core/body.hpp"
#include "core/local_system.hpp"
#include "elements/integrators/integrator.hpp"
#include "elements/loads/loads.hpp"
#include "solvers/contact_dynamics/step_problem.hpp"
#include "solvers/model.hpp"
#include "solvers/state.hpp"
#include "solvers/step_report.hpp"

namespace scree {

/// Norms of a residual, the same on all ranks.
struct ResidualNorms {
  double largest = 0;  ///< largest component [N]; moments are divided by the body's bounding radius
  double merit = 0;    ///< root of the sum of squares over masses [N/sqrt(kg)]: what a line search reduces
  double force_scale = 0;  ///< what tolerances are relative to [N]
  double round_off = 0;    ///< no residual can be brought below this [N]
};

/// What drives the next proximal step of a quasi-static analysis, the largest over bodies; of what is fixed,
/// zero.
struct Unbalance {
  double acceleration = 0;  ///< unbalanced force over mass [m/s^2]
  double turning = 0;       ///< unbalanced moment over inertia [rad/s^2]
  double load = 0;          ///< weight and loads over mass [m/s^2]
};

class System {
 public:
  /// Puts the bodies of the model on the ranks. Collective. @param options_prefix of its solvers in PETSc.
  /// @throws InputError on overlap at the start.
  System(const Model& model, MPI_Comm comm, std::string options_prefix = petsc::kOptionsPrefix);
  /// Goes on from a state that `state` returned at `time` [s] on as many ranks. Collective.
  System(const Model& model, const BodiesState& state, double time, MPI_Comm comm,
         std::string options_prefix = petsc::kOptionsPrefix);

  /// @returns what outlives a step, at the accepted state: of this rank. Collective.
  [[nodiscard]] BodiesState state() const;

  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  [[nodiscard]] const std::string& options_prefix() const { return options_prefix_; }
  [[nodiscard]] const Model& model() const { return *model_; }
  [[nodiscard]] const Bodies& bodies() const { return bodies_; }
  /// Gives the memory of the bodies' accepted states away and goes on with a copy: what points into it lives
  /// as long as what is returned.
  [[nodiscard]] std::vector<BodyState> release_states();
  [[nodiscard]] const contact::Contacts& contacts() const { return contacts_; }
  [[nodiscard]] const contact::PairForces& pair_forces() const { return pair_forces_; }
  [[nodiscard]] const elements::Loads& loads() const { return loads_; }
  [[nodiscard]] const DofMap& dofs() const { return *dofs_; }
  [[nodiscard]] Mat matrix() const { return assembler_.matrix(); }

  /// Boundaries that act and how they move from `time` on; where something is switched, accelerations are
  /// made consistent with it. Collective.
  struct Switched {
    bool any = false;  ///< something is switched at `time`
    /// A body that a boundary would overlap that becomes active, in words; the run cannot go on. "": none.
    std::string blocked;
  };
  Switched set_time(double time);
  /// Times at which a boundary is switched or its motion has a knot, after `time` and before `end`; infinity
  /// if none.
  [[nodiscard]] double next_event(double time) const;

  /// Takes owned bodies out and puts others in at the accepted state, which move under their loads alone
  /// until they touch. @param time [s]. @param leaves per owned body. @param arrivals of this rank.
  /// Collective.
  void populate(double time, const std::vector<char>& leaves, const std::vector<NewBody>& arrivals);

  /// Makes lists and pattern cover a step of size h (predicted motion). @param factor > 1 widens the margin
  /// after a step that went beyond it. @returns whether the matrix is new. Collective.
  bool prepare(double time, double h, double factor);

  /// What is in the way of bodies in a step: in words, the same on all ranks; empty causes: nothing.
  struct Obstacle {
    std::string cause;   ///< the kind, and which boundary
    std::string detail;  ///< the body
    [[nodiscard]] bool any() const { return !cause.empty(); }
    /// Fails a step, if there is any.
    void fail(StepReport& report) const;
  };
  /// Predicted increment as unknowns y: as much of it as no body goes through another one on, while
  /// boundaries go to where the forces are. @returns a boundary that goes further than bodies let it.
  /// Collective.
  [[nodiscard]] Obstacle predict(Vec y);

  /// Residual at the unknowns y into r; keeps norms. @throws RecoverableError, on all ranks if on any.
  /// Collective.
  void residual(Vec y, Vec r);
  [[nodiscard]] const ResidualNorms& norms() const { return norms_; }
  /// Tangent at y into matrix(); evaluates the residual again only if y is not the last one.
  /// @param tolerance of the residual [N]: rows of bodies below it stay what they were, until a contact of
  /// theirs is made or lost; 0: all rows are those of y.
  void tangent(Vec y, double tolerance = 0);
  /// What rounding leaves of the residual last evaluated [N]: the largest over bodies of a bound on the
  /// errors of its parts (contact/round_off.hpp). A residual below it is noise. Collective.
  [[nodiscard]] double residual_floor() const;
  /// Takes bodies out of the update p whose part of it changes no force by a noticeable part of `tolerance`
  /// [N]: what does not move is not evaluated again. Not collective.
  void hold_quiet(Vec p, double tolerance) const;
  /// Largest part of the update y - lambda * p along which gaps stay open. y must be the last one evaluated.
  /// Collective.
  double clip(Vec p);
  static constexpr const char* kPathTooLong = "bodies slide past each other too far for the bound on motion";
  /// Whether since the last `predict` the bound on motion gave up on a path, on any rank. Collective.
  [[nodiscard]] bool path_too_long() const { return max_over_ranks(path_too_long_ ? 1.0 : 0.0) > 0; }

  /// Whether the state last evaluated left what lists or pattern cover, on any rank. Collective.
  [[nodiscard]] bool left_cover() const;

  /// Goes on from the solution to the end of the step where the integrator's forces are elsewhere, and
  /// evaluates the forces there. To be called when a solver has converged, before `commit`.
  /// @param[in,out] report its outcome becomes failed, with a cause, if bodies touch on the way or at the
  /// end; left_cover if they went further than lists foresaw. Collective.
  void reach_end(StepReport& report);

  /// @returns what the core of a body went through on the straight way from the accepted state to that at the
  /// end of the step: between `reach_end` or `end_rigid_step` and acceptance. Collective.
  [[nodiscard]] Obstacle passage();

  /// Accepts the state at the end of the step. @param breaks lets bonds break there. @returns losses of the
  /// step, this rank's share [J]. Collective.
  contact::StepLosses commit(bool breaks = true);
  /// Whether bonds broke in the last accepted step, on any rank: accelerations have to be made consistent.
  [[nodiscard]] bool bonds_broke() const { return bonds_broke_; }
  /// Forgets the step: contacts, their gaps and forces are those of the accepted state again.
  void roll_back();

  /// One sweep of the fixed-point iteration over all bodies at once: y is set to what the forces last
  /// evaluated, at y, ask for (theory 04 section 4). @returns the largest error measure of the sweep.
  /// Collective.
  double sweep(Vec y);

  /// Limits of the next step from the accepted state, of this rank. @param eta the deck's resolution.
  /// @param longest step that is asked about [s]; no limit is longer.
  [[nodiscard]] contact::StepLimits limits(double eta, double longest);
  /// Weight, loads and near-field forces on the owned bodies at the accepted state, as a residual (negative
  /// of the force) [N], [N m]. Valid until the next evaluation.
  LocalSystem& load_residual();

  // Quasi-static analysis (quasi_static/quasi_static.hpp); defined in system_quasi_static.cpp.

  /// The steps that follow belong to the load step from `from` to `to` [s]: loads of `to`, switches of the
  /// time in between. Keeps the state, which is an equilibrium under the loads of `from`.
  void begin_load_step(double from, double to);
  /// Forgets the state that was kept.
  void end_load_step();
  /// The state at the start of the load step again, on any rank that its bodies may have come to since, with
  /// the contacts' memory. Collective.
  void restore();
  /// Size of the proximal steps to come [s].
  void set_proximal(double tau) { tau_ = tau; }
  /// At the accepted state, under the loads at the end of the load step. Collective.
  [[nodiscard]] Unbalance unbalance();
  /// Work of dead loads and of fluid forces on owned bodies along the last trial increment [J].
  [[nodiscard]] double load_work() const;
  [[nodiscard]] double fluid_work() const;
  /// Mean bounding radius; diagonal of the box around all there is [m]. Collective.
  [[nodiscard]] double mean_length() const;
  [[nodiscard]] double extent() const;
  /// Largest displacement of a body in the load step [m]. Collective.
  [[nodiscard]] double moved() const;
  /// In words: the body with the largest unbalanced force, and what it does. Collective.
  [[nodiscard]] std::string restless_body();

  // Contact dynamics (contact_dynamics/rigid_step.hpp); defined in system_rigid.cpp.

  /// A step of rigid bodies that begins at `time`: finds what may touch when bodies go on as without contact.
  /// @param factor > 1 looks further, after a step that went beyond it. @param[out] contacts beside the
  /// problem's constraints. @returns smallest gap at its start, of all ranks [m]. Collective.
  double begin_rigid_step(double time, double h, double factor, contact_dynamics::StepProblem& problem,
                          std::vector<contact::Contacts::RigidContact>& contacts);
  /// Moves bodies by their velocities at the end of the step, and gives contacts their forces.
  /// @param velocities six per owned body. @param corrections as many: what pushes overlap out, no part of
  /// the motion. @param wrenches by contact, on owned bodies. @returns whether no
  /// body went further than `begin_rigid_step` looked. Collective.
  bool end_rigid_step(const double* velocities, const double* corrections,
                      const std::vector<contact::Contacts::RigidContact>& contacts,
                      const std::vector<contact::Contacts::RigidForce>& forces, std::vector<Vec6> wrenches);
  /// Takes the last rigid step back; contacts keep its forces, from which the next attempt starts.
  /// Collective.
  void undo_rigid_step();
  /// Takes the last rigid step back, with the forces of its contacts. Collective.
  void reject_rigid_step();
  /// Smallest gap at the accepted state of what took part in the step, of all ranks [m]. Collective.
  [[nodiscard]] double rigid_gap();
  /// Gaps that the step under way looked at [m].
  [[nodiscard]] double rigid_reach() const { return rigid_reach_; }
  /// Largest step in which no body goes further than `part` of its size [s]. Collective.
  [[nodiscard]] double rigid_step_limit(double part);
  /// Forces by contact on owned bodies, where they are not the sum over this rank's pairs (contact dynamics);
  /// else null.
  [[nodiscard]] const std::vector<Vec6>* rigid_wrenches() const {
    return model_->analysis == Analysis::contact_dynamics ? &rigid_wrenches_ : nullptr;
  }

 private:
  /// A body at the start of a load step: its state, and what its contacts and bonds remembered.
  struct StartOfBody {
    BodyState state;
    PairMemories memory;

    template <class Self, class Archive>
    static void visit(Self& self, Archive& archive) {
      archive("state", self.state, "");
      archive("memory", self.memory, "");
    }
  };
  /// What travels with a body that changes its rank.
  struct Luggage {
    PairMemories memory;
    std::optional<StartOfBody> start;  ///< within a load step

    template <class Self, class Archive>
    static void visit(Self& self, Archive& archive) {
      archive("memory", self.memory, "");
      archive("start", self.start, "");
    }
  };
  struct LoadStep {
    double from = 0, to = 0;
    std::map<BodyId, StartOfBody> start;  ///< of the owned bodies; moves with them
    std::vector<BodyState> boundaries;
    double reach = 0;  ///< that ghosts need there [m]
  };

  [[nodiscard]] std::vector<std::byte> pack_body(BodyId id);
  /// What lists cover after a load step was taken back [m].
  [[nodiscard]] double travel_after_restore() const { return 5 * contacts_.scale(); }
  void unpack_body(BodyId id, const std::vector<std::byte>& bytes);
  /// Ghosts and lists for a margin that covers `travel` [m] per body. Collective.
  void find_neighbours(double travel, double reach);
  /// How far ghosts have to reach for lists that cover `travel` [m]. Collective.
  [[nodiscard]] double ghost_reach(double travel) const;
  /// Tells the contacts of the step: a quasi-static one lasts for ever, so that no dashpot acts.
  void begin_contacts(double time, double h);
  void distribute();
  /// Puts bodies, boundaries and memory as `state` has them, and makes all that follows from it. Collective.
  void take_state(const BodiesState& state, double time);
  [[nodiscard]] double largest_speed() const;
  void append_boundaries();
  void make_bonds();
  void refuse_overlap();
  /// The first overlap of all ranks in words, "" if there is none. @param when "at the start" or like it.
  /// @param boundaries as in Contacts::find_overlap. @param[out] first number of the body. Collective.
  std::string describe_overlap(const char* when, const std::vector<char>* boundaries, BodyId& first);
  void rebalance();
  /// What contacts and bonds remember of a body, or of all; and back.
  [[nodiscard]] PairMemories memory(std::optional<BodyId> body = {}) const;
  void remember(const PairMemories& memory);
  /// Forces, gaps and contacts of the accepted state at `time`, as the step limits and outputs read them.
  void evaluate_accepted(double time);
  void set_boundaries(double time);
  /// Trial state of the boundaries in a step that began at `from`: their prescribed motion at `time`, with
  /// increments since the accepted state. @param from, time [s].
  void boundary_trial(double from, double time);
  /// Path of the boundaries from their trial states, which are those at `from`, to those at `to`, both within
  /// the step [s]. @returns a boundary that turns too far for that.
  [[nodiscard]] Obstacle path_of_boundaries(double from, double to);
  /// Part of `path_` that is clear on all ranks. Collective.
  [[nodiscard]] contact::ClearPart clear_part(contact::Contacts::Pairs which);
  /// The least of the parts of all ranks. Collective.
  [[nodiscard]] contact::ClearPart least_part(contact::ClearPart own) const;
  /// @returns what ends a path.
  [[nodiscard]] Obstacle obstacle(const contact::ClearPart& clear) const;
  /// Accepted state of the boundaries at `time`. @param during [s] where the velocities are taken.
  void move_boundaries(double time, double during);
  /// Ghosts, owners and lists anew for a margin that covers `travel` [m] per body. Collective.
  void redistribute(double travel);
  /// The same, with gaps and the pattern of the matrix. @param step_travel of a body, at most [m].
  /// Collective.
  void renew_lists(double travel, double step_travel);
  /// @returns travel that lists cover so that they last some steps in which bodies go this `way` [m].
  [[nodiscard]] double travel_for(double way) const;
  /// @returns how far bodies go in the next step, if it is like the last [m]. Collective.
  [[nodiscard]] double way_ahead() const;
  void update_ghost_states();
  /// Brings poles back into the periodic cell. Before lists and ghosts are made anew, and only then: in
  /// between a pole goes on, and what acts on it does not notice.
  void wrap_bodies();
  void layout();
  /// Blocks of the tangent for all pairs that may meet. @param step_travel of a body, at most [m].
  void pattern(double step_travel);
  void reset_trial();
  /// Next time at which a boundary or friction is switched.
  [[nodiscard]] double next_switch(double time) const;
  void set_accepted(int i);
  void evaluate_forces();
  void evaluate_local();
  /// The next evaluation and the next tangent begin anew.
  void forget_evaluation();
  /// Which rows the next tangent has anew. @param tolerance as in `tangent`.
  void choose_rows(double tolerance);
  /// Residual of an owned body as forces: moments are divided by its bounding radius [N].
  [[nodiscard]] Vec6 scaled_residual(int i) const;
  /// Its largest component, as in ResidualNorms::largest [N].
  [[nodiscard]] double largest_force_on(int i) const;
  void initialise_accelerations(double time);
  /// Accelerations of the owned bodies from `first` on by the forces last evaluated. Collective.
  void take_accelerations(int first);
  /// Times, and what contacts are told of the step, at the integrator's stage.
  void begin_stage();
  /// Whether bodies are elsewhere than in the accepted state when the forces of the step are evaluated.
  [[nodiscard]] bool moves_to_stage() const;
  void keep_conservative_forces();
  void evaluate_stage_forces();
  void inertia_and_forces_tangent();
  void keep_stage_impulses();
  /// @returns what is in the way from the trial states at `from` [s] to the end of the step. At the start of
  /// the step these are the accepted ones. Collective.
  [[nodiscard]] Obstacle obstacle_on_way(double from);
  void add_dissipative_impulses();
  void accept_end_velocities();
  /// Runs on all ranks. @returns what went wrong first on this one, or that it did elsewhere; "" if nothing
  /// did.
  std::string failure_anywhere(const std::function<void()>& evaluate) const;
  [[nodiscard]] double max_over_ranks(double value) const;

  const Model* model_;
  MPI_Comm comm_;
  std::string options_prefix_;
  std::vector<Shape> shapes_;  ///< of the model, then the plane of boundaries, and their other walls
  int plane_shape_ = 0;
  Bodies bodies_;
  GhostLayer ghosts_;
  contact::Contacts contacts_;
  contact::PairForces pair_forces_;
  elements::Loads loads_;
  std::shared_ptr<const elements::Integrator> integrator_;
  LocalSystem local_;
  std::optional<DofMap> dofs_;
  Assembler assembler_;
  double time_ = 0;                ///< at which forces are evaluated [s]
  double step_start_ = 0, h_ = 0;  ///< of the step under way [s]
  std::vector<double> increment_, spin_residual_;
  std::vector<double> evaluated_, assembled_;  ///< increments of the last residual and of the last tangent
  std::vector<char> moved_;                    ///< per body: its increment is not the one in `evaluated_`
  std::vector<char> moved_since_tangent_;
  std::vector<char> stale_;  ///< per owned body: its row of the tangent is of another state; empty: all are
  std::vector<double> forces_;        ///< residual of contacts and loads at the stage, virtual spins
  std::vector<double> conservative_;  ///< their conservative part at the accepted state (stage `start`)
  contact::StepLosses stage_work_;  ///< of the step, with the energy in springs at its start (stage `middle`)
  std::vector<Vec6> impulses_;      ///< per owned body over the step [N s], [N m s]
  std::vector<BodyState> accepted_;  ///< between reach_end and commit: where the step began
  std::optional<LoadStep> load_step_;
  double tau_ = 0;                           ///< quasi-static: size of proximal steps [s]
  std::vector<Vec6> rigid_wrenches_;         ///< contact dynamics: per owned body, by contact
  std::vector<Vec6> rigid_wrenches_before_;  ///< ... of the step before
  double rigid_reach_ = 0;                   ///< contact dynamics: gaps that the step under way looked at [m]
  contact::Path path_;                       ///< scratch; boundaries stand still in it between calls
  bool path_too_long_ = false;               ///< see path_too_long, of this rank
  ResidualNorms norms_;
  double base_force_ = 0;                ///< weight and loads [N]
  double inertial_force_ = 0;            ///< largest m v / h [N]
  std::vector<char> boundaries_active_;  ///< per part
  bool layout_changed_ = true;
  bool cover_widened_ = false;  ///< the lists are those of a repeated step, wider than others need
  bool bonds_broke_ = false;
};

}  // namespace scree
