/// The shapes that a deck may name.
#pragma once

#include <string>
#include <vector>

#include "core/parameters/registry.hpp"
#include "core/shapes/mesh_parameters.hpp"
#include "core/shapes/shape.hpp"

namespace scree {

/// Makes a shape of checked values. @throws InputError.
using ShapeFactory = Shape (*)(const std::string& name, const Value& values, const MeshReader& read_mesh);

/// @returns all shapes of this version.
const std::vector<Registered<ShapeFactory>>& registered_shapes();

/// @returns specifications of all shapes, those that the contract names and this version lacks included.
std::vector<Specification> shape_specifications();

}  // namespace scree
