/// Single candidates: a vertex of one body and the surface of the other, or an edge of each.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "contact/geometry/near_features.hpp"
#include "contact/pair/pair.hpp"

namespace scree::contact {

/// Features up to which a list is gone through for each vertex or edge; of longer ones the tree finds what is
/// near.
inline constexpr std::size_t kFewFeatures = 16;

/// A point as a surface sees it, at one place of the bodies.
struct SeenPoint {
  Vec3 local = Vec3::Zero();  ///< in the frame of the surface [m]
  double limit = 0;           ///< features nearer than this are of interest [m]
  double wide = 0;            ///< the limit, and what round-off adds to it [m]
};

/// Appends the closed features of a surface that are within the limit of a point, at one of its places at
/// least, and sets the item's first one and number. @param faces of the surface that may be near.
/// @returns the distance of the nearest of them at the last place, at most SeenPoint::wide [m].
double add_closed_features(BodyPair& pair, Item& item, const Shape& surface, const std::vector<int>& faces,
                           std::span<const SeenPoint> places);

/// One vertex of a body against the surface of the other, convex or with a tree.
/// @param near faces of a surface with a tree that are near the body. @param limit, wide as in SeenPoint.
void add_vertex_item(BodyPair& pair, ItemKind kind, int vertex, const BodyView& points,
                     const BodyView& surface, const std::vector<int>& near, double limit, double wide);

/// @returns the distance of edge i of A from edge j of B, roundings left out [m].
double edge_distance(const BodyView& a, int i, const BodyView& b, int j);

/// Edge i of A against edge j of B, both convex. @param distance of the two [m].
void add_edge_item(BodyPair& pair, int i, int j, const BodyView& a, const BodyView& b, double distance);

/// Calls `use` with the numbers of all convex edges of A and B that may be within a distance, ascending.
template <class Use>
void each_near_edge_pair(const BodyView& a, const BodyView& b, const Features& of_a, const Features& of_b,
                         double wide, Use&& use) {
  thread_local std::vector<int> faces, edges;
  const bool many = has_face_tree(*b.shape) && of_b.edges.size() > kFewFeatures;
  for (const int i : of_a.edges) {
    const Edge& edge = a.shape->edges[i];
    if (edge.kind != EdgeKind::convex) continue;
    if (many) {
      faces_near_segment(*b.shape, b.to_local(a.vertex(edge.v0)), b.to_local(a.vertex(edge.v1)), wide, faces);
      edges_of(*b.shape, faces, edges);
    }
    for (const int j : many ? edges : of_b.edges)
      if (b.shape->edges[j].kind == EdgeKind::convex) use(i, j);
  }
}

}  // namespace scree::contact
