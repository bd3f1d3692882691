/// What a fluid that is not modelled does to every body: drag and Magnus forces (deck: loads "drag",
/// "magnus").
#pragma once

#include <vector>

#include "core/body.hpp"
#include "core/local_system.hpp"

namespace scree::elements {

enum class FluidForceKind { drag, magnus };

/// Force on a body of velocity v and angular velocity w at its centre of mass, theory 04 section 3:
/// drag -c (v - v_fluid), Magnus S w x (v - v_fluid).
struct FluidForce {
  FluidForceKind kind = FluidForceKind::drag;
  double coefficient = 0;              ///< c [N s/m] or S [kg]
  Vec3 fluid_velocity = Vec3::Zero();  ///< [m/s]
};

/// @returns the force on a body at its trial state [N].
Vec3 fluid_force(const FluidForce& load, const BodyTrial& trial);

/// All fluid forces of the model; each acts on all bodies.
class FluidForces {
 public:
  FluidForces() = default;
  explicit FluidForces(std::vector<FluidForce> forces) : forces_(std::move(forces)) {}

  /// Subtracts the forces at the trial state from the residual of the owned bodies [N].
  void residual(const Bodies& bodies, LocalSystem& system) const;
  /// Their tangent in displacements and virtual spins, through the integrator's dv_du and dw_dtheta.
  void tangent(const Bodies& bodies, LocalSystem& system) const;
  /// Power on the owned bodies at the trial state [W]: negative where the fluid brakes. That of Magnus forces
  /// is zero in a fluid at rest.
  [[nodiscard]] double power(const Bodies& bodies) const;
  /// Work on the owned bodies along the trial increment, with the forces of the trial state [J].
  [[nodiscard]] double work(const Bodies& bodies) const;

 private:
  std::vector<FluidForce> forces_;
};

}  // namespace scree::elements
