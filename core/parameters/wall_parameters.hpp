/// The geometry of boundaries that a deck may name.
#pragma once

#include <optional>
#include <vector>

#include "core/shapes/shape_parameters.hpp"

namespace scree {

/// One wall of a boundary: a plane, or a shape at a place.
struct Wall {
  Vec3 point = Vec3::Zero();     ///< origin of the shape, or a point of the plane [m]
  Vec3 normal = Vec3::UnitZ();   ///< of the plane, towards the bodies, or axis of the shape; unit vector
  std::optional<Shape> shape{};  ///< none: a plane
  double disc_radius = 0;        ///< of a plane that closes a cylinder [m]; 0: infinite
};

/// All walls of a boundary, and its reference point.
struct Walls {
  std::vector<Wall> walls;
  Vec3 reference = Vec3::Zero();
};

/// Makes the walls of checked values. @param name of the boundary. @throws InputError.
using WallFactory = Walls (*)(const std::string& name, const Value& values, const MeshReader& read_mesh);

/// @returns all types of boundaries of this version.
const std::vector<Registered<WallFactory>>& registered_walls();

/// @returns their specifications, those that the contract names and this version lacks included.
std::vector<Specification> wall_specifications();

}  // namespace scree
