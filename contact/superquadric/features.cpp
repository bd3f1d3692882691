#include "contact/superquadric/features.hpp"

#include <algorithm>

#include "contact/geometry/closest_points.hpp"
#include "contact/superquadric/meeting.hpp"
#include "core/infinity.hpp"

namespace scree::contact {
namespace {

/// Values of the same separation found in two ways differ by less than this part of the size.
constexpr double kSame = 1e-12;

/// Nearer to an end or outline than this part of the size, a foot is on it: all features that meet there say
/// the same, and their sum is one contact.
constexpr double kSnap = 1e-9;

Touch touch_of(const Smooth& body, const Summit& summit, FeatureKind kind, int feature, int rank,
               const Vec3& axis) {
  return {summit.value, summit.n, rank, axis, kind, feature, summit.converged, body.R * summit.on_a.point};
}

Vec3 start_for(const TouchHint& hint, const Vec3& otherwise) {
  if (!hint.n.isZero(0)) return hint.n;
  return otherwise.isZero(0) ? Vec3(Vec3::UnitZ()) : otherwise;
}

Touch touch_vertex(const Smooth& body, const BodyView& other, int vertex, const TouchHint& hint,
                   double stop) {
  const Vec3& v = other.vertex(vertex);
  const Summit summit = separation_from_point(body, v, start_for(hint, body.x - v), stop);
  return touch_of(body, summit, FeatureKind::vertex, vertex, 2, Vec3::Zero());
}

/// An edge with its ends. Distances along it are convex: beyond an end the end is nearest.
Touch touch_edge(const Smooth& body, const BodyView& other, int edge, const TouchHint& hint, double stop) {
  const Edge& e = other.shape->edges[edge];
  const Vec3 axis = other.trial->R * e.direction;
  const Vec3 origin = e.v0 < 0 ? other.trial->x : other.vertex(e.v0);
  if (hint.kind == FeatureKind::vertex && e.v0 >= 0 && (hint.feature == e.v0 || hint.feature == e.v1)) {
    // The end that was nearest last still is, where the normal leans away from the edge.
    Touch end = touch_vertex(body, other, hint.feature, hint, stop);
    const double leaning = (hint.feature == e.v0 ? -1 : 1) * axis.dot(end.n);
    if (end.found && leaning >= 0) return end;
  }
  const Summit summit = separation_from_line(body, origin, axis, start_for(hint, body.x - origin), stop);
  if (e.v0 >= 0 && summit.converged) {
    const double along = axis.dot(body.x + body.R * summit.on_a.point - origin);
    const double snap = kSnap * body.size;
    if (along < snap || along > e.length - snap)
      return touch_vertex(body, other, along < snap ? e.v0 : e.v1, {.n = summit.n}, stop);
  }
  return touch_of(body, summit, FeatureKind::edge, edge, 1, axis);
}

Touch touch_plane(const Smooth& body, const BodyView& other, int face, double side) {
  const Face& f = other.shape->faces[face];
  Touch touch;
  touch.n = side * (other.trial->R * f.normal);
  touch.rank = 0;
  touch.kind = FeatureKind::face;
  touch.feature = face;
  const SupportValue lowest = body.support_point(-touch.n);
  touch.distance = touch.n.dot(body.x - other.trial->x) - side * f.offset - lowest.h;
  touch.on_body = lowest.point;
  return touch;
}

Vec3 foot_of(const Smooth& body, const Touch& touch) {
  return body.x + touch.on_body - touch.distance * touch.n;
}

/// Whether the foot of a normal through a face lies inside of its outline, by more than a margin [m].
bool foot_inside(const Smooth& body, const BodyView& other, const Touch& touch, double margin = 0) {
  return projects_inside(*other.shape, other.shape->faces[touch.feature],
                         other.to_local(foot_of(body, touch)), margin);
}

/// Separation along a normal from the convex hull of vertices: for any normal not more than the distance.
/// @param loop numbers of the vertices; null: all.
double along_normal(const Smooth& body, const Vec3& n, const BodyView& other, const std::vector<int>* loop) {
  double highest = -kInfinity;
  const std::size_t count = loop != nullptr ? loop->size() : other.shape->vertices.size();
  for (std::size_t k = 0; k < count; ++k)
    highest = std::max(highest, n.dot(other.vertex(loop != nullptr ? (*loop)[k] : static_cast<int>(k))));
  return n.dot(body.x) - body.support_point(-n).h - highest;
}

/// Keeps of the stationary normals of the features of a convex hull the one that separates most: the others
/// are those of features that are not nearest.
struct Best {
  const Smooth& body;
  const BodyView& other;
  const std::vector<int>* vertices;  ///< null: all of the other body
  Touch touch{};
  double separation = -kInfinity;
  bool stationary = false;  ///< of the hull, not of the feature alone

