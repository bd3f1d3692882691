#include "contact/laws/hooke_parameters.hpp"

#include "core/text.hpp"

namespace scree::contact {

ParameterSpec restitution_specification(const std::string& other) {
  return {.key = "restitution",
          .unit = "-",
          .description = "In place of \"" + other +
                         "\": speed of separation over speed of approach in a lone impact, with this "
                         "\"no_tension\". 0 is critical damping.",
          .range = {.low = 0, .high = 1},
          .scope = scope::dashpot()};
}

void refuse_both(const Value& values, const std::string& other, std::vector<Diagnostic>& faults) {
  if (!values.has(other) || !values.has("restitution")) return;
  faults.push_back({values.at("restitution").where(),
                    text::join("does not go with \"", other, "\" (", values.at(other).where(),
                               "): each says how much an impact dissipates.")});
}

Specification hooke_specification() {
  const HookeParameters defaults;
  return {
      "hooke",
      "Linear spring and dashpot at overlap: force stiffness * overlap less damping * m_eff * rate, m_eff "
      "the effective mass of the two bodies. One of the two features needs a rounding radius, or to be a "
      "boundary.",
      {{.key = "stiffness",
        .unit = "N/m",
        .description = "Normal stiffness of a contact.",
        .range = range::positive(),
        .required = true},
       {.key = "damping",
        .unit = "1/s",
        .description = "Of the rate, times the effective mass. None where it is left out.",
        .range = range::not_negative(),
        .scope = scope::dashpot()},
       restitution_specification("damping"),
       {.key = "no_tension",
        .kind = ParameterKind::boolean,
        .description = "Whether the dashpot is clipped so that a contact never pulls.",
        .fallback = defaults.no_tension,
        .scope = scope::dashpot()}},
      true,
      scope::not_contact_dynamics(true, "the law is compliant; use the law \"rigid\"")};
}

HookeParameters hooke_parameters(const Value& values, std::vector<Diagnostic>& faults) {
  refuse_both(values, "damping", faults);
  HookeParameters p;
  p.stiffness = values.number("stiffness");
  if (values.has("damping")) p.damping = values.number("damping");
  if (values.has("restitution")) p.restitution = values.number("restitution");
  p.no_tension = values.boolean("no_tension");
  return p;
}

}  // namespace scree::contact
