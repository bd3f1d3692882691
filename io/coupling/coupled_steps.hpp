/// The inside of a Participant: accepted state, motions, forces, outputs.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "assembly/petsc.hpp"
#include "contact/surface/crossing_watch.hpp"
#include "io/checkpoint/checkpoint_writer.hpp"
#include "io/coupling/gathered_mesh.hpp"
#include "io/coupling/snapshot.hpp"
#include "io/coupling/types.hpp"
#include "solvers/simulation.hpp"

namespace scree::coupling {

/// What PETSc and MPI need for as long as a participant lives.
class Frame {
 public:
  explicit Frame(MPI_Comm comm);
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;
  Frame(Frame&&) = delete;
  Frame& operator=(Frame&&) = delete;
  ~Frame() {
    int finished = 0;
    MPI_Finalized(&finished);
    if (finished == 0) MPI_Comm_free(&comm_);
  }
  [[nodiscard]] MPI_Comm comm() const { return comm_; }

 private:
  std::shared_ptr<petsc::Session> session_;
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// What a Participant is made of, and how it solves a step.
struct CoupledSteps {
  /// A coupled boundary.
  struct Coupled {
    int boundary = 0;
    std::string name;
    GatheredMesh mesh;
    std::vector<double> u, v;  ///< of this rank's vertices, of the step to come; u empty: it stays
    bool is_new = false;       ///< no step was solved with them
    std::string fault;         ///< of what the partner gave last
    std::vector<Vec3> forces;  ///< of the whole surface, as Options::force has it [N]
    std::shared_ptr<contact::CrossingWatch> crossings;
  };

  CoupledSteps(std::shared_ptr<Model> of, MPI_Comm comm, Options chosen, bool from_deck)
      : frame(comm), options(std::move(chosen)), model(std::move(of)), is_deck(from_deck) {
    model->time.stop = {};  // the partner decides when it is over
    if (options.options_prefix.empty()) options.options_prefix = petsc::kOptionsPrefix;
  }

  [[nodiscard]] MPI_Comm comm() const { return frame.comm(); }
  [[nodiscard]] Coupled& of(Surface surface) {
    if (surface.participant != this)
      throw std::invalid_argument(surface.participant == nullptr ? "a surface that no add_surface() returned"
                                                                 : "a surface of another participant");
    if (surface.number < 0 || surface.number >= static_cast<int>(surfaces.size()))
      throw std::invalid_argument("surface " + std::to_string(surface.number) + " was not added");
    return surfaces[static_cast<std::size_t>(surface.number)];
  }
  /// The same, for its forces. @throws std::logic_error if the last step did not converge: what was summed up
  /// to where it ended is no force of a step.
  [[nodiscard]] const Coupled& with_forces(Surface surface) {
    if (left && !solved)
      throw std::logic_error(
          "the last step did not converge: its forces are not known; call solve_step() or restore() first");
    return of(surface);
  }
  [[nodiscard]] Simulation& running() {
    if (!simulation) throw std::logic_error("the participant is not initialised: call initialize() first");
    return *simulation;
  }
  [[nodiscard]] const std::vector<Vec3>& positions(const Coupled& surface) const {
    return simulation ? simulation->surface(surface.boundary).x : surface.mesh.reference;
  }

  /// Whether Coupled::forces are means over the last coupled step.
  [[nodiscard]] bool forces_are_means() const;
  /// @returns where Coupled::forces act [m]: means in the middle of the way of each vertex in the last
  /// coupled step, for a structure that takes them as constant over it gains the moment about there; others
  /// at its end.
  [[nodiscard]] std::vector<Vec3> places_of_forces(const Coupled& surface) const;

  [[nodiscard]] double time() const {  ///< of the accepted state [s]
    if (!simulation) return 0;
    return left ? accepted_time : simulation->time();
  }
  /// @returns the largest step [s]; 0 where the end time is reached, up to round-off.
  [[nodiscard]] double max_step() const;
  /// @returns where a step of this size ends [s]: a round-off from the end time, exactly there.
  [[nodiscard]] double end_of_step(double dt) const;
  StepReport solve_step(double dt);
  void make_outputs();
  void show(bool first, bool last, bool interrupted = false, bool complete = false);
  /// Takes the options of the deck back.
  void clear_options();
  /// Back to the accepted state with its forces; a step that waits is forgotten.
  void go_back();
  void set_motions(double dt);
  /// @returns the control points of the motion of its vertices to x, with the velocities v there, in h [s].
  [[nodiscard]] std::vector<std::vector<Vec3>> way_of(const Coupled& surface, const std::vector<Vec3>& x,
                                                      const std::optional<std::vector<Vec3>>& v,
                                                      double h) const;
  /// Goes back, and writes a checkpoint. @returns its file, "" for none. Collective.
  std::string rescue();
  [[nodiscard]] std::string saved();
  [[nodiscard]] double longest_part(double dt) const;
  /// Makes the accepted state that steps start from, if the simulation has it.
  void keep_accepted();
  void restore_forces();
  /// Surfaces stay where they are until somebody moves them.
  void forget_motions();
  /// Forces are those of the simulation's state.
  void take_forces();
  void book_forces(const std::vector<std::vector<Vec3>>& before, double h, double dt);

  /// A solved step that waits.
  struct Solved {
    std::shared_ptr<const KeptState> simulation;
    std::vector<std::vector<Vec3>> forces;
  };
  [[nodiscard]] Solved keep_solved();
  void return_to(const Solved& solved_step);

  Frame frame;
  Options options;
  std::shared_ptr<Model> model;
  bool is_deck = false;
  std::vector<Coupled> surfaces;
  std::vector<std::unique_ptr<Observer>> owned;
  std::vector<Observer*> observers;
  std::unique_ptr<CheckpointWriter> keeper;
  std::unique_ptr<Simulation> simulation;
  /// Accepted state; none: that of the simulation, which no step has left.
  std::optional<Snapshot> accepted;
  double accepted_time = 0;  ///< [s]
  double last_dt = 0;        ///< of the last step [s]
  bool left = false;         ///< the simulation is in a step that was not accepted
  bool solved = false;       ///< ... which converged
  bool finished = false;
  bool failed = false;  ///< the last step could not be solved or shown, or the driver failed
  int exceptions = std::uncaught_exceptions();  ///< under way when the participant was made
};

}  // namespace scree::coupling
