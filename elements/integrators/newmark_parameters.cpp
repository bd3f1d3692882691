#include "elements/integrators/newmark_parameters.hpp"

#include "elements/integrators/newmark.hpp"

namespace scree {

Specification newmark_specification() {
  return {
      "newmark",
      "Newmark's method for displacements and incremental rotations.",
      {
          {.key = "beta",
           .unit = "-",
           .description = "Weight of the new acceleration in the displacement.",
           .range = {.low = 0, .high = 1, .low_open = true},
           .fallback = elements::Newmark::kBeta},
          {.key = "gamma",
           .unit = "-",
           .description =
               "Weight of the new acceleration in the velocity; 1/2: second order, larger values dissipate.",
           .range = {.low = 0.5, .high = 1},
           .fallback = elements::Newmark::kGamma},
      }};
}

std::shared_ptr<const elements::Integrator> make_newmark(const Value& values,
                                                         std::vector<Diagnostic>& /*faults*/) {
  return std::make_shared<elements::Newmark>(values.number("beta"), values.number("gamma"));
}

}  // namespace scree
