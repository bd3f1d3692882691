#include "separation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

Real size_of(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b) {
  return a.bounding_radius + b.bounding_radius + (pose_a.x - pose_b.x).norm();
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

Vector closest_on_segment(const Vector& p, const Vector& a, const Vector& b) {
  const Vector e = b - a;
  const Real length2 = e.squaredNorm();
  const Real t = length2 > 0 ? std::clamp<Real>((p - a).dot(e) / length2, 0, 1) : 0;
  return a + t * e;
}

Real segment_distance(const Vector& a, const Vector& b, const Vector& c, const Vector& d) {
  Real best = std::min({(a - closest_on_segment(a, c, d)).norm(), (b - closest_on_segment(b, c, d)).norm(),
                        (c - closest_on_segment(c, a, b)).norm(), (d - closest_on_segment(d, a, b)).norm()});
  const Vector e = b - a, f = d - c, w = a - c;
  const Real ee = e.dot(e), ef = e.dot(f), ff = f.dot(f), ew = e.dot(w), fw = f.dot(w);
  const Real determinant = ee * ff - ef * ef;
  if (determinant > 0) {
    const Real s = (ef * fw - ff * ew) / determinant, t = (ee * fw - ef * ew) / determinant;
    if (s > 0 && s < 1 && t > 0 && t < 1) best = std::min(best, (w + s * e - t * f).norm());
  }
  return best;
}

/// Twice the area vector of a loop: its normal also where three corners in succession are in line.
template <class Point>
Point loop_normal(const std::vector<Point>& loop) {
  Point sum = Point::Zero();
  for (std::size_t i = 1; i + 1 < loop.size(); ++i) sum += (loop[i] - loop[0]).cross(loop[i + 1] - loop[0]);
  return sum;
}

/// Distance of a segment a-b (a point if equal) to a convex polygon, 0 where it passes through.
Real polygon_distance(const Vector& a, const Vector& b, const std::vector<Vector>& loop) {
  const std::size_t n = loop.size();
  const Vector normal = loop_normal(loop).normalized();
  const auto over = [&](const Vector& p) {
    for (std::size_t i = 0; i < n; ++i) {
      if (normal.cross(loop[(i + 1) % n] - loop[i]).dot(p - loop[i]) < 0) return false;
    }
    return true;
  };
  const Real ha = (a - loop[0]).dot(normal), hb = (b - loop[0]).dot(normal);
  if (ha * hb < 0 && over(a + (b - a) * (ha / (ha - hb)))) return 0;
  Real best = std::numeric_limits<Real>::infinity();
  if (over(a)) best = std::min(best, std::abs(ha));
  if (over(b)) best = std::min(best, std::abs(hb));
  for (std::size_t i = 0; i < n; ++i) {
    best = std::min(best, segment_distance(a, b, loop[i], loop[(i + 1) % n]));
  }
  return best;
}

template <class Point>
std::vector<Point> corners(const std::vector<Point>& points, const std::vector<int>& face) {
  std::vector<Point> loop;
  loop.reserve(face.size());
  for (const int v : face) loop.push_back(points[v]);
  return loop;
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
