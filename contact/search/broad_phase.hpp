/// Linked cells and Verlet lists: which bodies may come near before the next search.
#pragma once

#include <vector>

#include "core/body.hpp"
#include "core/shapes/shape.hpp"

namespace scree::contact {

/// Two bodies that are near each other, perhaps through faces of the periodic cell.
struct NearPair {
  int a = 0, b = 0;    ///< local indices; id of a < id of b, boundaries always stand second
  CellNumber image{};  ///< of b, as in Bodies::way_to_image; of a boundary the cell of a: it is near itself
};

/// Pairs of local indices whose bounding spheres, widened by margin/2 each, meet at the accepted
/// state; at least one is owned. Images count as bodies, but no body meets its own. Sorted by ids, then
/// images.
/// @param margin [m]. O(bodies). @param interface_of [material][material] -> law; pairs of materials without
/// one (negative) are left out, and so are pairs of which nothing is free, boundaries included. Null: all
/// pairs.
/// @note Not collective.
std::vector<NearPair> near_bodies(const Bodies& bodies, const std::vector<Shape>& shapes, double margin,
                                  const std::vector<std::vector<int>>* interface_of = nullptr);

}  // namespace scree::contact
