#include "elements/integrators/energy_parameters.hpp"

#include "elements/integrators/energy_consistent.hpp"

namespace scree {

Specification energy_specification() {
  return {"energy",
          "Energy-consistent method: no step creates energy, whatever its size, and impacts have the "
          "coefficient of restitution of the contact law.",
          {}};
}

std::shared_ptr<const elements::Integrator> make_energy(const Value& /*values*/,
                                                        std::vector<Diagnostic>& /*faults*/) {
  return std::make_shared<elements::EnergyConsistent>();
}

}  // namespace scree
