/// Parameters of Newmark's method in a deck.
#pragma once

#include "elements/integrators/integrator_factory.hpp"

namespace scree {

/// @returns keys, ranges and defaults of Newmark's method.
Specification newmark_specification();

/// @param values checked against newmark_specification(); @param faults see IntegratorFactory.
std::shared_ptr<const elements::Integrator> make_newmark(const Value& values,
                                                         std::vector<Diagnostic>& faults);

}  // namespace scree
