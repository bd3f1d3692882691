/// A box that repeats itself in its periodic directions.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "core/types.hpp"

namespace scree {

/// Which of the repeated cells, counted from the one that the deck gives; 0 along what does not repeat.
using CellNumber = std::array<int, 3>;

inline CellNumber operator+(const CellNumber& a, const CellNumber& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline CellNumber operator-(const CellNumber& a, const CellNumber& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

struct PeriodicCell {
  Vec3 low = Vec3::Zero();     ///< lower corner [m]
  Vec3 length = Vec3::Zero();  ///< periods [m]; 0 along what does not repeat

  [[nodiscard]] bool any() const { return length.maxCoeff() > 0; }

  /// @returns the way from the cell itself to the numbered one [m].
  [[nodiscard]] Vec3 way_to(const CellNumber& n) const {
    return {n[0] * length[0], n[1] * length[1], n[2] * length[2]};
  }
  /// @returns the cell that a place is in.
  [[nodiscard]] CellNumber number_of(const Vec3& x) const {
    CellNumber n{};
    for (int k = 0; k < 3; ++k) {
      if (length[k] > 0) n[k] = static_cast<int>(std::floor((x[k] - low[k]) / length[k]));
    }
    return n;
  }
  /// @returns the image of a place in the cell itself [m].
  [[nodiscard]] Vec3 wrap(const Vec3& x) const { return any() ? Vec3(x - way_to(number_of(x))) : x; }

  /// @returns whether a place is in the cell, or no further than `reach` [m] beyond each of its faces.
  [[nodiscard]] bool is_near(const Vec3& x, double reach) const {
    for (int k = 0; k < 3; ++k) {
      if (length[k] > 0 && (x[k] < low[k] - reach || x[k] > low[k] + length[k] + reach)) return false;
    }
    return true;
  }

  /// @returns the cells from which a place can be within `reach` [m] >= 0 of a place in the cell itself,
  /// which stands first. With each cell its opposite is there.
  [[nodiscard]] std::vector<CellNumber> neighbours(double reach) const {
    std::vector<CellNumber> cells = {CellNumber{}};
    for (int k = 0; k < 3; ++k) {
      if (!(length[k] > 0)) continue;
      const int most = 1 + static_cast<int>(reach / length[k]);
      const std::size_t before = cells.size();
      for (int n = -most; n <= most; ++n) {
        if (n == 0) continue;
        for (std::size_t i = 0; i < before; ++i) {
          cells.push_back(cells[i]);
          cells.back()[k] = n;
        }
      }
    }
    return cells;
  }
};

}  // namespace scree
