#include "core/shapes/mesh_parameters.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "core/error.hpp"
#include "core/mesh/polyhedron_surface.hpp"
#include "core/mesh/thickened_sheet.hpp"
#include "core/text.hpp"

namespace scree {
namespace {

/// Width of cracks that are closed without a word of the deck, of the size of the mesh: text files with six
/// digits move vertices by some 1e-6.
constexpr double kCrack = 1e-5;

PolyhedronSurface inline_mesh(const Value& values) {
  for (const char* key : {"vertices", "faces"}) {
    if (!values.has(key)) throw InputError(values.where(), text::join("\"", key, "\" is missing."));
  }
  PolyhedronSurface mesh;
  for (const auto& v : values.at("vertices").items()) mesh.vertices.emplace_back(v.vector());
  for (const auto& face : values.at("faces").items()) {
    mesh.loops.emplace_back();
    for (const auto& v : face.items()) {
      mesh.loops.back().push_back(v.integer());
    }
  }
  return mesh;
}

Vec3 scale_of(const Value& values) {
  const Value& scale = values.at("scale");
  return scale.kind() == Value::Kind::number ? Vec3::Constant(scale.number()).eval() : scale.vector();
}

/// @returns whether, and across which cracks [m].
std::optional<double> crack_of(const Value& values, double size) {
  const Value* repair = values.find("repair");
  if (repair == nullptr) return values.has("file") ? std::optional(kCrack * size) : std::nullopt;
  if (repair->kind() == Value::Kind::boolean)
    return repair->boolean() ? std::optional(kCrack * size) : std::nullopt;
  const double crack = repair->number("crack");
  if (crack > 0.01 * size) {
    throw InputError(repair->at("crack").where(), text::join("got ", text::number(crack),
                                                             " m; expected at most 1/100 of the size of the "
                                                             "mesh, ",
                                                             text::number(0.01 * size), " m."));
  }
  return crack;
}

std::string counted(std::size_t count, const char* one, const char* many) {
  return text::join(std::to_string(count), " ", count == 1 ? one : many);
}

/// A mesh of which a repair leaves too few faces is refused with the number that was given: the number that
/// is left would be a riddle. @param given faces before the repair.
void refuse_remainder(const PreparedMesh& mesh, std::size_t given, const MeshReader& reader) {
  const std::size_t least = mesh.open ? 1 : 4, left = mesh.surface.loops.size();
  if (left >= least || left >= given) return;
  if (reader.prepared) reader.prepared(mesh);
  std::string remedy;
  if (mesh.repairs.joined_vertices + mesh.repairs.split_edges > 0)
    remedy = text::join(" Cracks up to ", text::number(mesh.crack, 3), " m were closed. If the ",
                        mesh.open ? "surface is narrower" : "body is thinner",
                        " than that, set \"repair\": {\"crack\": W} with a smaller width W [m].");
  throw InputError(
      "", text::join("has ", counted(given, "face", "faces"), ", of which the repair leaves ",
                     std::to_string(left), " (", repairs_text(mesh.repairs), "); ",
                     mesh.open ? "a surface requires at least 1." : "a closed surface requires at least 4.",
                     remedy));
}

}  // namespace

std::vector<ParameterSpec> mesh_parameters(int vertices, int faces, const std::string& faces_description) {
  const ParameterSpec vertex{
      .kind = ParameterKind::vector, .unit = "m", .description = "Coordinates.", .size = 3};
  const ParameterSpec vertex_number{.kind = ParameterKind::integer,
                                    .description = "Number of a vertex, from 0.",
                                    .range = {.low = 0, .high = std::numeric_limits<int>::max()}};
  const ParameterSpec face{.kind = ParameterKind::list,
                           .description = "Vertices of a face.",
                           .size = 3,
                           .members = {vertex_number}};
  return {
      {.key = "file",
       .kind = ParameterKind::string,
       .description =
           "Mesh file, relative to the deck: OBJ, OFF or PLY by its extension, otherwise STL; text "
           "or binary (OFF: text)."},
      {.key = "vertices",
       .kind = ParameterKind::list,
       .unit = "m",
       .description = "Instead of \"file\", with \"faces\".",
       .size = vertices,
       .members = {vertex}},
      {.key = "faces",
       .kind = ParameterKind::list,
       .description = faces_description,
       .size = faces,
       .members = {face}},
      {.key = "scale",
       .kind = ParameterKind::any_of,
       .unit = "-",
       .description = "Factor on all lengths of the mesh, or a factor for each axis of the mesh; 0.001 for a "
                      "mesh in millimetres.",
       .fallback = 1.0,
       .members = {{.description = "One factor.", .range = range::positive()},
                   {.kind = ParameterKind::vector,
                    .description = "Factors along x, y and z.",
                    .range = range::positive(),
                    .size = 3}}},
      {.key = "repair",
       .kind = ParameterKind::any_of,
       .description =
           "Repair of the mesh: triangulates faces that are not planar and convex, removes faces without "
           "area "
           "and duplicates, closes cracks, orients faces; the log reports what was done. Default: true for a "
           "file, false for \"vertices\" and \"faces\".",
       .members = {{.kind = ParameterKind::boolean, .description = "true: cracks up to 1e-5 of the size."},
                   {.kind = ParameterKind::object,
                    .description = "Repair with this width of cracks.",
                    .members = {{.key = "crack",
                                 .unit = "m",
                                 .description =
                                     "Free edges and vertices closer than this are joined; 0: none.",
                                 .range = range::not_negative(),
                                 .required = true}}}}},
      {.key = "decimate",
       .kind = ParameterKind::object,
       .description =
           "Reduces the number of triangles. The log reports the largest distance from the original "
           "surface, measured in both directions at vertices and at the middles of edges and faces.",
       .members = {
           {.key = "triangles",
            .kind = ParameterKind::integer,
            .description = "Number of triangles that are left. Default: as few as \"distance\" allows.",
            .range = {.low = 4, .high = 1e9}},
           {.key = "distance",
            .unit = "m",
            .description = "Largest distance from the original surface. Default: not limited.",
            .range = range::positive()}}}};
}

ParameterSpec thickness_parameter() {
  return {.key = "thickness",
          .unit = "m",
          .description =
              "The mesh is a sheet that may have free edges: half of the thickness is added on each "
              "side. \"repair\" and \"decimate\" act on the sheet. Default: the mesh is closed.",
          .range = range::positive()};
}

PreparedMesh prepare_mesh(const Value& values, const MeshReader& reader, bool open) {
  const bool is_inline = values.has("vertices") || values.has("faces");
  if (values.has("file") && is_inline) {
    const char* key = values.has("vertices") ? "vertices" : "faces";
    throw InputError(values.where(), text::join("\"file\" and \"", key,
                                                "\" cannot be combined: the mesh comes from a file, or from "
                                                "\"vertices\" and \"faces\"; remove one of the two."));
  }
  if (!values.has("file") && !is_inline) {
    throw InputError(values.where(), "expected either \"file\", or \"vertices\" and \"faces\".");
  }
  PreparedMesh mesh;
  const Value* thickness = open ? nullptr : values.find("thickness");
  if (thickness != nullptr) open = true;  // until it is thick
  mesh.open = open;
  mesh.surface = is_inline ? inline_mesh(values) : reader.read(values.at("file"));
  const Vec3 scale = scale_of(values);
  for (Vec3& v : mesh.surface.vertices) v = v.cwiseProduct(scale).eval();
  const std::optional<double> crack = crack_of(values, mesh.surface.size());
  // Numbers of vertices that do not exist are for make_polyhedron to report.
  if (crack && has_valid_numbers(mesh.surface)) {
    const std::size_t given = mesh.surface.loops.size();
    mesh.repairs = repair(mesh.surface, *crack, open);
    mesh.crack = *crack;
    refuse_remainder(mesh, given, reader);
  }
  if (const Value* goal = values.find("decimate")) {
    if (!goal->has("triangles") && !goal->has("distance"))
      throw InputError(goal->where(), "expected \"triangles\", \"distance\", or both.");
    // A surface with faults is refused as it is.
    if (surface_faults(mesh.surface, "", open).empty()) {
      DecimationGoal wanted;
      if (goal->has("triangles")) wanted.triangles = static_cast<std::size_t>(goal->integer("triangles"));
      if (goal->has("distance")) wanted.distance = goal->number("distance");
      mesh.decimation = decimate(mesh.surface, wanted);
      if (open) mesh.decimation->volume_ratio.reset();
      if (!surface_faults(mesh.surface, "", open).empty()) {
        if (reader.prepared) reader.prepared(mesh);
        throw InputError(goal->where(),
                         text::join("decimated to ", std::to_string(mesh.decimation->after),
                                    " triangles, the mesh intersects itself; allow more triangles, or a "
                                    "smaller distance."));
      }
    }
  }
  if (thickness != nullptr) {
    // A sheet with faults is refused as it is.
    const double t = thickness->number();
    if (auto faults = surface_faults(mesh.surface, values.where(), true); faults.empty()) {
      mesh.surface = thickened(mesh.surface, t);
      mesh.open = false;
    } else {
      if (reader.prepared) reader.prepared(mesh);
      throw InputError(std::move(faults));
    }
    const bool good = surface_faults(mesh.surface, "", false).empty();
    if (reader.prepared) reader.prepared(mesh);
    if (good) return mesh;
    throw InputError(thickness->where(),
                     text::join("got ", text::number(t),
                                " m; with this thickness the sheet intersects itself; "
                                "expected less than its radii of curvature and the distance of its parts."));
  }
  if (reader.prepared) reader.prepared(mesh);
  return mesh;
}

std::string repairs_text(const MeshRepairs& repairs) {
  std::string all;
  const auto add = [&all](std::size_t count, const char* one, const char* many,
                          const std::string& more = "") {
    if (count > 0) all += (all.empty() ? "" : ", ") + counted(count, one, many) + more;
  };
  add(repairs.split_polygons, "face that was not planar and convex divided into triangles",
      "faces that were not planar and convex divided into triangles");
  add(repairs.removed_faces, "face without area removed", "faces without area removed");
  add(repairs.removed_duplicates, "duplicate face removed", "duplicate faces removed");
  add(repairs.removed_fins, "face removed that hung on an edge between others",
      "faces removed that hung on edges between others");
  add(repairs.joined_vertices, "vertex joined across cracks", "vertices joined across cracks");
  add(repairs.split_edges, "edge divided at a vertex on it", "edges divided at vertices on them");
  if (repairs.joined_vertices + repairs.split_edges > 0)
    all += " (widest crack " + text::number(repairs.widest_crack, 4) + " m)";
  add(repairs.reversed_faces, "face reversed to agree with its neighbours",
      "faces reversed to agree with their neighbours");
  add(repairs.reversed_parts, "part turned outward", "parts turned outward");
  return all;
}

std::string decimation_text(const Decimation& decimation) {
  std::string all = text::join(
      "decimated from ", std::to_string(decimation.before), " to ", std::to_string(decimation.after),
      " triangles; largest distance from the original ", text::number(decimation.distance, 4), " m");
  if (decimation.volume_ratio)
    all += ", volume changed by " + text::number(100 * (*decimation.volume_ratio - 1), 4) + " %";
  return all;
}

}  // namespace scree
