/// Surface meshes from files: STL, OBJ, OFF, PLY.
#pragma once

#include <cstddef>
#include <string>

#include "core/mesh/surface_loops.hpp"

namespace scree {

/// A mesh as its file has it.
struct ReadMesh {
  PolyhedronSurface surface;
  std::size_t corners = 0;  ///< of all faces
  /// Vertices of faces that coincided with others; of an STL, whose vertices all do: 0.
  std::size_t merged = 0;
};

/// Reads the faces of a mesh: OBJ, OFF or PLY by the extension of the file's name, STL otherwise (text or
/// binary, detected by content). Coordinates keep double precision, which the readers of VTK and assimp round
/// to single. Vertices equal within 1e-9 of the size become one. Faces are numbered from 0 in the order of
/// the file.
/// @param bytes of the file. @param file name for its format and for messages.
/// @returns the faces as they are; prepare_mesh repairs them, make_polyhedron judges them.
/// @throws Interrupted; InputError if it is not of the format, ends too early, or has a coordinate that is
/// not a number (line or triangle).
ReadMesh parse_mesh(const std::string& bytes, const std::string& file);

}  // namespace scree
