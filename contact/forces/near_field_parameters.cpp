#include "contact/forces/near_field_parameters.hpp"

namespace scree::contact {

Specification near_field_specification() {
  return {"near_field",
          "Force between all bodies along the line between their centres of mass at the distance d: "
          "kappa[0] d^-lambda[0] attracts, kappa[1] d^-lambda[1] repels. Boundaries exert no such force.",
          {{.key = "kappa",
            .kind = ParameterKind::vector,
            .unit = "N m^lambda",
            .description = "Attraction, repulsion; not both 0.",
            .required = true,
            .size = 2},
           {.key = "lambda",
            .kind = ParameterKind::vector,
            .unit = "-",
            .description = "Exponents of the distance for attraction and repulsion.",
            .range = range::not_negative(),
            .required = true,
            .size = 2},
           {.key = "cutoff",
            .unit = "m",
            .description = "Cut-off distance of the centres of mass; no force beyond.",
            .range = range::positive(),
            .required = true},
           {.key = "at_cutoff",
            .kind = ParameterKind::string,
            .description =
                "\"jump\": the force drops to zero at the cut-off. \"shifted\": the force at the cut-off is "
                "subtracted, so that the force is continuous.",
            .fallback = "jump",
            .choices = {"jump", "shifted"}}}};
}

NearFieldParameters near_field_parameters(const Value& values, std::vector<Diagnostic>& faults) {
  const auto& kappa = values.at("kappa").items();
  const auto& lambda = values.at("lambda").items();
  NearFieldParameters field{
      .attraction = kappa[0].number(),
      .repulsion = kappa[1].number(),
      .attraction_exponent = lambda[0].number(),
      .repulsion_exponent = lambda[1].number(),
      .cutoff = values.number("cutoff"),
      .at_cutoff = values.string("at_cutoff") == "jump" ? AtCutoff::jump : AtCutoff::shifted};
  if (field.attraction == 0 && field.repulsion == 0) {
    faults.push_back({values.at("kappa").where(), "got [0, 0]; expected at least one non-zero value."});
  } else if (field.at_cutoff == AtCutoff::shifted &&
             (field.attraction == 0 || field.attraction_exponent == 0) &&
             (field.repulsion == 0 || field.repulsion_exponent == 0)) {
    faults.push_back({values.at("at_cutoff").where(),
                      "\"shifted\" takes off the force at the cut-off, and with " +
                          values.at("lambda").where() + " 0 that is all of it; use \"jump\"."});
  }
  return field;
}

}  // namespace scree::contact
