#include "contact/laws/hooke.hpp"

#include <cmath>
#include <numbers>

#include "contact/laws/restitution.hpp"
#include "contact/laws/restitution_parameters.hpp"

namespace scree::contact {

Specification HookeLaw::specification() {
  const HookeParameters defaults;
  return {kTraits.name,
          "Linear spring and dashpot (overlap-based): force stiffness * overlap less damping * m_eff * rate, "
          "with "
          "the effective mass m_eff of the two bodies. Requires a rounding radius on at least one side, or a "
          "plane.",
          {{.key = "stiffness",
            .unit = "N/m",
            .description = "Normal stiffness.",
            .range = range::positive(),
            .required = true},
           {.key = "damping",
            .unit = "1/s",
            .description = "Damping rate: the dashpot is damping * effective mass. Default: no damping.",
            .range = range::not_negative(),
            .scope = scope::dashpot()},
           restitution_specification("damping"),
           {.key = "no_tension",
            .kind = ParameterKind::boolean,
            .description =
                "true: the normal force, damping included, is limited to compression. No effect beside "
                "\"restitution\" with the integrator \"energy\".",
            .fallback = defaults.no_tension,
            .scope = scope::dashpot()}},
          true,
          scope::not_contact_dynamics(true, "the law is compliant; use \"rigid\"")};
}

HookeParameters HookeLaw::parameters(const Value& values, std::vector<Diagnostic>& faults) {
  refuse_both(values, "damping", faults);
  HookeParameters p;
  p.stiffness = values.number("stiffness");
  if (values.has("damping")) p.damping = values.number("damping");
  if (values.has("restitution")) p.restitution = values.number("restitution");
  p.no_tension = values.boolean("no_tension");
  return p;
}

HookeLaw::HookeLaw(const HookeParameters& p)
    : stiffness_(p.stiffness), damping_(p.damping), restitution_(p.restitution), no_tension_(p.no_tension) {
  if (!p.restitution) return;
  damping_ = 0;
  damping_ratio_ = damping_for(*p.restitution, p.no_tension);
}

LawValue HookeLaw::at(double gap, const PairConstants& pair) const {
  LawValue value;
  if (!(gap < 0)) return value;
  value.force = -stiffness_ * gap;
  value.slope = -stiffness_;
  value.energy = 0.5 * stiffness_ * gap * gap;
  value.dashpot = damping_ * std::sqrt(pair.m_star) + 2 * damping_ratio_ * std::sqrt(stiffness_);
  return value;
}

double HookeLaw::restitution(const PairConstants& pair) const {
  return restitution_ ? *restitution_
                      : restitution_of(0.5 * damping_ * std::sqrt(pair.m_star / stiffness_), no_tension_);
}

double HookeLaw::duration(double mass, double /*speed*/, const PairConstants& /*pair*/) const {
  return std::numbers::pi * std::sqrt(mass / stiffness_);
}

}  // namespace scree::contact
