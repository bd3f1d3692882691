#include "contact/neighbours/pair_gaps.hpp"

#include <algorithm>

#include "contact/pair/body_over_step.hpp"
#include "contact/pair/pair_pose.hpp"
#include "contact/search/candidates.hpp"
#include "contact/search/far_items.hpp"
#include "contact/search/step_candidates.hpp"
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

void PairGaps::cover_step(BodyPair& pair, const Bodies& bodies, double reach) const {
  const BodyView a = geometry_->view(bodies, pair.a);
  const BodyView b = geometry_->view_of_b(bodies, pair);
  const BodyOverStep step_a(a), step_b(b);
  const double skin = model_->feature_skin();
  const double motion = motion_from(pose_of(step_a.start(), step_b.start()), a, b);
  const bool at_both_ends = motion > skin && b.surface == nullptr && searched_by_trees(a, b);
  if (!at_both_ends || least_distance(a, b) >= reach + motion + skin) {
    cover(pair, bodies, reach + motion);
    return;
  }
  const double since_build = pair.built ? motion_since_build(pair, a, b) : kInfinity;
  const bool passed = since_build < pair.reach - (reach + motion);  // all of the way is listed
  if (!passed && !holds_step(pair, step_a.start(), step_b.start(), a, b, skin))
    build_items_of_step(pair, step_a.start(), step_b.start(), a, b, reach + skin);
  pair.covered = pair.reach - motion_since_build(pair, a, b);
}

}  // namespace scree::contact
