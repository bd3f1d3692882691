/// Variational integrator with alpha = 0: conservative forces at the start of the step, dissipative ones half
/// there and half at its end, with the mean velocities of the step. Theory 02 sections 3 and 4, end.
#pragma once

#include "elements/integrators/integrator.hpp"

namespace scree::elements {

/// Explicit in the potential: stable for h < 2 sqrt(m/k) only, order 1. The unknown is the whole increment.
class VariationalStart final : public Integrator {
 public:
  [[nodiscard]] ForceStage stage() const override { return ForceStage::start; }
  void predict(const BodyState& state, double h, Vec3& u, Vec3& alpha) const override;
  void kinematics(const BodyState& state, double h, BodyTrial& trial) const override;
  void residual(const Bodies& bodies, double h, LocalSystem& system) const override;
  void tangent(const Bodies& bodies, double h, LocalSystem& system) const override;
};

}  // namespace scree::elements
