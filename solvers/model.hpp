/// Simulation model: the validated input as plain data in SI units. Filled by io, used by solvers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "contact/forces/bond_parameters.hpp"
#include "contact/forces/near_field_parameters.hpp"
#include "contact/laws/parameters.hpp"
#include "core/body.hpp"
#include "core/shapes/shape.hpp"
#include "elements/integrators/newmark.hpp"
#include "elements/loads/load_types.hpp"
#include "solvers/contact_dynamics/methods.hpp"
#include "solvers/run/warnings.hpp"

namespace scree {

struct Material {
  std::string name;
  double density = 0;  ///< [kg/m^3]; 0 where the deck gives none (allowed for boundaries only)
  double young = 0;    ///< [Pa], 0: not given
  double poisson = 0;  ///< [-]
};

/// A body as it starts. Its number in the deck is its BodyId.
struct BodyDescription {
  std::string name;  ///< "" for unnamed bodies, which go by their number
  int shape = 0;
  int material = 0;
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero();
  Vec3 angular_velocity = Vec3::Zero();  ///< global frame
  double mass = 0;                       ///< [kg], filled by the builder (density or "mass")
  Mat3 inertia_B = Mat3::Zero();         ///< [kg m^2], filled by the builder, body frame
  std::array<bool, kBodyUnknowns> fixed{};
  std::string where;  ///< JSON pointer, for messages
};

/// One wall: a plane with its outward normal along the local +z axis, or a shape of Model::walls. A box is
/// several of them.
struct BoundaryPart {
  int boundary = 0;  ///< index into Model::boundaries
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();  ///< of a plane, towards the bodies; else the axis
  int wall = -1;                ///< index into Model::walls; -1: a plane
  double disc_radius = 0;       ///< of a plane that closes a cylinder, for pictures [m]; 0: infinite
};

/// Prescribed rigid motion from the position of the deck: constant velocities, or a table: between time
/// points displacement and rotation vector are linear in time.
struct BoundaryMotion {
  struct Knot {
    double time = 0;                   ///< [s]
    Vec3 displacement = Vec3::Zero();  ///< [m]
    Vec3 rotation = Vec3::Zero();      ///< rotation vector, angle times axis [rad]
  };
  Vec3 velocity = Vec3::Zero();          ///< of the point `about` [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< [rad/s]
  Vec3 about = Vec3::Zero();             ///< point that rotation is about; goes with the displacement [m]
  std::vector<Knot> table;               ///< times increase; empty: constant velocities
  bool coupled = false;                  ///< a surface whose vertices are moved from outside: SurfaceMotion
};

struct BoundaryDescription {
  std::string name;
  int material = 0;
  double active_from = 0;
  double active_until = std::numeric_limits<double>::infinity();  ///< [s]
  std::string where;                                              ///< JSON pointer
  Vec3 reference = Vec3::Zero();                                  ///< point whose position histories tell [m]
  BoundaryMotion motion;
};

/// Where bodies enter during a run.
struct InletDescription {
  /// A body that is to enter.
  struct Entry {
    double due = 0;  ///< [s]
    int shape = 0;
  };
  std::string name;
  int material = 0;
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< corners of the region for poles [m]
  Vec3 velocity = Vec3::Zero();                  ///< [m/s]
  Vec3 angular_velocity = Vec3::Zero();          ///< [rad/s]
  std::vector<Entry> entries;                    ///< times do not decrease
  double largest_bound = 0;                      ///< largest bounding radius of the entries [m]
  std::uint64_t seed = 1;
  std::string where;  ///< JSON pointer
};

/// Where bodies leave: those whose pole is in the region.
struct OutletDescription {
  std::string name;
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< corners of the region [m]

