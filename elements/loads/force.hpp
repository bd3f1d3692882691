/// A dead force at a point that follows its body (deck: loads "force").
#pragma once

#include "elements/loads/dead_load.hpp"

namespace scree::elements {

struct ForceLoad {
  BodyId body = 0;
  Vec3 point_B = Vec3::Zero();  ///< body frame, from the centre of mass [m]
  Vec3 value = Vec3::Zero();    ///< [N]
  Ramp ramp{};

  static constexpr LoadTraits kTraits{.name = "force"};
  static Specification specification();
  static ForceLoad read(const Value& values, std::vector<Diagnostic>& faults);

  [[nodiscard]] bool is_zero() const { return value.norm() == 0; }
  [[nodiscard]] std::optional<IdleLoad> idle(const Value& values, const LoadedRun& run) const;
  [[nodiscard]] LoadDirections directions() const { return {.force = value, .point_B = point_B}; }
  void residual(const LoadedBody& on, double time, LoadResidual& r) const;
  /// Off the pole -d(s x F)/d theta.
  void tangent(const LoadedBody& on, double time, LoadTangent& k) const;
  [[nodiscard]] double power(const LoadedBody& on, double time) const;
  [[nodiscard]] double next_row(double time) const { return elements::next_row(ramp, time); }
  /// With the mean of its sizes at two times.
  [[nodiscard]] double work(const LoadedBody& on, double from, double to) const;
  [[nodiscard]] double size(const BodyProperties& properties, double time) const;
  [[nodiscard]] double largest(const BodyProperties& properties) const;
};

}  // namespace scree::elements
