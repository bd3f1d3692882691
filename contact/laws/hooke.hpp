/// Linear spring and dashpot at overlap (theory 04 section 1, [Var, Eqs. 12 and 22-25]).
#pragma once

#include <optional>

#include "contact/laws/normal_law_traits.hpp"

namespace scree::contact {

/// Linear spring and dashpot at overlap (docs/interface_laws.md, section 2).
struct HookeParameters {
  double stiffness = 0;  ///< k_n [N/m], > 0
  double damping = 0;    ///< gamma_n [1/s] >= 0: force gamma_n m* v_n; where no restitution is given
  std::optional<double> restitution{};  ///< e in [0, 1], of a binary collision
  bool no_tension = false;              ///< the sum of spring and dashpot never pulls
};

/// Force k_n delta - c v_n, delta = -gap > 0, c = gamma_n m* or from the restitution.
class HookeLaw : public NormalLawDefaults {
 public:
  using Parameters = HookeParameters;
  static constexpr LawTraits kTraits{.name = "hooke", .midway = true, .rounding = RoundingNeed::one_of_two};
  static Specification specification();
  static HookeParameters parameters(const Value& values, std::vector<Diagnostic>& faults);

  explicit HookeLaw(const HookeParameters& p);

  [[nodiscard]] LawValue at(double gap, const PairConstants& pair) const;
  [[nodiscard]] bool no_tension() const { return no_tension_; }
  [[nodiscard]] double restitution(const PairConstants& pair) const;

  /// Half a period of the undamped contact [s]. @param mass that it moves [kg]. @param speed does not matter.
  [[nodiscard]] double duration(double mass, double speed, const PairConstants& pair) const;

 private:
  double stiffness_ = 0;
  double damping_ = 0;  // gamma_n [1/s]
  std::optional<double> restitution_;
  double damping_ratio_ = 0;  // zeta, where the restitution is given
  bool no_tension_ = false;
};

}  // namespace scree::contact
