/// Surface of a boundary whose vertices are moved from outside.
#pragma once

#include <string>
#include <vector>

#include "core/mesh/polyhedron_surface.hpp"
#include "core/shapes/shape.hpp"

namespace scree {

/// As make_surface, but of triangles (polygons are split, into triangles with area), with all vertices where
/// and in the order in which they are given: coplanar triangles stay what they are, as they may bend later.
/// @param names of faces and vertices in messages.
/// @throws InputError with every fault found, as make_surface.
Shape make_coupled_surface(const std::string& name, const std::vector<Vec3>& vertices,
                           const std::vector<std::vector<int>>& faces, const SurfaceNames& names = {});

}  // namespace scree
