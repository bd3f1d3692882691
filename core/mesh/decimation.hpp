/// Fewer triangles for a surface.
#pragma once

#include <cstddef>
#include <optional>

#include "core/mesh/surface_loops.hpp"

namespace scree {

/// When a decimation ends.
struct DecimationGoal {
  std::size_t triangles = 0;  ///< as many are left; 0: no goal
  double distance = 0;        ///< largest distance between new and old surface [m]; 0: no limit
};

struct Decimation {
  std::size_t before = 0, after = 0;     ///< triangles
  int rounds = 0;                        ///< contractions of the original with different limits of the error
  double distance = 0;                   ///< surface_distance of new and old [m]
  std::optional<double> volume_ratio{};  ///< new over old volume; only closed surfaces have one
};

/// Contracts edges to points, those first that move the surface least by quadric error [GarlandHeckbert,
/// section 4] A contraction must keep the surface a manifold (link condition) and must not turn a face by
/// more than 75 degrees; vertices at free edges stay on them; each closed part keeps at least 4 triangles. A
/// surface may thus keep more triangles than the goal. With a limit of distance the result is measured
/// against the original, and the decimation repeated with another quadric error until the distance is between
/// 80 and 100 % of the limit, or until no larger error removes more triangles within it (at most 10 times; of
/// the results within the limit the one with the fewest triangles is taken).
/// @param surface planar polygons, neighbours agree; becomes triangles.
/// @throws Interrupted.
Decimation decimate(PolyhedronSurface& surface, const DecimationGoal& goal);

}  // namespace scree
