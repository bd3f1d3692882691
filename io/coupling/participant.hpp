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
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.hpp"
#include "solvers/simulation.hpp"

namespace scree::coupling {

/// This rank's part of a coupled surface, as a partner gives it. Vertices that several ranks need repeat on
/// all of them, with the same number and place. Every rank may have all of it, or nothing.
struct SurfaceMesh {
  std::span<const double> reference;      ///< 3 per vertex [m]: at rest
  std::span<const std::int64_t> id = {};  ///< global number per vertex; empty: its place in `reference`
  std::span<const int> triangles = {};    ///< 3 local vertices each, anticlockwise seen from outside
};

/// The same, of one's own.
struct SurfaceCopy {
  std::vector<double> reference;
  std::vector<std::int64_t> id;
  std::vector<int> triangles;
};

/// Number of a coupled surface, from Participant::add_surface.
struct Surface {
  int number = -1;
};

enum class Status {
  converged,   ///< the state at the end of the step waits for `accept`
  infeasible,  ///< the motion pushes the surface through bodies that cannot give way: shorten the increment
  failed       ///< solver failure: a smaller step, another tolerance
};

/// How Participant::solve_step ended; the same on all ranks.
struct StepReport {
  Status status = Status::failed;
  double reached = 0;   ///< time up to which it could be solved [s]
  int substeps = 0;     ///< of Scree within the step
  int newton = 0;       ///< Newton iterations in all of them
  double min_gap = 0;   ///< smallest gap of a contact at the end, negative: overlap; infinity without any [m]
  std::string message;  ///< of a step that did not converge: reason and remedy
  [[nodiscard]] bool converged() const { return status == Status::converged; }
};

/// Which forces `forces`, `tractions` and `resultant` mean.
enum class ForceOf {
  end,  ///< at the end of the step
  mean  ///< the mean over the step: times dt the momentum that bodies gave to the surface
};

struct Options {
  ForceOf force = ForceOf::end;
  bool write_outputs = true;   ///< everything that the deck's "output" requests; `accept` writes
  bool write_log = false;      ///< start block, progress lines and summary on standard output
  std::string options_prefix{};  ///< of its solvers in PETSc; "": "scree_"
};

/// State of this rank's part of the coupled run, in memory: time, step-size control, bodies, contact history,
/// surfaces with their motion and forces, inlets, random numbers, energy balance.
class Snapshot {
 public:
  [[nodiscard]] std::size_t size() const {  ///< [bytes]
    return simulation_.size() + forces_.size() * sizeof(Vec3);
  }
  /// Whether two states are the same, to the bit.
  bool operator==(const Snapshot&) const = default;

 private:
  friend class Participant;
  scree::Snapshot simulation_;
  std::vector<Vec3> forces_;  ///< of all surfaces, one after the other
};

class Participant {
 public:
  /// Reads and checks the deck. The caller owns MPI; PETSc is initialised if nobody has done it yet, and is
  /// then finalised with the last participant. Collective. @throws InputError.
  Participant(const std::filesystem::path& deck, MPI_Comm comm, Options options = {});
  /// The same with the text of a deck. @param name of it in messages; relative paths start at its folder.
  static Participant from_text(const std::string& deck, const std::filesystem::path& name, MPI_Comm comm,
                               Options options = {});
  /// The same with a model that was built by hand.
  Participant(std::shared_ptr<Model> model, MPI_Comm comm, Options options = {});
  Participant(Participant&&) noexcept;
  Participant& operator=(Participant&&) noexcept;
  Participant(const Participant&) = delete;
  Participant& operator=(const Participant&) = delete;
  /// Ends the outputs, if `finish` has not. Collective.
  ~Participant();

  // Before `initialize`.

