/// Boundaries in time: activation and prescribed motion of all parts.
#pragma once

#include <vector>

#include "core/body.hpp"
#include "solvers/model.hpp"

namespace scree {

class Boundaries {
 public:
  /// @param model outlives this object. All parts are active.
  explicit Boundaries(const Model& model) : model_(&model), active_(model.boundary_parts.size(), 1) {}

  /// Per part: it acts.
  [[nodiscard]] const std::vector<char>& active() const { return active_; }
  void set_active(const std::vector<char>& active) { active_ = active; }

  /// @returns the next time after `time` at which a boundary or friction is activated or deactivated [s];
  /// infinity without one.
  [[nodiscard]] double next_switch(double time) const;
  /// @returns the same, time points of motion tables included [s].
  [[nodiscard]] double next_event(double time) const;

  /// Activates and deactivates parts. @returns per part: it has become active.
  std::vector<char> switch_at(double time);
  /// @returns whether what acts is what acts at `time` by the deck.
  [[nodiscard]] bool switched_as_at(double time) const;

  /// Appends all parts at the start, behind the owned bodies. @param plane_shape index of the plane; the
  /// other walls follow it.
  void append_to(Bodies& bodies, int plane_shape) const;
  /// Accepted state of all parts from a saved one. It may be that of a deck in which a boundary moved that
  /// stands still in this one: it stays where it was left, at rest.
  void restore(Bodies& bodies, const std::vector<BodyState>& states) const;
  /// Accepted state of the moving parts at `time`. @param during time of the velocities [s].
  void move(Bodies& bodies, double time, double during) const;
  /// Trial state of the moving parts at `time`, with increments since the accepted state, in a step that
  /// began at `from` and has the size h [s].
  void move_trial(Bodies& bodies, double from, double time, double h) const;

 private:
  const Model* model_;
  std::vector<char> active_;  ///< per part
};

}  // namespace scree
