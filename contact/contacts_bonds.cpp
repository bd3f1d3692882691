/// Bonds instead of contact.
#include "contact/contacts.hpp"

namespace scree::contact {

void Contacts::set_bonds(const Bodies& bodies, const std::vector<CentralPair>& bonds) {
  update_vertices(bodies);
  auto bond = bonds.begin();
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    BodyPair& pair = pairs_[p];
    if (bodies.is_boundary(pair.b)) continue;
    CentralPair key;
    key.id_a = pair.id_a;
    key.id_b = pair.id_b;
    while (bond != bonds.end() && ids_before(*bond, key)) ++bond;
    const bool acts = bond == bonds.end() || ids_before(key, *bond);
    if (acts && !pair.acts) measure(pair, bodies);
    pair.acts = acts;
    if (acts) continue;
    pair.history.clear();
    pair.active.clear();
    pair.terms.clear();
    wrenches_[p] = {};
  }
  everybody_awake();
}

}  // namespace scree::contact
