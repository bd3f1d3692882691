#include "contact/laws/rolling_parameters.hpp"

namespace scree::contact {

Specification rolling_specification() {
  const RollingParameters defaults;
  return {
      "rolling",
      "Elastic-plastic spring and dashpot against rolling (type C of Ai et al. 2011), between rounded "
      "shapes and boundaries.",
      {{.key = "coefficient",
        .unit = "-",
        .description = "Limit of the spring moment: coefficient * R* * normal force in the Coulomb limit of "
                       "friction (\"limiting_force\").",
        .range = range::not_negative(),
        .required = true},
       {.key = "stiffness",
        .unit = "N m/rad",
        .description = "Rolling stiffness.",
        .range = range::positive(),
        .required = true},
       {.key = "damping_ratio",
        .unit = "-",
        .description = "Damping ratio (part of critical damping); acts while the spring is below its limit.",
        .range = range::not_negative(),
        .fallback = defaults.damping_ratio,
        .scope = scope::dashpot()}},
      true,
      scope::not_contact_dynamics(true, "rigid contact has no rolling resistance")};
}

RollingParameters rolling_parameters(const Value& values) {
  return {.coefficient = values.number("coefficient"),
          .stiffness = values.number("stiffness"),
          .damping_ratio = values.number("damping_ratio")};
}

}  // namespace scree::contact
