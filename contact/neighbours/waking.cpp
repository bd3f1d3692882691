#include "contact/neighbours/waking.hpp"

namespace scree::contact {

void Waking::wake(const Bodies& bodies, double travel) {
  geometry_->refresh_images(bodies);
  list_->begin_choice(travel);
  std::vector<BodyPair>& pairs = list_->pairs();
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    BodyPair& pair = pairs[p];
    if (!pair.acts) continue;
    const double limit = model_->law(pair).normal.threshold() + 2 * travel;
    // A pair that slept is measured before it wakes, or turns over.
    const bool is_near = gaps_->least(pair) < limit;
    if (is_near && gaps_->has_slept(pair)) {
      gaps_->measure(pair, bodies);
    } else if (!pair.curvature_known && (is_near || !pair.history.empty())) {
      curvature_->update(pair, bodies);
    }
    if (gaps_->least(pair) < limit || !pair.history.empty()) {
      list_->add_awake(static_cast<int>(p));
    } else {
      pair.active.clear();
      pair.terms.clear();
      pair.stored = pair.stored_n = {};
      results_->drop(p);
    }
  }
}

void Waking::wake_all(const Bodies& bodies) {
  // In the middle of a step: those that slept are measured where the bodies are now.
  auto next = list_->awake().begin();
  std::vector<BodyPair>& pairs = list_->pairs();
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    if (next != list_->awake().end() && next->pair == static_cast<int>(p)) {
      ++next;
    } else if (pairs[p].acts) {
      gaps_->measure(pairs[p], bodies);
      pairs[p].curvature_known = false;  // that is the trial state's: invalid if the step fails
    }
  }
  list_->wake_everybody();
}

}  // namespace scree::contact
