/// Sheets with a thickness as closed surfaces.
#pragma once

#include "core/mesh/surface_loops.hpp"

namespace scree {

/// Moves a copy of an open surface by half of the thickness to each side, and joins both along the free
/// edges. Vertices move so that all faces around them do by half of the thickness, as far as that is
/// possible: exactly on flat parts, along folds and at corners of three planes, in the mean elsewhere. The
/// outline of the sheet stays between the two sides.
/// @param sheet planar polygons, neighbours agree. @param thickness [m] > 0.
/// @returns a closed surface with outward normals; where the sheet is curved more tightly than its thickness
/// it intersects itself.
PolyhedronSurface thickened(const PolyhedronSurface& sheet, double thickness);

}  // namespace scree
