#include "contact/laws/hertz.hpp"

#include <cmath>

#include "contact/laws/restitution.hpp"

namespace scree::contact {

HertzLaw::HertzLaw(const HertzParameters& p) : damping_ratio_(p.damping_ratio), no_tension_(p.no_tension) {
  // Theory 04, C17: the same restitution as a linear contact of zeta = sqrt(6/5) xi.
  if (p.restitution) damping_ratio_ = std::sqrt(5.0 / 6.0) * damping_for(*p.restitution, p.no_tension);
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
