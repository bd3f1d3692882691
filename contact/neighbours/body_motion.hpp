/// How far bodies move, and boundaries as bodies see them: how long lists last.
#pragma once

#include <algorithm>
#include <vector>

#include "contact/geometry/closest_points.hpp"
#include "contact/geometry/placed_body.hpp"
#include "contact/neighbours/contact_model.hpp"
#include "contact/neighbours/trial_geometry.hpp"
#include "core/body.hpp"

namespace scree::contact {

class BodyMotion {
 public:
  BodyMotion(const ContactModel& model, const TrialGeometry& geometry)
      : model_(&model), geometry_(&geometry) {}

  /// The accepted state is that of a search.
  void mark_search(const Bodies& bodies);
  /// Largest displacement of a body, or of a wall as a body sees it, since the last search, at the trial
  /// state [m].
  [[nodiscard]] double since_search(const Bodies& bodies) const;
  /// Largest motion of a body at the trial state since the accepted one, rotation included, and of a wall as
  /// a body sees it [m].
  [[nodiscard]] double in_step(const Bodies& bodies) const;
  /// Whether the shape of a boundary as bodies see it changes when it turns about a point.
  /// @param spin axis, of any length. @param about [m], at the accepted state.
  [[nodiscard]] bool changes_by_turning(const Bodies& bodies, int boundary, const Vec3& spin,
                                        const Vec3& about) const;

 private:
  const ContactModel* model_;
  const TrialGeometry* geometry_;
  std::vector<Vec3> searched_at_;          ///< poles at the last search
  std::vector<BodyState> searched_walls_;  ///< boundaries at the last search
  std::vector<double> searched_ways_;      ///< per boundary: DeformingSurface::way at the last search [m]
};

/// Largest motion of a wall as one of the moving bodies sees it, from a state to a pose [m].
/// @param place of body i.
template <class Place>
double largest_wall_motion(const Bodies& bodies, const Shape& shape, const BodyState& from, const Pose& to,
                           Place&& place) {
  const Mat3 r0 = from.q.toRotationMatrix();
  if (to.x == from.x && to.R == r0) return 0;
  double largest = 0;
  for (int i = 0; i < bodies.moving(); ++i) {
    const double size = bodies.properties[i].length;
    largest = std::max(largest, wall_motion(shape, from.x, r0, to.x, to.R, place(i), size));
  }
  return largest;
}

}  // namespace scree::contact
