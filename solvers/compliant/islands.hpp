/// Islands: bodies that act on each other, directly or through others, and on no others (theory 09 section
/// 2).
#pragma once

#include <vector>

#include "solvers/world/world.hpp"

namespace scree {

class Islands {
 public:
  /// @param world outlives this object.
  explicit Islands(const World& world) : world_(&world) {}

  /// Finds the islands of the state last evaluated: bodies with a contact, a bond or a near-field force
  /// between them. Boundaries and bodies that are fixed connect none. Not collective.
  void find();
  /// Gives each body the largest of the values on its island, as `find` left them, on all ranks.
  /// @param[in,out] values one per owned body; those of ghosts are appended or overwritten. Collective.
  void spread_largest(std::vector<double>& values) const;
  /// How much the islands count for an iterative solver that has to solve each to the same part of its own
  /// residual. @param unbalanced per owned body: 1 if its residual exceeds the tolerance, else 0.
  /// @param sizes per owned body: by how much its residual moves it, in unknowns, roughly.
  /// @returns per body, the same for all of an island: a power of two, about one over the largest size; 0 if
  /// the whole island is in balance. Collective.
  [[nodiscard]] std::vector<double> weights(std::vector<double> unbalanced, std::vector<double> sizes) const;

 private:
  const World* world_;
  std::vector<int> island_;  ///< per moving body: a number on this rank
  int count_ = 0;            ///< of this rank
};

}  // namespace scree
