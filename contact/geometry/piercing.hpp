/// Edges that pass through faces: what distances of vertices and of crossing edges do not see.
#pragma once

#include <functional>

#include "contact/pair/pair.hpp"

namespace scree::contact {

/// @returns how deep edges of one body pass through faces of the other [m]: the largest, over all such edges
/// and faces, of the height over the face of the end that is nearer to it. 0: none does. For polyhedra that
/// are not convex or have many faces, open surfaces and capsules; rounding is left out.
double piercing_depth(const BodyView& a, const BodyView& b);

/// Whether the segment from p to q passes through a face of an open surface. @param p, q global [m].
bool passes_through(const BodyView& surface, const Vec3& p, const Vec3& q);

/// @returns how far an edge or an axis that passes through a face has to move at least until it does not: the
/// height of its nearer end, or the way to the outline of the face [m]. 0 if it does not pass through.
double way_past(const BodyView& edges, int edge, const BodyView& faces, int face);

/// Calls with every edge or axis of one that passes through a face of the other, with the face and way_past;
/// in the order of the edges, then of the faces.
void visit_crossings(const BodyView& edges, const BodyView& faces,
                     const std::function<void(int edge, int face, double way)>& crossing);

/// @returns the largest way_past of all edges and axes of a body and of another one or a boundary that pass
/// through faces of the other [m]; 0 if none does. Of an open surface only what is near the body is looked
/// at.
double largest_way_past(const BodyView& a, const BodyView& b);

}  // namespace scree::contact
