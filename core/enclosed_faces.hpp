/// Whether parts of a closed surface lie within each other, so that what they enclose would count twice.
#pragma once

#include <vector>

#include "core/polyhedron_surface.hpp"

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

/// Looks just behind the middle and the corners of faces; of large surfaces at some of them, evenly spread.
/// Finds what crossing_faces leaves out: parts that overlap with faces in one plane, that lie within each
/// other, or that cut each other just where faces meet. Parts that only touch are well.
/// @param surface closed, of planar convex polygons. @returns the first `most` in order of faces.
std::vector<EnclosedFace> enclosed_faces(const PolyhedronSurface& surface, std::size_t most);

}  // namespace scree
