#include "contact/pair/one_rigid_contact.hpp"

#include <algorithm>

namespace scree::contact {

void add_rigid_contact(BodyPair& pair, std::uint64_t key, const Term& term, double gap) {
  Active contact;
  contact.key = key;
  contact.first = static_cast<int>(pair.terms.size());
  contact.terms = 1;
  pair.terms.push_back(term);
  pair.terms.back().sign = 1;
  pair.active.push_back(contact);
  pair.nearest = std::min(pair.nearest, gap);
}

void add_rigid_contact(BodyPair& pair, std::uint64_t key, const Term& term) {
  add_rigid_contact(pair, key, term, term.gap);
}

}  // namespace scree::contact
