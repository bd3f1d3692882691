/// Which spheres touch any of a set of spheres.
#pragma once

#include <span>
#include <vector>

#include "core/types.hpp"

namespace scree {

struct Sphere {
  Vec3 center = Vec3::Zero();  ///< [m]
  double radius = 0;           ///< [m] >= 0
};

/// Touching counts, at exactly the sum of radii too.
[[nodiscard]] inline bool touch(const Sphere& a, const Sphere& b) {
  const double reach = a.radius + b.radius;
  return (a.center - b.center).squaredNorm() <= reach * reach;
}

/// Spheres sorted into the cells of a grid as wide as the largest of them.
class SphereGrid {
 public:
  explicit SphereGrid(std::vector<Sphere> spheres);
  /// @returns whether `sphere` touches any of the grid's. O(1) for spheres of like size.
  [[nodiscard]] bool touches_any(const Sphere& sphere) const;

 private:
  [[nodiscard]] int cell_along(int axis, double x) const;

  std::vector<Sphere> spheres_;  ///< by cell
  std::vector<int> begin_;       ///< per cell, one more at the end
  Vec3 origin_ = Vec3::Zero();
  double width_ = 1;
  double largest_radius_ = 0;
  Eigen::Vector3i dims_ = Eigen::Vector3i::Ones();
};

}  // namespace scree
