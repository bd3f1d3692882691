/// Bodies that went through each other, or through a wall, between two states that show nothing of it.
#pragma once

#include <utility>
#include <vector>

#include "trace_reader.hpp"

namespace intersection {

/// What of a solid lies well inside: convex solids made smaller about their origin, balls within others. No
/// part of it comes nearer to the surface than by `margin` [m].
struct Core {
  std::vector<Solid> parts;
  double margin = 0;
};
/// @param allowed overlap [m] that does not count: cores lie deeper, where there is room.
Core core_of(const Solid& solid, double allowed);

/// A pair that passed; wall k as -1 - k.
struct Passage {
  int first = 0, second = 0;
};

/// Follows the cores of all bodies from state to state and finds those that meet another body or a wall on
/// the way, by conservative advancement. Between two states bodies go straight and turn evenly; walls both do
/// so and go on a screw, as each is exact for one kind of motion, and what meets on one of the two ways only
/// does not count. What the bodies' ends of a step leave open is less than the margin of cores, so that cores
/// meet only where something passed. Bodies that were brought back into a periodic cell are left out.
class Passages {
 public:
  Passages(const TraceReader& trace, double allowed);
  /// @returns what passed since the state before; nothing at the first one.
  std::vector<Passage> next(const State& state);

 private:
  [[nodiscard]] const Solid& solid(int body) const { return trace_.solids[trace_.solid_of[body]]; }
  [[nodiscard]] const Core& core(int body) const { return cores_[trace_.solid_of[body]]; }
  [[nodiscard]] bool wrapped(int body, const State& now) const;
  [[nodiscard]] bool core_meets(int a, int b, const State& now) const;
  [[nodiscard]] bool meets_wall(int body, int wall, const State& now, bool screw) const;

  const TraceReader& trace_;
  std::vector<Core> cores_;    ///< of the solids
  std::vector<double> radii_;  ///< of the bodies [m]
  State before_;
  bool first_ = true;
};

}  // namespace intersection
