#include "contact/bounds/feature_motion.hpp"

#include <algorithm>
#include <cmath>

#include "contact/bounds/approach.hpp"
#include "contact/pair/pair_terms.hpp"
#include "core/infinity.hpp"

namespace scree::contact {
namespace {

/// How points of one body move as the other one sees them.
struct SeenMotion {
  const BodyView& points;
  const BodyView& frame;
  const BodyWay& way;
  const BodyWay& of_frame;
  double relative = 0;  ///< bound on the velocity of a point relative to the frame's pole [m]
  double longest = 0;

  SeenMotion(const BodyView& p, const BodyView& f, const BodyWay& of_p, const BodyWay& of_f, double part)
      : points(p), frame(f), way(of_p), of_frame(of_f), longest(part) {
    relative = (way.velocity - of_frame.velocity).norm() + way.turn * way.length;
  }

  /// Half of a bound on the acceleration of a point as the frame sees it [m]: that of its own turning, and
  /// those of a turning frame. Spin of a path: |w| <= |dalpha|, |dw/dt| <= |dalpha|^2 / 2 (theory 01 section
  /// 3).
  [[nodiscard]] double bend_of(const Vec3& point) const {
    const double arm = (point - frame.trial->x).norm() + longest * relative;
    return 0.75 * (way.turn * way.turn * way.length + of_frame.turn * of_frame.turn * arm) +
           of_frame.turn * relative;
  }

