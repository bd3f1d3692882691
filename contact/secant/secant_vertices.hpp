/// Forces of an energy-consistent step on a surface that deforms.
#pragma once

#include <vector>

#include "contact/pair/pair_evaluate.hpp"

namespace scree::contact {

/// Adds what the contacts of a pair put on the vertices of B, at the state of the last `evaluate_secant`: the
/// mean over the step, with the forces of the impact update [N]. Their work over the step, with that on A, is
/// what the contacts store and friction takes. Their moment in the middle of the step is that on A, but for
/// the impulses of the update (theory 11 section 11).
void add_secant_forces(const BodyPair& pair, const BodyView& view_a, const BodyView& view_b,
                       const InterfaceLaw& law, const StepContext& step, std::vector<Vec3>& forces);

}  // namespace scree::contact
