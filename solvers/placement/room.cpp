#include "solvers/placement/room.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree {
namespace {

/// Round-off in what just fits.
constexpr double kRoundOffOfPlaces = 1e-9;

/// A plane is taken into account if it is that of a box: components of its normal beside the largest.
constexpr double kAligned = 1e-12;

const double kDensestSpheres = std::numbers::pi / std::sqrt(18.0);

/// Cuts a box by the planes that are parallel to its faces.
void cut(Vec3& low, Vec3& high, const std::vector<BoundaryPart>& walls) {
  for (const BoundaryPart& wall : walls) {
    for (int k = 0; k < 3; ++k) {
      if (1 - std::abs(wall.normal[k]) > kAligned) continue;
      double& end = wall.normal[k] > 0 ? low[k] : high[k];
      end = wall.normal[k] > 0 ? std::max(end, wall.point[k]) : std::min(end, wall.point[k]);
    }
  }
}

}  // namespace

Room room_for(const std::vector<Shape>& shapes, const std::vector<int>& bodies, const Vec3& low,
              const Vec3& high, const std::vector<PlacedBody>& placed, std::size_t first,
              const std::vector<BoundaryPart>& walls, double clearance, const PeriodicCell& periodic) {
  double reach = 0;
  bool equal_spheres = true;
  const auto equals_first = [&](const Shape& shape) {
    return shape.kind == ShapeKind::sphere && shape.radius == shapes[bodies.front()].radius;
  };
  for (const int body : bodies) {
    reach = std::max(reach, shapes[body].bounding_radius);
    equal_spheres = equal_spheres && equals_first(shapes[body]);
  }
  reach += 0.5 * clearance;
  Vec3 from = low - Vec3::Constant(reach), to = high + Vec3::Constant(reach);
  cut(from, to, walls);
  std::vector<const PlacedBody*> inside;
  for (std::size_t k = first; k < placed.size(); ++k) {
    const double size = placed[k].bound + 0.5 * clearance;
    if ((placed[k].x - from).minCoeff() < size || (to - placed[k].x).minCoeff() < size) continue;
    inside.push_back(&placed[k]);
    equal_spheres = equal_spheres && equals_first(shapes[placed[k].shape]);
  }
  Room room;
  const auto volume_of = [&](const Shape& shape) {
    if (!equal_spheres) return shape.volume;
    const double radius = shape.radius + 0.5 * clearance;
    return 4 * std::numbers::pi / 3 * radius * radius * radius;
  };
  for (const int body : bodies) room.needed += volume_of(shapes[body]);
  for (const PlacedBody* body : inside) room.needed += volume_of(shapes[body->shape]);
  Vec3 sides = (to - from).cwiseMax(0.0);
  for (int k = 0; k < 3; ++k) {
    if (periodic.length[k] > 0) sides[k] = std::min(sides[k], periodic.length[k]);
  }
  room.available = sides.prod() * (1 + kRoundOffOfPlaces);
  if (equal_spheres && !bodies.empty()) room.densest = kDensestSpheres;
  return room;
}

}  // namespace scree
