#include "contact/laws/rigid.hpp"

#include <array>

namespace scree::contact {

Specification RigidLaw::specification() {
  static constexpr std::array kExponents = {1.0, 1.5};  // Hooke, Hertz
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
        .range = {.only = kExponents},
        .fallback = defaults.exponent}},
      true};
}

RigidParameters RigidLaw::parameters(const Value& values, std::vector<Diagnostic>& /*faults*/) {
  return {values.number("restitution"), values.number("stiffness_ratio"), values.number("exponent")};
}

}  // namespace scree::contact
