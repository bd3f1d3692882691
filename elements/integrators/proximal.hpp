/// Proximal step of quasi-static analysis: no inertia, theory 02 section 7.
#pragma once

#include "elements/integrators/integrator.hpp"

namespace scree::elements {

/// Adds the gradient of (m |u|^2 + alpha^T J_k alpha) / (2 tau^2), J_k the inertia of the accepted state in
/// global axes, to that of the potential energy; "h" is tau. It is the implicit step with velocities reset to
/// zero: nothing moves, so that dashpots and drag see no velocity, and accepted states have none.
/// What mass gives here is a metric in which steps are measured: equilibria do not depend on it or on tau.
class Proximal final : public Integrator {
 public:
  /// First guess zero: the residual there is that of the potential energy alone.
  void predict(const BodyState& state, double h, Vec3& u, Vec3& alpha) const override;
  void kinematics(const BodyState& state, double h, BodyTrial& trial) const override;
  void residual(const Bodies& bodies, double h, LocalSystem& system) const override;
  void tangent(const Bodies& bodies, double h, LocalSystem& system) const override;
  /// Takes the pose; velocities are zero. Accelerations are left to the caller (System::set_time).
  void commit(const BodyProperties& properties, double h, const BodyTrial& trial,
              BodyState& state) const override;
};

}  // namespace scree::elements
