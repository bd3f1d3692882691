/// Key "restitution" of overlap-based laws, an alternative to another key of the same dashpot.
#pragma once

#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/parameters/parameters.hpp"

namespace scree::contact {

/// Key "restitution" of the overlap-based laws. @param other key of the same dashpot.
ParameterSpec restitution_specification(const std::string& other);

/// Reports a law that has both keys. @param other as in restitution_specification.
void refuse_both(const Value& values, const std::string& other, std::vector<Diagnostic>& faults);

}  // namespace scree::contact
