/// What every time integrator offers (theory 02 section 1): from the accepted state and the increment to
/// velocities, inertia residual and tangent, and on acceptance the new state.
#pragma once

#include <cstdint>

#include "core/body.hpp"
#include "core/local_system.hpp"

namespace scree::elements {

/// Configuration at which the forces of a step are evaluated: what contacts and loads see as trial state.
enum class ForceStage : std::uint8_t {
  end,     ///< of the step: the unknown is the increment of the whole step
  middle,  ///< of the step: the unknown is the increment of half the step
  start,   ///< geometry of the accepted state, velocities from the unknown increment of the whole step:
           ///< conservative forces count whole, dissipative ones half; the other half follows at the end
  given    ///< all forces are those of the accepted state: the increment follows without a solution
};

/// Batch over bodies; moments and their tangents are in virtual spins (see rigid_body.hpp). Holds parameters
/// only: what changes is in BodyState and BodyTrial.
class Integrator {
 public:
  Integrator() = default;
  Integrator(const Integrator&) = delete;
  Integrator& operator=(const Integrator&) = delete;
  Integrator(Integrator&&) = delete;
  Integrator& operator=(Integrator&&) = delete;
  virtual ~Integrator() = default;

  /// Where the forces are. From all stages but `end` the solver advances to the end of the step
  /// (end_of_step.hpp), and that is the trial state which is committed.
  [[nodiscard]] virtual ForceStage stage() const { return ForceStage::end; }

  /// Whether the forces of contacts are secants over the step (contact/secant/), which do exactly the work
  /// that contacts store, so that no step makes energy.
  [[nodiscard]] virtual bool secant_forces() const { return false; }

  /// Weight of the force at the end of a step in the change of momentum over it; the rest is that of the
  /// force at its start. Of variational methods the mean of both, to first order in the step; forces that are
  /// secants are those of the whole step.
  [[nodiscard]] virtual double end_weight() const { return 0.5; }

  /// First guess of the increment of one body over h [s], from its accepted state.
  virtual void predict(const BodyState& state, double h, Vec3& u, Vec3& alpha) const = 0;

  /// Fills trial (pose, maps, velocities and their derivatives) from trial.u and trial.alpha.
  virtual void kinematics(const BodyState& state, double h, BodyTrial& trial) const = 0;

  /// Adds inertia forces and moments of the owned bodies to the residual [N], [N m].
  virtual void residual(const Bodies& bodies, double h, LocalSystem& system) const = 0;
  /// Adds their tangent to the diagonal blocks of the rows that are assembled.
  virtual void tangent(const Bodies& bodies, double h, LocalSystem& system) const = 0;

  /// Whether the support of a fixed rotation acts about its global axis in the moments of `residual`;
  /// otherwise it does in their products with the increments: where those are the momenta of the method
  /// (variational), and where no time passes.
  [[nodiscard]] virtual bool supports_in_moments() const { return false; }

  /// Turns the unknown increment into that of the whole step.
  virtual void full_increment(Vec3& /*u*/, Vec3& /*alpha*/) const {}

  /// Turns the trial state at the end of the step into the accepted state. By default pose and velocities;
  /// accelerations are then left to the caller, who knows the forces there.
  virtual void commit(const BodyProperties& properties, double h, const BodyTrial& trial,
                      BodyState& state) const;

  /// Displacement per residual force and inverse mass with which one sweep of the fixed-point iteration
  /// answers [s^2] (theory 04 section 4); negative where the method has no such form.
  [[nodiscard]] virtual double sweep_factor(double /*h*/) const { return -1; }
};

}  // namespace scree::elements
