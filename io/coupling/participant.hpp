/// Scree as one side of a partitioned coupling: motion of surfaces in, contact forces out, steps that can be
/// repeated (docs/howto/coupling.md).
///
/// One coupled step, repeated until the partner agrees, then accepted:
///     const Snapshot start = scree.save();
///     for (;;) {
///       scree.restore(start);                       // nothing to do the first time
///       scree.set_motion(plate, u, v);              // what the partner has found so far
///       const StepReport report = scree.solve_step(dt);
///       scree.forces(plate, f);
///       ... structure, accelerator: u, v ...
///     }
///     scree.accept();
/// `solve_step` goes back to the last accepted state by itself: `save` and `restore` are for partners that
/// insist on checkpoints (preCICE), and for ways back over several accepted steps.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.hpp"
#include "io/coupling/snapshot.hpp"
#include "io/coupling/types.hpp"
#include "solvers/observer.hpp"
#include "solvers/run/warnings.hpp"
#include "solvers/simulation.hpp"

namespace scree {
struct Deck;
}  // namespace scree

namespace scree::checkpoint {
struct SavedRun;
}

namespace scree::coupling {

struct CoupledSteps;

class Participant {
 public:
  /// Reads and checks the deck. The caller owns MPI; PETSc is initialised if nobody has done it yet, and is
  /// then finalised with the last participant. That is collective over MPI_COMM_WORLD: where only some of its
  /// ranks make a participant, the program starts PETSc before. Errors of PETSc within the calls below are
  /// thrown with their messages, not printed; the program may set and remove handlers of errors between them.
  /// Collective. @throws InputError.
  Participant(const std::filesystem::path& deck, MPI_Comm comm, Options options = {});
  /// The same with the text of a deck. @param name of it in messages; relative paths start at its folder.
  static Participant from_text(const std::string& deck, const std::filesystem::path& name, MPI_Comm comm,
                               Options options = {});
  /// The same with a deck that was read.
  Participant(Deck deck, MPI_Comm comm, Options options = {});
  /// The same with a model that was built by hand.
  Participant(std::shared_ptr<Model> model, MPI_Comm comm, Options options = {});
  Participant(Participant&&) noexcept;
  /// Ends the outputs of the participant that is replaced, as its destructor does. Collective.
  Participant& operator=(Participant&&) noexcept;
  Participant(const Participant&) = delete;
  Participant& operator=(const Participant&) = delete;
  /// Ends the outputs, if `finish` has not; while an exception leaves the scope of the participant as those
  /// of a run that failed. Collective.
  ~Participant();

  // Before `initialize`.

  /// Couples a boundary of the deck with "motion": "coupled", with the mesh of the deck (on all ranks) or
  /// with one of the partner, which replaces it. Collective, in the same order on all ranks.
  /// The mesh of the partner is the parts of all ranks, of which some may be empty, or not given.
  /// A mesh of the partner that seems to be in millimetres raises the warning "large_mesh".
  /// @throws InputError if there is no such boundary, or with every fault of the mesh, also if a mesh is
  /// given that has no triangles on any rank.
  Surface add_surface(std::string_view boundary);
  Surface add_surface(std::string_view boundary, const SurfaceMesh& mesh);
  /// Makes the simulation; forces at its start are those of the bodies at rest on the surfaces. Boundaries
  /// with "motion": "coupled" that were not added stand still. Collective. @throws InputError on initial
  /// overlap.
  void initialize();
  /// The same from a checkpoint of a run with this deck and the same meshes; outputs continue where it left
  /// them, and forces are those that the partner had got. Collective. @throws RunError on all ranks if the
  /// state is that of another deck (first key that differs) or of another mesh (boundary, what differs).
  void resume(checkpoint::SavedRun& saved);

  /// @returns the warnings so far, those of the deck first; after `finish` also those of the end (created
  /// energy, overlap...). The same on all ranks. Valid at any time, until the next call that is not const.
  [[nodiscard]] const std::vector<Warning>& warnings() const;

  /// Mesh of a surface as this rank has it: what all spans below refer to.
  [[nodiscard]] const SurfaceCopy& mesh(Surface surface) const;
  /// @returns the vertices at the accepted state [m]; after a step, until `accept`, at its end, or at the
  /// time that a failed one has reached; 3 each.
  [[nodiscard]] std::vector<double> positions(Surface surface) const;

  // Steps.

  [[nodiscard]] double time() const;      ///< of the last accepted state [s]
  [[nodiscard]] double end_time() const;  ///< of the deck [s]
  /// Largest dt of the next step: to the end time of the deck, 0 once that is reached up to round-off [s].
  [[nodiscard]] double max_step() const;

