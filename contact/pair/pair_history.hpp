/// History entries of contacts that are created within a step, and how the springs of a contact are shared
/// with those that succeed it (docs/contact.md, section 3).
#pragma once

#include "contact/pair/pair_touch.hpp"

namespace scree::contact {

/// History entry of a contact. A contact created in the step refers to the nearest entry of the step start as
/// its donor: at most five scales of the law away, with a similar normal. It gets copies of the donor's
/// springs; how much of them it holds is decided by `share_springs`.
/// @returns index into pair.history.
int find_or_create_history(BodyPair& pair, const Active& contact, const BodyView& a, const BodyView& b,
                           const InterfaceLaw& law);

/// Forgets contacts of a step's end that carry next to nothing beside another one at the same place. Which of
/// the features that meet at one place are counted is for rounding to decide: were such a contact to be the
/// one that counts in the next step, it would begin without the spring of that which was. Without memory of
/// its own it succeeds that one.
/// @returns the energy that their springs held [J].
double forget_shadowed(BodyPair& pair, const InterfaceLaw& law);

/// @returns the index of the history entry that a contact has from the step start; -1: none.
int find_history(const BodyPair& pair, const Active& contact);

/// @returns the force on A in the last accepted step, of the contacts that were closed at its end [N].
inline Vec3 force_before(const BodyPair& pair) {
  Vec3 on_a = Vec3::Zero();
  for (const HistoryEntry& entry : pair.history) on_a += entry.normal_n * entry.n - entry.friction_n;
  return on_a;
}

/// Index of the history entry whose springs a contact with a history holds a part of: its donor's or its own.
inline int family_of(const BodyPair& pair, const Active& contact) {
  const int donor = pair.history[contact.history].donor;
  return donor >= 0 ? donor : contact.history;
}

/// Shares springs among donors and the contacts created next to them in proportion to their normal forces:
/// sets Active::share. A donor that has no contact in the trial state has no normal force: its successors
/// hold all of its springs. Forces add up to what they were, energies to no more, and both are continuous in
/// the trial state.
void share_springs(BodyPair& pair);

}  // namespace scree::contact
