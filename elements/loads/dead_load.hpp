/// Gravity, dead forces and moments on single bodies (deck: loads "force", "moment"), and fluid forces on
/// all.
#pragma once

#include <utility>
#include <vector>

#include "core/body.hpp"
#include "core/local_system.hpp"
#include "elements/loads/fluid_force.hpp"

namespace scree::elements {

/// Force at a point that follows its body, or moment; constant direction in global axes, size by a table.
struct DeadLoad {
  BodyId body = 0;
  bool is_moment = false;
  Vec3 point_B = Vec3::Zero();                  ///< [m]
  Vec3 value = Vec3::Zero();                    ///< [N] or [N m]
  std::vector<std::pair<double, double>> ramp;  ///< (time, factor), piecewise linear, constant outside
};

/// Factor of a ramp at a time [s].
double ramp_factor(const std::vector<std::pair<double, double>>& ramp, double time);

/// All loads of the model on the bodies of this rank.
class Loads {
 public:
  /// @param gravity [m/s^2].
  Loads(const Vec3& gravity, std::vector<DeadLoad> loads, std::vector<FluidForce> fluid = {})
      : gravity_(gravity), loads_(std::move(loads)), fluid_(std::move(fluid)) {}

  /// Finds which local body each load acts on; call when bodies have come or gone.
  void locate(const Bodies& bodies);
  /// Subtracts the loads at `time` from the residual of the owned bodies.
  void residual(const Bodies& bodies, double time, LocalSystem& system) const;
  /// Tangent in virtual spins: of forces off the pole, -d(s x F)/d theta, and of fluid forces.
  void tangent(const Bodies& bodies, double time, LocalSystem& system) const;
  /// The part of it that comes from velocities: that of fluid forces.
  void velocity_tangent(const Bodies& bodies, LocalSystem& system) const { fluid_.tangent(bodies, system); }
  /// Power of the dead loads (gravity left out, it has a potential) on owned bodies at the trial state [W].
  [[nodiscard]] double power(const Bodies& bodies, double time) const;
  /// Work of the dead loads on owned bodies along the trial increment [J], with the mean of their sizes at
  /// two times: for analyses without velocities. A moment works on the rotation vector of the increment.
  [[nodiscard]] double work(const Bodies& bodies, double from, double to) const;
  [[nodiscard]] const FluidForces& fluid() const { return fluid_; }
  /// Potential energy of gravity of the owned bodies, zero at the origin [J].
  [[nodiscard]] double potential(const Bodies& bodies) const;
  /// Largest force of the loads on one body, weight included [N]: the scale of tolerances.
  [[nodiscard]] double scale(const Bodies& bodies, double time) const;
  /// Largest dead load on an owned body over all times [N]; moments are divided by its bounding radius.
  [[nodiscard]] double largest_dead_load(const Bodies& bodies) const;

 private:
  Vec3 gravity_;
  std::vector<DeadLoad> loads_;
  FluidForces fluid_;
  std::vector<std::pair<int, int>> located_;  ///< (local body, load)
};

}  // namespace scree::elements
