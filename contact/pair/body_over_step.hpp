#pragma once

#include "contact/pair/pair.hpp"
#include "contact/surface/deforming_surface.hpp"

namespace scree::contact {

/// A body at both ends of the step.
struct BodyOverStep {
  BodyView end;
  BodyTrial start_pose;
  const Shape* start_shape;  ///< another one for a surface that deforms

  explicit BodyOverStep(const BodyView& view)
      : end(view), start_shape(view.surface == nullptr ? view.shape : &view.surface->at(0)) {
    start_pose.x = view.trial->x_n;
    start_pose.R = view.trial->R_n;
  }
  /// At the start; has no vertices.
  [[nodiscard]] BodyView start() const { return {start_shape, &start_pose, nullptr, end.surface}; }
  [[nodiscard]] Vec3 vertex(int v) const { return end.vertex(v); }
  [[nodiscard]] Vec3 vertex_n(int v) const {
    return start_pose.x + start_pose.R * start_shape->vertices[static_cast<std::size_t>(v)];
  }
  /// Mean of its poles [m].
  [[nodiscard]] Vec3 mean_pole() const { return 0.5 * (start_pose.x + end.trial->x); }
};

/// Whether both are rigid polyhedra with sharp edges: which of their features are nearest at the end changes
/// with the trial state, and a force that goes by them would jump.
inline bool are_sharp(const BodyOverStep& a, const BodyOverStep& b) {
  const bool deforms = a.end.surface != nullptr || b.end.surface != nullptr;
  return is_sharp(*a.end.shape) && is_sharp(*b.end.shape) && !deforms;
}

}  // namespace scree::contact
