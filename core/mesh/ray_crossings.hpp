/// How often a closed surface goes around a point, by the faces that a ray from there passes through.
#pragma once

#include <optional>
#include <vector>

#include "core/mesh/face_tree.hpp"
#include "core/mesh/surface_loops.hpp"

namespace scree {

/// A closed surface and a tree of its faces. The answer is a whole number and exact: rays that pass too near
/// to an edge to tell on which side are replaced by others.
class RayCrossings {
 public:
  /// @param surface of planar convex polygons, kept by reference. @param touch what is nearer to a face than
  /// this is on it [m].
  RayCrossings(const PolyhedronSurface& surface, double touch);

  /// @param p not on the surface, or on face `own` alone and inside of its outline. @param n unit vector;
  /// rays go to the other side, between the opposite direction and about 60 degrees off it. @param own face
  /// that is not counted; -1: none.
  /// @returns how often the surface goes around p (around the side of p that -n points to); nothing if p lies
  /// on a face, or if edges are in the way wherever a ray goes.
  [[nodiscard]] std::optional<int> around(const Vec3& p, const Vec3& n, int own) const;

  [[nodiscard]] const Vec3& normal(int face) const { return normals_[face]; }

 private:
  enum class Outcome { counted, near_edge, on_face };
  Outcome count(const Vec3& p, const Vec3& direction, int own, int& times) const;

  const PolyhedronSurface& surface_;
  double touch_;
  std::vector<Vec3> normals_;
  FaceTree tree_;
};

}  // namespace scree
