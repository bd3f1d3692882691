/// What a deck says of a force on a body.
#pragma once

#include "core/parameters.hpp"

namespace scree {

/// @returns keys and units of a dead force.
Specification force_specification();

}  // namespace scree
