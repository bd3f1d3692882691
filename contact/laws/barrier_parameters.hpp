/// What a deck says of the barrier law.
#pragma once

#include "contact/parameters.hpp"
#include "core/parameters.hpp"

namespace scree::contact {

/// @returns keys, units, ranges and defaults of the hybrid penalty and barrier law.
Specification barrier_specification();

/// @param values checked against barrier_specification().
BarrierParameters barrier_parameters(const Value& values);

}  // namespace scree::contact
