#include "contact/geometry/cores.hpp"

#include <algorithm>
#include <limits>

#include "contact/geometry/closest_points.hpp"

namespace scree::contact {
namespace {

/// Size of a core as part of that of the shape.
constexpr double kCore = 0.7;

/// Balls in a body that is not convex, at most; and places below a face that are tried.
constexpr std::size_t kMostBalls = 64;
constexpr int kPlaces = 16;

double inner_radius(const Shape& shape) {
  if (shape.kind == ShapeKind::superquadric) return 0.5 * shape.smallest_feature;
  double radius = std::numeric_limits<double>::infinity();
  for (const Face& face : shape.faces) radius = std::min(radius, face.offset);
  return (shape.faces.empty() ? 0 : radius) + shape.radius;
}

/// The largest of some balls whose centres lie below the middle of a face; no radius without one.
Core::Part ball_under(const Shape& shape, const Face& face, double& room) {
  Vec3 middle = Vec3::Zero();
  for (const int v : face.loop) middle += shape.vertices[v] / static_cast<double>(face.loop.size());
  Vec3 centre = middle;
  room = 0;
  for (int k = 1; k <= kPlaces; ++k) {
    const Vec3 p = middle - face.normal * (shape.bounding_radius * k / kPlaces);
    const double depth = -nearest_on_closed(shape, p).distance;
    if (depth <= 0) break;  // out on the other side
    if (depth <= room) continue;
    room = depth;
    centre = p;
  }
  return room > 0 ? Core::Part{make_sphere("core", kCore * room), centre} : Core::Part{};
}

}  // namespace

Core core_of(const Shape& shape) {
  Core core;
  if (is_wall(shape)) return core;
  if (shape.convex) {
    core.parts.push_back({scaled(shape, "core", kCore)});
    core.margin = (1 - kCore) * inner_radius(shape);
    return core;
  }
  core.margin = std::numeric_limits<double>::infinity();
  const std::size_t stride = shape.faces.size() / kMostBalls + 1;
  for (std::size_t f = 0; f < shape.faces.size(); f += stride) {
    double room = 0;
    Core::Part part = ball_under(shape, shape.faces[f], room);
    if (room == 0) continue;
    core.margin = std::min(core.margin, (1 - kCore) * room);
    core.parts.push_back(std::move(part));
  }
  return core;
}

}  // namespace scree::contact
