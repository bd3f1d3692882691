/// What a deck says of friction.
#pragma once

#include <vector>

#include "contact/parameters.hpp"
#include "core/error.hpp"
#include "core/parameters.hpp"

namespace scree::contact {

/// @returns keys, units, ranges and defaults of Coulomb friction.
Specification friction_specification();

/// @param values checked against friction_specification().
/// @param needs_spring whether friction acts through a spring or dashpot: not between rigid bodies.
/// @param faults gets what is wrong between the keys: no static coefficient where there is a limit, dynamic
///   above static, neither stiffness nor damping, times that do not increase (where = JSON pointer).
FrictionParameters friction_parameters(const Value& values, std::vector<Diagnostic>& faults,
                                       bool needs_spring = true);

}  // namespace scree::contact
