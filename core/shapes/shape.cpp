#include "core/shapes/shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/error.hpp"
#include "core/infinity.hpp"
#include "core/text.hpp"

namespace scree {
namespace {

void require_positive(const std::string& name, const char* what, double value) {
  if (value > 0 && std::isfinite(value)) return;
  throw InputError(name, std::string(what) + ": got " + text::number(value) + "; expected a length [m] > 0.");
}

/// Rounded shapes whose vertices all act.
Shape rounded(const std::string& name, ShapeKind kind, double radius, std::vector<Vec3> vertices) {
  Shape shape;
  shape.name = name;
  shape.kind = kind;
  shape.radius = radius;
  shape.vertices = std::move(vertices);
  shape.vertex_acts.assign(shape.vertices.size(), 1);
  shape.vertex_edges.resize(shape.vertices.size());
  shape.vertex_faces.resize(shape.vertices.size());
  return shape;
}

}  // namespace

Shape make_sphere(const std::string& name, double radius) {
  require_positive(name, "radius", radius);
  Shape shape = rounded(name, ShapeKind::sphere, radius, {Vec3::Zero()});
  shape.bounding_radius = radius;
  shape.smallest_feature = 2 * radius;
  shape.volume = 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
  shape.inertia_per_density = 0.4 * shape.volume * radius * radius * Mat3::Identity();
  return shape;
}

Shape make_capsule(const std::string& name, double radius, double length) {
  require_positive(name, "radius", radius);
  require_positive(name, "length", length);
  Shape shape = rounded(name, ShapeKind::capsule, radius, {{0, 0, -0.5 * length}, {0, 0, 0.5 * length}});
  shape.edges.push_back({.v0 = 0, .v1 = 1, .direction = Vec3::UnitZ(), .length = length});
  shape.vertex_edges = {{0}, {0}};
  shape.bounding_radius = 0.5 * length + radius;
  shape.smallest_feature = std::min(length, 2 * radius);
  const double r2 = radius * radius;
  const double cylinder = std::numbers::pi * r2 * length;
  const double caps = 4.0 / 3.0 * std::numbers::pi * r2 * radius;
  shape.volume = cylinder + caps;
  // Hemispheres: inertia 2/5 m r^2 about the middle of their flat side, centre of mass 3/8 r above it.
  const double across = cylinder * (0.25 * r2 + length * length / 12.0) +
                        caps * (0.4 * r2 + 0.25 * length * length + 0.375 * length * radius);
  const double along = 0.5 * cylinder * r2 + 0.4 * caps * r2;
  shape.inertia_per_density = Vec3(across, across, along).asDiagonal();
  return shape;
}

Shape make_superquadric(const std::string& name, const Vec3& half_axes, double n1, double n2,
                        double face_radius) {
  for (int k = 0; k < 3; ++k) require_positive(name, "half_axes", half_axes[k]);
  for (const double n : {n1, n2}) {
    if (n >= 2 && std::isfinite(n)) continue;
    throw InputError(
        name, text::join("blockiness: got ", text::number(n), "; expected exponents >= 2 (2: ellipsoid)."));
  }
  if (!(face_radius > 1) || !std::isfinite(face_radius))
    throw InputError(name, text::join("face_radius: got ", text::number(face_radius), "; expected > 1."));
  Shape shape;
  shape.name = name;
  shape.kind = ShapeKind::superquadric;
  shape.superquadric = Superquadric(half_axes, n1, n2, face_radius);
  for (int k = 0; k < 3; ++k) {
    // The rounding of the faces makes very flat bodies thicker than they are: by a part of the longest half
    // axis.
    constexpr double kExact = 1e-6;
    const double reached = shape.superquadric.support(Vec3::Unit(k)).h;
    if (std::abs(reached / half_axes[k] - 1) <= kExact) continue;
    throw InputError(
        name, text::join("half_axes: got ", text::vector(half_axes), "; with face_radius ",
                         text::number(face_radius), " the axis of ", text::number(half_axes[k]),
                         " m would be ", text::number(reached, 3),
                         " m; expected a larger face_radius, a thicker body or a smaller blockiness."));
  }
  shape.bounding_radius = shape.superquadric.bounding_radius();
  shape.smallest_feature = 2 * half_axes.minCoeff();
  const SuperquadricMass mass = shape.superquadric.mass_properties();
  shape.volume = mass.volume;
  shape.inertia_per_density = mass.inertia.asDiagonal();
  return shape;
}

double typical_radius(const Shape& shape) {
  return is_smooth(shape) ? std::cbrt(0.75 / std::numbers::pi * shape.volume) : shape.radius;
}

double inner_radius(const Shape& shape) {
  if (is_smooth(shape)) return 0.5 * shape.smallest_feature;
  double radius = kInfinity;
  for (const Face& face : shape.faces) radius = std::min(radius, face.offset);
  return (shape.faces.empty() ? 0 : radius) + shape.radius;
}

Shape make_plane(const std::string& name) {
  Shape shape;
  shape.name = name;
  shape.kind = ShapeKind::plane;
  shape.faces.emplace_back();
  return shape;
}

Shape make_cylinder(const std::string& name, double radius) {
  require_positive(name, "radius", radius);
  Shape shape;
  shape.name = name;
  shape.kind = ShapeKind::cylinder;
  shape.radius = radius;
  shape.edges.push_back({.direction = Vec3::UnitZ(), .length = std::numeric_limits<double>::infinity()});
  return shape;
}

Shape make_bore(const std::string& name, double radius) {
  require_positive(name, "radius", radius);
  Shape shape;
  shape.name = name;
  shape.kind = ShapeKind::bore;
  shape.hollow_radius = radius;
  return shape;
}

Shape make_cavity(const std::string& name, double radius) {
  Shape shape = make_bore(name, radius);
  shape.kind = ShapeKind::cavity;
  return shape;
}

}  // namespace scree
