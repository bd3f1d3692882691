/// Gravity and all loads of the model on the bodies of this rank.
#pragma once

#include <utility>
#include <vector>

#include "core/body.hpp"
#include "core/local_system.hpp"
#include "elements/loads/load_types.hpp"

namespace scree::elements {

/// Work of loads in a step [J].
struct LoadWork {
  double dead = 0, fluid = 0;
};

/// What the loads that depend on velocities do to a body.
struct FluidForce {
  Vec6 value = Vec6::Zero();  ///< force and moment [N], [N m]
  Mat6 slope = Mat6::Zero();  ///< its derivative in velocity and angular velocity, global axes
};

class Loads {
 public:
  /// @param gravity [m/s^2].
  Loads(const Vec3& gravity, std::vector<Load> loads) : gravity_(gravity), loads_(std::move(loads)) {}

  /// Finds which local body each load on one body acts on; call when bodies have come or gone.
  void locate(const Bodies& bodies);
  /// Subtracts the loads at `time` from the residual of the owned bodies.
  void residual(const Bodies& bodies, double time, LocalSystem& system) const;
  /// Tangent in displacements and virtual spins.
  void tangent(const Bodies& bodies, double time, LocalSystem& system) const;
  /// The part of it that comes from velocities: dead loads have none.
  void velocity_tangent(const Bodies& bodies, double time, LocalSystem& system) const;
  /// Power of the dead loads (gravity left out, it has a potential) on owned bodies at the trial state [W].
  [[nodiscard]] double power(const Bodies& bodies, double time) const;
  /// Power of the other loads: negative where a fluid brakes [W].
  [[nodiscard]] double fluid_power(const Bodies& bodies, double time) const;
  /// Work of the dead loads on owned bodies along the trial increment [J], with the mean of their sizes at
  /// two times: for analyses without velocities.
  [[nodiscard]] double work(const Bodies& bodies, double from, double to) const;
  /// Work of the other loads, with the forces of the trial state [J].
  [[nodiscard]] double fluid_work(const Bodies& bodies, double from, double to) const;
  /// Work on owned bodies along the trial increment of the mean of the loads at its ends, with their sizes at
  /// two times [s]. Energy-consistent steps, whose residual has this mean with the sizes of one time, change
  /// the kinetic energy by exactly this (theory 11 section 1).
  [[nodiscard]] LoadWork mean_work(const Bodies& bodies, double from, double to) const;
  /// Work on owned bodies of the dead loads of the trial state, with their sizes at `time` [s]. @param moved
  /// displacement and turn of each owned body [m, rad].
  [[nodiscard]] double dead_work_along(const Bodies& bodies, double time,
                                       const std::vector<Vec6>& moved) const;
  /// Sum of the other loads at the accepted state, per owned body and ghost; empty without such loads. The
  /// derivative is that of `tangent`, taken in the velocities themselves.
  [[nodiscard]] std::vector<FluidForce> fluid_forces(const Bodies& bodies, double time) const;
  /// Time of the next row of a ramp of any body [s], infinite after the last row. Alike on all ranks.
  [[nodiscard]] double next_row(double time) const;
  /// Potential energy of gravity of the owned bodies, zero at the origin [J].
  [[nodiscard]] double potential(const Bodies& bodies) const;
  /// Per owned body the largest force of the loads on it, weight included [N]: the scale of tolerances.
  [[nodiscard]] std::vector<double> sizes(const Bodies& bodies, double time) const;
  /// Whether there is a dead load, on bodies of any rank.
  [[nodiscard]] bool any_dead() const;
  /// @returns per owned body the sum of the dead loads on it [N], without weight.
  [[nodiscard]] std::vector<Vec3> dead_forces(const Bodies& bodies, double time) const;
  /// @returns whether a dead load has another factor at one of two times [s]. Alike on all ranks.
  [[nodiscard]] bool changes(double from, double to) const;
  /// Largest dead load on an owned body at `time` [N]; moments are divided by its bounding radius.
  [[nodiscard]] double dead_load(const Bodies& bodies, double time) const;
  /// Largest dead load on an owned body over all times [N]; moments are divided by its bounding radius.
  [[nodiscard]] double largest_dead_load(const Bodies& bodies) const;

 private:
  /// Calls `act` with each load and each owned body it acts on: loads on one body first, in the order of the
  /// deck.
  template <class Act>
  void for_each(const Bodies& bodies, Act&& act) const;
  /// Sum of `value` over the dead loads, or over the others.
  template <class Term>
  [[nodiscard]] double sum(const Bodies& bodies, bool dead, Term&& value) const;

  Vec3 gravity_;
  std::vector<Load> loads_;
  std::vector<std::pair<int, int>> located_;  ///< (local body, load on one body)
};

}  // namespace scree::elements
