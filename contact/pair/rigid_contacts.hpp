/// Contacts of rigid bodies: every place where a pair may touch, with a signed gap and no force yet.
#pragma once

#include "contact/laws/interface_law.hpp"
#include "contact/pair/pair.hpp"

namespace scree::contact {

/// Fills pair.terms and pair.active with one entry per place whose gap is below `reach`, without forces; gaps
/// are negative where bodies overlap (theory 07 section 1). Pairs that count -1 in the energy of theory 03
/// are left out. pair.items must cover `reach` and depth_seen() of folded_contacts.hpp, but for convex
/// polyhedra, which have a manifold of their own. Of polyhedra that are not convex, vertices are signed by
/// whether they are inside of the other body, and crossings of edges by their arcs of normals. pair.nearest
/// becomes the smallest gap. @param h size of the step that the contacts are for, as in `manifold` [s].
/// @throws RecoverableError where bodies overlap deeper than their rounding.
void find_rigid_contacts(BodyPair& pair, const BodyView& a, const BodyView& b, double reach, double h = 0);

/// Whether a pair has a manifold: convex polyhedra, which have no rounding to overlap in.
bool has_manifold(const BodyView& a, const BodyView& b);

}  // namespace scree::contact
