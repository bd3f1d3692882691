/// Parameters of the variational integrator in a deck.
#pragma once

#include "elements/integrators/integrator_factory.hpp"

namespace scree {

/// @returns keys, ranges and defaults of the variational integrator.
Specification variational_specification();

/// @param values checked against variational_specification(); @param faults see IntegratorFactory.
std::shared_ptr<const elements::Integrator> make_variational(const Value& values,
                                                             std::vector<Diagnostic>& faults);

}  // namespace scree
