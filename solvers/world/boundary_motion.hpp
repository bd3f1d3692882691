/// Where a boundary is, and how fast it moves: a function of time alone.
#pragma once

#include <cstddef>

#include "core/body.hpp"
#include "solvers/model.hpp"

namespace scree {

/// Rigid motion of a boundary from the position of the deck.
struct RigidMotion {
  Vec3 about = Vec3::Zero();         ///< where the point of the deck was that rotation is about [m]
  Vec3 displacement = Vec3::Zero();  ///< of that point [m]
  Mat3 rotation = Mat3::Identity();
  Vec3 velocity = Vec3::Zero();  ///< of that point [m/s]
  Vec3 spin = Vec3::Zero();      ///< [rad/s]

  /// @returns where a point of the deck's position is now [m].
  [[nodiscard]] Vec3 place(const Vec3& x) const { return about + displacement + rotation * (x - about); }
};

/// @returns the motion at `time`. @param during [s] decides which piece of a table the velocities are of, and
/// nothing else: at a time point they jump, and the step that ends there has those of the piece before.
/// Before its first and after its last time point a table stands still.
RigidMotion motion_at(const BoundaryMotion& motion, double time, double during);

/// @returns the first time point of the table after `time` [s], infinity without one.
double next_knot(const BoundaryMotion& motion, double time);

/// @returns whether it ever moves away from the position of the deck, or its vertices do.
bool moves(const BoundaryMotion& motion);

/// @returns position and velocities of a part of a boundary. @param during as in motion_at.
BodyState boundary_state(const Model& model, const BoundaryPart& part, double time, double during);

/// @returns position and velocities of a part of a boundary in the accepted state at `time`: by the deck
/// where the boundary moves; otherwise where the state has it, which may come from a deck in which it moved.
/// @param part its number. @param bodies null, or without boundaries: all are where the deck has them.
BodyState part_state(const Model& model, std::size_t part, double time, const Bodies* bodies);
/// @returns the motion from the position of the deck to that place.
RigidMotion part_motion(const Model& model, std::size_t part, double time, const Bodies* bodies);
/// @returns the same of a boundary: that of its first part.
RigidMotion boundary_motion(const Model& model, int boundary, double time, const Bodies* bodies);

}  // namespace scree
