#include "contact/neighbours/pair_curvature.hpp"

#include <algorithm>

#include "contact/pair/pair_constants.hpp"
#include "contact/superquadric/meeting.hpp"
#include "contact/superquadric/smooth_terms.hpp"

namespace scree::contact {
namespace {

/// What a pair stores would change with its radius: it stays while bodies touch.
void take(BodyPair& pair, const PairConstants& constants) {
  const auto kept = std::find_if(pair.history.begin(), pair.history.end(),
                                 [](const HistoryEntry& entry) { return !entry.fresh && entry.radius > 0; });
  static_cast<PairConstants&>(pair) =
      kept != pair.history.end() ? with_radius(constants, kept->radius) : constants;
}

}  // namespace

void PairCurvature::update(BodyPair& pair, const Bodies& bodies) const {
  if (!model_->law(pair).curvature_matters() || pair.items.empty()) return;
  const BodyView a = geometry_->view(bodies, pair.a);
  const BodyView b = geometry_->view_of_b(bodies, pair);
  if (!is_smooth_pair(a, b)) return;
  if (is_smooth(*a.shape) && is_smooth(*b.shape)) return;  // if they come to touch, ContactForces asks
  // Not from the terms, which may be those of a step that failed.
  set(pair, bodies, smooth_nearest(pair, pair.items[0], a, b).n);
}

void PairCurvature::set(BodyPair& pair, const Bodies& bodies, const Vec3& n) const {
  const InterfaceLaw& pair_law = model_->law(pair);
  if (!pair_law.curvature_matters()) return;
  const BodyView a = geometry_->view(bodies, pair.a);
  const BodyView b = geometry_->view_of_b(bodies, pair);
  pair.curvature_known = true;
  const CurvatureChoice& choice = pair_law.normal.curvature();
  const auto [of_a, of_b] = bends_at(pair, a, b, n);
  take(pair, pair_constants(model_->side(bodies, pair.a), model_->side(bodies, pair.b), pair_law,
                            contact_radius(a, of_a, -n, choice.rule, choice.limit),
                            contact_radius(b, of_b, n, choice.rule, choice.limit)));
}

void PairCurvature::set_at_start(BodyPair& pair, const Bodies& bodies) const {
  const InterfaceLaw& pair_law = model_->law(pair);
  const CurvatureChoice& choice = pair_law.normal.curvature();
  const StartRadii radii = radii_at_start(pair, geometry_->view(bodies, pair.a),
                                          geometry_->view_of_b(bodies, pair), choice.rule, choice.limit);
  pair.curvature_known = true;
  take(pair, pair_constants(model_->side(bodies, pair.a), model_->side(bodies, pair.b), pair_law, radii.of_a,
                            radii.of_b));
}

}  // namespace scree::contact
