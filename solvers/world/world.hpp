/// Bodies of this rank and what acts on them: made from model and state, rebuilt as bodies move.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assembly/dof_map.hpp"
#include "assembly/ghosts.hpp"
#include "assembly/migration.hpp"
#include "assembly/petsc.hpp"
#include "contact/contacts.hpp"
#include "contact/forces/pair_forces.hpp"
#include "contact/forces/vertex_forces.hpp"
#include "core/body.hpp"
#include "core/local_system.hpp"
#include "elements/loads/loads.hpp"
#include "solvers/model.hpp"
#include "solvers/world/boundaries.hpp"
#include "solvers/world/state.hpp"
#include "solvers/world/surfaces.hpp"

namespace scree {

/// All that a step changes of a world, lists and gaps included (World::keep).
struct WorldCopy {
  Bodies bodies;
  std::vector<char> active;  ///< per boundary part
  std::vector<Surfaces::Kept> surfaces;
  GhostLayer ghosts;
  contact::Contacts::Copy contacts;
  contact::PairForces pair_forces;
  double load_time;  ///< [s]
  bool bonds_broke;
  bool uneven;

  /// @returns what outlives a step, without the sizes of lists that would be made from it.
  [[nodiscard]] BodiesState state() const;
  [[nodiscard]] std::size_t size() const;  ///< room that it takes, within some per cent [bytes]
};

/// What an analysis works on: bodies with their ghosts, neighbour lists, loads and numbering. How a step is
/// solved is left to the problems on it: CompliantProblem, RigidProblem.
class World {
 public:
  /// Puts the bodies of the model on the ranks. Collective. @param options_prefix of its solvers in PETSc.
  /// @throws InputError on initial overlap.
  World(const Model& model, MPI_Comm comm, std::string options_prefix = petsc::kOptionsPrefix);
  /// Continues from a state that `state` returned on as many ranks. Collective.
  World(const Model& model, const BodiesState& state, MPI_Comm comm,
        std::string options_prefix = petsc::kOptionsPrefix);
  /// @returns a state in which each rank has its share of the bodies, from one in which they lie anywhere.
  /// Collective.
  static BodiesState redistributed(const Model& model, const BodiesState& state, MPI_Comm comm);
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  World(World&&) = delete;
  World& operator=(World&&) = delete;
  ~World() = default;

  /// @returns what outlives a step, at the accepted state of this rank, without what procedures keep
  /// (Procedure::save). @param h size of the last step [s], 0: not known. Collective.
  [[nodiscard]] BodiesState state(double h) const;

  /// @returns a copy to which this world can go back. Numbering and rows are rebuilt here, as `go_back`
  /// does: both continue in the same way, to the bit, and nothing is searched. Collective.
  [[nodiscard]] WorldCopy keep();
  /// The same into a copy that is not needed any more: its memory is used again.
  void keep(WorldCopy& copy);
  /// Goes back to a copy of this world. Procedures on it are void. Collective.
  void go_back(const WorldCopy& copy);

  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  [[nodiscard]] const std::string& options_prefix() const { return options_prefix_; }
  [[nodiscard]] const Model& model() const { return *model_; }
  [[nodiscard]] const Bodies& bodies() const { return bodies_; }
  [[nodiscard]] Bodies& bodies() { return bodies_; }
  /// Gives the memory of the bodies' accepted states away and continues with a copy: what points into it
  /// lives as long as what is returned.
  [[nodiscard]] std::vector<BodyState> release_states();
  [[nodiscard]] const contact::Contacts& contacts() const { return contacts_; }
  [[nodiscard]] contact::Contacts& contacts() { return contacts_; }
  [[nodiscard]] const contact::PairForces& pair_forces() const { return pair_forces_; }
  [[nodiscard]] contact::PairForces& pair_forces() { return pair_forces_; }
  [[nodiscard]] const elements::Loads& loads() const { return loads_; }
  [[nodiscard]] const Boundaries& boundaries() const { return boundaries_; }
  [[nodiscard]] const Surfaces& surfaces() const { return surfaces_; }
  void set_surface_motion(int part, SurfaceMotion motion) { surfaces_.set_motion(part, std::move(motion)); }
  void restore_surfaces(const std::vector<SurfaceState>& states) { surfaces_.restore(states); }
  /// Forces on coupled boundaries are those of the state last evaluated: before it is committed. Collective.
  void update_surface_forces() {
    surfaces_.update_forces(
        [this](int part, std::vector<Vec3>& forces) { contacts_.vertex_forces().add(bodies_, part, forces); },
        comm_);
  }
  [[nodiscard]] const DofMap& dofs() const { return *dofs_; }
  /// Rows of the bodies of this rank: forces are summed and tangents are put there.
  [[nodiscard]] LocalSystem& rows() { return rows_; }
  [[nodiscard]] const LocalSystem& rows() const { return rows_; }
  /// Number of the layout of `rows` and `dofs`: another one after bodies or ghosts have changed.
  [[nodiscard]] long layout() const { return layout_; }

  /// Time at which loads are evaluated [s].
  [[nodiscard]] double load_time() const { return load_time_; }
  void set_load_time(double time) { load_time_ = time; }
  /// Weight, loads and near-field forces on the owned bodies at the accepted state, as a residual (negative
  /// of the force) [N], [N m]. Valid until the next evaluation of forces.
  LocalSystem& load_residual();

