/// Stationary reach of a superquadric from the centre of a sphere around it.
#pragma once

#include <vector>

#include "contact/superquadric/reach.hpp"

namespace scree::contact {

/// Maxima, saddles and minima: Newton's method in all squares of a grid over which the slope may be zero, and
/// a finer grid where their numbers do not fit together.
/// @param[out] places all of them; of a body that reaches out in all directions the lowest minimum is left
/// out.
void find_on_sphere(const Reach& reach, std::vector<ReachPlace>& places);

/// @param[out] places added to what is there: maxima, the highest among them.
/// @throws RecoverableError where the pose is not a number.
void climb_on_sphere(const Reach& reach, std::vector<ReachPlace>& places);

}  // namespace scree::contact
