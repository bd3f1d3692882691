/// The core of a shape, well inside of it: where no collision check keeps contacts apart, cores show
/// that one body went through another.
#pragma once

#include <vector>

#include "core/shapes/shape.hpp"

namespace scree::contact {

struct Core {
  struct Part {
    Shape shape;
    Vec3 offset = Vec3::Zero();  ///< of its pole, in the frame of the body [m]
  };
  std::vector<Part> parts;
  double margin = 0;  ///< no point of a part is nearer to the surface [m]
};

/// Convex: the shape made smaller about its pole. Otherwise balls under the faces. Empty for walls.
Core core_of(const Shape& shape);

}  // namespace scree::contact