  /// Couples a boundary of the deck with "motion": "coupled", with the mesh of the deck (on all ranks) or
  /// with one of the partner, which replaces it. Collective, in the same order on all ranks.
  /// @throws InputError if there is no such boundary, or with every fault of the mesh.
  Surface add_surface(std::string_view boundary);
  Surface add_surface(std::string_view boundary, const SurfaceMesh& mesh);
  /// Makes the simulation; forces at its start are those of the bodies at rest on the surfaces. Boundaries
  /// with "motion": "coupled" that were not added stand still. Collective. @throws InputError on initial
  /// overlap.
  void initialize();

  /// Mesh of a surface as this rank has it: what all spans below refer to.
  [[nodiscard]] const SurfaceCopy& mesh(Surface surface) const;
  /// @returns the vertices at the accepted state [m], or while a step waits for `accept` at its end; 3 each.
  [[nodiscard]] std::vector<double> positions(Surface surface) const;

  // Steps.

  [[nodiscard]] double time() const;      ///< of the last accepted state [s]
  [[nodiscard]] double end_time() const;  ///< of the deck [s]
  /// Largest dt of the next step: to the end time of the deck [s].
  [[nodiscard]] double max_step() const;

  /// Where a surface is to be at the END of the step to come. Without a call for a step, a surface stays
  /// where it is. Vertices of other ranks come from these. Not collective.
  /// @param u total displacement from the reference, 3 per vertex [m].
  /// @param v velocity there, 3 per vertex [m/s]: motion within the step is then cubic; empty: linear.
  /// @throws std::invalid_argument on a wrong size, or a number that is not finite (vertex and value).
  void set_motion(Surface surface, std::span<const double> u, std::span<const double> v = {});

  /// Solves from the last accepted state to dt later, in as many steps as Scree's step control needs, and
  /// writes nothing. May be called again, with another motion or another dt: the same input gives the same
  /// bits. Collective. @throws std::invalid_argument if dt is not in (0, max_step()]. @throws InputError if
  /// the motion is not one: triangles that degenerate or fold over, faster than an edge length in a step of
  /// the smallest size. @throws Interrupted on all ranks. The state is then the last accepted one.
  StepReport solve_step(double dt);

  /// Commits the last step, and writes the outputs that are due. Collective. @throws std::logic_error without
  /// a converged one.
  void accept();

  // Forces of bodies on the structure, at the state of the last `solve_step`, or the accepted one after
  // `accept` or `restore`. A vertex that several ranks have gets the whole force on each. Collective.

  void forces(Surface surface, std::span<double> f) const;     ///< 3 per vertex [N]
  void tractions(Surface surface, std::span<double> t) const;  ///< 3 per vertex [Pa], over the vertex's area
  [[nodiscard]] Wrench resultant(Surface surface) const;       ///< [N], [N m] about the origin
  /// Change of the forces with the motion, df = (dF/du) du, where bodies and contacts follow: by solving the
  /// last step once more with a motion that differs a little. Costs a step; the state stays that of the last
  /// step. Contacts that begin to slide or open within the difference count as they do.
  /// @param du 3 per vertex [m], of any size. @param[out] df 3 per vertex [N].
  /// @param difference displacement that is tried [m]; 0: a small part of the shortest edge.
  /// Collective. @throws std::logic_error without a converged step. @throws RunError if the other step cannot
  /// be solved.
  void apply_tangent(Surface surface, std::span<const double> du, std::span<double> df, double difference = 0);

  // Ways back.

  /// @returns the accepted state of this rank. A step that was not accepted is forgotten. Collective.
  [[nodiscard]] Snapshot save();
  /// Goes back to a state that was saved. Outputs that were written after it stay. Collective.
  void restore(const Snapshot& snapshot);

  /// Ends the outputs: summary, report.json, final state. Collective.
  void finish();
  /// Writes the accepted state into the results folder, as checkpoints of runs are written. @returns its file,
  /// "" without outputs. Collective.
  std::string write_checkpoint();

  /// The simulation within: for outputs and tests. Valid after `initialize`.
  [[nodiscard]] Simulation& simulation();
  [[nodiscard]] const Simulation& simulation() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace scree::coupling
