/// An interface between two materials, ready for evaluation.
#pragma once

#include <cstdint>

#include "contact/laws/normal_law.hpp"
#include "contact/laws/parameters.hpp"

namespace scree::contact {

struct InterfaceLaw {
  NormalLaw normal;
  FrictionParameters friction;
  RollingParameters rolling;

  explicit InterfaceLaw(const Interface& description)
      : normal(description.normal),
        friction(description.friction),
        rolling(description.rolling),
        midway_(description.midway) {}

  /// Whether friction acts at this time [s] (deck: friction/active).
  [[nodiscard]] bool friction_acts(double time) const {
    if (friction.limited() ? friction.static_coefficient <= 0 && friction.dynamic_coefficient <= 0
                           : friction.stiffness <= 0 && friction.damping <= 0 && !friction_varies())
      return false;
    for (const auto& [from, until] : friction.active) {
      if (time >= from && time < until) return true;
    }
    return false;
  }
  /// Whether the tangential stiffness follows the overlap.
  [[nodiscard]] bool friction_varies() const { return friction.rule != TangentialStiffness::constant; }
  /// Whether friction acts through a spring, not through a dashpot alone.
  [[nodiscard]] bool has_tangential_spring() const { return friction.stiffness > 0 || friction_varies(); }
  /// Whether the dashpot along the normal counts in the force that limits friction and rolling.
  [[nodiscard]] bool dashpot_presses() const {
    return friction.limiting_force == LimitingForce::of_the_law
               ? normal.allows_overlap()
               : friction.limiting_force == LimitingForce::total;
  }
  /// Whether forces depend on the radii of curvature of superquadrics.
  [[nodiscard]] bool curvature_matters() const { return normal.traits().curvature || rolling_acts(); }
  /// Whether superquadrics touch each other by their midway point.
  [[nodiscard]] bool midway() const { return midway_; }
  [[nodiscard]] bool rolling_acts() const { return rolling.coefficient > 0; }

 private:
  bool midway_ = false;
};

/// What a contact that is made within a step sees of it (pair_touch.hpp).
enum class FirstTouch : std::uint8_t {
  part,             ///< springs a part of the slip, dashpots rise
  dashpot_at_once,  ///< springs a part of the slip, dashpots all of it from the touch on (variational)
  whole,            ///< all of it: steps of quasi-static analysis take no time that could be divided
};

/// Data of the current step for a pair, and the part of its forces that an integrator requires.
struct StepContext {
  double h = 0;     ///< time over which the trial displacement happens [s] (variational 1/2: half the step)
  double time = 0;  ///< a time within the step, for what is switched in time [s]
  /// Geometry of the accepted state: gaps, normals and springs at the step start, and forces depend on the
  /// trial through its velocities only (variational with alpha = 0). The views then hold the accepted poses;
  /// the tangent has no parts but dv_du and dw_dtheta.
  bool frozen = false;
  /// Velocities are taken as zero: the conservative part, dashpots of all directions off.
  bool at_rest = false;
  FirstTouch first_touch = FirstTouch::part;
  /// Forces are secants over the step to the trial state (contact/secant/).
  bool secant = false;
};

}  // namespace scree::contact
