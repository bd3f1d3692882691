/// What a pair keeps from one iterate of Newton's method to the next, for the tangent of forces at their
/// limits (theory 05 section 9).
#include "contact/pair/pair_evaluate.hpp"
#include "contact/pair/pair_friction.hpp"
#include "contact/surface/deforming_surface.hpp"

namespace scree::contact {

void begin_iterate(BodyPair& pair, long solve) {
  if (pair.solve != solve) pair.iterates.clear();
  pair.solve = solve;
  pair.iterates.resize(pair.history.size());  // contacts of this step come at the end
}

void follow_iterate(BodyPair& pair, const BodyView& a, const BodyView& b, const InterfaceLaw& law,
                    const StepContext& step) {
  const bool friction = law.friction_acts(step.time) && law.friction.limited();
  const bool rolling = law.rolling_acts();
  if (!friction && !rolling) return;
  FacetView facet(b);
  for (const Active& contact : pair.active) {
    if (contact.history < 0) continue;
    SlipIterates& own = pair.iterates[contact.history];
    if (friction) {
      const Vec3 trial = trial_force(pair, contact, law, step);
      if (own.friction.known) {
        next_iterate(own.friction, trial, contact.limit, contact.slips);
      } else {
        begin_iterates(own.friction, stored_force(pair, contact, a, facet.at(pair, contact), law, step),
                       trial, contact.limit, contact.slips);
      }
    }
    if (!rolling) continue;
    const double k = law.rolling.stiffness;
    const Vec3 trial = k * contact.trial_roll;
    if (own.rolling.known) {
      next_iterate(own.rolling, trial, contact.rolling_limit, contact.rolls);
    } else {
      const Vec3 stored = (k * contact.share) * pair.history[contact.history].roll;
      begin_iterates(own.rolling, stored, trial, contact.rolling_limit, contact.rolls);
    }
  }
}

}  // namespace scree::contact
