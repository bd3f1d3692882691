/// Shapes as geometry: a shape is a set of features (vertices, edges, faces) with a rounding radius.
/// A sphere is one vertex with a radius, a capsule one edge with a radius, a polyhedron vertices, edges
/// and faces with radius zero, a plane one unbounded face (architecture, decision 4). A superquadric has no
/// features: it is known by its support function.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/mesh/face_tree.hpp"
#include "core/shapes/superquadric.hpp"
#include "core/types.hpp"

namespace scree {

/// Boundaries only, seen from where the bodies are: plane; cylinder (infinite, from outside), bore (infinite
/// cylinder, from inside), cavity (sphere, from inside). Axes are the local z axis.
enum class ShapeKind : std::uint8_t {
  sphere,
  capsule,
  polyhedron,
  superquadric,
  plane,
  cylinder,
  bore,
  cavity
};
enum class EdgeKind : std::uint8_t { convex, coplanar, concave };

/// Straight edge from vertex v0 to v1. Faces are -1 if missing (capsule, border of an open surface),
/// vertices where it has no end (axis of a cylinder).
struct Edge {
  int v0 = -1, v1 = -1;
  int f0 = -1, f1 = -1;  ///< f0 runs v0 -> v1 in its loop, f1 runs v1 -> v0
  EdgeKind kind = EdgeKind::convex;
  Vec3 direction = Vec3::Zero();  ///< unit vector, body frame
  double length = 0;              ///< [m]
};

/// Convex planar polygon. The loop is anticlockwise seen from outside; empty for an unbounded face.
struct Face {
  std::vector<int> loop;        ///< vertex numbers
  std::vector<int> edges;       ///< edges[k] joins loop[k] and loop[k+1]
  Vec3 normal = Vec3::UnitZ();  ///< outward unit normal, body frame
  double offset = 0;            ///< normal . x on the plane [m]
  int sheet = 0;                ///< first of the coplanar faces that hang together with it, or itself
  int first_outline = 0;        ///< outlines numbered through all faces, one number for each face and edge
};

/// Geometry in the body frame; the origin is the centre of mass, axes as given by the user.
struct Shape {
  std::string name;
  ShapeKind kind = ShapeKind::sphere;
  double radius = 0;  ///< rounding radius of all features [m]
  std::vector<Vec3> vertices;
  std::vector<Edge> edges;
  std::vector<Face> faces;
  std::vector<char> vertex_acts;               ///< per vertex: can touch first (theory 03 section 4.2)
  std::vector<std::vector<int>> vertex_edges;  ///< edges at each vertex
  std::vector<std::vector<int>> vertex_faces;  ///< faces at each vertex
  bool convex = true;
  bool open = false;            ///< triangulated surface with two sides, a boundary; borders are allowed
  bool unused = false;          ///< of a deck: no body can have it, and its size does not count
  double hollow_radius = 0;     ///< of a bore or cavity [m]
  Superquadric superquadric{};  ///< of that kind
  FaceTree face_tree;           ///< of an open surface
  double bounding_radius = 0;   ///< about the centre of mass, rounding included [m]
  double smallest_feature = 0;  ///< shortest edge or diameter [m]; thresholds should be below half of it
  double volume = 0;            ///< [m^3]
  Mat3 inertia_per_density = Mat3::Zero();    ///< about the centre of mass [m^5]
  Vec3 shift = Vec3::Zero();                  ///< centre of mass in the coordinates the user gave [m]
  std::vector<std::array<int, 3>> triangles;  ///< surface of a polyhedron for output, outward
};

/// @param radius [m] > 0. @throws InputError (where = name) if not positive.
Shape make_sphere(const std::string& name, double radius);

/// Capsule along the body's z axis. @param length of the cylindrical part [m] > 0.
Shape make_capsule(const std::string& name, double radius, double length);

/// Box with edges along the body axes. @param size edge lengths [m], all > 0.
Shape make_box(const std::string& name, const Vec3& size);

/// Superquadric about the origin. Contact sees it with rounded faces, mass and inertia are those of the body
/// as it is (theory 06). @param half_axes [m], all > 0; @param n1, n2 blockiness >= 2; @param face_radius
/// largest radius of curvature of a face in half axes, > 1.
Shape make_superquadric(const std::string& name, const Vec3& half_axes, double n1, double n2,
                        double face_radius);

/// Polyhedron from a closed surface of planar polygons (triangles usually), anticlockwise seen from outside.
/// Coplanar neighbours are merged into convex polygons where that gives one; the origin is moved to the
/// centre of mass (`shift` says by how much). Non-convex surfaces are allowed.
/// @param vertices [m]; @param faces vertex numbers from 0.
/// @throws InputError with every fault found: index out of range, degenerate face (its number), an open
///   edge (its two vertices), an edge used twice in the same direction, inside-out (negative volume).
Shape make_polyhedron(const std::string& name, const std::vector<Vec3>& vertices,
                      const std::vector<std::vector<int>>& faces);

/// Thin surface of planar polygons that need not be closed, for boundaries. Bodies may be on both sides, so
/// that orientation matters only between neighbours, which have to agree. Coplanar neighbours are merged as
/// in make_polyhedron; the origin is moved to the middle of the bounding box (`shift` says by how much).
/// @throws InputError with every fault found, as make_polyhedron, open edges excepted.
Shape make_surface(const std::string& name, const std::vector<Vec3>& vertices,
                   const std::vector<std::vector<int>>& faces);

/// Unbounded face through the origin with outward normal +z.
Shape make_plane(const std::string& name);

/// Infinite cylinder about the z axis, bodies outside. @param radius [m] > 0.
Shape make_cylinder(const std::string& name, double radius);

/// Infinite cylinder about the z axis, bodies inside. @param radius [m] > 0.
Shape make_bore(const std::string& name, double radius);

/// Sphere about the origin, bodies inside. @param radius [m] > 0.
Shape make_cavity(const std::string& name, double radius);

/// @returns the shape with all its lengths times `factor` > 0. Of bodies only: no wall.
Shape scaled(const Shape& shape, const std::string& name, double factor);

/// Whether the shape is one of boundaries only: it may be unbounded, and its bounding radius means nothing.
inline bool is_wall(const Shape& shape) { return shape.open || shape.kind >= ShapeKind::plane; }

inline bool is_smooth(const Shape& shape) { return shape.kind == ShapeKind::superquadric; }

/// Radius of curvature that stands for a body as a whole: its rounding, that of a sphere of the same volume
/// for a superquadric; 0 for a body with sharp edges [m].
double typical_radius(const Shape& shape);

/// Radius of a ball about the centre of mass that a convex body contains: the largest one, for a superquadric
/// that of its shortest half axis [m].
double inner_radius(const Shape& shape);

}  // namespace scree
