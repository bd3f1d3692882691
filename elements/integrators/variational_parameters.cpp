#include "elements/integrators/variational_parameters.hpp"

#include "core/text.hpp"
#include "elements/integrators/variational_midpoint.hpp"
#include "elements/integrators/variational_start.hpp"

namespace scree {

Specification variational_specification() {
  return {
      "variational",
      "Variational integrator (discrete Lagrange-d'Alembert): conserves momentum exactly, the energy error "
      "is bounded.",
      {{.key = "alpha",
        .unit = "-",
        .description = "Point of the step at which forces are evaluated: 0.5, its middle (implicit, second "
                       "order), or 0, "
                       "its start (explicit in the elastic forces, first order; not with a barrier law).",
        .range = {.low = 0, .high = 0.5},
        .fallback = 0.5}}};
}

std::shared_ptr<const elements::Integrator> make_variational(const Value& values,
                                                             std::vector<Diagnostic>& faults) {
  const double alpha = values.number("alpha");
  if (alpha == 0) return std::make_shared<elements::VariationalStart>();
  if (alpha != 0.5) {
    faults.push_back(
        {values.at("alpha").where(), text::join("got ", text::number(alpha), "; expected 0 or 0.5.")});
  }
  return std::make_shared<elements::VariationalMidpoint>();
}

}  // namespace scree
