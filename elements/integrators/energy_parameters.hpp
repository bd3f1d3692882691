/// Deck parameters of the energy-consistent integrator.
#pragma once

#include "elements/integrators/integrator_factory.hpp"

namespace scree {

/// @returns keys, ranges and defaults of the energy-consistent integrator.
Specification energy_specification();

/// @param values checked against energy_specification(); @param faults see IntegratorFactory.
std::shared_ptr<const elements::Integrator> make_energy(const Value& values, std::vector<Diagnostic>& faults);

}  // namespace scree
