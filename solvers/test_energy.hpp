/// Models under the energy-consistent integrator.
#pragma once

#include <memory>
#include <utility>

#include "elements/integrators/energy_consistent.hpp"
#include "solvers/model.hpp"

namespace scree::test {

/// @returns the model with that integrator and the step control that belongs to it.
inline Model with_energy(Model model) {
  model.integrator = std::make_shared<elements::EnergyConsistent>();
  model.time.control = StepMode::motion;
  return model;
}

}  // namespace scree::test
