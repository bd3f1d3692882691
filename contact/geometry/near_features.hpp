/// Features of a body that are near a point, an edge or another body, by its tree of faces. Cost goes with
/// what is near, not with the size of the shape.
#pragma once

#include <vector>

#include "contact/geometry/closest_points.hpp"
#include "contact/pair/pair.hpp"
#include "core/shapes/face_tree_of.hpp"

namespace scree::contact {

/// Numbers of features of a shape, each list ascending.
struct Features {
  std::vector<int> faces, edges, vertices;
};

/// Leaves every number once, in ascending order.
void sort_and_thin(std::vector<int>& numbers);

/// What round-off may add to a distance between features of two bodies [m]: reaches of the queries below are
/// widened by it, so that no feature is lost to which the exact distance is less.
double distance_error(const BodyView& a, const BodyView& b);

/// Faces of a shape that are within `reach` [m] of a point of its frame, and some more; all of a shape
/// without a tree. @param[out] faces replaced, ascending.
void faces_near(const Shape& surface, const Vec3& p, double reach, std::vector<int>& faces);

/// Features of a body on faces that are within `reach` [m] of another body or wall, and some more; all of a
/// body without a tree. @param[out] near replaced.
void features_near(const BodyView& body, const BodyView& other, double reach, Features& near);

/// Faces of a shape that are within `reach` of the segment from p to q in its frame, and some more; all of a
/// shape without a tree. @param[out] faces replaced, ascending.
void faces_near_segment(const Shape& surface, const Vec3& p, const Vec3& q, double reach,
                        std::vector<int>& faces);

/// @param[out] edges, vertices of the faces, replaced, ascending.
void edges_of(const Shape& surface, const std::vector<int>& faces, std::vector<int>& edges);
void vertices_of(const Shape& surface, const std::vector<int>& faces, std::vector<int>& vertices);

/// Vertices of a shape that are within `reach` [m] of a point of its frame, and some more; all of a shape
/// without a tree or with few. @param[out] vertices replaced, ascending.
void vertices_near(const Shape& surface, const Vec3& p, double reach, std::vector<int>& vertices);

/// @returns the point of a surface with a tree that is nearest to a point of its frame.
SurfacePoint nearest_on_surface(const Shape& surface, const Vec3& p);

/// Distance from `reach` to `most` within which the two have no features [m], `reach` if none is found. One
/// of them has a tree, and nothing of them is within `reach`.
double clear_distance(const BodyView& a, const BodyView& b, double reach, double most);

}  // namespace scree::contact
