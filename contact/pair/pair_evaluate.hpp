/// Energy, forces and tangent of one pair of bodies.
#pragma once

#include "contact/pair/pair_wrench.hpp"

namespace scree::contact {

/// Finds the active contacts at the trial state: fills pair.terms, pair.active, pair.nearest, friction and
/// damping included. History entries are made for contacts born in this step. In a frozen step the views hold
/// the accepted poses (increments zero) and the trial's velocities.
/// @returns residual wrench of A; `reaction` gives the one of B.
/// @throws RecoverableError if a gap is not positive under a barrier law, or an overlap deeper than the
/// rounding. @note Allocates only when a pair has more contacts than ever.
PairWrench evaluate(BodyPair& pair, const BodyView& a, const BodyView& b, const InterfaceLaw& law,
                    const StepContext& step);

/// Rows: residual wrench of A in virtual spins; columns u_A, theta_A, u_B, theta_B.
using PairTangent = Eigen::Matrix<double, 6, 12>;

/// Makes room for the next iterate of a solve, and forgets those of another one. To be called before
/// `follow_iterate`, and before tangents of secants. @param solve its number, other than those before.
void begin_iterate(BodyPair& pair, long solve);

/// Takes the state of the last `evaluate` as the next iterate of a solve: what its tangent needs of the one
/// before (theory 05 section 9).
void follow_iterate(BodyPair& pair, const BodyView& a, const BodyView& b, const InterfaceLaw& law,
                    const StepContext& step);

/// Exact derivative of `evaluate` at the state of the last call (theory 03 section 2, docs/contact.md),
/// unless it is an iterate of a solve: then sliding forces enter by their primal-dual form, and what changes
/// the directions of large forces is left out where inertia does not outweigh it (theory 09 section 2).
/// @param[out] tangent of the wrench of A; that of B follows by `reaction_tangent`.
/// @returns the wrench itself.
PairWrench evaluate_tangent(const BodyPair& pair, const BodyView& a, const BodyView& b,
                            const InterfaceLaw& law, const StepContext& step, PairTangent& tangent);

/// Tangent of B's wrench (-F, -M - r x F), r = x_A - x_B, from that of A. @param frozen r does not change.
PairTangent reaction_tangent(const PairTangent& tangent, const PairWrench& wrench, const Vec3& r,
                             bool frozen = false);

/// Elastic energy stored by the normal law at the last evaluation [J].
double normal_energy(const BodyPair& pair);

}  // namespace scree::contact
