#include "contact/laws/hertz.hpp"

#include <cmath>

#include "contact/laws/restitution.hpp"
#include "contact/laws/restitution_parameters.hpp"

namespace scree::contact {

Specification HertzLaw::specification() {
  const HertzParameters defaults;
  return {
      kTraits.name,
      "Hertz contact (overlap-based), with \"young\" and \"poisson\" of the materials and the rounding "
      "radii of "
      "the shapes. Boundaries are flat; they are rigid if their material has no \"young\".",
      {{.key = "damping_ratio",
        .unit = "-",
        .description =
            "Dashpot 2 * damping_ratio * sqrt(m_eff * stiffness at the overlap). Default: no damping.",
        .range = range::not_negative(),
        .scope = scope::dashpot()},
       restitution_specification("damping_ratio"),
       {.key = "no_tension",
        .kind = ParameterKind::boolean,
        .description =
            "true: the normal force, damping included, is limited to compression. No effect beside "
            "\"restitution\" with the integrator \"energy\".",
        .fallback = defaults.no_tension,
        .scope = scope::dashpot()},
       {.key = "radius",
        .kind = ParameterKind::string,
        .description = "Radius of curvature of a superquadric at the contact point: 1 / mean curvature, or "
                       "1 / sqrt(Gaussian curvature). Evaluated at the onset of a contact, and kept until it "
                       "ends.",
        .fallback = "gaussian",
        .choices = {"mean", "gaussian"}},
       {.key = "radius_limit",
        .unit = "-",
        .description = "Upper limit of this radius, in radii of the sphere of equal volume.",
        .range = range::positive(),
        .fallback = defaults.radius_limit}},
      true,
      scope::not_contact_dynamics(true, "the law is compliant; use \"rigid\"")};
}

HertzParameters HertzLaw::parameters(const Value& values, std::vector<Diagnostic>& faults) {
  refuse_both(values, "damping_ratio", faults);
  HertzParameters p;
  if (values.has("damping_ratio")) p.damping_ratio = values.number("damping_ratio");
  if (values.has("restitution")) p.restitution = values.number("restitution");
  p.no_tension = values.boolean("no_tension");
  p.radius = values.string("radius") == "mean" ? CurvatureRule::mean : CurvatureRule::gaussian;
  p.radius_limit = values.number("radius_limit");
  return p;
}

HertzLaw::HertzLaw(const HertzParameters& p)
    : damping_ratio_(p.damping_ratio), no_tension_(p.no_tension), curvature_{p.radius, p.radius_limit} {
  // Theory 04, C17: the same restitution as a linear contact of zeta = sqrt(6/5) xi.
  if (p.restitution) damping_ratio_ = std::sqrt(5.0 / 6.0) * damping_for(*p.restitution, p.no_tension);
  restitution_ =
      p.restitution ? *p.restitution : restitution_of(std::sqrt(6.0 / 5.0) * damping_ratio_, p.no_tension);
}

LawValue HertzLaw::at(double gap, const PairConstants& pair) const {
  LawValue value;
  if (!(gap < 0)) return value;
  const double delta = -gap;
  const double root = std::sqrt(delta);
  value.force = pair.hertz * delta * root;
  value.slope = -1.5 * pair.hertz * root;
  value.energy = 0.4 * value.force * delta;
  value.dashpot = 2 * damping_ratio_ * std::sqrt(-value.slope);
  value.dashpot_slope = -0.25 * value.dashpot / delta;
  return value;
}

double HertzLaw::duration(double mass, double speed, const PairConstants& pair) const {
  // 2.8683 [m^2 / (R* E*^2 v)]^(1/5) with C = 4/3 E* sqrt(R*).
  const double compliance = 4 * mass / (3 * pair.hertz);
  return 2.8683 * std::pow(compliance * compliance / speed, 0.2);
}

}  // namespace scree::contact
