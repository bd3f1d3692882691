#include "elements/loads/load_parameters.hpp"

#include "elements/loads/drag_parameters.hpp"
#include "elements/loads/force_parameters.hpp"
#include "elements/loads/magnus_parameters.hpp"
#include "elements/loads/moment_parameters.hpp"

namespace scree {

std::vector<ParameterSpec> dead_load_parameters(const std::string& unit) {
  const ParameterSpec row{.kind = ParameterKind::vector, .description = "Time [s], factor [-].", .size = 2};
  return {
      {.key = "body",
       .kind = ParameterKind::any_of,
       .description = "The body it acts on: a name, or a number from 0 in the order of the deck.",
       .required = true,
       .members = {{.kind = ParameterKind::string},
                   {.kind = ParameterKind::integer, .range = range::not_negative()}}},
      {.key = "value",
       .kind = ParameterKind::vector,
       .unit = unit,
       .description = "Global axes, constant in direction.",
       .required = true,
       .size = 3},
      {.key = "ramp",
       .kind = ParameterKind::list,
       .description =
           "Factor on the value over time: linear between the rows, constant before and after. 1 where it "
           "is left out.",
       .size = 1,
       .members = {row}},
  };
}

ParameterSpec fluid_velocity_parameter() {
  return {.key = "fluid_velocity",
          .kind = ParameterKind::vector,
          .unit = "m/s",
          .description = "Velocity of the fluid, global axes.",
          .fallback = Vec3(Vec3::Zero()),
          .size = 3};
}

std::vector<Specification> load_specifications() {
  return {force_specification(), moment_specification(), drag_specification(), magnus_specification()};
}

}  // namespace scree
