/// Pairs of bodies that are near, by a grid of its own.
#pragma once

#include <utility>
#include <vector>

#include "geometry.hpp"

namespace intersection {

/// @returns all pairs (i < j), sorted, whose bounding spheres come within `reach` [m] of each other.
/// @param radii bounding radii of the bodies [m].
std::vector<std::pair<int, int>> near_pairs(const std::vector<Pose>& poses, const std::vector<double>& radii,
                                            double reach);

}  // namespace intersection
