/// Newmark on incremental Rodrigues vectors, [Poly, Eqs. 20-22], theory 02 section 2.
#pragma once

#include "elements/integrators/integrator.hpp"

namespace scree::elements {

class Newmark final : public Integrator {
 public:
  static constexpr double kBeta = 0.3, kGamma = 0.5;  ///< if the user gives none

  /// @param beta, gamma of the method; second order for gamma = 1/2.
  explicit Newmark(double beta = kBeta, double gamma = kGamma) : beta_(beta), gamma_(gamma) {}

  void predict(const BodyState& state, double h, Vec3& u, Vec3& alpha) const override;
  void kinematics(const BodyState& state, double h, BodyTrial& trial) const override;
  void residual(const Bodies& bodies, double h, LocalSystem& system) const override;
  void tangent(const Bodies& bodies, double h, LocalSystem& system) const override;
  [[nodiscard]] bool supports_in_moments() const override { return true; }
  void commit(const BodyProperties& properties, double h, const BodyTrial& trial,
              BodyState& state) const override;
  [[nodiscard]] double end_weight() const override { return gamma_; }

 private:
  /// c_1 ... c_6 of theory 02 section 2.
  struct Constants {
    double c1, c2, c3, c4, c5, c6;
  };
  [[nodiscard]] Constants constants(double h) const;

  double beta_, gamma_;
};

}  // namespace scree::elements
