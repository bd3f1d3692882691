#include "elements/integrators/integrator_parameters.hpp"

#include "elements/integrators/newmark_parameters.hpp"

namespace scree {

std::vector<Specification> integrator_specifications() {
  return {newmark_specification(), unavailable_specification("variational"),
          unavailable_specification("trapezoidal")};
}

}  // namespace scree
