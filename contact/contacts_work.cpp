/// What contacts take out of the bodies' motion in a step, by the forces that an integrator balanced.
#include "contact/contacts.hpp"
#include "contact/pair/pair_friction.hpp"
#include "contact/pair/pair_rolling.hpp"

namespace scree::contact {

StepLosses Contacts::dissipative_work(const Bodies& bodies, double share) const {
  StepLosses work;
  for (const BodyPair& pair : pairs_) {
    if (!counted(bodies, pair)) continue;
    const InterfaceLaw& pair_law = laws_[pair.interface];
    const BodyView a = view(bodies, pair.a);
    const BodyView b = view_of_b(bodies, pair);
    for (const Active& contact : pair.active) {
      work.damping += contact.damping * contact.rate * step_.h / share;
      if (contact.history < 0) continue;
      work.friction +=
          contact.friction.dot(slip_increment(pair, contact, a, b, pair_law, step_).whole) / share;
      if (!pair_law.rolling_acts()) continue;
      work.friction +=
          contact.rolling.dot(roll_increment(pair, contact, a, b, pair_law, step_).whole) / share;
    }
  }
  return work;
}

double Contacts::remembered_energy(const Bodies& bodies) const {
  double sum = 0;
  for (const BodyPair& pair : pairs_) {
    if (counted(bodies, pair)) sum += friction_energy(pair, laws_[pair.interface]);
  }
  return sum;
}

}  // namespace scree::contact
