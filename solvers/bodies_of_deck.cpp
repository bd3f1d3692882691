#include "solvers/bodies_of_deck.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "assembly/callback_guard.hpp"
#include "core/archive.hpp"
#include "core/text.hpp"
#include "solvers/world/boundary_motion.hpp"

namespace scree {
namespace {

std::size_t hash_of(const std::vector<std::byte>& bytes) {
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

/// @param has what this model has.
[[noreturn]] void refuse_snapshot(const std::string& has) {
  throw std::invalid_argument("restore: the snapshot is that of another model: this one has " + has);
}

/// Of places, relative to coordinates and body size: a script may compute where a wall is.
constexpr double kSameWall = 1e-9;

BoundaryOfDeck::Wall wall_of(const Model& model, const BoundaryPart& part) {
  BoundaryOfDeck::Wall wall;
  wall.point = part.point;
  wall.normal = part.normal;
  wall.kind = static_cast<std::int64_t>(ShapeKind::plane);
  wall.radius = part.disc_radius;
  if (part.wall < 0) return wall;
  const Shape& shape = model.walls[static_cast<std::size_t>(part.wall)];
  wall.kind = static_cast<std::int64_t>(shape.kind);
  wall.open = shape.open ? 1 : 0;
  wall.radius = std::max(shape.radius, shape.hollow_radius);
  if (shape.vertices.empty()) return wall;
  std::vector<std::byte> mesh;
  ByteWriter writer(mesh);
  writer.put(shape.vertices);
  for (const Face& face : shape.faces) writer.put(face.loop);
  wall.mesh = hash_of(mesh);
  return wall;
}

std::vector<BoundaryOfDeck> boundaries_of(const Model& model) {
  std::vector<BoundaryOfDeck> all;
  all.reserve(model.boundaries.size());
  for (const BoundaryDescription& boundary : model.boundaries)
    all.push_back({.name = boundary.name, .coupled = boundary.motion.coupled, .walls = {}});
  for (const BoundaryPart& part : model.boundary_parts)
    all[static_cast<std::size_t>(part.boundary)].walls.push_back(wall_of(model, part));
  return all;
}

std::string type_of(const BoundaryOfDeck::Wall& wall) {
  switch (static_cast<ShapeKind>(wall.kind)) {
    case ShapeKind::plane:
      return "plane";
    case ShapeKind::cylinder:
      return "cylinder with bodies outside";
    case ShapeKind::bore:
      return "cylinder with bodies inside";
    case ShapeKind::cavity:
      return "sphere with bodies inside";
    case ShapeKind::sphere:
      return "sphere with bodies outside";
    case ShapeKind::capsule:
      return "capsule";
    default:
      return wall.open != 0 ? "surface" : "polyhedron";
  }
}

/// @returns what a boundary is here that it is not in the other deck, but for its place; "" if nothing.
std::string difference_of(const BoundaryOfDeck& here, const BoundaryOfDeck& other) {
  if (here.coupled || other.coupled) return "";
  const auto instead = [](const std::string& is, const std::string& was) { return is + ", not " + was; };
  if (here.walls.size() != other.walls.size())
    return instead(std::to_string(here.walls.size()) + " walls", std::to_string(other.walls.size()));
  for (std::size_t k = 0; k < here.walls.size(); ++k) {
    const BoundaryOfDeck::Wall &a = here.walls[k], &b = other.walls[k];
    if (type_of(a) != type_of(b)) return instead("type " + type_of(a), type_of(b));
    if (std::abs(a.radius - b.radius) > kSameWall * b.radius)
      return instead("radius " + text::number(a.radius) + " m", text::number(b.radius) + " m");
    if (a.mesh != b.mesh) return "other vertices or faces";
  }
  return "";
}

/// Compares places of walls. @param size of bodies [m].
class SamePlace {
 public:
  explicit SamePlace(double size) : size_(size) {}

  [[nodiscard]] bool at(const Vec3& a, const Vec3& b) const {
    return (a - b).norm() <= kSameWall * std::max(b.norm(), size_);
  }
  [[nodiscard]] static bool along(const Vec3& a, const Vec3& b) { return (a - b).norm() <= kSameWall; }
  [[nodiscard]] bool of(const BodyState& a, const BodyState& b) const {
    return at(a.x, b.x) && a.q.angularDistance(b.q) <= kSameWall;
  }

 private:
  double size_;
};

/// @param now, state where this deck and the state have the wall. @returns where it is instead of where the
/// other deck or the state has it; "" if it is there.
std::string displacement_of(const BoundaryOfDeck::Wall& here, const BoundaryOfDeck::Wall& other,
                            const BodyState& now, const BodyState& state, const SamePlace& same) {
  const bool is_at_point = same.at(here.point, other.point);
  if (is_at_point && SamePlace::along(here.normal, other.normal)) return "";
  // What is round, or a plane, may have been turned about its axis.
  const bool has_axis = here.mesh == 0 && same.at(now.x, state.x) &&
                        SamePlace::along(now.q * Vec3::UnitZ(), state.q * Vec3::UnitZ());
  if (has_axis || same.of(now, state)) return "";
  if (is_at_point)
    return text::join("normal or axis ", text::vector(here.normal), ", not ", text::vector(other.normal));
  return text::join("at ", text::vector(here.point), " m, not ", text::vector(other.point), " m",
                    same.at(state.x, other.point) ? "" : " or, now, " + text::vector(state.x) + " m");
}

}  // namespace

BodiesOfDeck::BodiesOfDeck(const Model& model)
    : count(model.bodies.size()), boundaries(boundaries_of(model)) {
  std::vector<std::byte> name, geometry, mass, fixed, text;
  ByteWriter to_names(name), to_geometry(geometry), to_masses(mass), to_supports(fixed);
  for (const Shape& shape : model.shapes) {
    for (const double number : {static_cast<double>(shape.kind), shape.radius, shape.volume,
                                shape.bounding_radius, static_cast<double>(shape.vertices.size())})
      to_geometry.put(number);
  }
  for (const BodyDescription& body : model.bodies) {
    to_names.put(body.name);
    to_geometry.put(body.shape);
    to_masses.put(body.mass);
    to_masses.put(body.inertia_B);
    to_supports.put(body.fixed);
  }
  const StopDescription& stop = model.time.stop;
  ByteWriter to_text(text);
  to_text.put(model.deck_text);
  for (const double number :
       {model.time.end, stop.wanted ? 1.0 : 0.0, stop.kinetic_energy, stop.unbalanced_force, stop.after})
    to_text.put(number);
  names = hash_of(name);
  shapes = hash_of(geometry);
  masses = hash_of(mass);
  supports = hash_of(fixed);
  deck = hash_of(text);
}

std::string BodiesOfDeck::difference_from(const BodiesOfDeck& other) const {
  if (count != other.count)
    return text::join(std::to_string(count), " bodies in the deck, not ", std::to_string(other.count));
  if (names != other.names) return "bodies of other names, or in another order";
  if (shapes != other.shapes) return "bodies of other shapes or sizes";
  if (masses != other.masses) return "bodies of other masses";
  return supports != other.supports ? "bodies with other fixed degrees of freedom" : "";
}

void BodiesOfDeck::require_same(const BodiesOfDeck& saved_in, MPI_Comm comm) const {
  petsc::CallbackGuard(comm).call([&] {
    const std::string other = difference_from(saved_in);
    if (!other.empty()) refuse_snapshot(other);
  });
}

std::vector<char> BodiesOfDeck::take_boundaries(const BodiesOfDeck& saved_in, const Model& model, double time,
                                                std::vector<BodyState>& walls, MPI_Comm comm) const {
  std::vector<char> moved_parts(walls.size(), 0);
  petsc::CallbackGuard(comm).call([&] {
    const std::vector<BoundaryOfDeck>& others = saved_in.boundaries;
    if (boundaries.size() != others.size())
      refuse_snapshot(
          text::join(std::to_string(boundaries.size()), " boundaries, not ", std::to_string(others.size())));
    for (std::size_t k = 0; k < boundaries.size(); ++k) {
      if (boundaries[k].name != others[k].name)
        refuse_snapshot(text::join("boundary \"", boundaries[k].name, "\" in place of \"", others[k].name,
                                   "\": other boundaries, or in another order"));
      const std::string difference = difference_of(boundaries[k], others[k]);
      if (!difference.empty())
        refuse_snapshot(text::join("another boundary \"", boundaries[k].name, "\": ", difference));
    }
    double size = 0;
    for (const Shape& shape : model.shapes) size = std::max(size, shape.bounding_radius);
    const SamePlace same(size);
    std::vector<BodyState> taken = walls;
    std::vector<std::size_t> next(boundaries.size(), 0);  // wall of each boundary
    for (std::size_t p = 0; p < model.boundary_parts.size(); ++p) {
      const BoundaryPart& part = model.boundary_parts[p];
      const auto k = static_cast<std::size_t>(part.boundary);
      const std::size_t wall = next[k]++;
      if (boundaries[k].coupled || others[k].coupled) continue;
      const BodyState now = boundary_state(model, part, time, time);
      const std::string moved =
          displacement_of(boundaries[k].walls[wall], others[k].walls[wall], now, walls.at(p), same);
      if (!moved.empty())
        refuse_snapshot(text::join("another boundary \"", boundaries[k].name, "\": wall ",
                                   std::to_string(wall), " ", moved));
      if (deck != saved_in.deck && moves(model.boundaries[k].motion) && !same.of(now, walls[p])) {
        taken[p] = now;
        moved_parts[p] = 1;
      }
    }
    walls = std::move(taken);
  });
  return moved_parts;
}

}  // namespace scree
