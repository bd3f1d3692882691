#include "contact/forces/contact_impacts.hpp"

#include "contact/secant/secant_pair.hpp"

namespace scree::contact {

std::vector<Impact> ContactImpacts::all(const Bodies& bodies) const {
  std::vector<Impact> impacts;
  const auto at_rest = [&](int i) {
    const BodyTrial& trial = bodies.trial[i];
    return trial.v.isZero(0) && trial.w.isZero(0) && trial.u.isZero(0) && trial.alpha.isZero(0);
  };
  for (const AwakePair& awake : list_->awake()) {
    const PairResult& found = results_->found[awake.pair];
    if (!found.acting) continue;
    if (found.lasts() && at_rest(awake.a) && at_rest(awake.b)) continue;
    const BodyPair& pair = list_->pairs()[awake.pair];
    const std::size_t before = impacts.size();
    append_impacts(pair, geometry_->view(bodies, pair.a), geometry_->view_of_b(bodies, pair),
                   model_->law(pair), forces_->step(), impacts);
    for (std::size_t i = before; i < impacts.size(); ++i) {
      impacts[i].pair = awake.pair;
      impacts[i].a = pair.a;
      impacts[i].b = pair.b;
      impacts[i].counted = counted(bodies, pair);
    }
  }
  return impacts;
}

void ContactImpacts::note_update(const Impact& impact, double taken, const Vec6& on_a, double wound) {
  const double h = forces_->step().h;
  Active& contact =
      list_->pairs()[static_cast<std::size_t>(impact.pair)].active[static_cast<std::size_t>(impact.at)];
  contact.impulse = impact.normal_share * taken;
  contact.wound = wound;
  contact.update_force = on_a.head<3>() / h;
  contact.update_moment = (impact.arm_a.cross(on_a.head<3>()) + on_a.tail<3>()) / h;
}

}  // namespace scree::contact
