/// Where two convex polyhedra touch, also where they overlap a little: separating axis and clipping of faces.
#pragma once

#include <cstdint>
#include <vector>

#include "contact/pair/pair.hpp"

namespace scree::contact {

/// A point of a contact between two polyhedra.
struct ManifoldPoint {
  std::uint64_t key = 0;  ///< stays while the same features touch
  Term term;              ///< kind vf, fv or ee; gap signed: negative where they overlap
};

/// Points at which two convex polyhedra may touch in a step: along one axis that keeps them apart, either one
/// crossing of edges, or the corners of one face after clipping by the outline of the other (coplanar faces,
/// Face::sheet, are one); then all other corners above faces and crossings of edges with a positive gap and
/// about the same normal, for bodies that turn. Of the axes that keep the bodies apart it is that of largest
/// separation at the end of the step, if they move on with the velocities of their trial states: what slides
/// over the side of a flush neighbour has the top as its contact, not the side.
/// @param reach points further apart than this are left out [m]. @param h size of the step; 0: the axis of
/// largest separation now [s]. @param[out] points replaced. @returns the largest separation at the start [m];
/// negative: they overlap, by that depth.
double manifold(const BodyView& a, const BodyView& b, double reach, double h,
                std::vector<ManifoldPoint>& points);

/// Whether edges i of A and j of B, convex both and not parallel, may touch between their ends: their arcs of
/// normals cross. @param beyond the ends of the arcs they may still cross by an angle of this sine: on faces
/// that touch or soon will. @param[out] n then the unit normal from B to A.
bool normal_of_edges(const BodyView& a, const BodyView& b, int i, int j, double beyond, Vec3& n);

/// Adds a point unless one stands there already with about the same normal: rows of B that are nearly the
/// same make complementarity problems hard, and say nothing new. Of two the one with the smaller gap stays.
/// @param size of the smaller body [m].
void add_new(std::vector<ManifoldPoint>& points, const ManifoldPoint& point, double size);

}  // namespace scree::contact
