/// A body at a pose of its path, as the search for contacts sees it.
#pragma once

#include <vector>

#include "contact/pair/pair.hpp"

namespace scree::contact {

struct Pose {
  Vec3 x;
  Mat3 R;
};

/// @returns the same relation of two bodies, with B at `to` and not at `from`: a boundary may be large, so
/// the body goes as the boundary sees it, and the boundary stays.
inline Pose seen_from(const Pose& a, const Pose& from, const Pose& to) {
  const Mat3 turn = to.R * from.R.transpose();
  return {to.x + turn * (a.x - from.x), turn * a.R};
}

/// Keeps the memory of its vertices from pose to pose.
class PlacedBody {
 public:
  /// @returns a view of the body at the pose; the next call ends it. @param place_vertices false: of pairs
  /// searched by trees (candidates.hpp), which look at few vertices and find each when asked.
  BodyView set(const Shape& shape, const Pose& pose, bool place_vertices) {
    trial_.x = pose.x;
    trial_.R = pose.R;
    if (!place_vertices || !places_all_vertices(shape)) return {&shape, &trial_, nullptr};
    vertices_.resize(shape.vertices.size());
    for (std::size_t k = 0; k < vertices_.size(); ++k) vertices_[k] = pose.x + pose.R * shape.vertices[k];
    return {&shape, &trial_, vertices_.data()};
  }

 private:
  BodyTrial trial_;
  std::vector<Vec3> vertices_;
};

}  // namespace scree::contact
