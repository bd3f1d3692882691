/// Whether bodies can fit into a region at all, by their volume.
#pragma once

#include <vector>

#include "solvers/model.hpp"
#include "solvers/placement/convex_separation.hpp"

namespace scree {

struct Room {
  double needed = 0;     ///< volume of the bodies, of equal spheres with half the clearance around them [m^3]
  double available = 0;  ///< volume of the box that they lie in for certain [m^3]
  double densest = 1;    ///< part of it that they can fill at most [-]
  [[nodiscard]] bool is_enough() const { return needed <= densest * available; }
};

/// An upper bound: if it is too small, no arrangement exists. Bodies whose poles lie
/// in [low, high] lie in that box grown by their largest bounding radius, on the inner side of every plane.
/// Bodies do not overlap, so that they fill at most all of it. Of equal spheres copies of the box tile space,
/// and no packing of them fills more than pi / sqrt(18) of it (Hales, Ann. of Math. 162 (2005) 1065-1185).
/// The clearance counts as a part of the spheres, which then may touch.
/// @param shapes of the model. @param bodies shape of each. @param placed bodies that lie there already,
/// which count where they are wholly in the box. @param first of these to be counted. @param walls planes
/// that bodies stay clear of.
Room room_for(const std::vector<Shape>& shapes, const std::vector<int>& bodies, const Vec3& low,
              const Vec3& high, const std::vector<PlacedBody>& placed, std::size_t first,
              const std::vector<BoundaryPart>& walls, double clearance, const PeriodicCell& periodic);

}  // namespace scree
