/// What a deck says of Hertz's law.
#pragma once

#include <vector>

#include "contact/parameters.hpp"
#include "core/error.hpp"
#include "core/parameters.hpp"

namespace scree::contact {

/// @returns keys, units, ranges and defaults of Hertz's law; its moduli are those of the materials.
Specification hertz_specification();

/// @param values checked against hertz_specification().
/// @param faults gets damping ratio and restitution given both (where = JSON pointer).
HertzParameters hertz_parameters(const Value& values, std::vector<Diagnostic>& faults);

}  // namespace scree::contact
