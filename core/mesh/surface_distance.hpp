/// How far two surfaces are apart.
#pragma once

#include "core/mesh/surface_loops.hpp"

namespace scree {

/// @returns distance of a point from a triangle [m].
double distance_to_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

/// Largest distance from one surface to the other, in both directions (Hausdorff distance), measured at the
/// vertices, the middles of the edges and the middles of the faces [m]. @throws Interrupted.
double surface_distance(const PolyhedronSurface& a, const PolyhedronSurface& b);

}  // namespace scree
