#include "contact/forces/bond_parameters.hpp"

namespace scree::contact {

ParameterSpec bond_specification() {
  return {
      .key = "bonds",
      .kind = ParameterKind::object,
      .description =
          "Linear springs, in tension and compression, between spheres that are near at the start. "
          "They take the place of contact; the rest length is the sum of the radii. None where it "
          "is left out.",
      .members = {{.key = "stiffness",
                   .unit = "N/m",
                   .description = "Of each bond.",
                   .range = range::positive(),
                   .required = true},
                  {.key = "within",
                   .unit = "-",
                   .description = "Spheres are bonded whose gap at the start is less than this part of their "
                                  "mean diameter.",
                   .range = range::positive(),
                   .required = true},
                  {.key = "break_force",
                   .unit = "N",
                   .description = "A bond breaks at the end of a step in which its tension exceeds this, and "
                                  "contact takes its place. It never breaks where this is left out.",
                   .range = range::positive()}},
      .scope = scope::not_contact_dynamics(true, "bonds are springs, and rigid contact has none")};
}

BondParameters bond_parameters(const Value& values) {
  BondParameters bonds{.stiffness = values.number("stiffness"), .within = values.number("within")};
  if (values.has("break_force")) bonds.break_force = values.number("break_force");
  return bonds;
}

}  // namespace scree::contact