  void offer(const Touch& candidate) {
    const double value = along_normal(body, candidate.n, other, vertices);
    const double size = body.size;
    if (!(value > separation + kSame * size)) return;
    touch = candidate;
    separation = value;
    stationary = candidate.kind == FeatureKind::face ? foot_inside(body, other, candidate)
                                                     : candidate.distance - value <= kSame * size;
  }
};

Touch touch_polyhedron(const Smooth& body, const BodyView& other, TouchHint& hint, double stop) {
  const Shape& shape = *other.shape;
  const int vertices = static_cast<int>(shape.vertices.size());
  Best best{body, other, nullptr};
  const auto done = [&] { return best.stationary && best.separation > 0; };
  const auto finish = [&] {
    hint = {best.touch.n, best.touch.kind, best.touch.feature};
    // A candidate that is not stationary bounds the distance from below.
    best.touch.distance = best.separation;
    return best.touch;
  };
  const TouchHint warm = hint;
  if (warm.feature >= 0) {
    if (warm.kind == FeatureKind::face) {
      best.offer(touch_plane(body, other, warm.feature, 1));
    } else if (warm.kind == FeatureKind::edge) {
      best.offer(touch_edge(body, other, warm.feature, warm, kInfinity));
    } else {
      best.offer(touch_vertex(body, other, warm.feature, warm, kInfinity));
    }
    // In overlap the branch that was followed stays, as long as it is one.
    if (best.stationary || best.separation > stop) return finish();
  }
  for (int f = 0; f < static_cast<int>(shape.faces.size()); ++f) best.offer(touch_plane(body, other, f, 1));
  if (done() || best.separation > stop) return finish();
  // From corner to corner towards the body, then the features around those corners.
  TouchHint towards{.n = warm.n.isZero(0) ? Vec3(body.x - other.trial->x) : warm.n};
  int corner = -1;
  for (int k = 0; k < 8; ++k) {
    int next = 0;
    for (int v = 1; v < vertices; ++v) {
      if (towards.n.dot(other.vertex(v)) > towards.n.dot(other.vertex(next))) next = v;
    }
    if (next == corner) break;
    corner = next;
    const Touch touch = touch_vertex(body, other, corner, towards, kInfinity);
    best.offer(touch);
    towards.n = touch.n;
    for (const int e : shape.vertex_edges[corner]) {
      if (shape.edges[e].kind == EdgeKind::convex)
        best.offer(touch_edge(body, other, e, {.n = touch.n}, kInfinity));
    }
    if (done()) return finish();
  }
  const Vec3 start = best.touch.n;
  for (int e = 0; e < static_cast<int>(shape.edges.size()); ++e) {
    if (shape.edges[e].kind == EdgeKind::convex)
      best.offer(touch_edge(body, other, e, {.n = start}, kInfinity));
    if (done()) return finish();
  }
  return finish();
}

/// A face with its edges and vertices, from whichever side.
Touch touch_face(const Smooth& body, const BodyView& surface, int face, const TouchHint& hint, double stop) {
  const Face& f = surface.shape->faces[face];
  const double side = f.normal.dot(surface.to_local(body.x)) >= f.offset ? 1 : -1;
  Touch above = touch_plane(body, surface, face, side);
  if (above.distance > stop) {
    Touch apart = above;
    apart.found = false;
    return apart;
  }
  if (above.distance > 0 && foot_inside(body, surface, above, kSnap * body.size)) return above;
  Best best{body, surface, &f.loop};
  for (const int e : f.edges) {
    const Touch touch = touch_edge(body, surface, e, hint, kInfinity);
    best.offer(touch);
    if (best.stationary && best.separation > 0) break;
  }
  best.offer(above);
  best.touch.distance = best.separation;
  return best.touch;
}

}  // namespace

Touch touch_convex(const Smooth& body, const BodyView& other, TouchHint& hint, double stop, Meeting* meeting,
                   double enough) {
  Touch touch;
  switch (other.shape->kind) {
    case ShapeKind::polyhedron:
      return touch_polyhedron(body, other, hint, stop);
    case ShapeKind::plane:
      return touch_plane(body, other, 0, 1);
    case ShapeKind::capsule:
    case ShapeKind::cylinder:
      touch = touch_edge(body, other, 0, hint, stop);
      break;
    case ShapeKind::superquadric: {
      const Smooth b(other);
      const Meeting last = meeting != nullptr ? *meeting : Meeting{};
      const bool met = !last.n.isZero(0);
      const double bound = met ? bound_from(last, body, b) : -kInfinity;
      if (bound > stop) {
        touch.distance = bound;
        touch.n = last.n;
        touch.found = false;
        return touch;
      }
      const Vec3 start = met ? carried_along(last, body, b) : start_for(hint, body.x - b.x);
      const bool from_last = met && start == last.n;
      const Summit summit =
          highest_separation(body, b, start, {.stop = stop, .enough = enough, .from_last = from_last});
      if (meeting != nullptr) *meeting = meeting_at(summit, body, b);
      touch = touch_of(body, summit, FeatureKind::vertex, 0, 2, Vec3::Zero());
      break;
    }
    default:
      touch = touch_vertex(body, other, 0, hint, stop);
      break;
  }
  hint = {touch.n, touch.kind, touch.feature};
  return touch;
}

Touch touch_closed(const Smooth& body, const BodyView& surface, FeatureKind kind, int feature,
                   TouchHint& hint, double stop) {
  Touch touch;
  if (kind == FeatureKind::face) {
    touch = touch_face(body, surface, feature, hint, stop);
  } else if (kind == FeatureKind::edge) {
    touch = touch_edge(body, surface, feature, hint, stop);
  } else {
    touch = touch_vertex(body, surface, feature, hint, stop);
  }
  hint = {touch.n, touch.kind, touch.feature};
  return touch;
}

}  // namespace scree::contact
