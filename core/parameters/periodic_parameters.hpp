/// Periodic directions, as the deck gives them.
#pragma once

#include "core/parameters/parameters.hpp"
#include "core/periodic_cell.hpp"

namespace scree {

/// @returns the deck's key "periodic".
ParameterSpec periodic_specification();

/// @param values checked against periodic_specification(). @throws InputError if no direction is named or a
/// period is not positive, with every fault.
PeriodicCell periodic_cell(const Value& values);

}  // namespace scree
