/// Whether a surface passes through itself, and where it touches itself.
#pragma once

#include <utility>
#include <vector>

#include "core/mesh/surface_loops.hpp"

namespace scree {

/// Two faces of which one passes through the other, or lies folded back upon it.
struct FaceCrossing {
  int a = 0, b = 0;        ///< loops, a < b
  Vec3 at = Vec3::Zero();  ///< a point that both have [m]
};

struct SelfContact {
  std::vector<FaceCrossing> crossings;  ///< sorted
  bool all_crossings = true;            ///< false: there may be more, the search has ended
  /// Pairs of loops (a < b, sorted) that may touch elsewhere than at common vertices: no plane along a face
  /// or across one of its edges keeps them apart. All pairs that touch, and some that are only near. Complete
  /// if there are no crossings.
  std::vector<std::pair<int, int>> touching;
};

/// Distance below which faces touch [m]: 1e-9 of the size.
double touching_distance(const PolyhedronSurface& surface);

/// @param surface loops of planar convex polygons whose edges are each there twice (surface_faults finds
/// none). Touching in a point or along an edge is no crossing (1e-9 of the size). @param most crossings after
/// which the search ends.
/// @throws Interrupted. Cost: n log n for n faces that are about as long as wide.
SelfContact self_contact(const PolyhedronSurface& surface, std::size_t most);

/// @returns the crossings of self_contact.
std::vector<FaceCrossing> crossing_faces(const PolyhedronSurface& surface, std::size_t most);

}  // namespace scree
