#include "contact/closest_points.hpp"

#include <limits>

namespace scree::contact {

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

namespace {

/// Whether p projects into the polygon; otherwise some boundary point is nearest.
bool projects_inside(const Shape& shape, const Face& face, const Vec3& p) {
  const std::size_t n = face.loop.size();
  for (std::size_t k = 0; k < n; ++k) {
    const Vec3& a = shape.vertices[face.loop[k]];
    const Edge& e = shape.edges[face.edges[k]];
    const double sense = e.v0 == face.loop[k] ? 1.0 : -1.0;
    // Conormal out of the polygon: direction x normal.
    if (sense * (p - a).dot(e.direction.cross(face.normal)) > 0) return false;
  }
  return true;
}

}  // namespace

SurfacePoint nearest_on_face(const Shape& shape, int index, const Vec3& p) {
  const Face& face = shape.faces[index];
  const double height = face.normal.dot(p) - face.offset;
  if (face.loop.empty() || projects_inside(shape, face, p)) {
    return {FeatureKind::face, index, p - height * face.normal, std::abs(height)};
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
  // Above a face of a convex body and inside its outline, that face is the nearest feature.
  if (hint >= 0 && hint < faces) {
    const Face& face = shape.faces[hint];
    const double height = face.normal.dot(p) - face.offset;
    if (height > 0 && projects_inside(shape, face, p))
      return {FeatureKind::face, hint, p - height * face.normal, height};
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
