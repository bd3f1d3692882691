/// Tolerances of single bodies: how much more the residual of a light body counts than that of the heaviest
/// (docs/theory/09, section 5).
#pragma once

#include <vector>

#include "solvers/run/step_frame.hpp"
#include "solvers/world/world.hpp"

namespace scree {

/// The force scale of tolerances follows the contact forces from this part of the largest on: 1e-6 of an
/// impact for a tolerance of 1e-4 of the weight (theory 09 section 5).
inline constexpr double kForceShare = 1e-2;

/// Without weight and loads, forces are measured against this part of m v / h.
inline constexpr double kInertialShare = 1e-6;

/// What double precision leaves of the cancellation between inertia terms, and of gaps (some 1e-16 m of a
/// position, times a stiffness of some forces over a tenth of a millimetre).
inline constexpr double kInertialRoundOff = 4e-14;
inline constexpr double kContactRoundOff = 4e-12;

/// No residual of a body has to be below the tolerance of this part of the largest load per mass of any body:
/// forces at the very edge of their reach are less than their own rounding, and nobody needs their balance.
inline constexpr double kLeastShare = 1e-10;

class BodyTolerances {
 public:
  /// @param world outlives this object.
  explicit BodyTolerances(const World& world) : world_(&world) {}

  /// For a step, once the local numbers of bodies are those of its solution. @param scale largest load of any
  /// body, on all ranks, or kInertialShare of the largest m v / h [N]. Collective.
  void begin(const StepFrame& frame, double scale);
  /// All bodies count alike until the next `weigh`.
  void clear() { factors_.clear(); }
  /// Finds the factors for the contact forces last evaluated. @param lasting quasi-static step: they are 1
  /// but for what nothing touches, which must not hang beside heavy bodies.
  void weigh(bool lasting);

  /// Tolerance of the deck at a reference force [N].
  [[nodiscard]] double at(double force) const;
  /// Loads of a local body that moves, or its share of m v / h, over the largest ones of any; at most 1. Of
  /// bodies of other ranks the weight is all that counts as load.
  [[nodiscard]] double share_of_loads(int i) const;
  /// By how much the residual of a local body that moves counts more, at least 1; 1 before the first `weigh`.
  /// Of bodies of other ranks a bound, as if no contact pressed them.
  [[nodiscard]] double factor(int i) const {
    return factors_.empty() ? 1.0 : factors_[static_cast<std::size_t>(i)];
  }
  /// Per local body the largest factor among itself and those that it touches; empty if all are 1.
  [[nodiscard]] std::vector<double> largest_nearby() const;

 private:
  const World* world_;
  std::vector<double> factors_;  ///< per body that moves; empty: all are 1
  std::vector<double> loads_;    ///< per body that moves, its share of m v / h at the start among them [N]
  double scale_ = 0;             ///< [N]
  double acceleration_ = 0;      ///< largest load over mass of any body, on all ranks [m/s^2]
  double h_ = 1;                 ///< [s]
};

}  // namespace scree
