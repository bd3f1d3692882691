/// What a deck may say of the motion of a boundary.
#pragma once

#include <functional>

#include "core/parameters/parameters.hpp"
#include "solvers/model.hpp"

namespace scree {

/// Reads the time points of the table that the deck names. @throws InputError.
using MotionTableReader = std::function<std::vector<BoundaryMotion::Knot>(const Value& file)>;

/// @returns the key "motion" of a boundary. @param may_be_coupled whether another program may move it.
ParameterSpec motion_specification(bool may_be_coupled);

/// @param values checked. @param reference of the boundary: the point that rotation is about where the deck
/// names none. @throws InputError.
BoundaryMotion motion_of(const Value& values, const Vec3& reference, const MotionTableReader& read_table);

}  // namespace scree