  /// @returns whether a place, in the cell where directions are periodic, is in the region or on its
  /// boundary.
  [[nodiscard]] bool contains(const Vec3& x) const {
    return (x - low).minCoeff() >= 0 && (high - x).minCoeff() >= 0;
  }
};

/// When a run has come to rest, so that it ends before its time.
struct StopDescription {
  bool wanted = false;
  double kinetic_energy = -1;    ///< of all bodies, at most [J]; negative: not given
  double unbalanced_force = -1;  ///< at most, see AtRest [-]; negative: not given
  double after = 0;              ///< not before [s]
};

/// What limits adaptive steps.
enum class StepMode : std::uint8_t {
  resolved,  ///< impacts and waves, in detail
  motion     ///< how far bodies move and turn
};

struct TimeDescription {
  double end = 0;      ///< [s]
  double step = 1e-4;  ///< fixed step, or the first one of an adaptive run [s]
  bool adaptive = false;
  double min = 0;  ///< adaptive only [s]
  double max = 0;  ///< adaptive only [s]
  StepMode control = StepMode::resolved;
  double resolution = 1.0;  ///< eta of theory 09 section 4: part of the threshold or of 1/omega per step
  StopDescription stop{};
};

struct PairMemories;

enum class LinearChoice { automatic, direct, iterative };

enum class NonlinearChoice { newton, fixed_point };

enum class RigidMethod { automatic, two_step, one_step };

struct SolverDescription {
  double newton_relative = 1e-6;  ///< of the force scale (weight of the body, or the forces of the impact)
  double newton_absolute = 0;     ///< [N]; moments are divided by the body's bounding radius
  int newton_max_iterations = 30;
  NonlinearChoice nonlinear = NonlinearChoice::newton;
  double fixed_point_tolerance = 1e-8;   ///< of the error measures of [Sph, Eqs. 48-49]
  int fixed_point_max_iterations = 100;  ///< sweeps after which the step is rejected
  LinearChoice linear = LinearChoice::automatic;
  RigidMethod method = RigidMethod::automatic;  ///< contact dynamics; automatic: one-step with friction
  contact_dynamics::LcpMethod lcp = contact_dynamics::LcpMethod::automatic;
  double lcp_tolerance = 1e-9;  ///< of the scaled complementarity residual (theory 07 section 1)
  contact_dynamics::CompatibilityMethod compatibility = contact_dynamics::CompatibilityMethod::dual;
  std::string petsc_options;
  /// Names, without dash, of the options for PETSc that the deck and the command line give.
  std::vector<std::string> petsc_option_names;
};

/// "every" is in simulated seconds; 0 is each accepted step; negative: never.
struct HistoryDescription {
  enum class Subject { system, body, boundary, outlet };
  std::string file;
  Subject subject = Subject::system;
  BodyId body = -1;
  int boundary = -1;
  double every = 0;
  std::vector<std::string> columns;
  int outlet = -1;
};

/// States from which a run can be continued.
struct CheckpointDescription {
  bool wanted = false;
  double every = -1;                 ///< simulated seconds between two; negative: not by time
  double wall_clock = -1;            ///< wall-clock seconds after which one is due; negative: never
  int keep = 2;                      ///< files
  bool continue_on_failure = false;  ///< a file that cannot be written is a warning, not the end of the run
};

struct OutputDescription {
  std::string directory = "results";
  double vtk_every = -1;
  std::vector<HistoryDescription> histories;
  double contacts_every = -1;
  bool lcp_forces = false;  ///< a column with the LCP's own forces
  /// Contacts whose force interval is requested, by their bodies; a boundary is -1 - its index.
  std::vector<std::pair<BodyId, BodyId>> intervals;
  std::string final_state;  ///< "" for none
  CheckpointDescription checkpoint;
};

enum class Analysis {
  dynamic,
  quasi_static,     ///< equilibria, load step by load step: time drives loads, nothing has a velocity
  contact_dynamics  ///< rigid contact: complementarity at the end of large steps
};

/// Where the descriptions that a rank keeps stand among those of all bodies.
struct DescriptionBlock {
  BodyId first = 0;  ///< id of the first one
  BodyId count = 0;  ///< of all ranks
  std::map<BodyId, std::string>
      names;  ///< of all bodies that have one: messages and files name them anywhere
};

/// The input of a run. Only bodies grow with the size of the problem: before a run each rank releases those
/// of other ranks, and from then on what a body needs travels with it (BodyProperties, BodyState).
struct Model {
  std::string title;
  std::string deck_file;
  std::string deck_text;                ///< as it was read; "" of a model that was built by hand
  std::vector<std::string> files_read;  ///< paths of the deck and of all files that it names
  std::vector<std::string> notes;       ///< for the log: what was made of meshes, keys without effect
  std::vector<Warning> warnings;        ///< of the deck check: a run repeats them at its end
  bool strict = false;                  ///< warnings make the exit status of a run 1 (--strict)
  Analysis analysis = Analysis::dynamic;
  Vec3 gravity = Vec3::Zero();
  TimeDescription time;
  std::shared_ptr<const elements::Integrator> integrator = std::make_shared<elements::Newmark>(0.3, 0.5);
  std::vector<Material> materials;
  std::vector<Shape> shapes;
  std::vector<BodyDescription> bodies;    ///< all of them, by id; once cut, those of this rank's block
  std::optional<DescriptionBlock> block;  ///< once cut: see keep_own_block
  std::vector<InletDescription> inlets;
  std::vector<OutletDescription> outlets;
  std::vector<BoundaryDescription> boundaries;
  std::vector<BoundaryPart> boundary_parts;
  PeriodicCell periodic;
  std::vector<Shape> walls;  ///< shapes of boundaries that are not planes
  std::vector<elements::Load> loads;
  std::optional<contact::BondParameters> bonds;
  std::vector<contact::NearFieldParameters> near_fields;
  /// Contact history and bonds that the bodies start with, by ID; null for none.
  std::shared_ptr<const PairMemories> memory;
  SolverDescription solver;
  OutputDescription output;
  std::vector<contact::Interface> interfaces;
  std::vector<std::vector<int>>
      interface_of;  ///< [material][material] -> index into interfaces, -1: none given

  /// Releases the descriptions of all bodies but those that this rank starts with, at most
  /// ceil(body_count / ranks). @throws std::logic_error if called twice.
  void keep_own_block(int rank, int ranks);

  /// @returns how many bodies there are at the start, on all ranks: their ids are 0 to body_count() - 1.
  [[nodiscard]] BodyId body_count() const;
  /// @returns how a body of the deck starts; null if this rank has released it, or the deck has none such.
  [[nodiscard]] const BodyDescription* description_of(BodyId id) const;
  /// @returns the name of a body, "" if it has none.
  [[nodiscard]] std::string name_of(BodyId id) const;
  /// @returns the first part of a boundary; a coupled one has no other. @throws std::invalid_argument for
  /// another number.
  [[nodiscard]] int part_of(int boundary) const;
  /// Whether contacts of some materials have friction, or those of one with any.
  [[nodiscard]] bool has_friction() const;
  [[nodiscard]] bool has_friction(int material) const;
  /// @returns how messages call a body: body "b1", or body 7 where it has no name.
  [[nodiscard]] std::string body_in_words(BodyId id) const;
};

}  // namespace scree
