#include "contact/laws/barrier_parameters.hpp"

namespace scree::contact {

Specification barrier_specification() {
  const BarrierParameters defaults;
  return {"barrier",
          "Hybrid penalty and barrier law: force stiffness * (threshold - gap)^exponent below the threshold, "
          "and a "
          "barrier that grows beyond all bounds as the gap closes. Bodies never touch.",
          {
              {.key = "threshold",
               .unit = "m",
               .description =
                   "Gap below which the force begins. About 1 % of a body's edge; less than half of the "
                   "smallest feature.",
               .range = range::positive(),
               .required = true},
              {.key = "stiffness",
               .unit = "N/m^exponent",
               .description =
                   "Penalty stiffness. stiffness * ((1 - barrier_fraction) * threshold)^(exponent + 1) / "
                   "(exponent + 1) should be about the energy of a usual impact.",
               .range = range::positive(),
               .required = true},
              {.key = "exponent",
               .unit = "-",
               .description = "Power of the penalty force; 3 or more is smooth with damping.",
               .range = range::at_least(1),
               .fallback = defaults.exponent},
              {.key = "barrier_fraction",
               .unit = "-",
               .description = "Part of the threshold where the barrier takes over.",
               .range = {.low = 0, .high = 1, .low_open = true, .high_open = true},
               .fallback = defaults.barrier_fraction},
              {.key = "barrier_exponent",
               .unit = "-",
               .description = "Power of the gap in the barrier's energy.",
               .range = {.high = -1},
               .fallback = defaults.barrier_exponent},
              {.key = "damping_ratio",
               .unit = "-",
               .description = "Part of critical damping of the contact. It never pulls.",
               .range = range::not_negative(),
               .fallback = defaults.damping_ratio,
               .scope = scope::dashpot()},
          },
          true,
          scope::not_contact_dynamics(true, "the law is compliant; use the law \"rigid\"")};
}

BarrierParameters barrier_parameters(const Value& values) {
  return {.threshold = values.number("threshold"),
          .stiffness = values.number("stiffness"),
          .exponent = values.number("exponent"),
          .barrier_fraction = values.number("barrier_fraction"),
          .barrier_exponent = values.number("barrier_exponent"),
          .damping_ratio = values.number("damping_ratio")};
}

}  // namespace scree::contact
