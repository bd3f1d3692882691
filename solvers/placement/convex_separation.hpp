/// Whether two bodies keep a distance, by separating axes. For placing bodies only: contact/ has its own.
#pragma once

#include <vector>

#include "core/shapes/shape.hpp"

namespace scree {

/// Directions that can separate a shape, body frame, each once up to its sign.
struct SeparationAxes {
  std::vector<Vec3> normals;
  std::vector<Vec3> edges;
};

/// @returns directions of the shape's faces and edges.
SeparationAxes separation_axes(const Shape& shape);

/// A body at a place. Non-convex shapes count as their convex hull.
struct PlacedBody {
  int shape = 0;
  Vec3 x = Vec3::Zero();
  Quat q = Quat::Identity();
  Mat3 R = Mat3::Identity();
  std::vector<Vec3> vertices;            ///< global [m]
  double radius = 0;                     ///< rounding [m]
  double bound = 0;                      ///< bounding radius about x [m]
  const Superquadric* smooth = nullptr;  ///< where it is one
  double scale = 1;                      ///< of its shape, included in all but `smooth`
};

/// @returns the body at x with orientation q. @param number of the shape. @param scale of its size.
PlacedBody place(const Shape& shape, int number, const Vec3& x, const Quat& q, double scale = 1);

/// @returns the smallest n . p of all points p of the body [m].
double lowest_along(const PlacedBody& body, const Vec3& n);

/// @returns true only if the distance of the bodies is at least `clearance` [m]. May return false for
/// somewhat more where vertices face each other: no axis of faces and edges shows their distance. The faces
/// of a fine mesh are not tried one by one, so that the cost stays proportional to the vertices.
bool separated(const PlacedBody& a, const SeparationAxes& axes_a, const PlacedBody& b,
               const SeparationAxes& axes_b, double clearance);

}  // namespace scree
