/// Signed separation of solids that need not be convex: no axis has to separate them, only their surfaces.
#pragma once

#include "separation.hpp"

namespace intersection {

/// Distance of the surfaces less the radii, by all edges of one against all faces of the other, both ways;
/// a segment or point for a solid without faces. Where an edge passes through a face, or one solid lies in
/// the other: minus the radii and the depth of the deepest of some points on edges, which is not more than
/// the overlap. @param within faces and edges further apart than this are left out [m]; without any nearer,
/// the value is `within`.
Separation mesh_separation(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b,
                           Real within);

/// Whether a point lies inside of a closed surface, by the solid angle that it is seen under.
bool surrounds(const Solid& solid, const std::vector<Vector>& points, const Vector& p);

}  // namespace intersection
