/// Parts of a surface that hang together: one orientation for all their faces, and how many solids they
/// bound.
#pragma once

#include <cstddef>

#include "core/mesh/surface_loops.hpp"

namespace scree {

struct Reversals {
  std::size_t faces = 0;  ///< against their neighbours
  std::size_t parts = 0;  ///< whole parts
};

/// Reverses faces until neighbours across edges of two faces agree: as few as possible of each part that
/// hangs together. Parts without such an orientation (a Moebius strip) stay as they are. Of a closed surface,
/// parts that lie in no other part get a positive volume, and what is inside of a part that is reversed is
/// reversed with it: whether an inner part is a cavity or a mistake follows from its orientation alone.
/// @param open only neighbours are compared.
Reversals orient(PolyhedronSurface& surface, bool open);

/// @param surface closed, with valid numbers of vertices. @returns how many parts it has that lie in no other
/// part, those with a common vertex counted once: cavities, and what is in them, do not count.
/// @throws Interrupted.
std::size_t separate_parts(const PolyhedronSurface& surface);

}  // namespace scree