  /// Activates boundaries and sets their motion from `time` on. Collective.
  struct Switched {
    bool any = false;  ///< something is activated or deactivated at `time`
    /// A body that a boundary would overlap that becomes active, in words; the run cannot continue. "": none.
    std::string blocked;
    bool forces_jump = false;  ///< accelerations have to be made consistent (Procedure::settle)
  };
  Switched set_time(double time);

  /// Removes owned bodies and inserts others at the accepted state. @param leaves per owned body.
  /// @param arrivals of this rank. @param h size of the last step [s], which lists cover. @param least_travel
  /// that they cover at least [m]. Collective.
  void populate(const std::vector<char>& leaves, const std::vector<NewBody>& arrivals, double h,
                double least_travel);

  /// Rebuilds owners, ghosts and neighbour lists; they stay valid for displacements of up to `travel` [m] per
  /// body. Collective.
  void redistribute(double travel);
  /// The same, with the gaps of all pairs. Collective.
  void renew_lists(double travel);
  /// Rebuilds ghosts and neighbour lists. @param reach that ghosts need [m]. Collective.
  void find_neighbours(double travel, double reach);
  /// @returns the reach that ghosts need for lists that cover `travel` [m]. Collective.
  [[nodiscard]] double ghost_reach(double travel) const;
  /// @returns the displacement that lists should cover, so that they last some steps in which bodies move by
  /// `way` [m] (list_travel). Collective.
  [[nodiscard]] double travel_for(double way) const;

  /// Trial states of all bodies are the accepted ones; or that of one.
  void reset_trial();
  void set_accepted(int i);
  /// Accepted states of ghosts are those of their owners. Collective.
  void update_ghost_states() { ghosts_.update_states(bodies_); }
  /// Accepted and trial state of moving boundaries, see Boundaries.
  void move_boundaries(double time, double during) {
    boundaries_.move(bodies_, time, during);
    surfaces_.move(time, during);
  }
  void move_boundary_trials(double from, double time, double h) {
    boundaries_.move_trial(bodies_, from, time, h);
    surfaces_.move_trial(bodies_, from, time, h);
  }
  /// @returns the next time after `time` that a step has to meet [s]: boundaries are switched, motions end.
  [[nodiscard]] double next_event(double time) const {
    return std::min(next_scheduled(time), surfaces_.next_knot(time));
  }
  /// @returns the same of what the deck has, without the ends of what others move.
  [[nodiscard]] double next_scheduled(double time) const {
    return std::min(boundaries_.next_event(time), loads_.next_row(time));
  }

  /// @returns whether loads, boundaries or laws are others at two times of the deck [s] in succession.
  [[nodiscard]] bool changes(double from, double to) const;

  /// @returns whether boundaries act that act at `time` by the deck.
  [[nodiscard]] bool switched_as_at(double time) const { return boundaries_.switched_as_at(time); }

  /// History of contacts and bonds of one body, or of all; and back, before `find_neighbours`.
  [[nodiscard]] PairMemories memory(std::optional<BodyId> body = {}) const;
  void remember(const PairMemories& memory);
  /// Clears all of it; `remember` and `find_neighbours` rebuild it.
  void forget_memory();
  /// Accepts bonds at the trial state. @param breaks lets them break. @returns losses of this rank.
  /// Collective.
  contact::BondLosses commit_bonds(bool breaks);
  /// Gives contact back to bodies whose bond broke in the last `commit_bonds`.
  void unbond();
  /// Whether bonds broke in the last accepted step, on any rank: accelerations have to be made consistent.
  [[nodiscard]] bool bonds_broke() const { return bonds_broke_; }
  /// Whether ranks have bodies in very different numbers since some entered or left: lists should be renewed.
  [[nodiscard]] bool uneven() const { return uneven_; }

  /// What else travels with bodies that change their rank: `{}` for nothing. One owner at a time.
  void set_luggage(BodyLuggage luggage) { luggage_ = std::move(luggage); }

  /// Mean bounding radius of what can move [m]. Collective.
  [[nodiscard]] double mean_length() const;
  /// Largest value of all ranks. Collective.
  [[nodiscard]] double max_over_ranks(double value) const;
  [[nodiscard]] bool on_any_rank(bool holds) const { return max_over_ranks(holds ? 1.0 : 0.0) > 0; }

 private:
  void distribute();
  void make_bonds();
  void rebalance();
  [[nodiscard]] std::vector<std::byte> pack_body(BodyId id) const;
  void unpack_body(BodyId id, const std::vector<std::byte>& bytes);
  [[nodiscard]] double largest_speed() const;
  /// How far bodies move in the next step, if it is like the last, of size h [s] [m]. Collective.
  [[nodiscard]] double way_ahead(double h) const;
  /// Brings centres of mass back into the periodic cell. Before lists and ghosts are rebuilt, and only then:
  /// in between a body may leave the cell, and what acts on it does not depend on that.
  void wrap_bodies();
  void lay_out();

  const Model* model_;
  MPI_Comm comm_;
  std::string options_prefix_;
  std::vector<Shape> shapes_;  ///< of the model, then the plane of boundaries, and their other walls
  Bodies bodies_;
  Boundaries boundaries_;
  Surfaces surfaces_;
  GhostLayer ghosts_;
  contact::Contacts contacts_;
  contact::PairForces pair_forces_;
  elements::Loads loads_;
  double load_time_ = 0;
  LocalSystem rows_;
  std::optional<DofMap> dofs_;
  long layout_ = 0;
  BodyLuggage luggage_;
  bool bonds_broke_ = false;
  bool uneven_ = false;
};

}  // namespace scree
