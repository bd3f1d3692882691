#include "elements/loads/drag_parameters.hpp"

#include "elements/loads/load_parameters.hpp"

namespace scree {

Specification drag_specification() {
  return {"drag",
          "Drag -c (v - v_fluid) on every body, at its centre of mass.",
          {{.key = "coefficient",
            .unit = "N s/m",
            .description = "Drag coefficient c.",
            .range = range::not_negative(),
            .required = true},
           fluid_velocity_parameter()}};
}

}  // namespace scree
