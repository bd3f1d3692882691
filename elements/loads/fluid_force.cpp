#include "elements/loads/fluid_force.hpp"

#include "core/rotation.hpp"

namespace scree::elements {

using rotation::skew;

Vec3 fluid_force(const FluidForce& load, const BodyTrial& trial) {
  const Vec3 relative = trial.v - load.fluid_velocity;
  if (load.kind == FluidForceKind::drag) return -load.coefficient * relative;
  return load.coefficient * trial.w.cross(relative);
}

void FluidForces::residual(const Bodies& bodies, LocalSystem& system) const {
  for (const FluidForce& load : forces_) {
    for (int i = 0; i < bodies.owned; ++i) {
      Eigen::Map<Vec3>(system.residual_of(i)) -= fluid_force(load, bodies.trial[i]);
    }
  }
}

void FluidForces::tangent(const Bodies& bodies, LocalSystem& system) const {
  for (const FluidForce& load : forces_) {
    for (int i = 0; i < bodies.owned; ++i) {
      const BodyTrial& trial = bodies.trial[i];
      Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>> k(system.diagonal(i));
      if (load.kind == FluidForceKind::drag) {
        k.topLeftCorner<3, 3>() += load.coefficient * trial.dv_du * Mat3::Identity();
        continue;
      }
      // -d(S w x r) = -S skew(w) dv + S skew(r) dw
      k.topLeftCorner<3, 3>() -= load.coefficient * trial.dv_du * skew(trial.w);
      k.topRightCorner<3, 3>() += load.coefficient * skew(trial.v - load.fluid_velocity) * trial.dw_dtheta;
    }
  }
}

double FluidForces::power(const Bodies& bodies) const {
  double sum = 0;
  for (const FluidForce& load : forces_) {
    for (int i = 0; i < bodies.owned; ++i) sum += fluid_force(load, bodies.trial[i]).dot(bodies.trial[i].v);
  }
  return sum;
}

double FluidForces::work(const Bodies& bodies) const {
  double sum = 0;
  for (const FluidForce& load : forces_) {
    for (int i = 0; i < bodies.owned; ++i) sum += fluid_force(load, bodies.trial[i]).dot(bodies.trial[i].u);
  }
  return sum;
}

}  // namespace scree::elements
