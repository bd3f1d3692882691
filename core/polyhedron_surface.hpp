/// The closed surface of a polyhedron before it is a shape: checks, and merging of coplanar neighbours.
#pragma once

#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/types.hpp"

namespace scree {

/// Vertices and loops of convex planar polygons, anticlockwise seen from outside.
struct PolyhedronSurface {
  std::vector<Vec3> vertices;           ///< [m]
  std::vector<std::vector<int>> loops;  ///< vertex numbers

  /// @returns diagonal of the bounding box [m].
  [[nodiscard]] double size() const;
};

/// Unit normal of a planar polygon by Newell's sum; zero vector for one without area.
Vec3 polygon_normal(const std::vector<Vec3>& vertices, const std::vector<int>& loop);

/// Finds what keeps the loops from bounding a solid: numbers out of range, faces without area, bent or
/// not convex, open edges, edges used twice in one direction, faces that cut each other (closed surfaces). Of
/// each kind at most a few are told one by one.
/// @param where put into each diagnostic. @param open the surface may have borders.
/// @returns empty if there is no fault.
std::vector<Diagnostic> surface_faults(const PolyhedronSurface& surface, const std::string& where,
                                       bool open = false);

/// @param surface without surface_faults and with a positive volume.
/// @returns faces that lie inside of another part of the body, or whose part is turned inside out
///   (enclosed_faces), with its point.
std::vector<Diagnostic> enclosed_faults(const PolyhedronSurface& surface, const std::string& where);

/// Merges coplanar neighbours (1e-9 of the size in distance and angle) into one convex polygon wherever the
/// merged outline is one; elsewhere the polygons stay as they are. Vertices inside merged polygons and inside
/// straight edges between two polygons disappear, the others keep their order.
/// @param surface without faults.
PolyhedronSurface merge_coplanar(const PolyhedronSurface& surface);

}  // namespace scree
