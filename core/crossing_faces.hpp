/// Whether a surface passes through itself.
#pragma once

#include <vector>

#include "core/polyhedron_surface.hpp"

namespace scree {

/// Two faces of which one passes through the other, or lies folded back upon it.
struct FaceCrossing {
  int a = 0, b = 0;        ///< loops, a < b
  Vec3 at = Vec3::Zero();  ///< a point that both have [m]
};

/// @param surface loops of planar convex polygons whose edges are each there twice (surface_faults finds
/// none). Touching in a point or along an edge is no crossing (1e-9 of the size).
/// @returns crossings, sorted, at most `most`.
std::vector<FaceCrossing> crossing_faces(const PolyhedronSurface& surface, std::size_t most);

}  // namespace scree
