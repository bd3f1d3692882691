/// Stationary reach of a superquadric across the axis of a cylinder around it.
#pragma once

#include <vector>

#include "contact/superquadric/reach.hpp"

namespace scree::contact {

/// Maxima, and saddles between them, from signs of the slope and Illinois's method. Two that lie nearer to
/// each other than a 256th of the angle under which the body is seen are missed together.
/// @param[out] places added to what is there; of a body that reaches out in all directions the lowest saddle
/// is left out.
void find_on_circle(const Reach& reach, std::vector<ReachPlace>& places);

}  // namespace scree::contact
