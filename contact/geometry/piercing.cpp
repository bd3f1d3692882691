#include "contact/geometry/piercing.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "contact/geometry/near_features.hpp"
#include "contact/pair/pair_terms.hpp"

namespace scree::contact {
namespace {

/// Height of the nearer end of the segment p-q over a face that it passes through, 0 if it does not [m].
/// @param[out] x where it passes.
double depth_through(const Shape& surface, const Face& face, const Vec3& p, const Vec3& q, Vec3& x) {
  const double hp = face.normal.dot(p) - face.offset, hq = face.normal.dot(q) - face.offset;
  if (!(hp * hq < 0)) return 0;
  x = p + (q - p) * (hp / (hp - hq));
  return projects_inside(surface, face, x) ? std::min(std::abs(hp), std::abs(hq)) : 0;
}

double depth_of_edges(const BodyView& points, const BodyView& surface) {
  const Shape& shape = *surface.shape;
  if (is_wall(*points.shape) && !points.shape->open) return 0;  // axes without ends
  if (shape.faces.empty() || (is_wall(shape) && !shape.open)) return 0;
  const double error = distance_error(points, surface);
  thread_local Features near;
  features_near(points, surface, error, near);
  double deepest = 0;
  for (const int e : near.edges) {
    const Edge& edge = points.shape->edges[e];
    const Vec3 p = surface.to_local(points.vertex(edge.v0));
    const Vec3 q = surface.to_local(points.vertex(edge.v1));
    thread_local std::vector<int> faces;
    faces_near_segment(shape, p, q, error, faces);
    Vec3 x;
    for (const int f : faces) deepest = std::max(deepest, depth_through(shape, shape.faces[f], p, q, x));
  }
  return deepest;
}

}  // namespace

double piercing_depth(const BodyView& a, const BodyView& b) {
  return std::max(depth_of_edges(a, b), depth_of_edges(b, a));
}

bool passes_through(const BodyView& surface, const Vec3& p, const Vec3& q) {
  const Shape& shape = *surface.shape;
  const Vec3 from = surface.to_local(p), to = surface.to_local(q);
  thread_local std::vector<int> faces;
  faces_near_segment(shape, from, to, 0, faces);
  Vec3 x;
  return std::any_of(faces.begin(), faces.end(),
                     [&](int f) { return depth_through(shape, shape.faces[f], from, to, x) > 0; });
}

double way_past(const BodyView& edges, int edge, const BodyView& faces, int face) {
  const Segment e = segment_of(edges, edge, faces);
  const Shape& surface = *faces.shape;
  Vec3 x;
  double way =
      depth_through(surface, surface.faces[face], faces.to_local(e.start), faces.to_local(e.at(e.length)), x);
  if (way == 0) return 0;
  for (const int side : surface.faces[face].edges)
    way = std::min(way, nearest_on_edge(surface, side, x).distance);
  return way;
}

void visit_crossings(const BodyView& edges, const BodyView& faces,
                     const std::function<void(int, int, double)>& crossing) {
  if (is_wall(*faces.shape) && !faces.shape->open) return;
  const double error = distance_error(edges, faces);
  thread_local Features near;  // keep their memory: no allocation per pair
  thread_local std::vector<int> others;
  features_near(edges, faces, error, near);
  for (const int e : near.edges) {
    const Segment segment = segment_of(edges, e, faces);
    faces_near_segment(*faces.shape, faces.to_local(segment.start),
                       faces.to_local(segment.at(segment.length)), error, others);
    for (const int f : others) {
      const double way = way_past(edges, e, faces, f);
      if (way > 0) crossing(e, f, way);
    }
  }
}

double largest_way_past(const BodyView& a, const BodyView& b) {
  double largest = 0;
  const auto keep = [&](int, int, double way) { largest = std::max(largest, way); };
  visit_crossings(a, b, keep);
  visit_crossings(b, a, keep);
  return largest;
}

}  // namespace scree::contact
