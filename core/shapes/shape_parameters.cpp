#include "core/shapes/shape_parameters.hpp"

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
  std::vector<ParameterSpec> keys =
      mesh_parameters(3, 1, "Convex planar polygons, counter-clockwise seen from outside.");
  keys.push_back(thickness_parameter());
  return {
      "polyhedron",
      "Polyhedron: closed surface of planar faces, from a mesh file or from \"vertices\" and \"faces\". The "
      "vertices are shifted: the centre of mass is the origin of the body frame. With \"thickness\": a card, "
      "plate "
      "or shell, from an open surface.",
      keys};
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
  const PolyhedronSurface mesh = prepare_mesh(values, read_mesh, false).surface;
  return make_polyhedron(name, mesh.vertices, mesh.loops);
}

}  // namespace

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
