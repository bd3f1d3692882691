/// What the parts of the builder share.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/parameters/value.hpp"
#include "core/shapes/shape_parameters.hpp"
#include "io/deck/diagnostics.hpp"
#include "io/deck/mesh_reader.hpp"
#include "solvers/model.hpp"
#include "solvers/model_check.hpp"

namespace scree::builder {

/// What has an effect because something in the scene needs it. Filled on the way, read by note_unused().
struct UsedParts {
  std::set<int> densities{};          ///< materials whose density gives a body its mass
  std::set<int> moduli{};             ///< materials whose moduli a law takes
  std::set<int> interfaces{};         ///< that hold for two materials that can meet
  std::set<int> curved_interfaces{};  ///< of these, those under which a superquadric can be touched
  std::set<int> moving_shapes{};      ///< those of solids with prescribed motion
  bool two_superquadrics = false;     ///< superquadrics can meet
};

/// What is of one material and in one group has a material of its own: whether two of them interact is then a
/// question of materials. Its name is MATERIAL@GROUP.
struct GroupedMaterial {
  int base = 0;  ///< material of the deck
  std::string group;
};

/// The deck on its way to a model.
struct Build {
  const Value& deck;
  std::filesystem::path file;
  Diagnostics& diagnostics;
  Model model{};
  std::vector<char> shape_good{};                  ///< per shape of the deck: it could be made
  std::map<int, double> mesh_thickness{};          ///< of polyhedra of the deck that are sheets [m]
  std::vector<char> material_good{};               ///< per material
  std::vector<std::size_t> first_body{};           ///< per entry of "bodies": number of its first body
  std::map<double, int> spheres{};                 ///< shapes added for radii of a file
  std::map<std::pair<int, double>, int> scaled{};  ///< shapes added as a multiple of one of the deck
  UsedParts used{};
  long bonded_spheres = 0;                     ///< of checkpoints of decks with bonds
  std::vector<GroupedMaterial> grouped{};      ///< materials behind those of the deck
  std::set<std::pair<int, int>> no_contact{};  ///< materials, low and high, that an interface keeps apart

  /// @returns one behind the number of the last body of an entry of "bodies"; it may have made none.
  [[nodiscard]] std::size_t end_of(std::size_t entry) const {
    return entry + 1 < first_body.size() ? first_body[entry + 1] : model.bodies.size();
  }
  /// @returns the material of the deck that a material, perhaps of a group, is.
  [[nodiscard]] int base_of(int material) const {
    const int own = static_cast<int>(material_good.size() - grouped.size());
    return material < own ? material : grouped[material - own].base;
  }
  /// @returns the group of a material, "" without one.
  [[nodiscard]] std::string group_of(int material) const {
    const int own = static_cast<int>(material_good.size() - grouped.size());
    return material < own ? "" : grouped[material - own].group;
  }
};

/// Bodies of one entry of "bodies": what they share, and their masses.
class EntryBodies {
 public:
  /// @param values complete entry; what is wrong with its shared keys is reported.
  EntryBodies(Build& build, const Value& values);

  /// @returns a body with all common keys of the entry; shape and material are -1 if not given.
  [[nodiscard]] const BodyDescription& prototype() const { return prototype_; }
  /// Appends the body to the model, with mass and inertia. Its position becomes that of its centre of mass.
  void add(BodyDescription body);

 private:
  const std::pair<double, Mat3>& mass_of(int shape, int material);

