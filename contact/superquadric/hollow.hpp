/// A superquadric inside of a cylinder or sphere: at which places it touches the wall, and how often each
/// counts (theory 06 section 13).
#pragma once

#include <vector>

#include "contact/superquadric/features.hpp"

namespace scree::contact {

struct HollowTouch {
  Touch touch;
  double sign = 1;  ///< how often the energy of this distance counts
  int contact = 0;  ///< touches of one number are one contact; the first of them counts once
};

/// Where the distance of a superquadric from the wall around it is stationary and below `reach` [m].
/// @param[out] touches those of a contact together, the contact with the least distance first; the signs
/// have the sum 1 where all of the places are within reach.
/// @returns the least distance [m]; where that is not below `reach`, a lower bound of it.
double touch_hollow(const Smooth& body, const BodyView& wall, double reach,
                    std::vector<HollowTouch>& touches);

/// @returns the nearest place of all.
Touch nearest_in_hollow(const Smooth& body, const BodyView& wall);

}  // namespace scree::contact
