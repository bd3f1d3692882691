/// Magnus force S w x (v - v_fluid) on every body, at its centre of mass (deck: loads "magnus"; theory 04
/// section 3).
#pragma once

#include "elements/loads/fluid_force.hpp"

namespace scree::elements {

struct MagnusLoad {
  double coefficient = 0;              ///< S [kg]
  Vec3 fluid_velocity = Vec3::Zero();  ///< [m/s]

  static constexpr LoadTraits kTraits{.name = "magnus", .one_body = false, .dead = false};
  static Specification specification();
  static MagnusLoad read(const Value& values, std::vector<Diagnostic>& faults);

  [[nodiscard]] bool is_zero() const { return coefficient == 0; }
  [[nodiscard]] std::optional<IdleLoad> idle(const Value& values, const LoadedRun& run) const;
  /// @returns the force on a body at its trial state [N].
  [[nodiscard]] Vec3 force(const BodyTrial& trial) const;
  void residual(const LoadedBody& on, double time, LoadResidual& r) const;
  void tangent(const LoadedBody& on, double time, LoadTangent& k) const;
  [[nodiscard]] double power(const LoadedBody& on, double time) const;
  /// With the force of the trial state.
  [[nodiscard]] double work(const LoadedBody& on, double from, double to) const;
};

}  // namespace scree::elements
