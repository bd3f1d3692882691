/// Where the reach of a superquadric from an axis or a centre is stationary (theory 06 section 13).
#pragma once

#include <vector>

#include "contact/superquadric/reach.hpp"

namespace scree::contact {

/// @param[out] places all of them; of a body that reaches out in all directions the lowest is left out.
void find_places(const Reach& reach, std::vector<ReachPlace>& places);

/// @returns the place with the largest reach.
ReachPlace highest_place(const Reach& reach);

/// @returns the outward normal of the stationary place near a unit vector: what Newton's method finds from
/// there, or the nearest of all.
Vec3 place_near(const Reach& reach, const Vec3& u);

}  // namespace scree::contact
