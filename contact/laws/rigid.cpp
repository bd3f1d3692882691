#include "contact/laws/rigid.hpp"

#include "core/text.hpp"

namespace scree::contact {

Specification RigidLaw::specification() {
  const RigidParameters defaults;
  return {
      kTraits.name,
      "Unilateral contact of rigid bodies, for \"contact-dynamics\" only. The forces are those of elastic "
      "bodies in the limit of infinite stiffness.",
      {{.key = "restitution",
        .unit = "-",
        .description = "Newton's coefficient of restitution, applied at each contact.",
        .range = {.low = 0, .high = 1},
        .fallback = defaults.restitution},
       {.key = "stiffness_ratio",
        .unit = "-",
        .description =
            "Stiffness relative to the other interfaces; determines the distribution of forces. Only ratios "
            "matter.",
        .range = range::positive(),
        .fallback = defaults.stiffness_ratio},
       {.key = "exponent",
        .unit = "-",
        .description = "Exponent of the force over the compression in that limit: 1 (Hooke) or 1.5 (Hertz).",
        .range = {.low = 1, .high = 1.5},
        .fallback = defaults.exponent}},
      true};
}

RigidParameters RigidLaw::parameters(const Value& values, std::vector<Diagnostic>& faults) {
  const double exponent = values.number("exponent");
  if (exponent != 1 && exponent != 1.5) {
    faults.push_back({values.at("exponent").where(),
                      text::join("got ", text::number(exponent), "; expected 1 (Hooke) or 1.5 (Hertz).")});
  }
  return {values.number("restitution"), values.number("stiffness_ratio"), values.number("exponent")};
}

}  // namespace scree::contact
