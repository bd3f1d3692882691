/// What the last evaluation of forces found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "contact/pair/pair_wrench.hpp"

namespace scree::contact {

/// What the last evaluation of a pair found, beside its wrench.
struct PairResult {
  double largest = 0;      ///< net compression of a contact [N]
  bool acting = false;     ///< there are active contacts
  bool missing = false;    ///< ... without blocks in the tangent
  bool assembled = false;  ///< is in the tangent that was assembled last
  std::uint8_t still = 0;  ///< accepted steps up to now in which neither body has moved, at most kLasting
  /// So many steps after the last motion a step finds, and leaves, what the one before did: memory of
  /// friction follows normal forces by a step or two.
  static constexpr std::uint8_t kLasting = 3;
  [[nodiscard]] bool lasts() const { return still == kLasting; }
};

/// Pairs are large: what sums over all of them need lies apart.
struct PairResults {
  std::vector<PairWrench> wrenches;  ///< residual wrench of A per pair: contact puts the negative of it on A
  std::vector<PairResult> found;     ///< per pair
  /// Secants: half of the way of each local body in the accepted step [m]: its wrench is about the mean pole.
  /// Empty: about the pole where it is.
  std::vector<Vec3> half_ways;
  double largest_force = 0;       ///< largest net compression on this rank [N]
  bool coupling_missing = false;  ///< a pair without blocks is within the threshold
  bool stale = true;              ///< something else than bodies changed since the last evaluation
  bool lasting_hold = false;      ///< but not for pairs that last (PairResult): only a step has begun
  long evaluations = 0;           ///< of pairs on this rank since the start

  /// Of as many pairs, none of which is evaluated yet.
  void reset(std::size_t pairs) {
    wrenches.assign(pairs, {});
    found.assign(pairs, {});
    half_ways.clear();
  }
  /// @returns from the mean pole of a local body to its pole [m].
  [[nodiscard]] Vec3 half_way(int body) const {
    return half_ways.empty() ? Vec3(Vec3::Zero()) : half_ways[static_cast<std::size_t>(body)];
  }
  /// All pairs are evaluated in the next steps.
  void forget_lasting() {
    for (PairResult& result : found) result.still = 0;
    lasting_hold = false;
  }
  /// The pair has no force; it stays in the tangent that was assembled last.
  void drop(std::size_t pair) {
    wrenches[pair] = {};
    found[pair] = {.assembled = found[pair].assembled};
  }
};

}  // namespace scree::contact
