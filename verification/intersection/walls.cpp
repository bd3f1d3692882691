#include "walls.hpp"

#include <algorithm>
#include <limits>

#include "meshes.hpp"

namespace intersection {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Of points p from the origin or, if `axis` is a unit vector, from the line along it: the largest distance.
Real outermost(const std::vector<Vector>& points, const Vector& axis) {
  Real square = 0;
  for (const Vector& p : points) square = std::max(square, (p - axis * axis.dot(p)).squaredNorm());
  return std::sqrt(square);
}

/// What stands for a sphere or for a cylinder from outside, as a rounded point or line.
Solid core_of(const Solid& solid, const Pose& pose, const Wall& wall, const Pose& pose_wall) {
  Solid core;
  core.radius = wall.radius;
  if (wall.kind == WallKind::sphere) {
    core.vertices = {Eigen::Vector3d::Zero()};
  } else {
    // The foot of any point of the body lies within its bounding radius of the foot of its pole.
    const double middle = (pose_wall.q.conjugate() * (pose.x - pose_wall.x)).z();
    const double reach = 1.1 * solid.bounding_radius + 1e-9 * std::abs(middle);
    core.vertices = {{0, 0, middle - reach}, {0, 0, middle + reach}};
  }
  core.prepare();
  return core;
}

Separation from_surface(const Solid& solid, const Pose& pose, const Wall& wall, const Pose& pose_wall,
                        double within) {
  Separation best;
  best.value = kInfinity;
  const Eigen::Vector3d local = pose_wall.q.conjugate() * (pose.x - pose_wall.x);
  for (std::size_t k = 0; k < wall.polygons.size(); ++k) {
    if ((local - wall.centres[k]).norm() - wall.radii[k] - solid.bounding_radius > within) continue;
    const Separation found = separation(solid, pose, wall.polygons[k], pose_wall);
    if (found.value < best.value) best = found;
  }
  return best;
}

}  // namespace

void Wall::set_surface(const Solid& mesh) {
  polygons.clear();
  centres.clear();
  radii.clear();
  for (const auto& face : mesh.faces) {
    Solid polygon;
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();
    std::vector<int> front(face.size());
    for (std::size_t i = 0; i < face.size(); ++i) {
      front[i] = static_cast<int>(i);
      polygon.vertices.push_back(mesh.vertices[face[i]]);
      centre += mesh.vertices[face[i]] / static_cast<double>(face.size());
    }
    polygon.faces = {front, {front.rbegin(), front.rend()}};
    polygon.prepare();
    double farthest = 0;
    for (const auto& v : polygon.vertices) farthest = std::max(farthest, (v - centre).norm());
    polygons.push_back(std::move(polygon));
    centres.push_back(centre);
    radii.push_back(farthest * (1 + 1e-9));
  }
}

Separation separation(const Solid& solid, const Pose& pose, const Wall& wall, const Pose& pose_wall,
                      double within) {
  if (wall.kind == WallKind::capsule || wall.kind == WallKind::polyhedron) {
    return solid.convex && wall.solid.convex ? separation(solid, pose, wall.solid, pose_wall)
                                             : mesh_separation(solid, pose, wall.solid, pose_wall, within);
  }
  if (wall.kind == WallKind::surface) return from_surface(solid, pose, wall, pose_wall, within);
  if (wall.kind == WallKind::sphere || wall.kind == WallKind::cylinder)
    return separation(solid, pose, core_of(solid, pose, wall, pose_wall), pose_wall);
  const Vector axis = rotation(pose_wall.q).col(2);
  Separation result;
  result.error = 16 * rounding(solid.bounding_radius + wall.radius + (pose.x - pose_wall.x).norm());
  if (wall.kind == WallKind::plane) {
    result.value = extent(solid, pose, pose_wall.x, axis).low - solid.radius;
  } else {
    const Vector along = wall.kind == WallKind::bore ? axis : Vector(Vector::Zero());
    result.value = wall.radius - outermost(placed(solid, pose, pose_wall.x), along) - solid.radius;
  }
  return result;
}

double least_separation(const Solid& solid, const Pose& pose, const Wall& wall, const Pose& pose_wall) {
  const Eigen::Vector3d local = pose_wall.q.conjugate() * (pose.x - pose_wall.x);
  const double rounding = 1e-12 * (local.norm() + wall.radius + solid.bounding_radius);
  const double across = local.head<2>().norm();
  switch (wall.kind) {
    case WallKind::plane:
      return local.z() - solid.bounding_radius - rounding;
    case WallKind::bore:
      return wall.radius - across - solid.bounding_radius - rounding;
    case WallKind::cavity:
      return wall.radius - local.norm() - solid.bounding_radius - rounding;
    case WallKind::cylinder:
      return across - wall.radius - solid.bounding_radius - rounding;
    case WallKind::sphere:
      return local.norm() - wall.radius - solid.bounding_radius - rounding;
    case WallKind::capsule:
    case WallKind::polyhedron:
      return local.norm() - wall.solid.bounding_radius - solid.bounding_radius - rounding;
    case WallKind::surface:
      break;
  }
  return -kInfinity;
}

}  // namespace intersection
