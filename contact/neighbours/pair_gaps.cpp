#include "contact/neighbours/pair_gaps.hpp"

#include <algorithm>

#include "contact/search/candidates.hpp"
#include "contact/search/far_items.hpp"
#include "contact/superquadric/smooth_terms.hpp"
#include "core/infinity.hpp"

namespace scree::contact {

void PairGaps::update(const Bodies& bodies) {
  geometry_->update(bodies);
  for (BodyPair& pair : list_->pairs()) {
    if (pair.acts) measure(pair, bodies);
  }
}

void PairGaps::measure(BodyPair& pair, const Bodies& bodies) const {
  cover(pair, bodies, model_->law(pair).normal.threshold());
  pair.nearest = pair.covered;
  if (!pair.items.empty()) {
    const BodyView a = geometry_->view(bodies, pair.a);
    const BodyView b = geometry_->view_of_b(bodies, pair);
    FarItems far(pair, a, b);
    pair.nearest = std::min(pair.covered, smallest_gap(pair, a, b, kNearEnough, far));
  }
  mark_measured(pair);
  curvature_->update(pair, bodies);
}

void PairGaps::cover(BodyPair& pair, const Bodies& bodies, double reach) const {
  const BodyView a = geometry_->view(bodies, pair.a);
  const BodyView b = geometry_->view_of_b(bodies, pair);
  double motion = pair.built ? motion_since_build(pair, a, b) : kInfinity;
  if (!(motion < pair.reach - reach)) {
    build_items(pair, a, b, reach + model_->feature_skin());
    motion = 0;
  }
  pair.covered = pair.reach - motion;
}

}  // namespace scree::contact
