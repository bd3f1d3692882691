#include "contact/search/candidates.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "contact/geometry/near_features.hpp"
#include "contact/pair/pair_pose.hpp"
#include "contact/pair/pair_terms.hpp"
#include "contact/search/far_items.hpp"
#include "contact/search/feature_items.hpp"
#include "contact/superquadric/smooth_terms.hpp"
#include "contact/surface/deforming_surface.hpp"
#include "core/infinity.hpp"

namespace scree::contact {
namespace {

/// Smallest and largest projection of the vertices of a convex body, which are all placed, on an axis; a
/// plane has none.
struct Extent {
  double low = kInfinity, high = -kInfinity;
};
Extent extent_of(const BodyView& body, const Vec3& axis) {
  Extent extent;
  for (std::size_t k = 0; k < body.shape->vertices.size(); ++k) {
    const double p = axis.dot(body.vertices[k]);
    extent.low = std::min(extent.low, p);
    extent.high = std::max(extent.high, p);
  }
  return extent;
}

/// Direction from B to A along which the bodies are furthest apart, among face normals and centre line.
/// Any unit vector is right (it bounds distances from below); a good one is sharp.
struct Axis {
  Vec3 n = Vec3::UnitZ();
  double separation = -kInfinity;
};

Axis best_axis(const BodyView& a, const BodyView& b) {
  Axis best;
  const auto try_axis = [&](const Vec3& n, double separation) {
    if (separation > best.separation) best = {n, separation};
  };
  for (const Face& face : b.shape->faces) {
    const Vec3 n = b.trial->R * face.normal;
    try_axis(n, extent_of(a, n).low - (face.offset + n.dot(b.trial->x)));
  }
  if (b.shape->kind == ShapeKind::plane) return best;
  for (const Face& face : a.shape->faces) {
    const Vec3 n = -(a.trial->R * face.normal);
    try_axis(n, -(face.offset - n.dot(a.trial->x)) - extent_of(b, n).high);
  }
  const Vec3 line = a.trial->x - b.trial->x;
  if (line.squaredNorm() > 0) {
    const Vec3 n = line.normalized();
    try_axis(n, extent_of(a, n).low - extent_of(b, n).high);
  }
  return best;
}

/// Vertices of one body against the convex surface of the other.
void add_vertices(BodyPair& pair, ItemKind kind, const BodyView& points, const BodyView& surface,
                  double limit, const Vec3& axis, double low, double high) {
  for (int k = 0; k < static_cast<int>(points.shape->vertices.size()); ++k) {
    if (points.shape->vertex_acts[k] == 0) continue;
    const double p = axis.dot(points.vertices[k]);
    if (p < low || p > high) continue;
    add_vertex_item(pair, kind, k, points, surface, {}, limit, limit);
  }
}

/// Edge i of A against edge j of B, both convex, if they are near.
void add_near_edges(BodyPair& pair, int i, int j, const BodyView& a, const BodyView& b, double limit) {
  const double distance = edge_distance(a, i, b, j);
  if (distance < limit) add_edge_item(pair, i, j, a, b, distance);
}

/// Curved walls: their inside is a convex space, which vertices leave first; from the outside edges may touch
/// the axis of a cylinder between their ends.
void build_curved_wall_items(BodyPair& pair, const BodyView& a, const BodyView& b, double limit) {
  add_vertices(pair, ItemKind::vertex_of_a, a, b, limit, Vec3::Zero(), -kInfinity, kInfinity);
  for (int j = 0; j < static_cast<int>(b.shape->edges.size()); ++j) {
    for (int i = 0; i < static_cast<int>(a.shape->edges.size()); ++i) {
      if (a.shape->edges[i].kind == EdgeKind::convex) add_near_edges(pair, i, j, a, b, limit);
    }
  }
}

/// A body against a body or wall, one of which at least has a tree of its faces: only what is near the other
/// one is looked at, in the order of its numbers, so that lists are those of a look at all.
void build_near_items(BodyPair& pair, const BodyView& a, const BodyView& b, double limit) {
  thread_local Features of_a, of_b;
  const double wide = limit + distance_error(a, b);
  features_near(a, b, wide, of_a);
  if (of_a.vertices.empty()) return;
  features_near(b, a, wide, of_b);
  // With a single vertex (sphere) the two sides would count the same pair: the surface of the other suffices.
  const bool sphere_a = a.shape->vertices.size() == 1;
  const bool sphere_b = b.shape->vertices.size() == 1;
  if (!sphere_b) {
    for (const int v : of_a.vertices)
      if (a.shape->vertex_acts[v] != 0)
        add_vertex_item(pair, ItemKind::vertex_of_a, v, a, b, of_b.faces, limit, wide);
  }
  if (sphere_a) return;
  for (const int v : of_b.vertices)
    if (b.shape->vertex_acts[v] != 0)
      add_vertex_item(pair, ItemKind::vertex_of_b, v, b, a, of_a.faces, limit, wide);
  each_near_edge_pair(a, b, of_a, of_b, wide, [&](int i, int j) { add_near_edges(pair, i, j, a, b, limit); });
}

/// Pairs with a superquadric: spheres about the bodies first, then the separation itself.
void build_smooth(BodyPair& pair, const BodyView& a, const BodyView& b, double reach) {
  const BodyView& body = is_smooth(*a.shape) ? a : b;
  const BodyView& other = is_smooth(*a.shape) ? b : a;
  const Vec3 local = other.to_local(body.trial->x);
  const double apart = (is_wall(*other.shape) ? distance_to_shape(*other.shape, local)
                                              : local.norm() - other.shape->bounding_radius) -
                       body.shape->bounding_radius;
  if (apart >= reach) {
    pair.reach = apart;
    return;
  }
  if (by_features(*other.shape)) {
    const double limit = body.shape->bounding_radius + reach + other.shape->radius;
    thread_local std::vector<int> faces;
    const double wide = limit + distance_error(a, b);
    faces_near(*other.shape, local, wide, faces);
    Item all;
    const SeenPoint seen{local, limit, wide};
    add_closed_features(pair, all, *other.shape, faces, {&seen, 1});
  }
  build_smooth_items(pair, a, b, reach);
}

/// Items of a pair, whatever its bodies are.
void find_items(BodyPair& pair, const BodyView& a, const BodyView& b, double reach) {
  if (is_smooth_pair(a, b)) {
    build_smooth(pair, a, b, reach);
    return;
  }
  const double radii = a.shape->radius + b.shape->radius;
  const double limit = reach + radii;
  const bool tree = searched_by_trees(a, b);
  if (tree || (is_wall(*b.shape) && b.shape->kind != ShapeKind::plane)) {
    const double apart = least_distance(a, b);
    if (apart >= reach) {
      pair.reach = apart;
    } else if (tree) {
      build_near_items(pair, a, b, limit);
      if (pair.items.empty()) pair.reach = clear_distance(a, b, reach, 2 * a.shape->bounding_radius);
    } else {
      build_curved_wall_items(pair, a, b, limit);
    }
    return;
  }

  const Axis best = best_axis(a, b);
  if (best.separation - radii >= reach) {
    pair.reach = best.separation - radii;
    return;
  }
  // Features nearer than the limit lie in the slab between the supports, widened by the limit.
  const Vec3& axis = best.n;
  double high_a = axis.dot(b.trial->x) + limit, low_b = -kInfinity;
  if (b.shape->kind != ShapeKind::plane) {
    high_a = extent_of(b, axis).high + limit;
    low_b = extent_of(a, axis).low - limit;
  }

  // A single vertex: as in build_near_items.
  const bool sphere_a = a.shape->vertices.size() == 1;
  const bool sphere_b = b.shape->vertices.size() == 1;
  if (!sphere_b || sphere_a) add_vertices(pair, ItemKind::vertex_of_a, a, b, limit, axis, -kInfinity, high_a);
  if (b.shape->kind == ShapeKind::plane) return;
  if (!sphere_a) add_vertices(pair, ItemKind::vertex_of_b, b, a, limit, axis, low_b, kInfinity);

  for (int i = 0; i < static_cast<int>(a.shape->edges.size()); ++i) {
    const Edge& edge_a = a.shape->edges[i];
    if (edge_a.kind != EdgeKind::convex) continue;
    if (std::min(axis.dot(a.vertices[edge_a.v0]), axis.dot(a.vertices[edge_a.v1])) > high_a) continue;
    for (int j = 0; j < static_cast<int>(b.shape->edges.size()); ++j) {
      const Edge& edge_b = b.shape->edges[j];
      if (edge_b.kind != EdgeKind::convex) continue;
      if (std::max(axis.dot(b.vertices[edge_b.v0]), axis.dot(b.vertices[edge_b.v1])) < low_b) continue;
      add_near_edges(pair, i, j, a, b, limit);
    }
  }
}

}  // namespace

double least_distance(const BodyView& a, const BodyView& b) {
  return is_wall(*b.shape)
             ? distance_to_shape(*b.shape, b.to_local(a.trial->x)) - a.shape->bounding_radius
             : (a.trial->x - b.trial->x).norm() - a.shape->bounding_radius - b.shape->bounding_radius;
}

bool searched_by_trees(const BodyView& a, const BodyView& b) {
  return !is_smooth_pair(a, b) && (has_face_tree(*a.shape) || has_face_tree(*b.shape));
}

double polyhedra_separation(const BodyView& a, const BodyView& b) {
  double best = best_axis(a, b).separation;
  const Vec3 line = a.trial->x - b.trial->x;
  for (const Edge& ea : a.shape->edges) {
    for (const Edge& eb : b.shape->edges) {
      Vec3 n = (a.trial->R * ea.direction).cross(b.trial->R * eb.direction);
      if (n.squaredNorm() < 1e-12) continue;
      n.normalize();
      if (n.dot(line) < 0) n = -n;
      best = std::max(best, extent_of(a, n).low - extent_of(b, n).high);
    }
  }
  return best;
}

double motion_since_build(const BodyPair& pair, const BodyView& a, const BodyView& b) {
  return motion_from(pair.built_at, a, b);
}

void build_items(BodyPair& pair, const BodyView& a, const BodyView& b, double reach) {
  pair.items.clear();
  pair.closed.clear();
  pair.reach = reach;
  pair.built = true;
  pair.built_at = pose_of(a, b);
  pair.also_at.clear();
  find_items(pair, a, b, reach);
  begin_bounds(pair);
}

}  // namespace scree::contact
