/// Generalised trapezoidal rule, phi in (0, 1]: [Sph, Eqs. 42, 45] for any inertia, theory 02 section 5.
#pragma once

#include "elements/integrators/integrator.hpp"

namespace scree::elements {

/// Forces at the end of the step with weight phi, at its start with 1 - phi. Those at the start are what the
/// accelerations of the state stand for. Order 2 for phi = 1/2, else 1; stable at any step from 1/2 on.
class Trapezoidal final : public Integrator {
 public:
  /// @param phi in (0, 1]; for 0 see ExplicitEuler.
  explicit Trapezoidal(double phi) : phi_(phi) {}

  void predict(const BodyState& state, double h, Vec3& u, Vec3& alpha) const override;
  void kinematics(const BodyState& state, double h, BodyTrial& trial) const override;
  void residual(const Bodies& bodies, double h, LocalSystem& system) const override;
  void tangent(const Bodies& bodies, double h, LocalSystem& system) const override;
  void commit(const BodyProperties& properties, double h, const BodyTrial& trial,
              BodyState& state) const override;
  [[nodiscard]] bool supports_in_moments() const override { return true; }
  [[nodiscard]] double sweep_factor(double h) const override { return h * h * phi_ * phi_; }
  [[nodiscard]] double end_weight() const override { return phi_; }

 private:
  /// Force and moment at the end of the step that its velocities stand for.
  void end_forces(const BodyProperties& properties, const BodyState& state, const BodyTrial& trial, double h,
                  Vec3& force, Vec3& moment) const;

  double phi_;
};

/// phi = 0: positions follow from the velocities at the start, velocities from the forces there. Order 1, and
/// gains energy: for comparison.
class ExplicitEuler final : public Integrator {
 public:
  [[nodiscard]] ForceStage stage() const override { return ForceStage::given; }
  void predict(const BodyState& state, double h, Vec3& u, Vec3& alpha) const override;
  void kinematics(const BodyState& state, double h, BodyTrial& trial) const override;
  void residual(const Bodies& bodies, double h, LocalSystem& system) const override;
  void tangent(const Bodies& bodies, double h, LocalSystem& system) const override;
  [[nodiscard]] double sweep_factor(double /*h*/) const override { return 0; }
  [[nodiscard]] double end_weight() const override { return 0; }
};

}  // namespace scree::elements
