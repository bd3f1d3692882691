#include "contact/laws/dmt.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree::contact {
namespace {

/// Derjaguin's force between two spheres in contact [N]: the largest attraction.
double pull_off_force(double surface_energy, double r_star) {
  return 2 * std::numbers::pi * surface_energy * r_star;
}

}  // namespace

Specification DmtLaw::specification() {
  Specification specification = HertzLaw::specification();
  specification.name = kTraits.name;
  specification.description =
      "Hertz contact with the adhesion of Derjaguin, Muller and Toporov: in contact an attraction of 2 pi "
      "surface_energy R* (the pull-off force); it decreases to zero over a short range of gaps.";
  for (ParameterSpec& key : specification.parameters) {
    if (key.key == "no_tension")
      key.description =
          "true: the tensile normal force, damping included, is limited to the adhesion force. "
          "No effect beside \"restitution\" with the integrator \"energy\".";
    if (key.key == "radius") key.description += " In \"range\" beyond contact: at the start of each step.";
    if (key.key == "restitution")
      key.description += " Holds without adhesion; adhesion reduces the rebound speed further.";
  }
  specification.parameters.insert(
      specification.parameters.begin(),
      {{.key = "surface_energy",
        .unit = "J/m^2",
        .description = "Work of adhesion w of both surfaces: 2 gamma for equal materials.",
        .range = range::positive(),
        .required = true},
       {.key = "range",
        .unit = "m",
        .description =
            "Gap at which the attraction ends. Recommended: at most 1 % of the smallest rounding "
            "radius. Time steps resolve it with \"control\" \"resolved\" only; bodies gain the energy pi "
            "surface_energy R* range before contact.",
        .range = range::positive(),
        .required = true}});
  return specification;
}

DmtParameters DmtLaw::parameters(const Value& values, std::vector<Diagnostic>& faults) {
  return {HertzLaw::parameters(values, faults), values.number("surface_energy"), values.number("range")};
}

DmtLaw::DmtLaw(const DmtParameters& p)
    : hertz_(p.hertz), surface_energy_(p.surface_energy), range_(p.range) {}

LawValue DmtLaw::at(double gap, const PairConstants& pair) const {
  LawValue value = hertz_.at(gap, pair);
  if (!(gap < range_)) return value;
  const double most = pull_off_force(surface_energy_, pair.r_star);
  if (gap < 0) {
    value.adhesion = most;
    value.adhesive = -most * (0.5 * range_ - gap);
  } else {
    const double x = gap / range_;
    const double left = 1 - x;
    value.adhesion = most * (left * left) * (1 + 2 * x);
    value.adhesion_slope = -6 * most * x * left / range_;
    value.slope = -value.adhesion_slope;
    value.adhesive = -0.5 * most * range_ * (left * left * left) * (1 + x);
  }
  value.energy += value.adhesive;
  value.force -= value.adhesion;
  return value;
}

double DmtLaw::duration(double mass, double speed, const PairConstants& pair) const {
  // Depth of the potential: at the overlap where C delta^(3/2) is the pull-off force.
  const double most = pull_off_force(surface_energy_, pair.r_star);
  const double delta = std::cbrt(most / pair.hertz * (most / pair.hertz));
  const double depth = most * (0.6 * delta + 0.5 * range_);
  const double fastest = std::sqrt(speed * speed + 2 * depth / mass);
  return std::min(hertz_.duration(mass, fastest, pair), range_ / fastest);
}

}  // namespace scree::contact
