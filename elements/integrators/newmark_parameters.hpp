/// What a deck says of the Newmark integrator.
#pragma once

#include "core/parameters.hpp"

namespace scree {

/// @returns keys, ranges and defaults of Newmark's method.
Specification newmark_specification();

}  // namespace scree
