/// Shapes in other axes.
#pragma once

#include "core/shapes/shape.hpp"

namespace scree {

/// @returns a polyhedron or capsule whose features and inertia are turned by R about the centre of mass.
Shape rotated(const Shape& shape, const Mat3& R);

}  // namespace scree
