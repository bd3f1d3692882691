/// What a deck says of drag on all bodies.
#pragma once

#include "core/parameters.hpp"

namespace scree {

/// @returns keys and units of drag on all bodies.
Specification drag_specification();

}  // namespace scree