  /// @returns for how long a point stays further than `least` from a plane fixed in the frame.
  /// @param height of the point over it now [m].
  [[nodiscard]] double above(const Vec3& point, const Vec3& n, double height, double least) const {
    const Vec3 v = way.velocity + way.spin.cross(point - points.trial->x) - of_frame.velocity -
                   of_frame.spin.cross(point - frame.trial->x);
    const double rate = n.dot(v);
    const double room = height - least;
    if (!(room > 0)) return 0;
    const double bend = bend_of(point);
    if (bend == 0) return rate < 0 ? room / -rate : kInfinity;
    // Zero of room + rate s - bend s^2, without cancellation.
    const double root = std::sqrt(rate * rate + 4 * bend * room);
    return rate < 0 ? 2 * room / (root - rate) : (root + rate) / (2 * bend);
  }
};

/// For how long a segment, whose points `seen` follows, stays further than `least` from an edge, behind a
/// plane that the edge is on one side of: across the line to the segment, those of its faces, and across it
/// at its ends.
/// @param through a point of the edge. @param towards unit vector from there to the segment.
double above_edge(const SeenMotion& seen, int edge, const Segment& of_edge, const Vec3& through,
                  const Vec3& towards, const Segment& other, double least, double enough) {
  double best = 0;
  const auto offer = [&](const Vec3& n, const Vec3& highest) {
    if (best >= enough) return;
    double apart = kInfinity;
    for (const Vec3& end : {other.start, other.at(other.length)})
      apart = std::min(apart, seen.above(end, n, n.dot(end - highest), least));
    best = std::max(best, apart);
  };
  offer(towards, through);
  const Shape& shape = *seen.frame.shape;
  for (const int f :
       {shape.edges[static_cast<std::size_t>(edge)].f0, shape.edges[static_cast<std::size_t>(edge)].f1}) {
    if (f < 0) continue;
    const Vec3 n = seen.frame.trial->R * shape.faces[static_cast<std::size_t>(f)].normal;
    offer(n.dot(towards) < 0 ? Vec3(-n) : n, through);
  }
  offer(-of_edge.direction, of_edge.start);
  offer(of_edge.direction, of_edge.at(of_edge.length));
  return best;
}

/// The same for a point and a closed face, behind the plane of the face or one through an edge of its outline
/// and across it.
double above_face(const SeenMotion& seen, const Face& face, const Vec3& point, const Vec3& local,
                  double least, double enough) {
  const Mat3& R = seen.frame.trial->R;
  const std::vector<Vec3>& vertices = seen.frame.shape->vertices;
  const double height = face.normal.dot(local) - face.offset;
  double best =
      seen.above(point, R * (height < 0 ? Vec3(-face.normal) : face.normal), std::abs(height), least);
  for (std::size_t k = 0; k < face.loop.size() && best < enough; ++k) {
    const Vec3& start = vertices[static_cast<std::size_t>(face.loop[k])];
    const Vec3& end = vertices[static_cast<std::size_t>(face.loop[(k + 1) % face.loop.size()])];
    const Vec3 outward = (end - start).cross(face.normal).normalized();
    best = std::max(best, seen.above(point, R * outward, outward.dot(local - start), least));
  }
  return best;
}

/// The same for a point and a convex body, behind the plane of one of its faces. Of many faces none is better
/// than the plane across the line to the nearest point.
double above_body(const SeenMotion& seen, const Vec3& point, const Vec3& local, double least, double enough) {
  const std::vector<Face>& faces = seen.frame.shape->faces;
  double best = 0;
  if (faces.size() > kFewFaces) return best;
  for (const Face& face : faces) {
    if (best >= enough) break;
    best = std::max(best, seen.above(point, seen.frame.trial->R * face.normal,
                                     face.normal.dot(local) - face.offset, least));
  }
  return best;
}

}  // namespace

double apart_for(const BodyPair& pair, const BodyView& a, const BodyView& b, const BodyWay& way_a,
                 const BodyWay& way_b, double least, double longest, const FarItems& far, double rate) {
  const double radii = a.shape->radius + b.shape->radius;
  const SeenMotion of_a(a, b, way_a, way_b, longest);
  const SeenMotion of_b(b, a, way_b, way_a, longest);
  double clear = kInfinity;
  // Whatever is further than it can come in the time that is left is not looked at. As that time counts for
  // what is looked at too, it makes no difference how much is known of the items that are far.
  const auto keep_least = [&](double apart, double gap) {
    clear = std::min(clear, std::max(apart, (gap - least) / rate));
  };
  // A plane through the nearest point of a convex set, across the line to the other one, has that set on one
  // side as long as it moves with it; so have those of its faces. Where features slide past the edge of what
  // they lie on, the line is oblique, and a face is not.
  const auto enough = [&](double gap) {
    return (gap - least) / rate >= std::min(clear, longest) ? 0.0 : std::min(clear, longest);
  };
  for (std::size_t i = 0; i < pair.items.size(); ++i) {
    const Item& item = pair.items[i];
    if (item.kind == ItemKind::smooth) return 0;
    const bool on_b = item.kind == ItemKind::vertex_of_a;
    const BodyView& surface = on_b ? b : a;
    if (item.kind != ItemKind::edges && item.count == 0 && surface.shape->hollow_radius > 0) return 0;
    if (far.least(i) - least >= rate * std::min(clear, longest)) continue;
    if (item.kind == ItemKind::edges) {
      const Segment e = segment_of(a, item.a, b);
      const Segment f = segment_of(b, item.b, a);
      const SegmentPair near =
          nearest_on_segments(e.start, e.direction, e.length, f.start, f.direction, f.length);
      const Vec3 q = f.at(near.t);
      const Vec3 y = e.at(near.s) - q;
      const double distance = y.norm();
      if (!(distance > 0)) return 0;
      const Vec3 n = y / distance;
      const double wanted = enough(distance - radii);
      double apart = above_edge(of_a, item.b, f, q, n, e, least + radii, wanted);
      if (apart < wanted)
        apart = std::max(apart, above_edge(of_b, item.a, e, e.at(near.s), -n, f, least + radii, wanted));
      keep_least(apart, distance - radii);
      continue;
    }
    const SeenMotion& seen = on_b ? of_a : of_b;
    const Vec3 point = on_b ? a.vertex(item.a) : b.vertex(item.b);
    const Vec3 local = surface.to_local(point);
    /// @param face of which it is the nearest point; null: the body.
    const auto look = [&](const SurfacePoint& near, const Face* face) {
      const Vec3 y = local - near.point;
      const double distance = y.norm();
      if (!(near.distance > 0) || !(distance > 0)) {
        clear = 0;
        return;
      }
      const double wanted = enough(near.distance - radii);
      double apart = seen.above(point, surface.trial->R * (y / distance), distance, least + radii);
      if (apart < wanted) {
        apart = std::max(apart, face != nullptr ? above_face(seen, *face, point, local, least + radii, wanted)
                                                : above_body(seen, point, local, least + radii, wanted));
      }
      keep_least(apart, near.distance - radii);
    };
    if (item.count == 0) {
      int hint = item.hint;
      look(nearest_on_convex(*surface.shape, local, hint), nullptr);
    } else {
      const int first = on_b ? item.b : item.a;
      for (int c = first; c < first + item.count; ++c) {
        const ClosedFeature& closed = pair.closed[static_cast<std::size_t>(c)];
        if (closed.kind == FeatureKind::face)
          look(nearest_on_face(*surface.shape, closed.feature, local),
               &surface.shape->faces[static_cast<std::size_t>(closed.feature)]);
      }
    }
    if (clear == 0) return 0;
  }
  return clear;
}

}  // namespace scree::contact
