#include "contact/forces/vertex_forces.hpp"

#include "contact/pair/pair_slip.hpp"
#include "contact/pair/shared_corners.hpp"
#include "contact/secant/secant_vertices.hpp"
#include "contact/surface/deforming_surface.hpp"

namespace scree::contact {
void VertexForces::add(const Bodies& bodies, int part, std::vector<Vec3>& forces) const {
  const int w = bodies.moving() + part;
  const DeformingSurface& surface = *geometry_->surface_of(bodies, w);
  const double phase = bodies.trial[w].phase;
  for (const BodyPair& pair : list_->pairs()) {
    if (pair.b != w || !counted(bodies, pair)) continue;
    const InterfaceLaw& pair_law = model_->law(pair);
    const BodyView a = geometry_->view(bodies, pair.a);
    const BodyView b = geometry_->view_of_b(bodies, pair);
    if (forces_->step().secant) {
      add_secant_forces(pair, a, b, pair_law, forces_->step(), forces);
      continue;
    }
    FacetView facet(b);
    const bool friction = pair_law.friction_acts(forces_->step().time);
    for (const Active& contact : pair.active) {
      // The residual of A, term by term as `evaluate` sums it: its negative is on A.
      SurfacePlace place = place_of_contact(pair, surface, contact, phase);
      const auto put = [&](const Vec3& point, const Vec3& force, const Vec3& couple) {
        place.point = point;
        surface.add_forces(place, force, couple, forces);
      };
      for (int t = contact.first; t < contact.first + contact.terms; ++t) {
        const Term& term = pair.terms[t];
        put(foot_on_b(term), (-window_of(pair, contact) * term.sign * term.law.force) * term.n, Vec3::Zero());
      }
      const Term& main = pair.terms[contact.first];
      const Vec3 foot = foot_on_b(main);
      if (contact.window_mu != 0)
        put(foot, Vec3::Zero(), (contact.energy * contact.window_mu) * main.e.cross(main.f));
      if (contact.damping != 0) put(foot, contact.damping * straight_normal(pair, contact), Vec3::Zero());
      if (contact.history < 0) continue;
      if (friction) {
        const SlipIncrement slip =
            slip_increment(pair, contact, a, facet.at(pair, contact), pair_law, forces_->step());
        put(a.trial->x + slip.arm_a, contact.friction, Vec3::Zero());
      }
      if (pair_law.rolling_acts()) put(foot, Vec3::Zero(), contact.rolling);
    }
  }
}

}  // namespace scree::contact
