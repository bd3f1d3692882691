/// Contact dynamics of polyhedra that are not convex: vertices are signed by whether they are inside of the
/// other body, crossings of edges by their arcs of normals, and what neither sees is measured.
#pragma once

#include <vector>

#include "contact/pair/pair.hpp"

namespace scree::contact {

/// Closed polyhedron that is not convex.
bool is_folded(const Shape& shape);

/// Closed polyhedra one of which at least is not convex.
bool is_folded_pair(const BodyView& a, const BodyView& b);

/// Closed polyhedron against an open surface.
bool is_cut_by_sheet(const BodyView& a, const BodyView& b);

/// Distance within which features of a pair have to be looked at even where nothing is in reach, as they may
/// overlap that deep: a part of its size where features do not show all overlap (non-convex pairs, open
/// surfaces), 0 otherwise [m].
double depth_seen(const BodyView& a, const BodyView& b);

/// What overlaps: a crossing of edges, or a vertex and the feature that is its way out.
struct Overlap {
  ItemKind kind;
  int a, b;
  SurfacePoint way_out;
};

/// @param item of a contact with a negative gap.
Overlap overlap_of(const Item& item, const BodyView& a, const BodyView& b);

/// Contacts of a vertex item against a folded surface appended: the way out of a vertex inside, or all places
/// within reach [m] whose sum of theory 03 section 4.1 is positive.
void add_vertex_on_folded(BodyPair& pair, const Item& item, const BodyView& a, const BodyView& b,
                          double reach);

/// Sets normal, distance and gap of the crossing of two edges. @param y from B's edge to A's where they are
/// nearest [m]. @returns false if the edges cannot touch there.
bool sign_crossing(Term& term, const Vec3& y, const BodyView& a, const BodyView& b, const Item& item);

/// Leaves one of contacts that are nearly the same, and lets pair.nearest tell of overlaps that none knows
/// of.
void finish_folded_pair(BodyPair& pair, const BodyView& a, const BodyView& b,
                        const std::vector<Overlap>& known);

}  // namespace scree::contact
