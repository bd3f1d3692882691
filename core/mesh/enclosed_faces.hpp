/// Whether parts of a closed surface lie within each other, so that what they enclose would count twice.
#pragma once

#include <utility>
#include <vector>

#include "core/mesh/surface_loops.hpp"

namespace scree {

/// A face whose inner side is not once inside of the surface.
struct EnclosedFace {
  int face = 0;            ///< loop
  Vec3 at = Vec3::Zero();  ///< a point of it [m]
  int times = 0;           ///< that the surface goes around what is just behind it; expected 1
};

/// How often a closed surface goes around a point that is not on it: the sum of the solid angles of its faces
/// over 4 pi (van Oosterom and Strackee, IEEE Trans. Biomed. Eng. 30 (1983) 125, equation 8).
/// @returns near a whole number.
double winding_number(const PolyhedronSurface& surface, const Vec3& point);

/// Finds what is left when no face crosses another: parts that overlap with faces in one plane, that lie
/// within each other, or that cut each other just where faces meet. Parts that only touch are valid.
///
/// How often the surface goes around what is behind a face changes along the surface only where faces touch.
/// So faces that touch no others are taken together over common edges, and one point is looked at for each
/// such patch; a face that touches others is divided by their planes, and one point is looked at on both
/// sides of every piece of every line. Crossings of a ray are counted at each point (Jacobson, Kavan and
/// Sorkine-Hornung 2013, section 3: the winding number of a closed surface).
/// @param surface closed, of planar convex polygons. @param touching of self_contact, which found no
/// crossings. @returns all faces of which a part is not once inside, in order. Thinner than 1e-8 of the size
/// is a touch. @throws Interrupted.
std::vector<EnclosedFace> enclosed_faces(const PolyhedronSurface& surface,
                                         const std::vector<std::pair<int, int>>& touching);

}  // namespace scree
