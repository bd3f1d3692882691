#include "assembly/sphere_grid.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace scree {

SphereGrid::SphereGrid(std::vector<Sphere> spheres) {
  if (spheres.empty()) return;
  Vec3 max = spheres.front().center;
  origin_ = max;
  for (const Sphere& s : spheres) {
    origin_ = origin_.cwiseMin(s.center);
    max = max.cwiseMax(s.center);
    largest_radius_ = std::max(largest_radius_, s.radius);
  }
  // Few large bodies far apart, or points: the grid must not outgrow the set.
  const Vec3 extent = max - origin_;
  const double most_cells = 8.0 * static_cast<double>(spheres.size()) + 8.0;
  width_ = std::max(2 * largest_radius_, extent.maxCoeff() / 1e6);
  if (!(width_ > 0)) width_ = 1;
  const auto cells = [&] { return ((extent / width_).array() + 1).prod(); };
  while (cells() > most_cells) width_ *= 1.25;
  for (int k = 0; k < 3; ++k) dims_[k] = static_cast<int>(extent[k] / width_) + 1;

  const auto cell_of = [this](const Sphere& s) {
    return (cell_along(2, s.center.z()) * dims_.y() + cell_along(1, s.center.y())) * dims_.x() +
           cell_along(0, s.center.x());
  };
  begin_.assign(static_cast<std::size_t>(dims_.prod()) + 1, 0);
  for (const Sphere& s : spheres) ++begin_[cell_of(s) + 1];
  for (std::size_t c = 1; c < begin_.size(); ++c) begin_[c] += begin_[c - 1];
  std::vector<int> next(begin_.begin(), begin_.end() - 1);
  spheres_.resize(spheres.size());
  for (const Sphere& s : spheres) spheres_[next[cell_of(s)]++] = s;
}

int SphereGrid::cell_along(int axis, double x) const {
  const double cell = std::floor((x - origin_[axis]) / width_);
  return static_cast<int>(std::clamp(cell, 0.0, static_cast<double>(dims_[axis] - 1)));
}

bool SphereGrid::touches_any(const Sphere& sphere) const {
  if (spheres_.empty()) return false;
  // A little more than the radii: rounding must not lose a sphere that just touches.
  const double reach = (sphere.radius + largest_radius_) * (1 + 1e-9);
  const Eigen::Vector3i first(cell_along(0, sphere.center.x() - reach),
                              cell_along(1, sphere.center.y() - reach),
                              cell_along(2, sphere.center.z() - reach));
  const Eigen::Vector3i last(cell_along(0, sphere.center.x() + reach),
                             cell_along(1, sphere.center.y() + reach),
                             cell_along(2, sphere.center.z() + reach));
  for (int z = first.z(); z <= last.z(); ++z) {
    for (int y = first.y(); y <= last.y(); ++y) {
      const int row = (z * dims_.y() + y) * dims_.x();
      for (int k = begin_[row + first.x()]; k < begin_[row + last.x() + 1]; ++k)
        if (touch(spheres_[k], sphere)) return true;
    }
  }
  return false;
}

}  // namespace scree
