/// Shapes as surface meshes for pictures.
#pragma once

#include <array>
#include <vector>

#include "core/shapes/shape.hpp"

namespace scree {

struct SurfaceMesh {
  std::vector<Vec3> points;                   ///< body frame [m]
  std::vector<std::array<int, 3>> triangles;  ///< anticlockwise seen from outside
  std::vector<Vec3> normals;                  ///< of a round surface at its points; else empty
};

/// @returns how finely round shapes are shown (tessellate): 320 triangles, as long as bodies are so few that
/// a picture can show them.
int refinement_for(BodyId bodies);

/// Polyhedra as they are; spheres, capsules and superquadrics rounded by triangles inscribed in them.
/// @param refinement of the icosahedron that rounds spheres and the ends of capsules: 0 gives 20 triangles,
///   each further level four times as many (2: 320, within 2 % of the radius).
/// @returns the surface; empty for a plane, which has no bounds.
SurfaceMesh tessellate(const Shape& shape, int refinement);

/// The part of an unbounded plane inside a convex region: cuts a convex polygon by half-spaces.
struct HalfSpace {
  Vec3 point, normal;  ///< keeps (x - point) . normal >= 0
};
/// @returns the corners in order, anticlockwise seen from the tip of `normal`; empty if nothing is inside.
/// @param size half the edge of the initial square around `point` [m]; larger than the region.
std::vector<Vec3> clip_plane(const Vec3& point, const Vec3& normal, double size,
                             const std::vector<HalfSpace>& region);

}  // namespace scree
