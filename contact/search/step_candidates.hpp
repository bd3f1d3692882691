/// Candidates of a long step: what is near at its start or at its end. A list of all that bodies pass on the
/// way would grow with the fourth power of the step over the size of the faces.
#pragma once

#include "contact/pair/pair.hpp"

namespace scree::contact {

/// Rebuilds pair.items with every feature pair whose gap is below `reach` at the start or at the end of a
/// step. The end becomes
/// the place of the list, the start its other place (BodyPair::also_at). After motions from both the list
/// still holds what is nearer than `reach` less the motion.
/// @pre searched_by_trees, and no deforming surface.
/// @note Allocates only when a pair has more candidates than ever.
void build_items_of_step(BodyPair& pair, const BodyView& a_n, const BodyView& b_n, const BodyView& a,
                         const BodyView& b, double reach);

/// Whether the list of a pair holds every feature pair whose gap is below reach - skin at the start or the
/// end of a step.
bool holds_step(const BodyPair& pair, const BodyView& a_n, const BodyView& b_n, const BodyView& a,
                const BodyView& b, double skin);

}  // namespace scree::contact
