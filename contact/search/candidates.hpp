/// From a pair of bodies to the features that may come near: the second level of bounding volumes.
#pragma once

#include "contact/pair/pair.hpp"

namespace scree::contact {

/// Rebuilds pair.items with every feature pair whose gap is below `reach` at the state of the views.
/// For convex pairs features outside the slab of a separating axis are left out unseen; where the axis shows
/// that the bodies are further apart, there are no items and pair.reach becomes that distance.
/// @param reach [m] > threshold. @note Allocates only when a pair has more candidates than ever.
void build_items(BodyPair& pair, const BodyView& a, const BodyView& b, double reach);

/// Whether the features of a pair are found by trees of faces, which also say how far the bodies are apart
/// where nothing is in reach: pair.reach of a list without items.
bool searched_by_trees(const BodyView& a, const BodyView& b);

/// @returns the distance of the balls around two bodies, or of the ball around A from a wall [m].
double least_distance(const BodyView& a, const BodyView& b);

/// Largest separation of two convex polyhedra over all their separating axes, face normals and edge pairs
/// [m]; negative: they overlap, by that depth.
double polyhedra_separation(const BodyView& a, const BodyView& b);

/// How much any distance between features of the pair can have changed since the last build [m].
double motion_since_build(const BodyPair& pair, const BodyView& a, const BodyView& b);

}  // namespace scree::contact
