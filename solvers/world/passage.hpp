/// Checks that no body passes through another one or through a boundary, along a path or over a whole step.
#pragma once

#include <string>
#include <vector>

#include "contact/bounds/paths.hpp"
#include "core/body.hpp"
#include "solvers/run/step_frame.hpp"
#include "solvers/run/step_report.hpp"
#include "solvers/world/world.hpp"

namespace scree {

/// An obstacle on the path of bodies: in words, the same on all ranks; empty causes: none.
struct Obstacle {
  std::string cause;   ///< the kind, and which boundary
  std::string detail;  ///< the body
  [[nodiscard]] bool any() const { return !cause.empty(); }
  /// Fails a step, if there is any.
  void fail(StepReport& report) const;
};

class Passage {
 public:
  static constexpr const char* kPathTooLong = "bodies slide past each other too far for the collision check";
  /// Ends the cause of a step in which a boundary that moves meets a body; the boundary stands before it.
  static constexpr const char* kBoundaryMeetsBody = " would pass through a body";

  /// @param world outlives this object.
  explicit Passage(World& world) : world_(&world) {}

  /// To be called when bodies or ghosts have changed.
  void resize();
  /// The path of one body from its trial state [m], [-]: to be set for all moving bodies before a check.
  [[nodiscard]] Vec3& du(int i) { return path_.du[i]; }
  [[nodiscard]] Vec3& dalpha(int i) { return path_.dalpha[i]; }

  /// Path of the boundaries from their trial states, which are those at `from`, to those at `to`, both within
  /// the step [s]. @returns a boundary that turns too far for that.
  [[nodiscard]] Obstacle set_boundaries(const StepFrame& step, double from, double to);
  /// Boundaries stand still again.
  void stop_boundaries();

  /// Collision-free part of the path, of this rank: t in [0, 1]. Not collective.
  [[nodiscard]] contact::ClearPart own_clear_part(contact::PathPairs which);
  /// Where on their path bodies stop, per body that moves; empty: they go all of it.
  [[nodiscard]] std::vector<double>& stops() { return path_.stops; }
  /// Makes the stops the ends of the path.
  void end_at_stops();
  /// One look at the pairs of this rank, as PathBounds::stop_bodies. Not collective.
  [[nodiscard]] contact::StoppedBodies own_stops(const std::vector<char>& changed, std::vector<double>& stops,
                                                 std::vector<double>& carriers);
  /// Lets a body go with the surface of a plane, bore or cavity from the start of the path to its end; fixed
  /// degrees of freedom stay. @param carrier number of the boundary part.
  void carry(int i, int carrier);
  /// The same as own_clear_part of all ranks. Collective.
  [[nodiscard]] contact::ClearPart clear_part(contact::PathPairs which);
  /// @returns what ends a path, if anything does.
  [[nodiscard]] Obstacle obstacle(const contact::ClearPart& clear) const;

  /// Checks the cores of bodies on the straight way from their states at the start of a step to the trial
  /// states at its end. @param near_surfaces as in CorePassage::find. Collective.
  [[nodiscard]] Obstacle over_step(const std::vector<BodyState>& from, const StepFrame& step,
                                   bool near_surfaces);

  /// Whether the collision check gave up on a path since `reset_too_long`, on any rank. Collective.
  [[nodiscard]] bool is_too_long() const { return world_->on_any_rank(too_long_); }
  void reset_too_long() { too_long_ = false; }

 private:
  [[nodiscard]] contact::ClearPart least_part(contact::ClearPart own) const;

  World* world_;
  contact::Path path_;  ///< boundaries stand still in it between checks
  bool too_long_ = false;
};

}  // namespace scree
