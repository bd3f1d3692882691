#include "contact/laws/hertz_parameters.hpp"

#include "contact/laws/hooke_parameters.hpp"

namespace scree::contact {

Specification hertz_specification() {
  const HertzParameters defaults;
  return {
      "hertz",
      "Hertz's law at overlap, with \"young\" and \"poisson\" of the materials and the rounding radii of "
      "the shapes; boundaries are flat, and rigid where their material has no \"young\".",
      {{.key = "damping_ratio",
        .unit = "-",
        .description = "Dashpot 2 * damping_ratio * sqrt(m_eff * stiffness at the overlap). None where it "
                       "is left out.",
        .range = range::not_negative(),
        .scope = scope::dashpot()},
       restitution_specification("damping_ratio"),
       {.key = "no_tension",
        .kind = ParameterKind::boolean,
        .description = "Whether the dashpot is clipped so that a contact never pulls.",
        .fallback = defaults.no_tension,
        .scope = scope::dashpot()},
       {.key = "radius",
        .kind = ParameterKind::string,
        .description = "Radius of curvature of a superquadric where it is touched, taken at the start of a "
                       "step: 1 / mean curvature, or 1 / sqrt(Gaussian curvature).",
        .fallback = "gaussian",
        .choices = {"mean", "gaussian"}},
       {.key = "radius_limit",
        .unit = "-",
        .description = "That radius counts up to this many radii of the sphere of equal volume.",
        .range = range::positive(),
        .fallback = defaults.radius_limit}},
      true,
      scope::not_contact_dynamics(true, "the law is compliant; use the law \"rigid\"")};
}

HertzParameters hertz_parameters(const Value& values, std::vector<Diagnostic>& faults) {
  refuse_both(values, "damping_ratio", faults);
  HertzParameters p;
  if (values.has("damping_ratio")) p.damping_ratio = values.number("damping_ratio");
  if (values.has("restitution")) p.restitution = values.number("restitution");
  p.no_tension = values.boolean("no_tension");
  p.radius = values.string("radius") == "mean" ? CurvatureRule::mean : CurvatureRule::gaussian;
  p.radius_limit = values.number("radius_limit");
  return p;
}

}  // namespace scree::contact
