/// Boundaries whose vertices move: what contacts do to them, and how they move under a body.
#include "contact/contacts.hpp"
#include "contact/pair/pair_slip.hpp"
#include "contact/surface/deforming_surface.hpp"

namespace scree::contact {

Vec3 Contacts::motion_under(const BodyPair& pair, const BodyView& /*a*/, const BodyView& b) const {
  const DeformingSurface& surface = *b.surface;
  const double phase = b.trial->phase;
  Vec3 sum = Vec3::Zero();
  double weight = 0;
  for (const Active& contact : pair.active) {
    const Vec3 point = foot_on_b(pair.terms[contact.first]);
    const SurfacePlace place = place_of_contact(pair, surface, contact.key, point, phase);
    sum += contact.normal * surface.displacement_at(place, phase);
    weight += contact.normal;
  }
  if (weight > 0) return sum / weight;
  for (const HistoryEntry& entry : pair.history) {
    if (entry.fresh) continue;
    sum += surface.displacement_at(place_of_contact(pair, surface, entry.key, entry.arm_b, 0), phase);
    weight += 1;
  }
  return weight > 0 ? Vec3(sum / weight) : sum;
}

void Contacts::add_vertex_forces(const Bodies& bodies, int part, std::vector<Vec3>& forces) const {
  const int w = bodies.moving() + part;
  const DeformingSurface& surface = *surface_of(bodies, w);
  const double phase = bodies.trial[w].phase;
  for (const BodyPair& pair : pairs_) {
    if (pair.b != w || !counted(bodies, pair)) continue;
    const InterfaceLaw& pair_law = laws_[pair.interface];
    const BodyView a = view(bodies, pair.a);
    const BodyView b = view_of_b(bodies, pair);
    FacetView facet(b);
    const bool friction = pair_law.friction_acts(step_.time);
    for (const Active& contact : pair.active) {
      // The residual of A, term by term as `evaluate` sums it: its negative is on A.
      SurfacePlace place =
          place_of_contact(pair, surface, contact.key, foot_on_b(pair.terms[contact.first]), phase);
      const auto add = [&](const Vec3& point, const Vec3& force, const Vec3& couple) {
        place.point = point;
        surface.add_forces(place, force, couple, forces);
      };
      for (int t = contact.first; t < contact.first + contact.terms; ++t) {
        const Term& term = pair.terms[t];
        add(foot_on_b(term), (-contact.window * term.sign * term.law.force) * term.n, Vec3::Zero());
      }
      const Term& main = pair.terms[contact.first];
      const Vec3 foot = foot_on_b(main);
      if (contact.window_mu != 0)
        add(foot, Vec3::Zero(), (contact.energy * contact.window_mu) * main.e.cross(main.f));
      if (contact.damping != 0) add(foot, contact.damping * main.n, Vec3::Zero());
      if (contact.history < 0) continue;
      if (friction) {
        const SlipIncrement slip = slip_increment(pair, contact, a, facet.at(pair, contact), pair_law, step_);
        add(a.trial->x + slip.arm_a, contact.friction, Vec3::Zero());
      }
      if (pair_law.rolling_acts()) add(foot, Vec3::Zero(), contact.rolling);
    }
  }
}

}  // namespace scree::contact
