#include "elements/integrators/trapezoidal_parameters.hpp"

#include "elements/integrators/trapezoidal.hpp"

namespace scree {

Specification trapezoidal_specification() {
  return {"trapezoidal",
          "Generalised trapezoidal rule.",
          {{.key = "phi",
            .unit = "-",
            .description =
                "Weight of the end of the step. 0.5: second order; 1: implicit Euler; 0: explicit Euler "
                "(not with a barrier law).",
            .range = {.low = 0, .high = 1},
            .fallback = 0.5}}};
}

std::shared_ptr<const elements::Integrator> make_trapezoidal(const Value& values,
                                                             std::vector<Diagnostic>& /*faults*/) {
  const double phi = values.number("phi");
  if (phi == 0) return std::make_shared<elements::ExplicitEuler>();
  return std::make_shared<elements::Trapezoidal>(phi);
}

}  // namespace scree
