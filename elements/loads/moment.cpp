#include "elements/loads/moment.hpp"

#include <cmath>

namespace scree::elements {

Specification MomentLoad::specification() {
  return {kTraits.name, "Dead moment on a body.", dead_load_parameters("N m")};
}

MomentLoad MomentLoad::read(const Value& values, std::vector<Diagnostic>& faults) {
  return {.value = values.vector("value"), .ramp = read_ramp(values, faults)};
}

std::optional<IdleLoad> MomentLoad::idle(const Value& values, const LoadedRun& run) const {
  return idle_dead_load(value, ramp, values, run);
}

void MomentLoad::residual(const LoadedBody& /*on*/, double time, LoadResidual& r) const {
  const Vec3 now = ramp_factor(ramp, time) * value;
  r.tail<3>() -= now;
}

double MomentLoad::power(const LoadedBody& on, double time) const {
  const Vec3 now = ramp_factor(ramp, time) * value;
  return now.dot(on.trial.w);
}

double MomentLoad::work(const LoadedBody& on, double from, double to) const {
  const Vec3 mean = 0.5 * (ramp_factor(ramp, from) + ramp_factor(ramp, to)) * value;
  // |alpha| = 2 tan(angle/2), theory 01 section 1.
  const double length = on.trial.alpha.norm();
  return length > 0 ? 2 * std::atan(0.5 * length) / length * mean.dot(on.trial.alpha) : 0.0;
}

double MomentLoad::size(const BodyProperties& properties, double time) const {
  return std::abs(ramp_factor(ramp, time)) * value.norm() / properties.length;
}

double MomentLoad::largest(const BodyProperties& properties) const {
  return std::abs(largest_factor(ramp)) * value.norm() / properties.length;
}

}  // namespace scree::elements
