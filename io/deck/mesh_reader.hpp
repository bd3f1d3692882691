/// Surface meshes from STL files.
#pragma once

#include <string>

#include "core/mesh/polyhedron_surface.hpp"

namespace scree {

/// Reads the triangles of an STL, text or binary, detected by content. Vertices equal within 1e-9 of the
/// size become one. Triangles are numbered from 0 in the order of the file.
/// @param bytes of the file. @param file name for messages. @param scale factor on all lengths.
/// @returns the triangles in the file's order; whether they bound a solid is make_polyhedron's to say.
/// @throws Interrupted; InputError if it is no STL, ends too early, or has a coordinate that is not a number
/// (line or triangle).
PolyhedronSurface parse_stl(const std::string& bytes, const std::string& file, double scale);

}  // namespace scree
