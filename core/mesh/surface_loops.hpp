/// The surface of a polyhedron as vertices and loops, as it was read.
#pragma once

#include <vector>

#include "core/types.hpp"

namespace scree {

/// Vertices and loops of convex planar polygons, anticlockwise seen from outside.
struct PolyhedronSurface {
  std::vector<Vec3> vertices;           ///< [m]
  std::vector<std::vector<int>> loops;  ///< vertex numbers

  /// @returns diagonal of the bounding box [m].
  [[nodiscard]] double size() const;
};

/// Unit normal of a planar polygon by Newell's sum; zero vector for one without area.
Vec3 polygon_normal(const std::vector<Vec3>& vertices, const std::vector<int>& loop);

}  // namespace scree
