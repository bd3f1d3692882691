/// The shapes that a deck may name.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/mesh/polyhedron_surface.hpp"
#include "core/parameters/registry.hpp"
#include "core/shapes/shape.hpp"

namespace scree {

/// Reads the surface mesh that the deck names at `file`, lengths times `scale`.
/// @throws InputError (where = JSON pointer).
using MeshReader = std::function<PolyhedronSurface(const Value& file, double scale)>;

/// @returns the mesh of checked values, from its file or from "vertices" and "faces". @throws InputError.
PolyhedronSurface mesh_of(const Value& values, const MeshReader& read_mesh);

/// Makes a shape of checked values. @throws InputError.
using ShapeFactory = Shape (*)(const std::string& name, const Value& values, const MeshReader& read_mesh);

/// @returns all shapes of this version.
const std::vector<Registered<ShapeFactory>>& registered_shapes();

/// @returns specifications of all shapes, those that the contract names and this version lacks included.
std::vector<Specification> shape_specifications();

}  // namespace scree
