#include "contact/secant/secant_taken_off.hpp"

#include <algorithm>
#include <cstddef>

#include "contact/pair/taken_off.hpp"
#include "contact/pair/term_motion.hpp"

namespace scree::contact {

void limit_taken_off(Active& contact, double& stored_n, const NormalLaw& law, const PairConstants& pair) {
  if (std::min(stored_n, contact.energy) >= 0 || kind_of(contact.key) != ItemKind::edges) return;
  const TakenOff taken(law, pair);
  contact.part = taken.secant(stored_n, contact.energy);
  contact.part_slope = taken.secant_slope(stored_n, contact.energy);
  contact.part_end = taken.slope(contact.energy);
  contact.energy = taken.energy(contact.energy);
  stored_n = taken.energy(stored_n);
}

Row12 d_part(const BodyPair& pair, const Active& contact, const BodyView& view_a, const BodyView& view_b,
             const NormalLaw& law, const Vec3& r) {
  Row12 d_sum = Row12::Zero();
  for (int t = contact.first; t < contact.first + contact.terms; ++t) {
    const Term& term = pair.terms[static_cast<std::size_t>(t)];
    const TermMotion motion = motion_of(pair, term, term.p - view_a.trial->x, view_a, view_b);
    d_sum -= term.sign * law.at(term.gap, pair).force * expand(motion.gap, r);
  }
  return 0.5 * (contact.window_n + contact.window) * contact.part_slope * d_sum;
}

}  // namespace scree::contact
