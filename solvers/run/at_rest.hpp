/// Whether a run has come to rest (deck: time/stop).
#pragma once

#include "solvers/observer.hpp"
#include "solvers/procedure.hpp"

namespace scree {

/// @returns work of weight, or of the largest load of the deck where that is more, over the bounding radius,
/// of all bodies that can move [J]: energies are small or large against it. Collective.
double energy_scale(const World& world);

/// @returns the same of the weight and the loads that each body has at a time [s]. Collective.
double energy_scale(const World& world, double time);

/// @returns kinetic energy of all of them at a billionth of their bounding radius per second [J]: round-off,
/// also where nothing has a weight. Collective.
double still_energy(const World& world);

/// Rest is what holds in kRestSteps accepted steps in succession, all of them after `after`:
/// - the kinetic energy of all bodies is at most `kinetic_energy`, and
/// - the unbalanced force is at most `unbalanced_force`: the largest sum over a body that is free to move of
///   contact forces, weight and loads (drag included), as part of its weight or load or, where something
///   touches it, of the largest dead load on any body at that time; moments about the pole likewise, divided
///   by the bounding radius. Without weight and dead loads, as part of the largest force there is.
/// Where one of the two is not given, a loose bound stands for it, so that neither a body that is released or
/// turns over in flight (no speed, but falling) nor one that flies freely (no force, but fast) is at rest:
/// kRestForce, kRestEnergy of the work of that force over the bounding radii of all bodies.
/// Whatever the limit, in the last of the steps no body is in free flight: kRestForce holds for those that
/// contacts do not carry. In the steps before, one that rocks may leave its support.
class AtRest {
 public:
  static constexpr int kRestSteps = 5;
  static constexpr double kRestForce = 0.1;
  static constexpr double kRestEnergy = 1e-5;

  explicit AtRest(const StopDescription& stop) : stop_(stop) {}

  /// Looks at an accepted state. @param kinetic energy of all bodies [J], the same on all ranks.
  /// @returns whether the run may end. Collective.
  bool reached(Procedure& procedure, World& world, double time, double kinetic, bool pending);
  /// @returns what the summary reports at the end of the run. Collective.
  RestReport report(Procedure& procedure, World& world, double time, double kinetic) const;

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("steps", self.steps_, "");
  }

 private:
  /// Limits, given or by default [J], [-]. @param scale energy_scale [J].
  [[nodiscard]] double slow(double scale) const;
  [[nodiscard]] double balanced() const;

  StopDescription stop_;
  int steps_ = 0;  ///< in succession for which all criteria held
};

}  // namespace scree
