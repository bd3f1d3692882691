#include "contact/secant/secant_window.hpp"

#include "contact/secant/secant_term.hpp"

namespace scree::contact {

WindowSecant window_secant(const Active& contact) {
  WindowSecant w;
  const double c0 = contact.cosine_n;
  const double c1 = contact.cosine;
  const double x0 = (1 - c0 * c0) / contact.widest;
  const double x1 = (1 - c1 * c1) / contact.widest;
  if (x0 >= 1 && x1 >= 1) return w;
  w.mu = x1 < 1 ? -4 * c1 * (1 - x1) / contact.widest : 0;
  if (x0 < 1 && x1 < 1) {
    // m = x (2 - x) is a polynomial in c^2: no quotient.
    w.slope = -(2 - x0 - x1) * (c0 + c1) / contact.widest;
    w.slope_end = (-2 * c1 * (c0 + c1) / contact.widest - (2 - x0 - x1)) / contact.widest;
  } else if (c1 != c0) {
    w.slope = (contact.window - contact.window_n) / (c1 - c0);
    w.slope_end = (w.mu - w.slope) / (c1 - c0);
  }
  return w;
}

WindowWrench window_wrench(const BodyPair& pair, const Active& contact, const BodyOverStep& a,
                           FacetOverStep& b) {
  WindowWrench wrench;
  if (!(contact.widest > 0) || (contact.window_mu == 0 && !b.deforms())) return wrench;
  const Term& main = pair.terms[static_cast<std::size_t>(contact.first)];
  const Vec3 e = 0.5 * (a.end.trial->Q.transpose() * main.e + main.e);
  const Vec3 across = e.cross(b.mean_edge(contact.key, main));
  wrench.couple = (contact.mean_energy * contact.window_mu) * across;
  if (!b.deforms()) return wrench;
  // An edge that bends or stretches does not turn as the faces beside it.
  const Vec3& point = pair.secants[static_cast<std::size_t>(contact.first)].point;
  const BodyOverStep& place = b.at(pair, contact, point);
  const Vec3 apart = parting(a, place, point);
  const Vec3 turn = turning(a, place);
  const double arm2 = arm_of_correction2(a, place);
  const double way2 = apart.squaredNorm() + arm2 * turn.squaredNorm();
  const double miss = contact.mean_energy * (contact.window - contact.window_n) - wrench.couple.dot(turn);
  if (!(way2 > 0)) return wrench;
  wrench.force = (miss / way2) * apart;
  wrench.couple += (miss / way2 * arm2) * turn;
  return wrench;
}

}  // namespace scree::contact
