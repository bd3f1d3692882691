/// What a deck says of a Magnus force on all bodies.
#pragma once

#include "core/parameters.hpp"

namespace scree {

/// @returns keys and units of a Magnus force on all bodies.
Specification magnus_specification();

}  // namespace scree
