/// The time integrators that a deck may name.
#pragma once

#include <vector>

#include "elements/integrators/integrator_factory.hpp"

namespace scree {

/// @returns all integrators of this version.
const std::vector<Registered<IntegratorFactory>>& registered_integrators();

/// @returns specifications of all integrators.
std::vector<Specification> integrator_specifications();

}  // namespace scree
