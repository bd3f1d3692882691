/// The whole deck as one specification, put together from those that stand beside the physics.
#pragma once

#include "core/parameters/parameters.hpp"

namespace scree {

/// @returns the deck: an object whose members are the keys of the deck's top level.
const ParameterSpec& deck_specification();

/// @returns items of "bodies": given one by one, from a file, or generated.
ParameterSpec bodies_specification();

/// @returns items of "boundaries".
ParameterSpec inlets_specification();
ParameterSpec outlets_specification();
ParameterSpec boundaries_specification();

/// @returns the object "output".
ParameterSpec output_specification();

}  // namespace scree
