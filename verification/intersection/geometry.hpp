/// Bodies as the intersection test sees them. Own types on purpose: no code is shared with the program.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <vector>

namespace intersection {

using Real = long double;  ///< 64 bits of mantissa: the verdicts' arithmetic
using Vector = Eigen::Matrix<Real, 3, 1>;
using Matrix = Eigen::Matrix<Real, 3, 3>;

/// Convex hull of the vertices, or what the faces bound, rounded by a radius: a sphere has one vertex, a
/// capsule two.
struct Solid {
  bool convex = true;
  double radius = 0;                      ///< rounding [m]
  std::vector<Eigen::Vector3d> vertices;  ///< body frame [m]
  std::vector<std::vector<int>> faces;    ///< vertex loops, anticlockwise seen from outside
  std::vector<Eigen::Vector3d> normals;   ///< of the faces, without repeated directions, not normalised
  std::vector<Eigen::Vector3d> edges;     ///< directions, without repeated ones (sign ignored)
  double bounding_radius = 0;             ///< about the origin, rounding included [m]
  /// Fills normals, edges and bounding_radius from vertices and faces.
  void prepare();
};

struct Pose {
  Eigen::Vector3d x = Eigen::Vector3d::Zero();  ///< [m]
  Eigen::Quaterniond q = Eigen::Quaterniond::Identity();
};

/// Numbers of the trace. Axes and the normal of a plane (towards the bodies) are the local z axis.
enum class WallKind : std::uint8_t {
  sphere = 0,
  capsule = 1,
  polyhedron = 2,
  plane = 3,
  cylinder = 4,  ///< infinite, bodies outside
  bore = 5,      ///< infinite cylinder, bodies inside
  cavity = 6,    ///< sphere, bodies inside
  surface = 7    ///< thin polygons
};

struct Wall {
  WallKind kind = WallKind::plane;
  Solid solid;                  ///< capsule or polyhedron
  double radius = 0;            ///< of what is curved [m]
  double from = 0, until = 0;   ///< active within [from, until) [s]
  std::vector<Solid> polygons;  ///< of a surface: each a solid with a front, a back and no inside
  /// Of the polygons: a sphere around each, in the frame of the wall [m].
  std::vector<Eigen::Vector3d> centres;
  std::vector<double> radii;
  /// Makes the polygons of a surface. @param mesh vertices and faces in the frame of the wall.
  void set_surface(const Solid& mesh);
};

}  // namespace intersection
