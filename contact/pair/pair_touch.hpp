/// Contacts that are made within a step: where they were when it started, and which part of it they act in.
#pragma once

#include "contact/pair/pair_wrench.hpp"
#include "contact/pair/start_of_contact.hpp"

namespace scree::contact {

/// @returns it for the first term of a contact; it does not depend on the trial state while that has the same
/// features. @param[in,out] guess as of smooth_start.
StartOfContact start_of_contact(const BodyPair& pair, const Term& term, const BodyView& a, const BodyView& b,
                                Vec3* guess = nullptr);

/// Contact point of a term in the trial state: as StartOfContact::point [m].
Vec3 contact_point(const BodyPair& pair, const Term& term, const BodyView& a, const BodyView& b);

/// Part of the step in which a contact acts, from the gaps at its start and in the trial state, as if the gap
/// closed evenly: 1 for all that were there before. Springs are strained by that part of what the bodies
/// move in the step: with all of it, or none, sticking would be resolved to first order in h whatever the
/// integrator's order (docs/interface_laws.md, section 4).
struct ActingPart {
  double spring = 1, dashpot = 1;              ///< [-]
  double spring_slope = 0, dashpot_slope = 0;  ///< derivatives in the gap [1/m]
};
/// The dashpot's part rises from 0 to 1 over the first kBeginning of it, as that along the normal does, and
/// is 1 where dashpots are there at once; StepContext::first_touch decides.
ActingPart acting_part(const HistoryEntry& entry, double gap, const InterfaceLaw& law,
                       const StepContext& step);

}  // namespace scree::contact
