/// How other faces divide a face that they touch or cut.
#pragma once

#include <vector>

#include "core/mesh/surface_loops.hpp"

namespace scree {

/// Distance of a point of a polygon from its outline, negative outside [m]. @param normal of the polygon.
double distance_from_outline(const PolyhedronSurface& surface, int face, const Vec3& normal, const Vec3& p);

/// Faces that are not parallel to a face meet it in segments, which cut each other into pieces and the face
/// into parts. @param others faces that may meet it. @param touch what is nearer than this is on each other
/// [m].
/// @returns points of the face a little to both sides of the middle of every piece: at least one in every
/// part that is larger than a few times `touch`, unless no segment bounds it; some may lie outside of the
/// face.
std::vector<Vec3> points_of_pieces(const PolyhedronSurface& surface, int face, const std::vector<int>& others,
                                   double touch);

}  // namespace scree
