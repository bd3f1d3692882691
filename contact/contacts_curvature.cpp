/// Radii of curvature of superquadrics, for laws that require them (theory 06 section 10).
#include "contact/contacts.hpp"
#include "contact/superquadric/meeting.hpp"
#include "contact/superquadric/smooth_terms.hpp"

namespace scree::contact {

void Contacts::update_curvature(BodyPair& pair, const Bodies& bodies) {
  if (!laws_[pair.interface].curvature_matters() || pair.items.empty()) return;
  const BodyView a = view(bodies, pair.a);
  const BodyView b = view_of_b(bodies, pair);
  if (!is_smooth_pair(a, b)) return;
  if (is_smooth(*a.shape) && is_smooth(*b.shape)) return;  // if they come to touch, `evaluate_pair` asks
  // Not from the terms, which may be those of a step that failed.
  set_curvature(pair, bodies, smooth_nearest(pair, pair.items[0], a, b).n);
}

void Contacts::set_curvature(BodyPair& pair, const Bodies& bodies, const Vec3& n) {
  const InterfaceLaw& pair_law = laws_[pair.interface];
  if (!pair_law.curvature_matters()) return;
  const BodyView a = view(bodies, pair.a);
  const BodyView b = view_of_b(bodies, pair);
  pair.curvature_known = true;
  const CurvatureChoice& choice = pair_law.normal.curvature();
  const auto [of_a, of_b] = bends_at(pair, a, b, n);
  static_cast<PairConstants&>(pair) = pair_constants(side(bodies, pair.a), side(bodies, pair.b), pair_law,
                                                     contact_radius(a, of_a, -n, choice.rule, choice.limit),
                                                     contact_radius(b, of_b, n, choice.rule, choice.limit));
}

void Contacts::set_curvature_at_start(BodyPair& pair, const Bodies& bodies) {
  const InterfaceLaw& pair_law = laws_[pair.interface];
  const CurvatureChoice& choice = pair_law.normal.curvature();
  const StartRadii radii =
      radii_at_start(pair, view(bodies, pair.a), view_of_b(bodies, pair), choice.rule, choice.limit);
  pair.curvature_known = true;
  static_cast<PairConstants&>(pair) =
      pair_constants(side(bodies, pair.a), side(bodies, pair.b), pair_law, radii.of_a, radii.of_b);
}

}  // namespace scree::contact
