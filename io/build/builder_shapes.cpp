#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/mesh/orientation.hpp"
#include "core/mesh/polyhedron_surface.hpp"
#include "core/shapes/mesh_parameters.hpp"
#include "core/shapes/shape_parameters.hpp"
#include "core/text.hpp"
#include "io/build/builder_parts.hpp"
#include "io/deck/deck_validation.hpp"
#include "io/deck/input_file.hpp"

namespace scree::builder {
namespace {

/// What was made of a mesh, for the log. @param read "FILE, what was read". @param parts separate ones.
std::string mesh_note(const Shape& shape, const std::string& read, std::size_t parts) {
  const Vec3 moments = shape.inertia_per_density.selfadjointView<Eigen::Lower>().eigenvalues() / shape.volume;
  return fmt::format(
      "{}: {}; closed, outward normals, no self-intersections; {}{} faces after merging coplanar triangles, "
      "{}convex; volume {:.6g} m^3, principal moments of inertia per mass [{:.6g}, {:.6g}, {:.6g}] m^2; "
      "centre "
      "of mass at {} of the mesh",
      shape.name, read, parts > 1 ? fmt::format("{} separate parts, which move as one body; ", parts) : "",
      shape.faces.size(), shape.convex ? "" : "not ", shape.volume, moments.x(), moments.y(), moments.z(),
      text::vector(shape.shift));
}

/// Warns of a sheet that is thicker than it is large: its thickness may be in millimetres.
void warn_of_thick_sheet(Build& build, const Value& thickness, double bounding_radius) {
  const double t = thickness.number(), across = 2 * bounding_radius;
  const double size = std::sqrt(std::max(across * across - t * t, 0.0));  // if it is flat
  if (t <= size) return;
  build.diagnostics.warning(
      thickness.where(),
      fmt::format("thickness {} m exceeds the size of the sheet, {} m; \"scale\" does not apply "
                  "to the thickness, which is in metres.",
                  text::number(t), text::number(size, 4)));
}

}  // namespace

std::string MeshRecord::note(const std::string& file) const {
  std::string all;
  if (!file.empty()) {
    all = fmt::format("{}, {} {} with {} corners, {} vertices after merging duplicates", file, faces,
                      read.corners == 3 * faces ? "triangles" : "faces", read.corners, vertices);
    if (read.merged > 0) all += fmt::format(" ({} merged)", read.merged);
  }
  const auto add = [&all](const std::string& more) { all += (all.empty() ? "" : "; ") + more; };
  if (prepared.repairs.any()) add("repaired: " + repairs_text(prepared.repairs));
  if (prepared.decimation) add(decimation_text(*prepared.decimation));
  return all;
}

MeshReader mesh_reader(Build& build, MeshRecord& record) {
  MeshReader reader;
  reader.read = [&build, &record](const Value& file) {
    record.read =
        parse_mesh(read_text_file(path_to_read(build, file.string()), file.string()), file.string());
    record.faces = record.read.surface.loops.size();
    record.vertices = record.read.surface.vertices.size();
    return std::move(record.read.surface);
  };
  reader.prepared = [&record](const PreparedMesh& mesh) { record.prepared = mesh; };
  return reader;
}

void keep_mesh_faults(Build& build, const std::string& name, const MeshRecord& record) {
  const PolyhedronSurface& surface = record.prepared.surface;
  if (surface.loops.empty() || !has_valid_numbers(surface)) return;
  MeshFaults faults = find_mesh_faults(name, surface, record.prepared.open);
  if (faults.any()) build.diagnostics.add_faulty_mesh(std::move(faults));
}

void warn_of_millimetres(Build& build, const Value& values, const std::string& what, double size) {
  if (size <= kLooksLikeMillimetres || !values.at("scale").is_default()) return;
  build.diagnostics.warning(
      values.at("file").where(),
      fmt::format("the {} measures {} m across. If the mesh is in millimetres, set \"scale\": 0.001; "
                  "if it is in metres, set \"scale\": 1.",
                  what, text::number(size)));
}

void add_shapes(Build& build) {
  const Value& shapes = build.deck.at("shapes");
  for (std::size_t k = 0; k < shapes.items().size(); ++k) {
    const Value& values = shapes.items()[k];
    const std::string& name = shapes.keys()[k];
    Shape shape;
    shape.name = name;
    bool good = is_complete(values);
    if (good) {
      const auto* entry = find_registered(registered_shapes(), values.string("type"));
      // Faults of a mesh belong to its file.
      const Value& place = values.has("file") ? values.at("file") : values;
      const std::string file = values.has("file") ? place.string() : "";
      MeshRecord record;
      const MeshReader reader = mesh_reader(build, record);
      good =
          build.diagnostics.attempt(place.where(), file, [&] { shape = entry->make(name, values, reader); });
      if (!good) keep_mesh_faults(build, name, record);
      const std::string read = record.note(file);
      if (good && !read.empty())
        build.model.notes.push_back(mesh_note(shape, read, separate_parts(record.prepared.surface)));
      if (good && values.has("thickness")) {
        build.mesh_thickness.emplace(static_cast<int>(k), values.number("thickness"));
        warn_of_thick_sheet(build, values.at("thickness"), shape.bounding_radius);
      }
      if (good && values.has("file")) warn_of_millimetres(build, values, "body", 2 * shape.bounding_radius);
    }
    build.shape_good.push_back(good ? 1 : 0);
    build.model.shapes.push_back(std::move(shape));
  }
}

}  // namespace scree::builder
