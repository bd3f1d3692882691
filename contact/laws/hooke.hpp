/// Linear spring and dashpot at overlap (theory 04 section 1, [Var, Eqs. 12 and 22-25]).
#pragma once

#include "contact/laws/law_value.hpp"
#include "contact/parameters.hpp"

namespace scree::contact {

/// Force k_n delta - c v_n, delta = -gap > 0, c = gamma_n m* or from the restitution.
class HookeLaw {
 public:
  explicit HookeLaw(const HookeParameters& p);

  [[nodiscard]] LawValue at(double gap, const PairConstants& pair) const;
  [[nodiscard]] bool no_tension() const { return no_tension_; }

  /// Half a period of the undamped contact [s]. @param mass that it moves [kg].
  [[nodiscard]] double duration(double mass) const;

 private:
  double stiffness_ = 0;
  double damping_ = 0;        // gamma_n [1/s]
  double damping_ratio_ = 0;  // zeta, where the restitution is given
  bool no_tension_ = false;
};

}  // namespace scree::contact
