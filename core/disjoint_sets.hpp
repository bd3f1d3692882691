/// Numbers that are joined into sets.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace scree {

/// Each set is known by its least number. @note No allocation once there was room for as many.
class DisjointSets {
 public:
  /// Each of the numbers from 0 to count - 1 for itself.
  void reset(std::size_t count) {
    parent_.resize(count);
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  /// @returns the least number of the set of i.
  [[nodiscard]] int root_of(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }

  /// Joins the sets of a and b. @returns the root that is no longer one; -1: both were in one set.
  int join(int a, int b) {
    const int of_a = root_of(a), of_b = root_of(b);
    if (of_a == of_b) return -1;
    const int other = std::max(of_a, of_b);
    parent_[other] = std::min(of_a, of_b);
    return other;
  }

 private:
  std::vector<int> parent_;
};

}  // namespace scree
