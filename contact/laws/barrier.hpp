/// Hybrid penalty and barrier law in the gap, [Poly, Eqs. 49-52]; potential: theory 03 section 3.
#pragma once

#include "contact/laws/law_value.hpp"
#include "contact/parameters.hpp"

namespace scree::contact {

/// The law with its constants computed once.
class BarrierLaw {
 public:
  BarrierLaw() = default;
  explicit BarrierLaw(const BarrierParameters& p);

  [[nodiscard]] double threshold() const { return threshold_; }
  /// Whether the dashpot is steep at the threshold: C of [Poly, Eq. 52] goes with (threshold - gap) to the
  /// power (n1 - 1) / 2, so that for n1 = 1 it jumps there.
  [[nodiscard]] bool dashpot_is_steep() const { return n1_ < 3; }

  /// Force, potential and dashpot at a gap. @param gap [m] > 0. @note No allocation.
  [[nodiscard]] LawValue at(double gap) const;

 private:
  double threshold_ = 0, inner_ = 0;  // where the force and where the barrier begins
  double stiffness_ = 0, n1_ = 0;
  double barrier_ = 0, n2_ = 0, constant_ = 0, inner_energy_ = 0;
  double damping_ratio_ = 0;
};

}  // namespace scree::contact
