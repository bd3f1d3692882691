#include "contact/geometry/piercing.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

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
  std::vector<int> faces(shape.faces.size());
  std::iota(faces.begin(), faces.end(), 0);
  double deepest = 0;
  for (const Edge& edge : points.shape->edges) {
    const Vec3 p = surface.to_local(points.vertices[edge.v0]);
    const Vec3 q = surface.to_local(points.vertices[edge.v1]);
    if (shape.open) {
      faces.clear();
      shape.face_tree.near(0.5 * (p + q), 0.5 * (p - q).norm(), faces);
    }
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
  faces.clear();
  shape.face_tree.near(0.5 * (from + to), 0.5 * (to - from).norm(), faces);
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

double largest_way_past(const BodyView& a, const BodyView& b) {
  thread_local std::vector<int> faces, edges;
  faces.clear();
  edges.clear();
  if (b.shape->open) {
    b.shape->face_tree.near(b.to_local(a.trial->x), a.shape->bounding_radius, faces);
    for (const int f : faces) {
      const std::vector<int>& own = b.shape->faces[f].edges;
      edges.insert(edges.end(), own.begin(), own.end());
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  } else {
    faces.resize(is_wall(*b.shape) ? 0 : b.shape->faces.size());
    std::iota(faces.begin(), faces.end(), 0);
    edges.resize(b.shape->edges.size());
    std::iota(edges.begin(), edges.end(), 0);
  }
  double largest = 0;
  for (const int f : faces)
    for (int e = 0; e < static_cast<int>(a.shape->edges.size()); ++e)
      largest = std::max(largest, way_past(a, e, b, f));
  for (const int e : edges)
    for (int f = 0; f < static_cast<int>(a.shape->faces.size()); ++f)
      largest = std::max(largest, way_past(b, e, a, f));
  return largest;
}

}  // namespace scree::contact
