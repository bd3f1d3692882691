/// What every time integrator offers (theory 02 section 1): from the accepted state and the increment to
/// velocities, inertia residual and tangent, and on acceptance the new state.
#pragma once

#include "core/body.hpp"
#include "core/local_system.hpp"

namespace scree::elements {

/// Batch over bodies; moments and their tangents are in virtual spins (see rigid_body.hpp).
class Integrator {
 public:
  Integrator() = default;
  Integrator(const Integrator&) = delete;
  Integrator& operator=(const Integrator&) = delete;
  Integrator(Integrator&&) = delete;
  Integrator& operator=(Integrator&&) = delete;
  virtual ~Integrator() = default;

  /// First guess of the increment of one body over h [s], from its accepted state.
  virtual void predict(const BodyState& state, double h, Vec3& u, Vec3& alpha) const = 0;

  /// Fills trial (pose, maps, velocities and their derivatives) from trial.u and trial.alpha.
  virtual void kinematics(const BodyState& state, double h, BodyTrial& trial) const = 0;

  /// Adds inertia forces and moments of the owned bodies to the residual [N], [N m].
  virtual void residual(const Bodies& bodies, double h, LocalSystem& system) const = 0;
  /// Adds their tangent to the diagonal blocks of the rows that are assembled.
  virtual void tangent(const Bodies& bodies, double h, LocalSystem& system) const = 0;

  /// Turns the trial state of a body into its accepted state.
  virtual void commit(const BodyProperties& properties, double h, const BodyTrial& trial,
                      BodyState& state) const = 0;
};

}  // namespace scree::elements
