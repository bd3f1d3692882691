#include "contact/geometry/closest_points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/shapes/face_tree_of.hpp"

namespace scree::contact {
namespace {

/// Of coordinates: round-off of a point that was moved there.
constexpr double kRoundOffOfPlace = 16 * std::numeric_limits<double>::epsilon();

/// Outward at a vertex: normals of its faces, weighted by the angle that each has there.
Vec3 mean_normal_at(const Shape& shape, int vertex) {
  Vec3 sum = Vec3::Zero();
  for (const int f : shape.vertex_faces[vertex]) {
    const std::vector<int>& loop = shape.faces[f].loop;
    const std::size_t k = std::find(loop.begin(), loop.end(), vertex) - loop.begin();
    const Vec3& at = shape.vertices[vertex];
    const Vec3 to = (shape.vertices[loop[(k + 1) % loop.size()]] - at).normalized();
    const Vec3 from = (shape.vertices[loop[(k + loop.size() - 1) % loop.size()]] - at).normalized();
    sum += std::acos(std::clamp(to.dot(from), -1.0, 1.0)) * shape.faces[f].normal;
  }
  return sum;
}

double nearest_face_distance(const Shape& shape, const Vec3& p) {
  return shape.face_tree.nearest(p, [&](int f) { return nearest_on_face(shape, f, p).distance; });
}

}  // namespace

SurfacePoint nearest_on_edge(const Shape& shape, int edge, const Vec3& p) {
  const Edge& e = shape.edges[edge];
  const Vec3& a = shape.vertices[e.v0];
  const double t = (p - a).dot(e.direction);
  SurfacePoint found;
  if (t <= 0) {
    found = {FeatureKind::vertex, e.v0, a, 0};
  } else if (t >= e.length) {
    found = {FeatureKind::vertex, e.v1, shape.vertices[e.v1], 0};
  } else {
    found = {FeatureKind::edge, edge, a + t * e.direction, 0};
  }
  found.distance = (p - found.point).norm();
  return found;
}

bool projects_inside(const Shape& shape, const Face& face, const Vec3& p, double margin) {
  const std::size_t n = face.loop.size();
  for (std::size_t k = 0; k < n; ++k) {
    const Vec3& a = shape.vertices[face.loop[k]];
    const Edge& e = shape.edges[face.edges[k]];
    const double sense = e.v0 == face.loop[k] ? 1.0 : -1.0;
    // Conormal out of the polygon: direction x normal.
    if (sense * (p - a).dot(e.direction.cross(face.normal)) > -margin) return false;
  }
  return true;
}

SurfacePoint nearest_on_face(const Shape& shape, int index, const Vec3& p) {
  const Face& face = shape.faces[index];
  const double height = face.normal.dot(p) - face.offset;
  if (face.loop.empty() || projects_inside(shape, face, p)) {
    return {FeatureKind::face, index, p - height * face.normal, std::abs(height), height < 0};
  }
  SurfacePoint best;
  best.distance = std::numeric_limits<double>::infinity();
  for (const int e : face.edges) {
    const SurfacePoint found = nearest_on_edge(shape, e, p);
    if (found.distance < best.distance) best = found;
  }
  return best;
}

SurfacePoint nearest_on_convex(const Shape& shape, const Vec3& p, int& hint) {
  if (shape.kind == ShapeKind::sphere)
    return {FeatureKind::vertex, 0, shape.vertices[0], (p - shape.vertices[0]).norm()};
  if (shape.kind == ShapeKind::capsule) return nearest_on_edge(shape, 0, p);
  const int faces = static_cast<int>(shape.faces.size());
  if (shape.kind == ShapeKind::plane) {
    const double height = shape.faces[0].normal.dot(p) - shape.faces[0].offset;
    return {FeatureKind::face, 0, p - height * shape.faces[0].normal, height};
  }
  if (shape.kind == ShapeKind::cylinder) {
    return {FeatureKind::edge, 0, {0, 0, p.z()}, std::hypot(p.x(), p.y())};
  }
  if (shape.kind == ShapeKind::bore) {
    const double rho = std::hypot(p.x(), p.y());
    const Vec3 radial = rho > 0 ? Vec3(p.x() / rho, p.y() / rho, 0) : Vec3(Vec3::UnitX());
    return {FeatureKind::edge, 0, shape.hollow_radius * radial + Vec3(0, 0, p.z()),
            shape.hollow_radius - rho};
  }
  if (shape.kind == ShapeKind::cavity) {
    const double rho = p.norm();
    const Vec3 radial = rho > 0 ? Vec3(p / rho) : Vec3(Vec3::UnitX());
    return {FeatureKind::vertex, 0, shape.hollow_radius * radial, shape.hollow_radius - rho};
  }
  // Above a face of a convex body and inside its outline, that face is the nearest feature.
  if (hint >= 0 && hint < faces) {
    const Face& face = shape.faces[hint];
    const double height = face.normal.dot(p) - face.offset;
    if (height > 0 && projects_inside(shape, face, p))
      return {FeatureKind::face, hint, p - height * face.normal, height};
  }
  if (has_face_tree(shape)) {
    SurfacePoint found = nearest_on_closed(shape, p);
    found.behind = false;  // the distance has the sign
    if (found.kind == FeatureKind::face && found.distance > 0) hint = found.feature;
    return found;
  }
  double highest = -std::numeric_limits<double>::infinity();
  int highest_face = 0;
  SurfacePoint best;
  best.distance = std::numeric_limits<double>::infinity();
  for (int i = 0; i < faces; ++i) {
    const Face& face = shape.faces[i];
    const double height = face.normal.dot(p) - face.offset;
    if (height > highest) {
      highest = height;
      highest_face = i;
    }
  }
  if (highest <= 0) {
    const Face& face = shape.faces[highest_face];
    return {FeatureKind::face, highest_face, p - highest * face.normal, highest};
  }
  for (int i = 0; i < faces; ++i) {
    const Face& face = shape.faces[i];
    const double height = face.normal.dot(p) - face.offset;
    if (height <= 0 || height >= best.distance) continue;
    const SurfacePoint found = nearest_on_face(shape, i, p);
    if (found.distance < best.distance) best = found;
    if (found.kind == FeatureKind::face) {
      hint = i;
      break;
    }
  }
  return best;
}

SurfacePoint nearest_on_closed(const Shape& shape, const Vec3& p) {
  SurfacePoint best;
  best.distance = std::numeric_limits<double>::infinity();
  const auto look_at = [&](int f) {
    const SurfacePoint found = nearest_on_face(shape, f, p);
    if (found.distance < best.distance) best = found;
  };
  if (has_face_tree(shape)) {
    // Of faces that are equally near the first counts, whatever the order of the tree.
    thread_local std::vector<int> faces;
    faces.clear();
    // A point on a face may be beyond its box by round-off.
    const double reach = (1 + 1e-12) * nearest_face_distance(shape, p) + kRoundOffOfPlace * p.norm();
    shape.face_tree.near(p, reach, faces);
    std::for_each(faces.begin(), faces.end(), look_at);
  } else {
    for (int f = 0; f < static_cast<int>(shape.faces.size()); ++f) look_at(f);
  }
  bool inside = best.behind;
  if (best.kind == FeatureKind::edge) {
    const Edge& edge = shape.edges[best.feature];
    inside = (p - best.point).dot(shape.faces[edge.f0].normal + shape.faces[edge.f1].normal) < 0;
  } else if (best.kind == FeatureKind::vertex) {
    inside = (p - best.point).dot(mean_normal_at(shape, best.feature)) < 0;
  }
  if (inside) best.distance = -best.distance;
  return best;
}

double distance_to_shape(const Shape& shape, const Vec3& p) {
  if (shape.open) return nearest_face_distance(shape, p) - shape.radius;
  if (has_face_tree(shape) && !shape.convex) return nearest_on_closed(shape, p).distance - shape.radius;
  int hint = -1;
  return nearest_on_convex(shape, p, hint).distance - shape.radius;
}

double wall_motion(const Shape& wall, const Vec3& x0, const Mat3& r0, const Vec3& x1, const Mat3& r1,
                   const Vec3& at, double radius) {
  const Vec3 a0 = r0.col(2), a1 = r1.col(2);
  switch (wall.kind) {
    case ShapeKind::plane:
      return std::abs(a1.dot(at - x1) - a0.dot(at - x0)) + (a1 - a0).norm() * radius;
    case ShapeKind::cylinder:
    case ShapeKind::bore: {
      // Points of the axis up to the foot of the furthest point.
      const Vec3 across = (x1 - x0) - a0 * a0.dot(x1 - x0);
      return across.norm() + (a1 - a0).norm() * ((at - x1).norm() + radius);
    }
    case ShapeKind::sphere:
    case ShapeKind::cavity:
      return (x1 - x0).norm();
    default:
      break;
  }
  // The distance of p from the moved wall is that of p, moved back, from the wall as it was.
  constexpr double kHalfRoot = 0.70710678118654757;  // |Q - I|_2 = |Q - I|_F / sqrt(2)
  const Mat3 back = r0 * r1.transpose();
  return (x0 + back * (at - x1) - at).norm() + kHalfRoot * (back - Mat3::Identity()).norm() * radius;
}

SegmentPair nearest_on_segments(const Vec3& a, const Vec3& e, double length_e, const Vec3& q, const Vec3& f,
                                double length_f) {
  // Theory 03 section 1 with unit directions; clamped as in Ericson, Real-Time Collision Detection, 5.1.9.
  const Vec3 w = a - q;
  const double b = e.dot(f);
  const double d = e.dot(w);
  const double g = f.dot(w);
  SegmentPair pair;
  pair.sine2 = e.cross(f).squaredNorm();
  const double s_line = pair.sine2 > 1e-14 ? (b * g - d) / pair.sine2 : 0.0;
  const double t_line = g + b * s_line;
  if (pair.sine2 > 1e-14 && s_line > 0 && s_line < length_e && t_line > 0 && t_line < length_f) {
    pair.s = s_line;
    pair.t = t_line;
    pair.interior = true;
    return pair;
  }
  double s = pair.sine2 > 1e-14 ? std::clamp(s_line, 0.0, length_e) : 0.0;
  double t = g + b * s;
  if (t < 0) {
    t = 0;
    s = std::clamp(-d, 0.0, length_e);
  } else if (t > length_f) {
    t = length_f;
    s = std::clamp(b * length_f - d, 0.0, length_e);
  }
  pair.s = s;
  pair.t = t;
  return pair;
}

}  // namespace scree::contact
