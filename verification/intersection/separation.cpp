#include "separation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "distances.hpp"
#include "meshes.hpp"

namespace intersection {
namespace {

constexpr Real kEpsilon = std::numeric_limits<Real>::epsilon();  // 2^-63

std::vector<Vector> turned(const std::vector<Eigen::Vector3d>& directions, const Matrix& r) {
  std::vector<Vector> result;
  result.reserve(directions.size());
  for (const auto& d : directions) result.emplace_back(r * d.cast<Real>());
  return result;
}

Interval extent(const std::vector<Vector>& points, const Vector& axis) {
  Interval range{std::numeric_limits<Real>::infinity(), -std::numeric_limits<Real>::infinity()};
  for (const auto& p : points) {
    const Real t = p.dot(axis);
    range.low = std::min(range.low, t);
    range.high = std::max(range.high, t);
  }
  return range;
}

Separation between_polyhedra(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b) {
  const auto points_a = placed(a, pose_a, pose_b.x);
  const auto points_b = placed(b, pose_b, pose_b.x);
  Separation best;
  best.value = -std::numeric_limits<Real>::infinity();
  best.error = rounding(size_of(a, pose_a, b, pose_b));
  const auto try_axis = [&](const Vector& direction) {
    const Real length = direction.norm();
    const Vector axis = direction / length;
    const Interval on_a = extent(points_a, axis), on_b = extent(points_b, axis);
    const Real ahead = on_a.low - on_b.high, behind = on_b.low - on_a.high;
    if (std::max(ahead, behind) > best.value) {
      best.value = std::max(ahead, behind);
      best.axis = (ahead >= behind ? axis : Vector(-axis)).cast<double>();
    }
  };
  const Matrix ra = rotation(pose_a.q), rb = rotation(pose_b.q);
  for (const auto& n : turned(a.normals, ra)) try_axis(n);
  for (const auto& n : turned(b.normals, rb)) try_axis(n);
  const auto edges_a = turned(a.edges, ra), edges_b = turned(b.edges, rb);
  for (const auto& e : edges_a) {
    for (const auto& f : edges_b) {
      const Vector k = e.cross(f);
      // Any direction is a sound axis: of nearly parallel edges it is a bad one, never a wrong one.
      if (k.squaredNorm() > kEpsilon * e.squaredNorm() * f.squaredNorm()) try_axis(k);
    }
  }
  return best;
}

bool inside(const Vector& p, const Solid& solid, const std::vector<Vector>& points) {
  return std::all_of(solid.faces.begin(), solid.faces.end(), [&](const std::vector<int>& face) {
    return loop_normal(corners(points, face)).dot(p - points[face[0]]) < 0;
  });
}

/// Of a point or segment (`thin`, without faces) and any solid.
Separation with_thin(const Solid& thin, const Pose& pose_thin, const Solid& other, const Pose& pose_other) {
  const auto segment = placed(thin, pose_thin, pose_other.x);
  const auto points = placed(other, pose_other, pose_other.x);
  const Vector &a = segment.front(), &b = segment.back();
  Real distance = std::numeric_limits<Real>::infinity();
  if (other.faces.empty()) {
    distance = segment_distance(a, b, points.front(), points.back());
  } else if (inside(a, other, points) || inside(b, other, points)) {
    distance = 0;
  } else {
    for (const auto& face : other.faces) {
      distance = std::min(distance, polygon_distance(a, b, corners(points, face)));
    }
  }
  Separation result;
  result.value = distance - thin.radius - other.radius;
  // The projection on a segment divides by its length: sixteen times the rounding of a projection.
  result.error = 16 * rounding(size_of(thin, pose_thin, other, pose_other));
  return result;
}

}  // namespace

Real size_of(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b) {
  return a.bounding_radius + b.bounding_radius + (pose_a.x - pose_b.x).norm();
}

Real rounding(Real size) { return 64 * kEpsilon * size; }

Matrix rotation(const Eigen::Quaterniond& q) {
  const Real w = q.w(), x = q.x(), y = q.y(), z = q.z();
  const Real s = 2 / (w * w + x * x + y * y + z * z);
  Matrix r;
  r << 1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y), s * (x * y + w * z),
      1 - s * (x * x + z * z), s * (y * z - w * x), s * (x * z - w * y), s * (y * z + w * x),
      1 - s * (x * x + y * y);
  return r;
}

std::vector<Vector> placed(const Solid& solid, const Pose& pose, const Eigen::Vector3d& origin) {
  const Matrix r = rotation(pose.q);
  const Vector shift = pose.x.cast<Real>() - origin.cast<Real>();
  std::vector<Vector> points;
  points.reserve(solid.vertices.size());
  for (const auto& v : solid.vertices) points.emplace_back(r * v.cast<Real>() + shift);
  return points;
}

Interval extent(const Solid& solid, const Pose& pose, const Eigen::Vector3d& origin, const Vector& axis) {
  return extent(placed(solid, pose, origin), axis);
}

void Solid::prepare() {
  bounding_radius = 0;
  for (const auto& v : vertices) bounding_radius = std::max(bounding_radius, v.norm());
  bounding_radius += radius;
  const auto add = [](std::vector<Eigen::Vector3d>& directions, const Eigen::Vector3d& d) {
    for (const auto& known : directions) {
      // Only exact doubles are dropped: one axis too many costs time, one too few a verdict.
      if (known.cross(d).isZero(0)) return;
    }
    directions.push_back(d);
  };
  normals.clear();
  edges.clear();
  for (const auto& face : faces) {
    add(normals, loop_normal(corners(vertices, face)));
    for (std::size_t i = 0; i < face.size(); ++i) {
      add(edges, vertices[face[(i + 1) % face.size()]] - vertices[face[i]]);
    }
  }
}

Separation separation(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b) {
  if (!a.convex || !b.convex)
    return mesh_separation(a, pose_a, b, pose_b, std::numeric_limits<Real>::infinity());
  if (a.faces.empty()) return with_thin(a, pose_a, b, pose_b);
  if (b.faces.empty()) return with_thin(b, pose_b, a, pose_a);
  return between_polyhedra(a, pose_a, b, pose_b);
}

double separation_along(const Eigen::Vector3d& axis, const Solid& a, const Pose& pose_a, const Solid& b,
                        const Pose& pose_b) {
  const Eigen::Vector3d axis_a = pose_a.q.conjugate() * axis, axis_b = pose_b.q.conjugate() * axis;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const auto& v : a.vertices) low = std::min(low, v.dot(axis_a));
  for (const auto& v : b.vertices) high = std::max(high, v.dot(axis_b));
  return axis.dot(pose_a.x - pose_b.x) + low - high - a.radius - b.radius;
}

}  // namespace intersection