  Build& build_;
  const Value& values_;
  BodyDescription prototype_;
  std::map<std::pair<int, int>, std::pair<double, Mat3>> masses_;
};

/// Key for an index by name, as lists of names are looked up.
enum class Subject { shape, material, body, boundary, outlet };

/// @returns number of a name in a list, -1 if it is not there.
int number_of(const std::vector<std::string>& names, const std::string& name);
/// @returns number of the shape, material or boundary that a string of the deck names, -1 after an error.
int find_name(Build& build, const Value& name, Subject subject);

/// @returns the material that "material" of an entry names, in the group that its "group" names; -1 after an
/// error.
int find_material(Build& build, const Value& values);
/// @returns the material `base` in a group. @param base -1: as it is; group "": none.
int grouped_material(Build& build, int base, const std::string& group);
/// @returns the material of a name as results have it, also MATERIAL@GROUP; -1 if unknown.
int material_of_state(Build& build, const std::string& name);

/// @returns number of the body that the deck names or numbers, -1 after an error.
BodyId find_body(Build& build, const Value& body);

/// Whether a name has digits alone, or nothing.
bool is_number(const std::string& name);

/// Reports a name that is a whole number: results identify bodies without name by their numbers.
void check_not_number(Build& build, const Value& name);

/// Materials, shapes and boundaries, in the order of the deck.
void add_materials(Build& build);
void add_shapes(Build& build);
void add_boundaries(Build& build);
/// A solid with prescribed motion: an entry of "bodies" that becomes a boundary.
void add_body_with_motion(Build& build, const Value& values);
/// @returns the orientation that an entry gives.
Quat orientation_of(Build& build, const Value& values);
/// @returns the position of the centre of mass that an entry gives; reports a mesh origin of what has none.
/// @param shape of the deck, made without errors.
Vec3 position_of(Build& build, const Value& values, int shape, const Quat& orientation);
/// Interfaces, and which one holds for which pair of materials.
void add_interfaces(Build& build);
/// Materials of groups get the interfaces of their materials, but for groups that are kept apart.
void add_groups(Build& build);
/// Bodies given and read; generated ones get their places in place_generated_bodies().
void add_bodies(Build& build);
/// Lots of bodies that were drawn one after another, and how many bodies of each class of "shape" and of
/// "sizes" they are short of their fractions.
struct Lots {
  int drawn = 0;
  std::vector<double> shapes{}, sizes{};
};
/// Shape of each generated body of an entry, by its "shape", "scale" and "sizes", in random order. @param
/// lots those before this one, which is added; the notes have what came out of the first. @returns as many as
/// `count`; -1 for each after an error.
std::vector<int> draw_shapes(Build& build, const Value& values, int count, Lots& lots);
/// Reports at `place` more bodies than there is memory for. What the run takes comes on top.
/// @param values an entry that draws their shapes: each body may have one of its own. @param each what one
/// takes beside its shape [bytes]. @returns whether it did.
bool lacks_memory(Build& build, const Value& values, const Value& place, double count, double each);
/// Reports a region whose corners are not in order. @returns whether they are.
bool check_region(Build& build, const Value& region);
/// Inlets with all that is due, and outlets. Needs materials, shapes, bodies and the end of time.
void add_inlets(Build& build);
void add_outlets(Build& build);
/// What cannot be combined with inlets and outlets, and whether bodies fit into the inlets. Needs everything
/// else.
void check_inlets(Build& build);
/// Warns of outlets that remove bodies at the start or as soon as they are inserted. Needs the places of all
/// bodies.
void check_outlets(Build& build);
/// @returns number of the shape of the deck that is `factor` times as large; its name is NAME*FACTOR.
int scaled_shape(Build& build, int shape, double factor);
/// Bodies of a CSV file, a row each.
void add_bodies_of_file(Build& build, const Value& values);
/// Periodic directions, and whether bodies and boundaries suit them. Needs those and interfaces.
void add_periodic(Build& build);
/// Places that double precision cannot resolve, and speeds that mechanics does not know. Needs bodies,
/// inlets, boundaries, interfaces and analysis. Before bodies are placed anywhere.
void check_scales(Build& build);
/// Needs everything else; does nothing if there are errors.
void place_generated_bodies(Build& build);
/// Time, integrator, loads, solver.
void add_analysis(Build& build);
/// Refuses what the integrator does not support. Needs everything else.
void check_integrator(Build& build);
/// What contact dynamics needs of laws, shapes and the choice of solvers. After bodies, interfaces, analysis.
void check_contact_dynamics(Build& build);
/// Near-field forces: a load that acts between bodies.
void add_near_field(Build& build, const Value& values);
/// Bonds between spheres. Needs bodies and interfaces.
void add_bonds(Build& build);
void add_output(Build& build);

/// Names of bodies are unique, and none starts behind a wall. Needs bodies and interfaces.
void check_bodies(Build& build);
/// Every pair of materials that can meet has an interface, and its threshold suits the shapes.
void check_interfaces(Build& build);

/// Reports what the model itself has that is wrong (solvers/model_check.hpp).
void add_faults(Build& build, void (*check)(const Model& model, std::vector<Diagnostic>& faults));

/// Reports an item that a list of the deck has twice.
void check_unique(Build& build, const Value& list);
/// Refuses what "fixed" leaves without effect: velocities, inertia, loads. Needs bodies and loads.
void check_fixed_bodies(Build& build);
/// Adds notes of what has no effect because nothing in the scene needs it, because it comes after the end, or
/// because a 0 beside it switches it off. Needs everything else.
void note_unused(Build& build);
/// Marks the shapes of the deck that no body, inlet or solid with prescribed motion has. Needs all of these.
void mark_unused_shapes(Build& build);

/// @returns whether all six directions are held.
bool is_fixed(const BodyDescription& body);

/// What became of the mesh of one shape or boundary.
struct MeshRecord {
  ReadMesh read;          ///< of a file: numbers, without the mesh
  std::size_t faces = 0;  ///< of the file
  std::size_t vertices = 0;
  PreparedMesh prepared;

  /// @returns what was read, repaired and decimated, for the log.
  [[nodiscard]] std::string note(const std::string& file) const;
};

/// @returns what reads the meshes that the deck names. @param build, record outlive it.
MeshReader mesh_reader(Build& build, MeshRecord& record);

/// Keeps the faults of a mesh that was refused, for a file that shows them.
void keep_mesh_faults(Build& build, const std::string& name, const MeshRecord& record);

/// Warns of a mesh that is so large that its file seems to be in millimetres, unless its entry has a "scale".
/// @param values entry with "file". @param size [m].
void warn_of_millimetres(Build& build, const Value& values, const std::string& what, double size);

/// @returns path of a file that the deck reads: relative to the deck. The model notes it: no run writes
/// there.
std::filesystem::path path_to_read(Build& build, const std::string& name);

}  // namespace scree::builder
