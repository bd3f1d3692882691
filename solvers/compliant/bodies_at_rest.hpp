/// Bodies that come to rest, and those that have: how a step ends for them, and which it leaves where they
/// are (theory 11 section 9, docs/integrators.md).
#pragma once

#include <vector>

#include "core/body.hpp"
#include "core/local_system.hpp"
#include "solvers/run/step_frame.hpp"
#include "solvers/world/world.hpp"

namespace scree {

/// Size of m v, or of J w over the body's bounding radius [N s]; of forces [N] if v, w are accelerations.
/// @param q orientation.
[[nodiscard]] double momentum_size(const BodyProperties& properties, const Quat& q, const Vec3& v,
                                   const Vec3& w);

class BodiesAtRest {
 public:
  /// @param world outlives this object.
  explicit BodiesAtRest(World& world) : world_(&world) {}

  /// Sets the weights of the end of a step (BodyTrial::end_weight, Settling::weigh), and finds the bodies
  /// that it leaves where they are: at rest on others under gravity, so that a force below
  /// `newton.relative` times their weight, and times the largest force on them, stops them in the step. It
  /// follows from states and contacts alone: a restart finds the same. Collective.
  void grade(const StepFrame& frame);
  /// Nothing is held in the steps that follow, until the next `grade`.
  void clear() { held_.clear(); }
  /// Whether the prediction of a step leaves a moving body where it is.
  [[nodiscard]] bool holds(int i) const { return !held_.empty() && held_[static_cast<std::size_t>(i)] != 0; }
  /// Whether the trial state of a body leaves it where it is by that. It has no velocity then.
  [[nodiscard]] bool stops(int i) const;
  /// What bodies lose by the weights and by stopping, at the solution of the step, this rank's share [J].
  [[nodiscard]] double loss() const;

 private:
  World* world_;
  std::vector<double> held_;  ///< per moving body: not 0 if it is
};

}  // namespace scree
