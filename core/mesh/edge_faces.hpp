/// The faces at every edge, whatever their orientation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/interrupt.hpp"
#include "core/mesh/surface_loops.hpp"

namespace scree {

/// A side of a face.
struct FaceSide {
  int low = 0, high = 0;  ///< vertices, low < high
  int face = 0;
  int corner = 0;        ///< the side runs from loop[corner] to the next vertex
  bool forward = false;  ///< from low to high
};

/// @returns the sides of all faces, those of one edge beside each other. @throws Interrupted.
inline std::vector<FaceSide> sides_of(const PolyhedronSurface& surface) {
  InterruptLook look;
  std::vector<FaceSide> sides;
  for (int f = 0; f < static_cast<int>(surface.loops.size()); ++f) {
    look();
    const auto& loop = surface.loops[f];
    for (int k = 0; k < static_cast<int>(loop.size()); ++k) {
      const int v = loop[k], w = loop[(k + 1) % static_cast<int>(loop.size())];
      sides.push_back({std::min(v, w), std::max(v, w), f, k, v < w});
    }
  }
  std::sort(sides.begin(), sides.end(), [&look](const FaceSide& a, const FaceSide& b) {
    look();
    if (a.low != b.low) return a.low < b.low;
    if (a.high != b.high) return a.high < b.high;
    return a.face < b.face;
  });
  return sides;
}

/// Calls `use(first, last)` with the sides of each edge. @throws Interrupted.
template <class Use>
void for_each_edge(const std::vector<FaceSide>& sides, Use&& use) {
  InterruptLook look;
  for (std::size_t k = 0; k < sides.size();) {
    look();
    std::size_t end = k + 1;
    while (end < sides.size() && sides[end].low == sides[k].low && sides[end].high == sides[k].high) ++end;
    use(sides.data() + k, sides.data() + end);
    k = end;
  }
}

/// @returns the sides of edges with one face, ordered by their vertices.
inline std::vector<FaceSide> free_sides(const PolyhedronSurface& surface) {
  std::vector<FaceSide> free;
  for_each_edge(sides_of(surface), [&](const FaceSide* first, const FaceSide* last) {
    if (last - first == 1) free.push_back(*first);
  });
  return free;
}

}  // namespace scree
