#include "elements/loads/drag.hpp"

namespace scree::elements {

Specification DragLoad::specification() {
  return {kTraits.name,
          "Drag -c (v - v_fluid) on every body, at its centre of mass.",
          {{.key = "coefficient",
            .unit = "N s/m",
            .description = "Drag coefficient c.",
            .range = range::not_negative(),
            .required = true},
           fluid_velocity_parameter()}};
}

DragLoad DragLoad::read(const Value& values, std::vector<Diagnostic>& /*faults*/) {
  return {values.number("coefficient"), values.vector("fluid_velocity")};
}

std::optional<IdleLoad> DragLoad::idle(const Value& /*values*/, const LoadedRun& run) const {
  if (!is_zero() && run.quasi_static && fluid_velocity.norm() == 0) {
    return IdleLoad{"", "has no effect with \"analysis\": \"quasi-static\": drag requires velocities."};
  }
  return idle_fluid_force(coefficient);
}

Vec3 DragLoad::force(const BodyTrial& trial) const {
  const Vec3 relative = trial.v - fluid_velocity;
  return -coefficient * relative;
}

void DragLoad::residual(const LoadedBody& on, double /*time*/, LoadResidual& r) const {
  r.head<3>() -= force(on.trial);
}

void DragLoad::tangent(const LoadedBody& on, double /*time*/, LoadTangent& k) const {
  k.topLeftCorner<3, 3>() += coefficient * on.trial.dv_du * Mat3::Identity();
}

double DragLoad::power(const LoadedBody& on, double /*time*/) const {
  return force(on.trial).dot(on.trial.v);
}

double DragLoad::work(const LoadedBody& on, double /*from*/, double /*to*/) const {
  return force(on.trial).dot(on.trial.u);
}

}  // namespace scree::elements
