/// Hertz's law at overlap with damping that makes the restitution independent of speed (theory 04 section 1).
#pragma once

#include "contact/laws/law_value.hpp"
#include "contact/parameters.hpp"

namespace scree::contact {

/// Force C delta^(3/2) - 2 xi sqrt(k m*) v_n, delta = -gap > 0, k = 3/2 C sqrt(delta).
class HertzLaw {
 public:
  explicit HertzLaw(const HertzParameters& p);

  [[nodiscard]] LawValue at(double gap, const PairConstants& pair) const;
  [[nodiscard]] bool no_tension() const { return no_tension_; }

  /// Duration of an undamped impact [s], theory 04 section 1 (time step). @param mass that the contact moves
  /// [kg]. @param speed of approach [m/s]; infinite at zero.
  [[nodiscard]] double duration(double mass, double speed, const PairConstants& pair) const;

 private:
  double damping_ratio_ = 0;
  bool no_tension_ = true;
};

}  // namespace scree::contact
