#include "contact/secant/secant_vertices.hpp"

#include "contact/pair/shared_corners.hpp"
#include "contact/secant/facet_over_step.hpp"
#include "contact/secant/secant_friction.hpp"
#include "contact/secant/secant_window.hpp"
#include "contact/secant/spring_source.hpp"

namespace scree::contact {

void add_secant_forces(const BodyPair& pair, const BodyView& view_a, const BodyView& view_b,
                       const InterfaceLaw& law, const StepContext& step, std::vector<Vec3>& forces) {
  const BodyOverStep a(view_a), b(view_b);
  FacetOverStep place(b);
  const DeformingSurface& surface = *view_b.surface;
  const bool friction = law.friction_acts(step.time);
  for (const Active& contact : pair.active) {
    const auto put = [&](const Vec3& point, const Vec3& force, const Vec3& couple) {
      place.at(pair, contact, point);
      surface.add_forces(place.place(), force, couple, forces);
    };
    const double window = window_of(pair, contact);
    for (int t = contact.first; t < contact.first + contact.terms; ++t) {
      const SecantTerm& secant = pair.secants[t];
      const double size = -window * pair.terms[t].sign * pair.terms[t].law.force;
      put(secant.point, size * secant.dir, size * secant.couple);
    }
    const Vec3& main = pair.secants[contact.first].point;
    const WindowWrench fading = window_wrench(pair, contact, a, place);
    put(main, fading.force, fading.couple);
    if (contact.history < 0) continue;
    if (friction) {
      const SecantSlip slip = secant_slip(pair, contact, source_of(pair, contact), a, place, law, step.h);
      put(slip.point, slip.force, Vec3::Zero());
    }
    put(main, Vec3::Zero(), contact.rolling);
    // The update acts at the end of the step, on the place as set_place has it. Its moment is that on the
    // body but for half the way of the place times the force: the work is exact, in each frame (theory 11
    // section 11).
    const BodyTrial facet = *place.at(pair, contact).end.trial;
    const Vec3 arm = contact_point(pair, pair.terms[contact.first], view_a, view_b) - facet.x;
    const Vec3 force = -contact.update_force;
    const Vec3 about_a = -contact.update_moment - (facet.x + arm - view_a.trial->x).cross(force);
    const Vec3 foot = facet.x - 0.5 * facet.u;
    put(main, force, about_a + (arm - (main - foot)).cross(force));
  }
}

}  // namespace scree::contact
