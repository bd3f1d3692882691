/// A simulation that can be stepped, saved and restored.
///
/// Model: what never changes. State: all that outlives a step, and nothing else: what `save` returns.
/// Everything else (ghosts, lists, patterns, solvers) is made from the two, and rebuilt by `save` and
/// `restore`.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "contact/forces/contact_totals.hpp"
#include "solvers/bodies_of_deck.hpp"
#include "solvers/model.hpp"
#include "solvers/observer.hpp"
#include "solvers/procedure.hpp"
#include "solvers/run/at_rest.hpp"
#include "solvers/run/energy.hpp"
#include "solvers/run/phase_clock.hpp"
#include "solvers/run/shown_step.hpp"
#include "solvers/run/step_control.hpp"
#include "solvers/run/warnings.hpp"
#include "solvers/saved_state.hpp"
#include "solvers/world/population.hpp"
#include "solvers/world/world.hpp"

namespace scree {

class Simulation : private StateQueries {
 public:
  /// At the start of the model. @param model the same on all ranks; shared, never changed.
  /// @param options_prefix of its solvers in PETSc: with a prefix of its own a simulation has options of its
  /// own, `-scree_ksp_type` is then `-<prefix>ksp_type`.
  /// Collective; PETSc must be initialised. @throws InputError on faults of the model
  /// (model_check.hpp), initial overlap or a law that is missing.
  /// @throws Interrupted, on all ranks, if one was asked to stop.
  Simulation(std::shared_ptr<const Model> model, MPI_Comm comm,
             std::string options_prefix = petsc::kOptionsPrefix);

  [[nodiscard]] const Model& model() const { return *model_; }
  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  [[nodiscard]] double time() const { return time_; }         ///< of the accepted state [s]
  [[nodiscard]] long steps() const { return report_.steps; }  ///< accepted so far
  /// Contacts of all ranks at the accepted state.
  [[nodiscard]] const contact::ContactTotals& contact_totals() const { return energy_->contacts(); }
  [[nodiscard]] long newton_iterations() const { return report_.newton_iterations; }  ///< of all attempts
  [[nodiscard]] const Bodies& bodies() const { return world_->bodies(); }
  /// Gives the memory of the bodies' accepted states away and continues with a copy, to the bit: what points
  /// into it lives as long as what is returned. Not collective.
  [[nodiscard]] std::vector<BodyState> release_states() { return world_->release_states(); }
  [[nodiscard]] const EnergyLedger& energy() const { return energy_->ledger(); }

  /// Whether the run of the deck is over: its end time, or its stop criterion met.
  [[nodiscard]] bool finished() const { return time_ >= model_->time.end || at_rest(); }
  [[nodiscard]] bool at_rest() const { return rest_; }
  /// The run continues where it had come to rest: the stop criterion has to be met once more. Collective.
  void judge_rest_anew();

  /// One accepted step as the deck's step control has it, with what is switched, enters or leaves before it.
  /// Where there is no body, time goes without a step to the next one that is due, to `until` or to the end.
  /// @param until where the step ends at the latest [s]; bodies that are due later still enter at their time.
  /// @returns how it was solved. Collective. @throws std::logic_error if the run is over.
  /// @throws std::invalid_argument, on all ranks, if `until` is not after time(), or differs between ranks.
  /// @throws RunError if it cannot be solved; the state is then the last accepted one. @throws Interrupted on
  /// all ranks; the same.
  StepReport step(double until = std::numeric_limits<double>::infinity());

  /// The same where a step that cannot be solved is no error: it is returned, with the reason, and the state
  /// is the last accepted one.
  StepReport try_step(double until = std::numeric_limits<double>::infinity());
  /// @returns the message of a step that was not solved.
  [[nodiscard]] std::string failure(const StepReport& step) const;
  /// What happens between two steps: switches, bodies that leave and enter; time that passes without bodies.
  /// Once per accepted state: steps that follow leave it out. Forces are then those that the step starts
  /// with.
  /// @returns whether time has passed to a state that outputs show: no step follows before. Collective.
  /// @throws RunError if a boundary that becomes active overlaps a body.
  bool begin(double until = std::numeric_limits<double>::infinity());

