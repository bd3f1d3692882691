#include "contact/secant/facet_over_step.hpp"

namespace scree::contact {

const BodyOverStep& FacetOverStep::at(const BodyPair& pair, std::uint64_t key, const Term& main,
                                      const Vec3& point) {
  if (!deforms()) return *b_;
  const DeformingSurface& surface = *b_->end.surface;
  const double phase = b_->end.trial->phase;
  place_ = place_of_contact(pair, surface, key, foot_on_b(main), phase);
  place_.point = point;
  place_.phase = 0.5 * phase;
  trial_ = surface.motion_over(place_, phase);
  facet_.emplace(BodyView{b_->end.shape, &trial_, nullptr, nullptr});
  return *facet_;
}

Vec3 FacetOverStep::back(const BodyPair& pair, std::uint64_t key, const Term& main, const Vec3& point) const {
  const BodyTrial& now = *b_->end.trial;
  if (!deforms()) return b_->start_pose.x + now.Q.transpose() * (point - now.x);
  const DeformingSurface& surface = *b_->end.surface;
  SurfacePlace place = place_of_contact(pair, surface, key, foot_on_b(main), now.phase);
  place.point = point;
  return point - surface.displacement_at(place, now.phase);
}

Vec3 FacetOverStep::mean_edge(std::uint64_t key, const Term& main) const {
  if (!deforms()) return 0.5 * (b_->end.trial->Q.transpose() * main.f + main.f);
  return 0.5 * (b_->start_shape->edges[static_cast<std::size_t>(feature_of_b(key))].direction + main.f);
}

}  // namespace scree::contact
