#include "contact/search/feature_items.hpp"

#include <algorithm>
#include <cmath>

#include "contact/pair/pair_terms.hpp"
#include "core/infinity.hpp"

namespace scree::contact {
namespace {

bool on_border(const Shape& surface, int vertex) {
  const auto& edges = surface.vertex_edges[vertex];
  return std::any_of(edges.begin(), edges.end(), [&](int e) { return surface.edges[e].f1 < 0; });
}

}  // namespace

double add_closed_features(BodyPair& pair, Item& item, const Shape& surface, const std::vector<int>& faces,
                           std::span<const SeenPoint> places) {
  const int first = static_cast<int>(pair.closed.size());
  thread_local std::vector<int> near, edges, vertices;
  near.clear();
  double nearest = places.back().wide;  // what is further is not measured
  for (const int f : faces) {
    bool within_limit = false, within_wide = false;
    for (const SeenPoint& seen : places) {
      const bool last = &seen == &places.back();
      // Nearer than its plane no face is.
      const Face& face = surface.faces[f];
      if (std::abs(face.normal.dot(seen.local) - face.offset) >= seen.wide) continue;
      const double distance = nearest_on_face(surface, f, seen.local).distance;
      within_limit = within_limit || distance < seen.limit;
      within_wide = within_wide || distance < seen.wide;
      if (last) nearest = std::min(nearest, distance);
    }
    if (within_limit) pair.closed.push_back({FeatureKind::face, f});
    if (within_wide) near.push_back(f);
  }
  edges_of(surface, near, edges);
  vertices_of(surface, near, vertices);
  const auto is_near = [&](auto&& distance_from) {
    return std::any_of(places.begin(), places.end(),
                       [&](const SeenPoint& seen) { return distance_from(seen.local) < seen.limit; });
  };
  // Borders of an open surface belong to one face alone: nothing was counted twice there.
  for (const int e : edges) {
    if (surface.open && surface.edges[e].f1 < 0) continue;
    if (is_near([&](const Vec3& p) { return nearest_on_edge(surface, e, p).distance; }))
      pair.closed.push_back({FeatureKind::edge, e});
  }
  for (const int v : vertices) {
    if (surface.open && on_border(surface, v)) continue;
    if (is_near([&](const Vec3& p) { return (p - surface.vertices[v]).norm(); }))
      pair.closed.push_back({FeatureKind::vertex, v});
  }
  item.count = static_cast<int>(pair.closed.size()) - first;
  (item.kind == ItemKind::vertex_of_a ? item.b : item.a) = first;
  return nearest;
}

void add_vertex_item(BodyPair& pair, ItemKind kind, int vertex, const BodyView& points,
                     const BodyView& surface, const std::vector<int>& near, double limit, double wide) {
  const SeenPoint seen{surface.to_local(points.vertex(vertex)), limit, wide};
  Item item;
  item.kind = kind;
  (kind == ItemKind::vertex_of_a ? item.a : item.b) = vertex;
  const double radii = points.shape->radius + surface.shape->radius;
  if (surface.shape->convex) {
    const double distance = nearest_on_convex(*surface.shape, seen.local, item.hint).distance;
    item.least = not_above(distance - radii);
    if (distance < limit) pair.items.push_back(item);
    return;
  }
  thread_local std::vector<int> own;
  const bool many = near.size() > kFewFeatures;
  if (many) faces_near(*surface.shape, seen.local, wide, own);
  const double distance = add_closed_features(pair, item, *surface.shape, many ? own : near, {&seen, 1});
  if (item.count == 0) return;
  item.least = not_above(distance - radii);
  pair.items.push_back(item);
}

double edge_distance(const BodyView& a, int i, const BodyView& b, int j) {
  const Segment e = segment_of(a, i, b);
  const Segment f = segment_of(b, j, a);
  const SegmentPair p = nearest_on_segments(e.start, e.direction, e.length, f.start, f.direction, f.length);
  return (e.at(p.s) - f.at(p.t)).norm();
}

void add_edge_item(BodyPair& pair, int i, int j, const BodyView& a, const BodyView& b, double distance) {
  Item& item = pair.items.emplace_back();
  item.kind = ItemKind::edges;
  item.a = i;
  item.b = j;
  item.least = not_above(distance - a.shape->radius - b.shape->radius);
}

}  // namespace scree::contact
