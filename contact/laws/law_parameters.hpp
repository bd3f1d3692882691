/// The normal contact laws that a deck may name.
#pragma once

#include <vector>

#include "contact/laws/parameters.hpp"
#include "core/error.hpp"
#include "core/parameters/registry.hpp"

namespace scree::contact {

/// Puts checked values into the normal law of an interface. @param faults gets what is wrong between keys.
using NormalLawFactory = void (*)(const Value& values, Interface& interface, std::vector<Diagnostic>& faults);

/// @returns all normal laws of this version.
const std::vector<Registered<NormalLawFactory>>& registered_normal_laws();

/// @returns specifications of all laws, those that the contract names and this version lacks included.
std::vector<Specification> normal_law_specifications();

}  // namespace scree::contact
