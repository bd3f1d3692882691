/// Reuse of residuals and tangents from one iterate to the next: which bodies and rows have changed.
#pragma once

#include <vector>

#include "core/local_system.hpp"
#include "solvers/world/world.hpp"

namespace scree {

/// Compares increments of the bodies with those of the last residual and of the last tangent.
class ChangedRows {
 public:
  /// The next residual and the next tangent are evaluated as a whole. @param unknowns, bodies of this rank.
  void reset(std::size_t unknowns, int bodies);

  /// Before an evaluation of forces at `increment`: marks the bodies that have moved since the last one.
  void compare(const std::vector<double>& increment, const Bodies& bodies, const LocalSystem& rows);
  /// Per body: it has moved since the last evaluation of forces.
  [[nodiscard]] const std::vector<char>& moved() const { return moved_; }
  /// Boundaries move between steps and stages only, when contacts evaluate all pairs.
  void hold_boundaries(const Bodies& bodies);
  /// Forces have been evaluated at `increment`; or the evaluation failed.
  void evaluated(const std::vector<double>& increment) { evaluated_ = increment; }
  void failed();
  [[nodiscard]] bool is_evaluated(const std::vector<double>& increment) const {
    return increment == evaluated_;
  }

  /// Chooses the rows that the next tangent, at `increment`, evaluates again, in LocalSystem::assembling of
  /// the world's rows. There the caller has marked the bodies that are out of balance: others keep their row
  /// until a contact is made or lost. @param whole all rows.
  void choose(const std::vector<double>& increment, bool whole, World& world);

 private:
  std::vector<double> evaluated_, assembled_;  ///< increments of the last residual and of the last tangent
  std::vector<char> moved_;                    ///< per body: its increment is not the one in `evaluated_`
  std::vector<char> moved_since_tangent_;
  std::vector<char> stale_;  ///< per owned body: its row of the tangent is of another state; empty: all are
};

}  // namespace scree
