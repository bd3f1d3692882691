#include "elements/loads/magnus.hpp"

#include "core/rotation.hpp"

namespace scree::elements {

using rotation::skew;

Specification MagnusLoad::specification() {
  return {kTraits.name,
          "Magnus force S w x (v - v_fluid) on every body, at its centre of mass.",
          {{.key = "coefficient",
            .unit = "kg",
            .description = "Coefficient S; negative for the inverse effect.",
            .required = true},
           fluid_velocity_parameter()},
          true,
          scope::not_quasi_static()};
}

MagnusLoad MagnusLoad::read(const Value& values, std::vector<Diagnostic>& /*faults*/) {
  return {values.number("coefficient"), values.vector("fluid_velocity")};
}

std::optional<IdleLoad> MagnusLoad::idle(const Value& /*values*/, const LoadedRun& /*run*/) const {
  return idle_fluid_force(coefficient);
}

Vec3 MagnusLoad::force(const BodyTrial& trial) const {
  const Vec3 relative = trial.v - fluid_velocity;
  return coefficient * trial.w.cross(relative);
}

void MagnusLoad::residual(const LoadedBody& on, double /*time*/, LoadResidual& r) const {
  r.head<3>() -= force(on.trial);
}

void MagnusLoad::tangent(const LoadedBody& on, double /*time*/, LoadTangent& k) const {
  // -d(S w x r) = -S skew(w) dv + S skew(r) dw
  k.topLeftCorner<3, 3>() -= coefficient * on.trial.dv_du * skew(on.trial.w);
  k.topRightCorner<3, 3>() += coefficient * skew(on.trial.v - fluid_velocity) * on.trial.dw_dtheta;
}

double MagnusLoad::power(const LoadedBody& on, double /*time*/) const {
  return force(on.trial).dot(on.trial.v);
}

double MagnusLoad::work(const LoadedBody& on, double /*from*/, double /*to*/) const {
  return force(on.trial).dot(on.trial.u);
}

}  // namespace scree::elements
