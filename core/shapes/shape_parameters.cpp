#include "core/shapes/shape_parameters.hpp"

#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/text.hpp"

namespace scree {
namespace {

ParameterSpec length(const std::string& key, const std::string& description) {
  return {.key = key, .unit = "m", .description = description, .range = range::positive(), .required = true};
}

Specification sphere_specification() { return {"sphere", "Sphere.", {length("radius", "Radius.")}}; }

Specification capsule_specification() {
  return {"capsule",
          "Capsule: cylinder with hemispherical ends, along the body's z axis.",
          {length("radius", "Radius."), length("length", "Length of the cylindrical part.")}};
}

Specification box_specification() {
  return {"box",
          "Box with edges along the axes of the body frame.",
          {{.key = "size",
            .kind = ParameterKind::vector,
            .unit = "m",
            .description = "Lengths of the edges.",
            .range = range::positive(),
            .required = true,
            .size = 3}}};
}

Specification polyhedron_specification() {
  const ParameterSpec vertex{
      .kind = ParameterKind::vector, .unit = "m", .description = "Coordinates.", .size = 3};
  const ParameterSpec vertex_number{.kind = ParameterKind::integer,
                                    .description = "Number of a vertex, from 0.",
                                    .range = {.low = 0, .high = std::numeric_limits<int>::max()}};
  const ParameterSpec face{.kind = ParameterKind::list,
                           .description = "Vertices of a face, counter-clockwise seen from outside.",
                           .size = 3,
                           .members = {vertex_number}};
  return {
      "polyhedron",
      "Polyhedron: closed surface of planar faces, from a mesh file or from \"vertices\" and \"faces\". The "
      "vertices are shifted: the centre of mass is the origin of the body frame.",
      {{.key = "file",
        .kind = ParameterKind::string,
        .description = "STL file (text or binary), relative to the deck."},
       {.key = "vertices",
        .kind = ParameterKind::list,
        .unit = "m",
        .description = "Instead of \"file\", with \"faces\".",
        .size = 4,
        .members = {vertex}},
       {.key = "faces",
        .kind = ParameterKind::list,
        .description = "Convex planar polygons.",
        .size = 4,
        .members = {face}},
       {.key = "scale",
        .unit = "-",
        .description = "Factor on all lengths of the mesh; 0.001 for a mesh in millimetres.",
        .range = range::positive(),
        .fallback = 1.0}}};
}

Specification superquadric_specification() {
  return {
      "superquadric",
      "(|x/a|^n2 + |y/b|^n2)^(n1/n2) + |z/c|^n1 <= 1: ellipsoids, rounded cylinders (n2 = 2) and "
      "boxes. Two superquadrics have one contact point; for contact, flat faces are slightly curved "
      "(docs/superquadrics.md).",
      {{.key = "half_axes",
        .kind = ParameterKind::vector,
        .unit = "m",
        .description = "Half axes a, b, c.",
        .range = range::positive(),
        .required = true,
        .size = 3},
       {.key = "blockiness",
        .kind = ParameterKind::vector,
        .unit = "-",
        .description = "Exponents n1 (towards z) and n2 (across z).",
        .range = range::at_least(2),
        .required = true,
        .size = 2},
       {.key = "face_radius",
        .unit = "-",
        .description = "Largest radius of curvature of a face, in half axes. Larger values: flatter faces, "
                       "corners closer to the blockiness, steps harder to solve.",
        .range = {.low = 1, .high = 1000, .low_open = true},
        .fallback = 30.0}}};
}

Shape superquadric_of(const std::string& name, const Value& values, const MeshReader&) {
  const std::vector<Value>& blockiness = values.at("blockiness").items();
  return make_superquadric(name, values.vector("half_axes"), blockiness[0].number(), blockiness[1].number(),
                           values.number("face_radius"));
}

Shape polyhedron_of(const std::string& name, const Value& values, const MeshReader& read_mesh) {
  const PolyhedronSurface mesh = mesh_of(values, read_mesh);
  return make_polyhedron(name, mesh.vertices, mesh.loops);
}

}  // namespace

PolyhedronSurface mesh_of(const Value& values, const MeshReader& read_mesh) {
  const double scale = values.number("scale");
  const bool inline_mesh = values.has("vertices") || values.has("faces");
  if (values.has("file") && inline_mesh) {
    const char* key = values.has("vertices") ? "vertices" : "faces";
    throw InputError(values.where(), text::join("\"file\" and \"", key,
                                                "\" cannot be combined: the mesh comes from a file, or from "
                                                "\"vertices\" and \"faces\"; remove one of the two."));
  }
  if (!values.has("file") && !inline_mesh) {
    throw InputError(values.where(), "expected either \"file\", or \"vertices\" and \"faces\".");
  }
  if (!inline_mesh) return read_mesh(values.at("file"), scale);
  for (const char* key : {"vertices", "faces"}) {
    if (!values.has(key)) throw InputError(values.where(), text::join("\"", key, "\" is missing."));
  }
  PolyhedronSurface mesh;
  for (const auto& v : values.at("vertices").items()) mesh.vertices.emplace_back(scale * v.vector());
  for (const auto& face : values.at("faces").items()) {
    mesh.loops.emplace_back();
    for (const auto& v : face.items()) mesh.loops.back().push_back(v.integer());
  }
  return mesh;
}

const std::vector<Registered<ShapeFactory>>& registered_shapes() {
  static const std::vector<Registered<ShapeFactory>> entries = {
      {sphere_specification(), [](const std::string& name, const Value& values,
                                  const MeshReader&) { return make_sphere(name, values.number("radius")); }},
      {capsule_specification(),
       [](const std::string& name, const Value& values, const MeshReader&) {
         return make_capsule(name, values.number("radius"), values.number("length"));
       }},
      {box_specification(), [](const std::string& name, const Value& values,
                               const MeshReader&) { return make_box(name, values.vector("size")); }},
      {polyhedron_specification(), polyhedron_of},
      {superquadric_specification(), superquadric_of},
  };
  return entries;
}

std::vector<Specification> shape_specifications() { return specifications(registered_shapes(), {}); }

}  // namespace scree
