#include "contact/neighbours/pair_blocks.hpp"

#include <algorithm>

namespace scree::contact {

void PairBlocks::add_couplings(const Bodies& bodies, double distance,
                               std::vector<LocalSystem::Coupling>& couplings) {
  for (BodyPair& pair : list_->pairs()) {
    if (bodies.is_boundary(pair.b)) {
      pair.coupled = true;
      continue;
    }
    pair.coupled = gaps_->least(pair) < model_->law(pair).normal.threshold() + distance;
    if (!pair.coupled) continue;
    couplings.push_back({pair.a, pair.b, 0});
    couplings.push_back({pair.b, pair.a, 0});
  }
}

void PairBlocks::locate(const Bodies& bodies, const LocalSystem& system) {
  for (BodyPair& pair : list_->pairs()) {
    pair.coupling_ab = pair.coupling_ba = -1;
    if (!pair.coupled || bodies.is_boundary(pair.b)) continue;
    if (bodies.is_owned(pair.a)) pair.coupling_ab = system.find(pair.a, pair.b);
    if (bodies.is_owned(pair.b)) pair.coupling_ba = system.find(pair.b, pair.a);
  }
}

bool PairBlocks::more_needed(double travel) const {
  const std::vector<BodyPair>& pairs = list_->pairs();
  return std::any_of(pairs.begin(), pairs.end(), [&](const BodyPair& pair) {
    return !pair.coupled && pair.acts &&
           gaps_->least(pair) - 2 * travel < model_->law(pair).normal.threshold();
  });
}

}  // namespace scree::contact
