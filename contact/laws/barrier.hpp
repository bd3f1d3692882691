/// Hybrid penalty and barrier law in the gap, [Poly, Eqs. 49-52]; potential: theory 03 section 3.
#pragma once

#include <optional>

#include "contact/laws/normal_law_traits.hpp"

namespace scree::contact {

/// Hybrid penalty and barrier law f(gap), [Poly, Eqs. 49-51], theory 03 section 3.
struct BarrierParameters {
  double threshold = 1e-3;              ///< gap where the force begins [m], > 0
  double stiffness = 0;                 ///< epsilon_1 [N/m^exponent], > 0
  double exponent = 3;                  ///< n_1 >= 1
  double barrier_fraction = 0.4;        ///< f in (0, 1): barrier below f * threshold
  double barrier_exponent = -2;         ///< n_2 <= -1
  double damping_ratio = 0;             ///< zeta >= 0; where no restitution is given
  std::optional<double> restitution{};  ///< e in [0, 1] of a binary collision of spheres
};

/// The law with its constants computed once.
class BarrierLaw : public NormalLawDefaults {
 public:
  using Parameters = BarrierParameters;
  static constexpr LawTraits kTraits{.name = "barrier", .overlap = false};
  static Specification specification();
  static BarrierParameters parameters(const Value& values, std::vector<Diagnostic>& faults);

  explicit BarrierLaw(const BarrierParameters& p);

  [[nodiscard]] double threshold() const { return threshold_; }
  /// Whether the dashpot is steep at the threshold: C of [Poly, Eq. 52] goes with (threshold - gap) to the
  /// power (n1 - 1) / 2, so that for n1 = 1 it jumps there.
  [[nodiscard]] bool dashpot_is_steep() const { return n1_ < 3; }

  /// Force, potential and dashpot at a gap. @param gap [m] > 0. @note No allocation.
  [[nodiscard]] LawValue at(double gap, const PairConstants& pair = {}) const;

  [[nodiscard]] double restitution(const PairConstants& /*pair*/) const { return restitution_; }

 private:
  /// @returns the key of an exponent that makes a constant of the law 0 or infinite; null if none does.
  [[nodiscard]] const char* beyond_precision() const;

  double threshold_ = 0, inner_ = 0;  // where the force and where the barrier begins
  double stiffness_ = 0, n1_ = 0;
  double barrier_ = 0, n2_ = 0, constant_ = 0, inner_energy_ = 0;
  double damping_ratio_ = 0;
  double restitution_ = 1;
};

}  // namespace scree::contact
