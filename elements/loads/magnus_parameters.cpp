#include "elements/loads/magnus_parameters.hpp"

#include "elements/loads/load_parameters.hpp"

namespace scree {

Specification magnus_specification() {
  return {"magnus",
          "Magnus force S w x (v - v_fluid) on every body, at its centre of mass.",
          {{.key = "coefficient",
            .unit = "kg",
            .description = "S; negative for the inverse effect.",
            .required = true},
           fluid_velocity_parameter()},
          true,
          scope::not_quasi_static()};
}

}  // namespace scree
