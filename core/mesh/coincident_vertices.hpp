/// Seams of a surface: vertices at one place under several numbers. The faces there are no neighbours of each
/// other, and each of them pushes a body that is above the seam.
#pragma once

#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/mesh/polyhedron_surface.hpp"
#include "core/mesh/surface_loops.hpp"

namespace scree {

/// @returns the distance up to which two vertices of a surface are at one place [m]: 1e-6 of the shortest
/// edge, or the rounding of its coordinates to single precision, which counts up to 1e-4 of the shortest
/// edge. Sheets farther apart are separate ones. 0 if no edge has a length. Vertex numbers have to be in
/// range.
double same_place(const PolyhedronSurface& surface);

/// @returns a fault per vertex of a face that is at the place of one before it, of many the first few and the
/// number of the rest; empty without any. Vertex numbers have to be in range.
/// @param where put into each diagnostic.
std::vector<Diagnostic> coincident_vertices(const PolyhedronSurface& surface, const std::string& where,
                                            const SurfaceNames& names = {});

/// Finds edges that belong to one face each and have both ends at one place, two by two. Where more than two
/// meet there is no surface that could be joined: these are left out.
/// @returns how many pairs there are, and where the first few are, in words; "" without any.
/// Vertex numbers have to be in range.
std::string coincident_free_edges(const PolyhedronSurface& surface);

}  // namespace scree
