/// A dead moment on a body (deck: loads "moment").
#pragma once

#include "elements/loads/dead_load.hpp"

namespace scree::elements {

struct MomentLoad {
  BodyId body = 0;
  Vec3 value = Vec3::Zero();  ///< [N m]
  Ramp ramp{};

  static constexpr LoadTraits kTraits{.name = "moment"};
  static Specification specification();
  static MomentLoad read(const Value& values, std::vector<Diagnostic>& faults);

  [[nodiscard]] bool is_zero() const { return value.norm() == 0; }
  [[nodiscard]] std::optional<IdleLoad> idle(const Value& values, const LoadedRun& run) const;
  [[nodiscard]] LoadDirections directions() const { return {.moment = value}; }
  void residual(const LoadedBody& on, double time, LoadResidual& r) const;
  void tangent(const LoadedBody& /*on*/, double /*time*/, LoadTangent& /*k*/) const {}
  [[nodiscard]] double power(const LoadedBody& on, double time) const;
  /// On the rotation vector of the increment, with the mean of its sizes at two times.
  [[nodiscard]] double next_row(double time) const { return elements::next_row(ramp, time); }
  [[nodiscard]] double work(const LoadedBody& on, double from, double to) const;
  /// Divided by the bounding radius of the body.
  [[nodiscard]] double size(const BodyProperties& properties, double time) const;
  [[nodiscard]] double largest(const BodyProperties& properties) const;
};

}  // namespace scree::elements
