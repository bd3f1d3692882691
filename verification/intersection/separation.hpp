/// Signed separation of two solids, convex ones by separating axes, in long double.
#pragma once

#include "geometry.hpp"

namespace intersection {

/// Separation of two solids and how far to trust it.
struct Separation {
  Real value = 0;                                  ///< [m]; see separation()
  Real error = 0;                                  ///< bound of the arithmetic's error [m]
  Eigen::Vector3d axis = Eigen::Vector3d::Zero();  ///< unit, from B to A, along which `value` was found
  /// Not proved apart: a value within its error of zero counts as an intersection.
  [[nodiscard]] bool intersects() const { return value <= error; }
};

/// Two polyhedra: the largest separation over the axes that suffice (normals of both, products of edges of
/// both): positive if and only if they are disjoint, then a lower bound of their distance; negative: minus
/// the depth of penetration. With a sphere or capsule: the distance of the cores less the radii, or, where a
/// core lies in the other solid, minus the sum of the radii (or minus the smallest number, without radii).
/// Needs prepared solids. What is not convex: mesh_separation() (meshes.hpp).
Separation separation(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b);

/// Least and largest projection of a solid's vertices on a unit axis, relative to `origin` [m].
struct Interval {
  Real low, high;
};
Interval extent(const Solid& solid, const Pose& pose, const Eigen::Vector3d& origin, const Vector& axis);

/// Vertices in axes parallel to the global ones, origin at `origin`: differences of poles lose nothing.
std::vector<Vector> placed(const Solid& solid, const Pose& pose, const Eigen::Vector3d& origin);

/// Turns by the quaternion divided by its norm: states carry quaternions of norm one to double precision
/// only.
Matrix rotation(const Eigen::Quaterniond& q);

/// Rounding of a projection of points of size L: rotation (3 products and sums of unit numbers), normalised
/// axis, dot product: below 64 units of 2^-63 of L, counted generously.
Real rounding(Real size);

/// Size of what is projected when two solids are compared: the value of rounding() [m].
Real size_of(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b);

/// Separation along one given unit axis (from B to A) in double: a lower bound of the largest one, less
/// rounding of at most 1e-14 of the coordinates' size. For pairs known to be apart.
double separation_along(const Eigen::Vector3d& axis, const Solid& a, const Pose& pose_a, const Solid& b,
                        const Pose& pose_b);

}  // namespace intersection
