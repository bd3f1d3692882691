#include "contact/forces/bond_parameters.hpp"

namespace scree::contact {

ParameterSpec bond_specification() {
  return {
      .key = "bonds",
      .kind = ParameterKind::object,
      .description =
          "Linear springs, in tension and compression, between spheres with a small initial gap. "
          "A bond replaces contact; its rest length is the sum of the radii. Default: no bonds.",
      .members = {{.key = "stiffness",
                   .unit = "N/m",
                   .description = "Stiffness of each bond.",
                   .range = range::positive(),
                   .required = true},
                  {.key = "within",
                   .unit = "-",
                   .description = "Largest initial gap of bonded spheres, as part of their mean diameter.",
                   .range = range::positive(),
                   .required = true},
                  {.key = "break_force",
                   .unit = "N",
                   .description = "Tension above which a bond breaks, at the end of a step; contact replaces "
                                  "it. Default: bonds never "
                                  "break.",
                   .range = range::positive()}},
      .scope = scope::not_contact_dynamics(true, "bonds are springs, which rigid contact does not support")};
}

BondParameters bond_parameters(const Value& values) {
  BondParameters bonds{.stiffness = values.number("stiffness"), .within = values.number("within")};
  if (values.has("break_force")) bonds.break_force = values.number("break_force");
  return bonds;
}

}  // namespace scree::contact
