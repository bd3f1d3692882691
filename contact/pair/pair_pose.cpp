#include "contact/pair/pair_pose.hpp"

#include <algorithm>
#include <cmath>

#include "contact/surface/deforming_surface.hpp"

namespace scree::contact {

PairPose pose_of(const BodyView& a, const BodyView& b) {
  return {a.trial->x, b.trial->x, a.trial->R, b.trial->R,
          b.surface != nullptr ? b.surface->way(b.trial->phase) : 0.0};
}

double motion_from(const PairPose& place, const BodyView& a, const BodyView& b) {
  // |(R - R0) s| <= 2 sin(theta/2) |s|, and |R - R0|_F = 2 sqrt(2) sin(theta/2).
  constexpr double kHalfRoot = 0.70710678118654757;
  const double size = a.shape->bounding_radius;
  const double turned = kHalfRoot * (a.trial->R - place.ra).norm() * size;
  if (!is_wall(*b.shape)) {
    return ((a.trial->x - b.trial->x) - (place.xa - place.xb)).norm() + turned +
           kHalfRoot * (b.trial->R - place.rb).norm() * b.shape->bounding_radius;
  }
  const double moved = (a.trial->x - place.xa).norm() + turned;
  if (b.surface != nullptr) return moved + std::abs(b.surface->way(b.trial->phase) - place.way);
  if (b.trial->x == place.xb && b.trial->R == place.rb) return moved;
  // Two bounds: the body, then the wall; or the body as the wall sees it, for bodies that go with it.
  const double apart =
      moved + wall_motion(*b.shape, place.xb, place.rb, b.trial->x, b.trial->R, a.trial->x, size);
  const Vec3 seen = b.to_local(a.trial->x);
  const Vec3 seen0 = place.rb.transpose() * (place.xa - place.xb);
  const Mat3 turn = b.trial->R.transpose() * a.trial->R - place.rb.transpose() * place.ra;
  return std::min(apart, (seen - seen0).norm() + kHalfRoot * turn.norm() * size);
}

}  // namespace scree::contact
