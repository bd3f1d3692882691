#include "contact/neighbours/pair_switches.hpp"

#include <cstddef>

namespace scree::contact {

void PairSwitches::set_boundaries(const Bodies& bodies, const std::vector<char>& active) {
  for (BodyPair& pair : list_->pairs()) {
    if (!bodies.is_boundary(pair.b)) continue;
    pair.acts = active[pair.b - bodies.moving()] != 0;
    if (!pair.acts) {
      pair.history.clear();
      pair.active.clear();
      pair.terms.clear();
      pair.stored = pair.stored_n = {};
    }
  }
  results_->forget_lasting();
  list_->wake_everybody();
}

void PairSwitches::set_bonds(const Bodies& bodies, const std::vector<CentralPair>& bonds) {
  geometry_->update(bodies);
  std::vector<BodyPair>& pairs = list_->pairs();
  auto bond = bonds.begin();
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    BodyPair& pair = pairs[p];
    if (bodies.is_boundary(pair.b)) continue;
    CentralPair key;
    key.id_a = pair.id_a;
    key.id_b = pair.id_b;
    key.image = pair.image;
    while (bond != bonds.end() && ids_before(*bond, key)) ++bond;
    const bool acts = bond == bonds.end() || ids_before(key, *bond);
    if (acts && !pair.acts) gaps_->measure(pair, bodies);
    pair.acts = acts;
    if (acts) continue;
    pair.history.clear();
    pair.active.clear();
    pair.terms.clear();
    results_->wrenches[p] = {};
  }
  results_->forget_lasting();
  list_->wake_everybody();
}

}  // namespace scree::contact