  /// Where a surface is to be at the END of the step to come. Without a call for a step, a surface stays
  /// where it is. Vertices of other ranks come from these. Not collective.
  /// @param u total displacement from the reference, 3 per vertex [m].
  /// @param v velocity there, 3 per vertex [m/s]: motion within the step is then cubic; empty: linear.
  /// @throws std::invalid_argument on a wrong size. A number that is not finite is an error of `solve_step`,
  /// on all ranks.
  void set_motion(Surface surface, std::span<const double> u, std::span<const double> v = {});

  /// Solves from the last accepted state to dt later, in as many steps as Scree's step control needs, and
  /// writes nothing. May be called again, with another motion or another dt: the same input gives the same
  /// bits. A step that ends a round-off from the end time of the deck ends there. Collective.
  /// @throws std::invalid_argument, on all ranks, if dt is not in (0, max_step()], is round-off of the time,
  /// or differs between ranks.
  /// @throws InputError if the motion is not one: numbers that are not finite (vertex and value), triangles
  /// that degenerate, at the end or on the way, fold over or pass through each other at the end, faster than
  /// an edge length in a step of the smallest size.
  /// @throws RunError if a boundary that becomes active overlaps a body, or PETSc fails.
  /// @throws Interrupted on all ranks. The state is then the last accepted one.
  StepReport solve_step(double dt);

  /// Commits the last step, and writes the outputs that are due. Calls of `set_motion` after the step are
  /// forgotten. Collective. @throws std::logic_error without a converged one. @throws RunError if outputs
  /// cannot be written, Interrupted, on all ranks: the step is committed, and the run has failed as in
  /// note_failure.
  void accept();

  // Forces of bodies on the structure, at the state of the last `solve_step`, or the accepted one after
  // `accept` or `restore`. A vertex that several ranks have gets the whole force on each. Collective.
  // @throws std::logic_error if the last step did not converge, on all ranks.

  void forces(Surface surface, std::span<double> f) const;     ///< 3 per vertex [N]
  void tractions(Surface surface, std::span<double> t) const;  ///< 3 per vertex [Pa], over the vertex's area
  /// Sum [N] and moment about the origin [N m], with the vertices where they are at the end of the step; of
  /// forces that are means over it in the middle of their way: what a structure gains that takes them as
  /// constant over the step.
  [[nodiscard]] Wrench resultant(Surface surface) const;
  /// Change of the forces with the motion, df = (dF/du) du, where bodies and contacts follow: by solving the
  /// last step once more with a motion that differs a little. Costs a step; the state stays that of the last
  /// step. Contacts that begin to slide or open within the difference count as they do.
  /// @param du 3 per vertex [m], of any size. @param[out] df 3 per vertex [N].
  /// @param difference displacement that is tried [m]; 0: a small part of the shortest edge.
  /// Collective. @throws std::logic_error without a converged step, or if a motion was set after it;
  /// std::invalid_argument on all ranks if a size is wrong on one; std::domain_error if a displacement is not
  /// finite. @throws RunError, InputError if the other step cannot be solved. @throws Interrupted on all
  /// ranks.
  void apply_tangent(Surface surface, std::span<const double> du, std::span<double> df,
                     double difference = 0);

  // Ways back.

  /// @returns the accepted state of this rank. A step that was not accepted is forgotten. Collective.
  [[nodiscard]] Snapshot save();
  /// Goes back to a state that was saved, in which surfaces stay: calls of `set_motion` before are forgotten.
  /// Outputs that were written after it stay. Collective. @throws std::invalid_argument if another
  /// participant saved it.
  void restore(const Snapshot& snapshot);

  /// Ends the outputs: summary, report.json, final state. No step can follow. The run is complete, also
  /// before the end time of the deck, unless the last call of `solve_step` failed, or `accept` after it. A
  /// request to stop does not keep the outputs from being written. Raises the warnings that can only be
  /// judged at the end, also without outputs. @param interrupted whether it ends because the user asked to
  /// stop. @returns what the run has come to; nothing without outputs, or from a second call. Collective.
  /// @throws RunError if the last state cannot be written; the others have then ended.
  std::optional<RunReport> finish(bool interrupted = false);
  /// The driver has failed: the outputs will end as those of a run that failed, with last_state.csv, unless a
  /// further step converges; at time/end the final state is written all the same. Not collective, for all
  /// ranks.
  void note_failure();
  /// Writes the accepted state into the results folder, as checkpoints of runs are written. A step that was
  /// not accepted is forgotten. @returns its file, "" without outputs. Collective.
  std::string write_checkpoint();

  /// The simulation within: for outputs and tests. Valid after `initialize`.
  [[nodiscard]] Simulation& simulation();
  [[nodiscard]] const Simulation& simulation() const;

 private:
  /// @param given this rank's part of the mesh of the partner; null: none.
  Surface add_given(std::string_view boundary, const SurfaceMesh* given);
  void make_simulation();

  std::unique_ptr<CoupledSteps> parts_;
};

}  // namespace scree::coupling
