/// The time integrators that a deck may name.
#pragma once

#include <vector>

#include "core/parameters.hpp"

namespace scree {

/// @returns specifications of all integrators, those that the contract names and this version lacks included.
std::vector<Specification> integrator_specifications();

}  // namespace scree