  /// Coupled boundaries: where the vertices are to be at a later time, from where they are now. They go
  /// evenly, or so that they have the velocities of the accepted state now and the given ones then. The same
  /// on all ranks; an attempt is forgotten. @param boundary index into Model::boundaries. @param x, v one per
  /// vertex [m], [m/s]; v empty: evenly. @param to end of the motion [s]: a step ends there.
  /// @throws std::invalid_argument on a wrong size, a time that is not later, or a boundary that is not
  /// coupled.
  void set_surface_motion(int boundary, const std::vector<Vec3>& x, const std::vector<Vec3>& v, double to);
  /// @returns vertices of a coupled boundary and the forces of bodies on them, at the accepted state.
  [[nodiscard]] const SurfaceState& surface(int boundary) const;

  /// Largest `h` that `solve` takes now: to the next time at which something is switched, or the end time
  /// [s].
  [[nodiscard]] double largest_step();
  /// One attempt from the accepted state, with a step of size h [s]; accepts nothing. An attempt before it
  /// that was not accepted is forgotten. @returns how it ended. Collective.
  /// @throws std::invalid_argument, on all ranks, if h is not in (0, largest_step()], or differs between
  /// ranks. @throws Interrupted, RunError as `step`.
  StepReport solve(double h);
  /// Accepts the last attempt. Collective. @throws std::logic_error without a converged one.
  void accept();
  /// Rejects the last attempt, if any. Collective.
  void reject();
  /// Whether there is an attempt that was neither accepted nor rejected: data of bodies and
  /// contacts is then of no state.
  [[nodiscard]] bool attempted() const { return solved_; }

  /// @returns the accepted state of this rank. An attempt that was not accepted is forgotten. What follows
  /// from the state is rebuilt, so that this simulation continues like one that takes the snapshot: to the
  /// bit. Collective.
  Snapshot save();
  /// Goes back, or on, to a state that was saved. Where the deck is another one, rest is judged anew, and the
  /// change of potential and stored energy is inflow or outflow; models without a deck are one deck to it.
  /// Moving boundaries go to where another deck has them. Warns of much energy that contacts store under
  /// another deck (`stored_energy`). Collective. @throws std::invalid_argument if the state is that of
  /// another model (other bodies or boundaries), one that the contact laws of this one do not allow, or one
  /// with a body on the wrong side of a boundary that went; the state is then as before.
  void restore(const Snapshot& snapshot);

  /// @returns the accepted state of this rank, as `save` does, for ways back of this simulation alone:
  /// several times cheaper, at the price of memory. It continues from it as it does after `go_back`: to the
  /// bit. Collective.
  std::shared_ptr<const KeptState> keep();
  /// Goes back, or on, to a state that was kept. Collective. @throws std::invalid_argument if it is that of
  /// another simulation.
  void go_back(const KeptState& kept);
  /// Whether a state was kept by this simulation.
  [[nodiscard]] bool has_kept(const KeptState& kept) const { return kept.of_ == number_; }

  /// Writes the state to archives of another kind: what is the same on all ranks, and what this rank has of
  /// the bodies. Directly after `save`, so that both continue in the same way. Collective.
  template <class Archive>
  void write(Archive& common, Archive& own) {
    common("kind", StateKind(*model_), "");
    common("solvers", procedure_->state(), "");
    common("run", std::as_const(*this), "");
    own("world", bodies_state(), "");
  }
  /// Continues from a state that `write` wrote. @param common archive of what is the same on all ranks.
  /// @param bodies of this rank, ascending IDs. @param redistribute whether they were written by another
  /// number of ranks. Collective. @throws std::invalid_argument if the state is that of another model, or
  /// what the archive throws; the simulation is then good for nothing but its destruction.
  template <class Archive>
  void read(Archive& common, BodiesState bodies, bool redistribute) {
    StateKind kind;
    common("kind", kind, "");
    check_kind(kind);
    SolverState solvers;
    common("solvers", solvers, "");
    common("run", *this, "");
    procedure_.reset();  // their memory may be needed
    world_.reset();
    continue_from(std::move(bodies), solvers, redistribute);
    follow_deck();
  }
  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("time", self.time_, "s");
    archive("next_event", self.event_, "s");
    archive("begun", self.begun_, "");
    archive("at_rest", self.rest_, "");
    archive("last_step", self.last_h_, "s");
    archive("last_newton_iterations", self.last_step_.newton, "");
    archive("last_krylov_iterations", self.last_step_.krylov, "");
    archive("last_proximal_steps", self.last_step_.proximal_steps, "");
    archive("population", self.population_, "");
    archive("control", self.control_, "");
    archive("rest", self.at_rest_, "");
    archive("warnings", self.warnings_, "");
    archive("cut_causes", self.cut_causes_, "");
    archive("energy", *self.energy_, "");
    archive("counts", self.report_, "");
    archive("shown", self.shown_, "");
  }

