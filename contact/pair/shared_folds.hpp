/// Contacts of one vertex, or one ball, in a fold of a surface that is not convex.
///
/// Where the nearest points of two faces and of the edge between them are within reach, the faces count once
/// each and the edge is taken off (theory 03 section 4.1): the sum is that of the surface, but each face has
/// all of the force where the fold is flat. Friction, rolling resistance, dashpots and what an impact gives
/// back see the part that is not taken off.
#pragma once

#include <cstddef>

#include "contact/pair/pair.hpp"

namespace scree::contact {

/// Signed compression of a contact [N], without window: negative of what is taken off.
double net_compression(const BodyPair& pair, const Active& contact);

/// Sets Active::fold and Active::counts of the contacts of an item, those from `first` on, and applies
/// `counts` to their normal force and dashpot. In a fold, that is among contacts whose features meet, the
/// part is the sum of all compressions over that of the positive ones (docs/contact.md, section 3).
void share_fold(BodyPair& pair, const Item& item, std::size_t first, const BodyView& a, const BodyView& b);

}  // namespace scree::contact
