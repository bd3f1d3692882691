/// Meshes that a deck names or contains: keys, and what is done to a mesh before it is a shape.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/mesh/decimation.hpp"
#include "core/mesh/mesh_repair.hpp"
#include "core/mesh/surface_loops.hpp"
#include "core/parameters/parameters.hpp"

namespace scree {

/// Meshes that are larger seem to be in millimetres [m].
inline constexpr double kLooksLikeMillimetres = 10;

/// A mesh, scaled, repaired and decimated by the keys of its deck.
struct PreparedMesh {
  PolyhedronSurface surface;
  MeshRepairs repairs;
  std::optional<Decimation> decimation;
  double crack = 0;   ///< width up to which cracks were closed [m]
  bool open = false;  ///< a boundary surface
};

/// Source of meshes, and receiver of what is read.
struct MeshReader {
  /// Reads the surface mesh that the deck names at `file`. @throws InputError (where = JSON pointer).
  std::function<PolyhedronSurface(const Value& file)> read{};
  /// Gets every mesh before it is judged; may be empty.
  std::function<void(const PreparedMesh&)> prepared{};
};

/// @returns the keys of a mesh. @param smallest number of vertices and of faces of an inline mesh.
std::vector<ParameterSpec> mesh_parameters(int vertices, int faces, const std::string& faces_description);

/// @returns the key of a body that is a sheet.
ParameterSpec thickness_parameter();

/// @returns the mesh of checked values, from its file or from "vertices" and "faces". @throws InputError.
PreparedMesh prepare_mesh(const Value& values, const MeshReader& reader, bool open);

/// @returns what was repaired, in words; "" if nothing.
std::string repairs_text(const MeshRepairs& repairs);

/// @returns what the decimation did, in words.
std::string decimation_text(const Decimation& decimation);

}  // namespace scree
