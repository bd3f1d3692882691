/// Energy-consistent integrator: kinetic energy changes by exactly the work of the forces of the step, at any
/// step size (theory 11 section 1).
#pragma once

#include "elements/integrators/integrator.hpp"

namespace scree::elements {

/// u = h (v0 + v1)/2, W0 + W1 = 2/h Q0^T alpha in body axes (Simo and Wong, Int. J. Numer. Methods Eng. 31
/// (1991) 19-52), momenta change by h times force and moment. Then T1 - T0 = f.u + m.alpha: the Rodrigues
/// increment itself is conjugate to the moment about the mean pole. Bodies that come to rest have the weight
/// phi >= 1/2 of the end in u = h ((1 - phi) v0 + phi v1), and lose (phi - 1/2) (m |v1 - v0|^2 + ...).
class EnergyConsistent : public Integrator {
 public:
  [[nodiscard]] bool secant_forces() const override { return true; }
  [[nodiscard]] double end_weight() const override { return 1; }
  void predict(const BodyState& state, double h, Vec3& u, Vec3& alpha) const override;
  void kinematics(const BodyState& state, double h, BodyTrial& trial) const override;
  void residual(const Bodies& bodies, double h, LocalSystem& system) const override;
  void tangent(const Bodies& bodies, double h, LocalSystem& system) const override;
  [[nodiscard]] bool supports_in_moments() const override { return true; }
  /// Accelerations become the mean ones of the step.
  void commit(const BodyProperties& properties, double h, const BodyTrial& trial,
              BodyState& state) const override;

  /// What a body loses in the step by the weight of its end [J], >= 0.
  static double dissipated(const BodyProperties& properties, const BodyState& state, const BodyTrial& trial);

 private:
  /// Spin at the end, turned back to the start.
  static Vec3 spin(const BodyState& state, double h, const BodyTrial& trial);
};

}  // namespace scree::elements
