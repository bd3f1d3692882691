/// What a deck says of a moment on a body.
#pragma once

#include "core/parameters.hpp"

namespace scree {

/// @returns keys and units of a dead moment.
Specification moment_specification();

}  // namespace scree
