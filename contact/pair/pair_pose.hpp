/// Where the bodies of a pair are, and how much that changes their distances.
#pragma once

#include "contact/pair/pair.hpp"

namespace scree::contact {

PairPose pose_of(const BodyView& a, const BodyView& b);

/// @returns how much any distance between features of the bodies can have changed from a place to that of the
/// views [m].
double motion_from(const PairPose& place, const BodyView& a, const BodyView& b);

}  // namespace scree::contact
