/// For tests: sheets of n x n squares.
#pragma once

#include <vector>

namespace scree::contact::testing {

/// @returns the two triangles of each square; vertices are numbered row by row, n + 1 in each.
inline std::vector<std::vector<int>> triangles_of_squares(int n) {
  std::vector<std::vector<int>> faces;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const int k = (n + 1) * j + i;
      faces.push_back({k, k + 1, k + n + 2});
      faces.push_back({k, k + n + 2, k + n + 1});
    }
  }
  return faces;
}

}  // namespace scree::contact::testing
