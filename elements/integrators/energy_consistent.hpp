/// Energy-consistent integrator: kinetic energy changes by exactly the work of the forces of the step, at any
/// step size (theory 11 section 1).
#pragma once

#include "elements/integrators/integrator.hpp"

namespace scree::elements {

/// u = h (v0 + v1)/2, W0 + W1 = 2/h Q0^T alpha in body axes (Simo and Wong, Int. J. Numer. Methods Eng. 31
/// (1991) 19-52), momenta change by h times force and moment. Then T1 - T0 = f.u + m.alpha: the Rodrigues
/// increment itself is conjugate to the moment about the mean pole.
class EnergyConsistent : public Integrator {
 public:
  [[nodiscard]] bool secant_forces() const override { return true; }
  void predict(const BodyState& state, double h, Vec3& u, Vec3& alpha) const override;
  void kinematics(const BodyState& state, double h, BodyTrial& trial) const override;
  void residual(const Bodies& bodies, double h, LocalSystem& system) const override;
  void tangent(const Bodies& bodies, double h, LocalSystem& system) const override;
  /// Accelerations become the mean ones of the step.
  void commit(const BodyProperties& properties, double h, const BodyTrial& trial,
              BodyState& state) const override;
};

}  // namespace scree::elements
