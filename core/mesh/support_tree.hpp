/// How far a set of points reaches in a direction, where many of them lie on one smooth surface.
#pragma once

#include <vector>

#include "core/types.hpp"

namespace scree {

/// Points in a binary tree of short cylinders: each holds the points of a patch of a surface between two
/// planes across the patch's normal. A plane that touches a convex surface of n points is then distinguished
/// from one that cuts it in about log n steps, where boxes along the axes would stick out and be opened.
class SupportTree {
 public:
  /// @param points [m]; kept by reference. @param normals of the surface there, of any length.
  SupportTree(const std::vector<Vec3>& points, const std::vector<Vec3>& normals);

  /// @returns whether a point has n . p > height. @param n unit vector.
  [[nodiscard]] bool any_above(const Vec3& n, double height) const {
    return !nodes_.empty() && any_above(0, n, height);
  }

 private:
  static constexpr int kLeaf = 8;
  struct Node {
    Vec3 axis = Vec3::UnitZ();
    Vec3 centre = Vec3::Zero();
    double low = 0, high = 0;  ///< along the axis, from the centre [m]
    double radius = 0;         ///< across the axis [m]
    int first = 0, last = 0;   ///< in order_
    int right = -1;            ///< the left child follows; -1: a leaf
  };

  int build(const std::vector<Vec3>& normals, int first, int last);
  [[nodiscard]] bool any_above(int node, const Vec3& n, double height) const;

  const std::vector<Vec3>& points_;
  std::vector<int> order_;
  std::vector<Node> nodes_;
};

}  // namespace scree
