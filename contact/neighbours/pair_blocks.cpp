#include "contact/neighbours/pair_blocks.hpp"

#include <algorithm>
#include <cstddef>

namespace scree::contact {

void PairBlocks::uncouple(const Bodies& bodies) {
  for (BodyPair& pair : list_->pairs()) pair.coupled = bodies.is_boundary(pair.b);
}

bool PairBlocks::may_touch(const BodyPair& pair, const ForeseenMotion& motion, double skin) const {
  return gaps_->least(pair) < model_->law(pair).normal.threshold() + skin + motion.between(pair.a, pair.b);
}

void PairBlocks::couple(const Bodies& bodies, const ForeseenMotion& motion, double skin,
                        std::vector<LocalSystem::Coupling>& couplings) {
  std::vector<BodyPair>& pairs = list_->pairs();
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    BodyPair& pair = pairs[p];
    if (pair.coupled) continue;
    PairResult& found = results_->found[p];
    pair.coupled = bodies.is_boundary(pair.b) || found.acting || may_touch(pair, motion, skin);
    if (!pair.coupled) continue;
    found.missing = false;
    if (bodies.is_boundary(pair.b)) continue;
    couplings.push_back({pair.a, pair.b, 0});
    couplings.push_back({pair.b, pair.a, 0});
  }
  results_->coupling_missing = false;
}

void PairBlocks::locate(const Bodies& bodies, const LocalSystem& system) {
  for (BodyPair& pair : list_->pairs()) {
    pair.coupling_ab = pair.coupling_ba = -1;
    if (!pair.coupled || bodies.is_boundary(pair.b)) continue;
    if (bodies.is_owned(pair.a)) pair.coupling_ab = system.find(pair.a, pair.b);
    if (bodies.is_owned(pair.b)) pair.coupling_ba = system.find(pair.b, pair.a);
  }
}

bool PairBlocks::more_needed(const ForeseenMotion& motion) const {
  const std::vector<BodyPair>& pairs = list_->pairs();
  return std::any_of(pairs.begin(), pairs.end(), [&](const BodyPair& pair) {
    return !pair.coupled && pair.acts && may_touch(pair, motion, 0);
  });
}

}  // namespace scree::contact
