/// The loads that a deck may name.
#pragma once

#include <vector>

#include "core/parameters.hpp"

namespace scree {

/// @returns keys that every dead load has: the body, the value with its unit, and the ramp.
std::vector<ParameterSpec> dead_load_parameters(const std::string& unit);

/// @returns the key that drag and Magnus forces share: the velocity of the fluid.
ParameterSpec fluid_velocity_parameter();

/// @returns specifications of all loads on single bodies. Loads between bodies: contact/.
std::vector<Specification> load_specifications();

}  // namespace scree
