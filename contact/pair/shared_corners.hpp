/// Contacts of a pair that stand for one corner together.
///
/// A vertex beside an edge counts once by itself, with a tilted normal; the edge pair above it takes that off
/// again and counts what is straight below (docs/contact.md, section 2). The force of each is tilted, that of
/// both is not: what acts along the normal or across it has to see their sum.
#pragma once

#include <vector>

#include "contact/pair/pair.hpp"

namespace scree::contact {

/// Sets Active::corner of all contacts: equal for those of which one takes off a term that another counts,
/// the index of the first of them; -1 for all others. Sets Term::takes_off of their terms: where nothing
/// counts what is taken off, that says nothing about the direction.
/// @returns whether any share one.
bool group_corners(BodyPair& pair);

/// What counts in the direction of a corner: sums over the terms of each contact, and then over the contacts
/// that share a corner with it. Others keep theirs.
/// @param force_of (term number) -> Vec3 [N], without sign and window. @param[out] pushes [N].
template <class ForceOf>
void sum_pushes(const BodyPair& pair, ForceOf&& force_of, std::vector<Vec3>& pushes);

/// Whether a contact with the normal n may act along the push of its corner: not if it would pull.
inline bool follows_corner(const Active& contact, const Vec3& push, const Vec3& n) {
  return contact.corner >= 0 && push.dot(n) > 0;
}

/// Sets Active::straight to the directions of the pushes, unless a contact would pull along them.
void set_straight(BodyPair& pair, const std::vector<Vec3>& pushes);

/// By which part a contact counts: its window, of a step the mean one.
inline double window_of(const BodyPair& pair, const Active& contact) {
  return contact.part * (pair.secants.empty() ? contact.window : 0.5 * (contact.window_n + contact.window));
}

/// Sums of a vector per contact over those that share a corner; others keep theirs.
void sum_over_corners(const BodyPair& pair, std::vector<Vec3>& of);

/// @returns the normal that a contact acts along and across: Active::straight, or that of its first term.
inline const Vec3& straight_normal(const BodyPair& pair, const Active& contact) {
  if (!contact.straight.isZero(0)) return contact.straight;
  return pair.terms[static_cast<std::size_t>(contact.first)].n;
}

template <class ForceOf>
void sum_pushes(const BodyPair& pair, ForceOf&& force_of, std::vector<Vec3>& pushes) {
  pushes.clear();
  for (const Active& contact : pair.active) {
    Vec3& push = pushes.emplace_back(Vec3::Zero());
    for (int t = contact.first; t < contact.first + contact.terms; ++t) {
      const Term& term = pair.terms[static_cast<std::size_t>(t)];
      if (!term.takes_off) push += term.sign * force_of(t);
    }
    push *= window_of(pair, contact);
  }
  sum_over_corners(pair, pushes);
}

}  // namespace scree::contact
