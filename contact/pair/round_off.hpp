/// What rounding makes of the forces between bodies.
#pragma once

#include <vector>

#include "contact/contacts.hpp"
#include "contact/forces/pair_forces.hpp"

namespace scree::contact {

/// Bound of the error that rounding to double precision leaves in the forces of contacts, bonds and near
/// fields at the last evaluation [N]. No iteration brings a residual below it with certainty. Not collective.
///
/// A gap is the difference of two places, each x + R r. In the standard model of rounding [Higham, Eq.
/// (2.4)], fl(a op b) = (a op b)(1 + d) with |d| <= u = 2^-53, a product of n factors or sum of n terms
/// has a relative error of at most about n u [Higham, section 3.1]. A place then has an error of at most
/// kOfPosition u |x| (sum of the accepted position and the increment, and of the pole and R r) plus
/// kOfArm u |r| (rotation matrix of the increment, its product with the accepted one, and with r). Force and
/// dashpot force follow with their slopes. The terms themselves and their sum add kOfForce u |f| each.
///
/// @returns one value per owned body.
std::vector<double> force_round_off(const Contacts& contacts, const PairForces& pair_forces,
                                    const Bodies& bodies);

}  // namespace scree::contact
