#include "neighbours.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>

namespace intersection {

std::vector<std::pair<int, int>> near_pairs(const std::vector<Pose>& poses, const std::vector<double>& radii,
                                            double reach) {
  const double largest = radii.empty() ? 1 : *std::max_element(radii.begin(), radii.end());
  const double cell = 2 * largest + reach;
  using Key = std::array<std::int64_t, 3>;
  const auto key_of = [&](const Eigen::Vector3d& x) {
    return Key{std::int64_t(std::floor(x[0] / cell)), std::int64_t(std::floor(x[1] / cell)),
               std::int64_t(std::floor(x[2] / cell))};
  };
  std::map<Key, std::vector<int>> cells;
  for (int i = 0; i < static_cast<int>(poses.size()); ++i) cells[key_of(poses[i].x)].push_back(i);
  std::vector<std::pair<int, int>> pairs;
  for (const auto& [key, members] : cells) {
    for (int neighbour = 0; neighbour < 27; ++neighbour) {
      const auto other = cells.find(
          {key[0] + neighbour % 3 - 1, key[1] + neighbour / 3 % 3 - 1, key[2] + neighbour / 9 - 1});
      if (other == cells.end()) continue;
      for (const int i : members) {
        for (const int j : other->second) {
          if (i < j && (poses[i].x - poses[j].x).norm() < radii[i] + radii[j] + reach)
            pairs.emplace_back(i, j);
        }
      }
    }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace intersection
