/// Variational integrator with alpha = 1/2: discrete Lagrange-d'Alembert at the middle of the step, the
/// Cayley map on rotations. Theory 02 sections 3 and 4; [Var, Eqs. 28-31] corrected.
#pragma once

#include "elements/integrators/integrator.hpp"

namespace scree::elements {

/// The unknown is the increment (u_e, beta) to the middle. Order 2; momentum is exact, energy bounded.
class VariationalMidpoint final : public Integrator {
 public:
  [[nodiscard]] ForceStage stage() const override { return ForceStage::middle; }
  void predict(const BodyState& state, double h, Vec3& u, Vec3& alpha) const override;
  void kinematics(const BodyState& state, double h, BodyTrial& trial) const override;
  void residual(const Bodies& bodies, double h, LocalSystem& system) const override;
  void tangent(const Bodies& bodies, double h, LocalSystem& system) const override;
  void full_increment(Vec3& u, Vec3& alpha) const override;
};

}  // namespace scree::elements
