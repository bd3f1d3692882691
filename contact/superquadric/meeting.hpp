/// Cache of the closest points of two superquadrics: the next search begins there as the bodies
/// have moved since, and the tangent and the radii of curvature need not ask the support functions again.
#pragma once

#include "contact/superquadric/separation.hpp"

namespace scree::contact {

/// @returns a superquadric at the accepted state.
Smooth accepted_body(const BodyView& body);

/// @returns what a search between two bodies ended with.
Meeting meeting_at(const Summit& summit, const Smooth& a, const Smooth& b);

/// Newton's step from the last meeting, with the support points and Hessians moved with their bodies:
/// no support function is asked. @returns a unit normal from B to A; to the bit the old one where bodies have
/// not moved.
Vec3 carried_along(const Meeting& met, const Smooth& a, const Smooth& b);

/// @returns a lower bound of the separation, from the last meeting's normal, moved with one of the
/// bodies and what the other has turned since: no support function is asked [m].
double bound_from(const Meeting& met, const Smooth& a, const Smooth& b);

/// Second derivatives of the support functions, global axes: radii of curvature on the plane across [m].
struct Bends {
  Mat3 of_a = Mat3::Zero(), of_b = Mat3::Zero();  ///< zero for bodies that are no superquadrics
};
/// @param n unit normal from B to A. @returns them from memory if the last search ended there.
Bends bends_at(const BodyPair& pair, const BodyView& a, const BodyView& b, const Vec3& n);

}  // namespace scree::contact
