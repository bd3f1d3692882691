/// Volume, centre of mass and inertia of a solid bounded by triangles.
#pragma once

#include <array>
#include <vector>

#include "core/types.hpp"

namespace scree {

/// For unit density. Exact up to round-off.
struct MassProperties {
  double volume = 0;            ///< [m^3], negative for an inside-out surface
  Vec3 centre = Vec3::Zero();   ///< of mass [m]
  Mat3 inertia = Mat3::Zero();  ///< about the centre of mass [m^5]
};

/// Sums signed tetrahedra between a point inside and each triangle: volume det/6, second moment
/// det/120 (s s^T + a a^T + b b^T + c c^T), s = a + b + c [Tonon 2004, J. Math. Stat. 1(1), Eqs. 11-12].
/// @param vertices [m]; @param triangles vertex numbers, anticlockwise seen from outside, a closed surface.
/// @returns zero centre and inertia if the volume is zero.
MassProperties mass_properties(const std::vector<Vec3>& vertices,
                               const std::vector<std::array<int, 3>>& triangles);

}  // namespace scree
