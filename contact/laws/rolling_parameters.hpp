/// What a deck says of rolling resistance.
#pragma once

#include "contact/parameters.hpp"
#include "core/parameters.hpp"

namespace scree::contact {

/// @returns keys, units, ranges and defaults of rolling resistance.
Specification rolling_specification();

/// @param values checked against rolling_specification().
RollingParameters rolling_parameters(const Value& values);

}  // namespace scree::contact
