/// Direction and place of a secant force: the discrete gradient of a gap (theory 11 section 3).
#pragma once

#include <cstdint>

#include "contact/secant/closed_terms.hpp"
#include "contact/secant/facet_over_step.hpp"

namespace scree::contact {

/// @returns how far the material points of A and B that are at `point` in the mean configuration move apart
/// in the step [m]. Exact: with mean arms a point of a body moves by u + alpha x arm.
Vec3 parting(const BodyOverStep& a, const BodyOverStep& b, const Vec3& point);

/// How A turns relative to B in the step [rad].
Vec3 turning(const BodyOverStep& a, const BodyOverStep& b);

/// Square of the length that weighs turning against parting in a correction [m^2]: half of the smaller body.
double arm_of_correction2(const BodyOverStep& a, const BodyOverStep& b);

/// Direction, which need not be of unit length, and line of action of a force whose work is force times
/// change of gap, exactly. Equal and opposite on both bodies at one point, it keeps both momenta, and so
/// does the couple that may belong to it. Where, of convex bodies, the normal turns by more than kTurns
/// within the step, as that of a vertex that passes an edge, the way beyond the reach of the law does not
/// count, and the normals count as the energies at their ends: such a contact acts where it is, and does not
/// hold up what slides past.
/// @param b B, or its place where it deforms. @param key of the contact. @param main its first term at the
/// end of the step.
SecantTerm secant_of(const ClosedTerm& term, const BodyOverStep& a, FacetOverStep& b, const NormalLaw& law,
                     const BodyPair& pair, std::uint64_t key, const Term& main);

/// @returns the normal along which a term acts at the end of the step: of one that has passed the mean one.
Vec3 acting_normal(const SecantTerm& secant, const Term& end);

}  // namespace scree::contact
