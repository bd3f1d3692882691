/// Polygons of any outline as triangles.
#pragma once

#include <array>
#include <vector>

#include "core/mesh/surface_loops.hpp"

namespace scree {

/// Cuts ears off a polygon that need not be convex or planar; of all ears the one with the largest smallest
/// angle, so that vertices on straight sides make no triangles without area.
/// @param loop at least three different vertices. @returns loop.size() - 2 triangles, same orientation.
std::vector<std::array<int, 3>> triangles_of(const std::vector<Vec3>& vertices, const std::vector<int>& loop);

/// @returns sine of the smallest angle of a triangle; 0 without area.
double smallest_sine(const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace scree
