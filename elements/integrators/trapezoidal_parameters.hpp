/// Parameters of the generalised trapezoidal rule in a deck.
#pragma once

#include "elements/integrators/integrator_factory.hpp"

namespace scree {

/// @returns keys, ranges and defaults of the generalised trapezoidal rule.
Specification trapezoidal_specification();

/// @param values checked against trapezoidal_specification(); @param faults see IntegratorFactory.
std::shared_ptr<const elements::Integrator> make_trapezoidal(const Value& values,
                                                             std::vector<Diagnostic>& faults);

}  // namespace scree
