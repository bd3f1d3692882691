#include "elements/loads/force.hpp"

#include <cmath>

namespace scree::elements {

Specification ForceLoad::specification() {
  Specification specification{kTraits.name, "Dead force at a point of a body.", dead_load_parameters("N")};
  specification.parameters.push_back(
      {.key = "point",
       .kind = ParameterKind::vector,
       .unit = "m",
       .description = "Point of application: body frame, from the centre of mass.",
       .fallback = Vec3(Vec3::Zero()),
       .size = 3});
  return specification;
}

ForceLoad ForceLoad::read(const Value& values, std::vector<Diagnostic>& faults) {
  return {
      .point_B = values.vector("point"), .value = values.vector("value"), .ramp = read_ramp(values, faults)};
}

std::optional<IdleLoad> ForceLoad::idle(const Value& values, const LoadedRun& run) const {
  return idle_dead_load(value, ramp, values, run);
}

void ForceLoad::residual(const LoadedBody& on, double time, LoadResidual& r) const {
  const Vec3 now = ramp_factor(ramp, time) * value;
  r.head<3>() -= now;
  r.tail<3>() -= (on.trial.R * point_B).cross(now);
}

void ForceLoad::tangent(const LoadedBody& on, double time, LoadTangent& k) const {
  const Vec3 now = ramp_factor(ramp, time) * value;
  const Vec3 s = on.trial.R * point_B;
  // d((w x s) x F) = [s F^T - (s.F) I] w
  k.bottomRightCorner<3, 3>() -= s * now.transpose() - s.dot(now) * Mat3::Identity();
}

double ForceLoad::power(const LoadedBody& on, double time) const {
  const Vec3 now = ramp_factor(ramp, time) * value;
  return now.dot(on.trial.v + on.trial.w.cross(on.trial.R * point_B));
}

double ForceLoad::work(const LoadedBody& on, double from, double to) const {
  const Vec3 mean = 0.5 * (ramp_factor(ramp, from) + ramp_factor(ramp, to)) * value;
  const Vec3 lever = on.trial.R * point_B;
  return mean.dot(on.trial.u + lever - on.trial.Q.transpose() * lever);
}

double ForceLoad::size(const BodyProperties& /*properties*/, double time) const {
  return std::abs(ramp_factor(ramp, time)) * value.norm();
}

double ForceLoad::largest(const BodyProperties& /*properties*/) const {
  return std::abs(largest_factor(ramp)) * value.norm();
}

}  // namespace scree::elements