  /// @returns the accepted state as observers see it; it holds until the next call that changes it.
  /// Collective.
  /// @param first, last the run's first and last state.
  AcceptedState view(bool first, bool last);
  /// @returns contacts and bonds of this rank, each on exactly one rank. Collective.
  const std::vector<ContactRecord>& contacts() override;

  /// @returns what the run has come to. Collective.
  RunReport report();
  [[nodiscard]] Warnings& warnings() { return warnings_; }
  [[nodiscard]] PhaseClock& clock() { return clock_; }

 private:
  /// Times are sums of steps: what is due a round-off later is due.
  static constexpr double kRoundOff = 1e-12;

  /// @throws std::invalid_argument if a state of this kind is that of another model.
  void check_kind(const StateKind& kind) const;
  /// What a snapshot has to agree with, found once: it reads all bodies of the deck.
  const BodiesOfDeck& bodies_of_deck();
  /// What the ranks have of the bodies, each its own. Collective.
  [[nodiscard]] BodiesState bodies_state() const;
  /// Makes the procedure anew on a world with its lists. Collective.
  void continue_with_lists(const KeptState& kept);
  /// Makes what follows from the state anew. Collective. @throws std::invalid_argument on all ranks if the
  /// state is not one of this model; world and procedure are then as before.
  /// @param moved as in resume_world.
  void continue_from(BodiesState bodies, const SolverState& solvers, bool redistribute,
                     const std::vector<char>& moved = {});
  void find_indeterminacy() override { procedure_->find_indeterminacy(); }
  /// What a state that was saved has yet to meet is by this deck.
  void follow_deck();
  void exchange();
  StepReport attempt(double h);
  /// Keeps what views show of the last step, before forces are evaluated anew: its forces and what is
  /// measured of them. Collective.
  void keep_shown();
  void look_for_left();
  [[nodiscard]] double end_of_step(double h) const;

  std::shared_ptr<const Model> model_;
  MPI_Comm comm_;
  std::string options_prefix_;
  long number_;         ///< of this simulation in the program
  double started_ = 0;  ///< wall time [s]
  PhaseClock clock_;
  RunReport report_;
  // What is made from model and state.
  std::shared_ptr<World> world_;  ///< also of the states that are kept of it
  std::unique_ptr<Procedure> procedure_;
  std::optional<BodiesOfDeck> bodies_of_deck_;
  std::shared_ptr<KeptState> kept_;  ///< last: its memory is used again when nobody has it any more
  // State, beside that of bodies and contacts, which is in the world.
  double time_ = 0;     ///< [s]
  double event_ = 0;    ///< next time that a step has to meet [s]
  bool begun_ = false;  ///< begin() was called for the accepted state
  bool rest_ = false;
  double last_h_ = 0;  ///< of the step that led here [s]
  StepReport last_step_;
  Population population_;
  StepControl control_;
  AtRest at_rest_;
  Warnings warnings_;
  std::map<std::string, long> cut_causes_;
  std::unique_ptr<EnergyAccount> energy_;
  // Of the step under way.
  TimeStep attempted_;
  StepReport attempt_;
  bool solved_ = false;  ///< the attempt waits to be accepted
  // What views show.
  ShownStep shown_;  ///< if it is known: until the next state
  std::vector<Wrench> body_wrench_, boundary_wrench_;
  std::vector<ContactRecord> records_;
};

}  // namespace scree
