#include "elements/integrators/integrator_parameters.hpp"

#include "elements/integrators/energy_parameters.hpp"
#include "elements/integrators/newmark_parameters.hpp"
#include "elements/integrators/trapezoidal_parameters.hpp"
#include "elements/integrators/variational_parameters.hpp"

namespace scree {

const std::vector<Registered<IntegratorFactory>>& registered_integrators() {
  static const std::vector<Registered<IntegratorFactory>> entries = {
      {newmark_specification(), make_newmark},
      {variational_specification(), make_variational},
      {trapezoidal_specification(), make_trapezoidal},
      {energy_specification(), make_energy},
  };
  return entries;
}

std::vector<Specification> integrator_specifications() {
  return specifications(registered_integrators(), {});
}

}  // namespace scree
