/// What a deck says of rigid contact.
#pragma once

#include <vector>

#include "contact/parameters.hpp"
#include "core/error.hpp"
#include "core/parameters.hpp"

namespace scree::contact {

/// @returns keys, units, ranges and defaults of rigid contact.
Specification rigid_specification();

/// @param values checked against rigid_specification(). @param faults gets an exponent of no known law.
RigidParameters rigid_parameters(const Value& values, std::vector<Diagnostic>& faults);

}  // namespace scree::contact
