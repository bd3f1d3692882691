/// What a deck says of the linear law at overlap.
#pragma once

#include <vector>

#include "contact/parameters.hpp"
#include "core/error.hpp"
#include "core/parameters.hpp"

namespace scree::contact {

/// @returns keys, units, ranges and defaults of the linear spring and dashpot.
Specification hooke_specification();

/// @param values checked against hooke_specification().
/// @param faults gets damping and restitution given both (where = JSON pointer).
HookeParameters hooke_parameters(const Value& values, std::vector<Diagnostic>& faults);

/// Key "restitution" of the laws at overlap. @param other key that says the same in another way.
ParameterSpec restitution_specification(const std::string& other);

/// Reports a law that has both keys. @param other as in restitution_specification.
void refuse_both(const Value& values, const std::string& other, std::vector<Diagnostic>& faults);

}  // namespace scree::contact
