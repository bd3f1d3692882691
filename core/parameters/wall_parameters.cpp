#include "core/parameters/wall_parameters.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "core/mesh/coincident_vertices.hpp"
#include "core/shapes/coupled_surface.hpp"
#include "core/text.hpp"

namespace scree {
namespace {

ParameterSpec three(const std::string& key, const std::string& unit, const std::string& description) {
  return {.key = key,
          .kind = ParameterKind::vector,
          .unit = unit,
          .description = description,
          .required = true,
          .size = 3};
}

ParameterSpec sides(const std::string& description, const std::vector<std::string>& names) {
  return {.key = "open",
          .kind = ParameterKind::list,
          .description = description,
          .fallback = Value::list_of({}),
          .members = {{.kind = ParameterKind::string, .choices = names}}};
}

ParameterSpec inside() {
  return {.key = "inside",
          .kind = ParameterKind::boolean,
          .description = "true: bodies are inside; false: outside.",
          .required = true};
}

ParameterSpec radius() {
  return {
      .key = "radius", .unit = "m", .description = "Radius.", .range = range::positive(), .required = true};
}

Specification plane_specification() {
  return {"plane",
          "Infinite plane.",
          {three("point", "m", "Point of the plane."),
           three("normal", "-", "Normal towards the bodies, not zero.")}};
}

Specification box_wall_specification() {
  return {"box",
          "Up to six infinite planes with inward normals. A body that leaves through an open side can still "
          "touch the extensions of the other planes.",
          {three("min", "m", "Lower corner."), three("max", "m", "Upper corner."),
           sides("Sides without plane.", {"-x", "+x", "-y", "+y", "-z", "+z"})}};
}

Specification cylinder_specification() {
  return {
      "cylinder",
      "Analytical cylinder (not tessellated). With \"inside\": true and a length: drum with two end planes; "
      "otherwise infinite.",
      {three("point", "m", "Point of the axis; with a length: the middle."),
       three("axis", "-", "Direction of the axis, not zero."),
       radius(),
       {.key = "length",
        .unit = "m",
        .description = "Distance of the end planes; only with \"inside\": true.",
        .range = range::positive()},
       inside(),
       sides("Ends that have no plane, seen along the axis: the cylinder is infinite there.", {"-", "+"})}};
}

Specification sphere_wall_specification() {
  return {
      "sphere", "Analytical sphere (not tessellated).", {three("point", "m", "Centre."), radius(), inside()}};
}

Specification cone_specification() {
  return {
      "cone",
      "Lateral surface of a cone or a truncated cone, open at both ends: a thin surface of flat faces. "
      "Bodies may be on both sides.",
      {three("point", "m", "Centre of the first end."),
       three("axis", "-", "Direction from the first end to the second, not zero."),
       {.key = "length",
        .unit = "m",
        .description = "Distance of the ends along the axis.",
        .range = range::positive(),
        .required = true},
       {.key = "radius",
        .kind = ParameterKind::vector,
        .unit = "m",
        .description = "Radii of the first and the second end; one of them may be 0 (tip). The polygons at "
                       "the ends have the areas of these circles.",
        .range = range::not_negative(),
        .required = true,
        .size = 2},
       {.key = "faces",
        .kind = ParameterKind::integer,
        .unit = "-",
        .description = "Number of flat faces around the axis.",
        .range = {.low = 3, .high = 720},
        .fallback = Value(64)}}};
}

Specification surface_specification() {
  return {
      "surface",
      "Thin surface of planar faces, from a mesh file or from \"vertices\" and \"faces\"; it may have free "
      "edges. Bodies may be on both sides.",
      mesh_parameters(3, 1,
                      "Convex planar polygons; neighbouring faces traverse their common edge in opposite "
                      "directions.")};
}

Vec3 direction(const Value& given, const char* what) {
  const Vec3 vector = given.vector();
  if (vector.norm() > 0) return vector.normalized();
  throw InputError(given.where(), text::join("got [0, 0, 0]; expected ", what, ", not zero."));
}

Walls plane_of(const std::string& /*name*/, const Value& values, const MeshReader& /*read_mesh*/) {
  const Vec3 point = values.vector("point");
  return {{{.point = point, .normal = direction(values.at("normal"), "a direction")}}, point};
}

Walls box_of(const std::string& /*name*/, const Value& values, const MeshReader& /*read_mesh*/) {
  const Vec3 low = values.vector("min"), high = values.vector("max");
  if ((high - low).minCoeff() <= 0) {
    throw InputError(values.where(),
                     text::join("\"min\" ", text::vector(low), " must be smaller than \"max\" ",
                                text::vector(high), " in every component."));
  }
  std::set<std::string> open;
  for (const auto& side : values.at("open").items()) open.insert(side.string());
  if (open.size() == 6)
    throw InputError(values.at("open").where(),
                     "all six sides are open; expected at least one side with a plane.");
  Walls box;
  box.reference = 0.5 * (low + high);
  for (int axis = 0; axis < 3; ++axis) {
    const std::string name(1, "xyz"[axis]);
    if (open.count("-" + name) == 0) box.walls.push_back({.point = low, .normal = Vec3::Unit(axis)});
    if (open.count("+" + name) == 0)
      box.walls.push_back({.point = high, .normal = Vec3::Zero() - Vec3::Unit(axis)});
  }
  return box;
}

Walls cylinder_of(const std::string& name, const Value& values, const MeshReader& /*read_mesh*/) {
  const Vec3 point = values.vector("point"), axis = direction(values.at("axis"), "a direction");
  const double size = values.number("radius");
  const bool from_inside = values.boolean("inside");
  const bool any_open = !values.at("open").items().empty();
  if (values.has("length") && !from_inside) {
    throw InputError(values.at("length").where(),
                     text::join("cannot be combined with \"inside\": false, ", values.at("inside").where(),
                                ": bodies outside require an infinite cylinder; use a \"surface\"."));
  }
  if (any_open && !values.has("length")) {
    throw InputError(values.at("open").where(), "requires \"length\" (only a drum has end planes).");
  }
  Walls cylinder;
  cylinder.reference = point;
  cylinder.walls.push_back({.point = point,
                            .normal = axis,
                            .shape = from_inside ? make_bore(name, size) : make_cylinder(name, size)});
  if (!values.has("length")) return cylinder;
  std::set<std::string> open;
  for (const auto& end : values.at("open").items()) open.insert(end.string());
  if (open.size() == 2) {
    throw InputError(values.at("open").where(),
                     text::join("both ends are open: \"length\", ", values.at("length").where(),
                                ", has no effect; remove both keys."));
  }
  const Vec3 half = 0.5 * values.number("length") * axis;
  if (open.count("-") == 0)
    cylinder.walls.push_back({.point = point - half, .normal = axis, .disc_radius = size});
  if (open.count("+") == 0)
    cylinder.walls.push_back({.point = point + half, .normal = -axis, .disc_radius = size});
  return cylinder;
}

Walls sphere_of(const std::string& name, const Value& values, const MeshReader& /*read_mesh*/) {
  const double size = values.number("radius");
  const Shape shape = values.boolean("inside") ? make_cavity(name, size) : make_sphere(name, size);
  const Vec3 point = values.vector("point");
  return {{{.point = point, .shape = shape}}, point};
}

Walls thin_surface(const std::string& name, const std::vector<Vec3>& vertices,
                   const std::vector<std::vector<int>>& faces, const Vec3& reference) {
  Wall wall;
  wall.shape = make_surface(name, vertices, faces);
  wall.point = wall.shape->shift;
  return {{std::move(wall)}, reference};
}

Walls cone_of(const std::string& name, const Value& values, const MeshReader& /*read_mesh*/) {
  const Vec3 point = values.vector("point"), axis = direction(values.at("axis"), "a direction");
  const auto& radii = values.at("radius").items();
  if (radii[0].number() + radii[1].number() <= 0)
    throw InputError(values.at("radius").where(), "got [0, 0]; expected at least one radius > 0.");
  const int count = values.integer("faces");
  // A regular polygon of this circumradius has the area of the unit circle.
  const double angle = 2 * std::numbers::pi / count;
  const double corner = std::sqrt(angle / std::sin(angle));
  const Vec3 x = axis.unitOrthogonal(), y = axis.cross(x);
  std::vector<Vec3> vertices;
  std::array<std::vector<int>, 2> rings;
  for (std::size_t end = 0; end < 2; ++end) {
    const double radius = corner * radii[end].number();
    for (int k = 0; k < count; ++k) {
      if (radius > 0 || k == 0) {
        vertices.emplace_back(point + (end == 0 ? 0 : values.number("length")) * axis +
                              radius * (std::cos(k * angle) * x + std::sin(k * angle) * y));
      }
      rings[end].push_back(static_cast<int>(vertices.size()) - 1);
    }
  }
  std::vector<std::vector<int>> faces;
  for (std::size_t k = 0; k < rings[0].size(); ++k) {
    const std::size_t next = (k + 1) % rings[0].size();
    std::vector<int> face = {rings[0][k], rings[0][next], rings[1][next], rings[1][k]};
    face.erase(std::unique(face.begin(), face.end()), face.end());
    faces.push_back(face);
  }
  return thin_surface(name, vertices, faces, point);
}

Walls surface_of(const std::string& name, const Value& values, const MeshReader& read_mesh) {
  const PolyhedronSurface mesh = prepare_mesh(values, read_mesh, true).surface;
  // One whose vertices are moved keeps all of them, and its place is theirs.
  if (const Value* motion = values.find("motion");
      motion != nullptr && motion->kind() == Value::Kind::string) {
    Shape shape = make_coupled_surface(name, mesh.vertices, mesh.loops);
    auto faults = coincident_vertices(mesh, name);
    if (!faults.empty()) {
      faults.back().message += " \"repair\": true joins vertices at free edges.";
      throw InputError(std::move(faults));
    }
    return {{{.shape = std::move(shape)}}, Vec3::Zero()};
  }
  return thin_surface(name, mesh.vertices, mesh.loops, Vec3::Zero());
}

}  // namespace

const std::vector<Registered<WallFactory>>& registered_walls() {
  static const std::vector<Registered<WallFactory>> entries = {
      {plane_specification(), plane_of},       {box_wall_specification(), box_of},
      {cylinder_specification(), cylinder_of}, {sphere_wall_specification(), sphere_of},
      {cone_specification(), cone_of},         {surface_specification(), surface_of}};
  return entries;
}

std::vector<Specification> wall_specifications() { return specifications(registered_walls(), {}); }

}  // namespace scree
