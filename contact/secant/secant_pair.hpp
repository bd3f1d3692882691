/// A pair of bodies over a step whose normal forces are secants: forces that do exactly the work that the
/// contacts store, at any step size (theory 11). The counterpart of pair_evaluate.hpp
/// for such steps.
#pragma once

#include "contact/pair/pair_commit.hpp"
#include "contact/pair/pair_evaluate.hpp"
#include "contact/secant/impact.hpp"

namespace scree::contact {

/// Finds what acts in the step to the trial state: fills pair.terms (at its end, with the secant of the law),
/// pair.secants, pair.active and pair.nearest. Contact::normal and pressing are means over the step, energies
/// those at its end. Dashpots do not act: what impacts dissipate is decided when the step is solved
/// (impact_update.hpp).
/// @returns residual wrench of A about the mean of its poles; that of B is about the mean of its poles too.
/// @throws RecoverableError if a gap is not positive under a barrier law, or an overlap deeper than the
/// rounding.
PairWrench evaluate_secant(BodyPair& pair, const BodyView& a, const BodyView& b, const InterfaceLaw& law,
                           const StepContext& step);

/// Tangent at the state of the last `evaluate_secant`, in the 12 columns of PairTangent. Left out: how
/// the point of crossed edges and of features that change in the step moves, curvature of the distance where
/// it would outweigh inertia, and of contacts at their limits what the primal-dual form leaves out. Where
/// none of these is there it is exact. Once per iterate: friction keeps the last one.
/// @param[out] on_a, on_b of the wrenches of A and B.
void secant_tangent(BodyPair& pair, const BodyView& a, const BodyView& b, const InterfaceLaw& law,
                    const StepContext& step, PairTangent& on_a, PairTangent& on_b);

/// Contacts of the pair in which a force acted, at the state of the last `evaluate_secant`. @param[out]
/// impacts appended; local indices and `counted` are left to the caller.
void append_impacts(const BodyPair& pair, const BodyView& a, const BodyView& b, const InterfaceLaw& law,
                    const StepContext& step, std::vector<Impact>& impacts);

/// Transport of the springs at the end of a step, after the impact update. @returns what friction dissipated
/// in the solve of the step [J].
StepLosses commit_secant(BodyPair& pair, const BodyView& a, const BodyView& b, const InterfaceLaw& law,
                         const StepContext& step);

}  // namespace scree::contact
