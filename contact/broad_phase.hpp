/// Linked cells and Verlet lists: which bodies may come near before the next search.
#pragma once

#include <utility>
#include <vector>

#include "core/body.hpp"
#include "core/shape.hpp"

namespace scree::contact {

/// Pairs (a, b) of local indices whose bounding spheres, widened by margin/2 each, meet at the accepted
/// state; at least one is owned. id of a < id of b; boundaries (planes) always stand second. Sorted by ids.
/// @param margin [m]. O(bodies). @note Not collective.
std::vector<std::pair<int, int>> near_bodies(const Bodies& bodies, const std::vector<Shape>& shapes,
                                             double margin);

}  // namespace scree::contact
