/// An interface between two materials, ready for evaluation.
#pragma once

#include "contact/laws/barrier.hpp"
#include "contact/parameters.hpp"

namespace scree::contact {

struct InterfaceLaw {
  BarrierLaw normal;
  FrictionParameters friction;

  explicit InterfaceLaw(const Interface& description)
      : normal(description.normal), friction(description.friction) {}

  /// Whether friction acts at this time [s] (deck: friction/active).
  [[nodiscard]] bool friction_acts(double time) const {
    if (friction.static_coefficient <= 0 && friction.dynamic_coefficient <= 0) return false;
    for (const auto& [from, until] : friction.active) {
      if (time >= from && time < until) return true;
    }
    return false;
  }
};

/// What friction and damping need to know of the step under way.
struct StepContext {
  double h = 0;     ///< step [s]
  double time = 0;  ///< at the end of the step [s]
};

}  // namespace scree::contact
