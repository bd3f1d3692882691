#include "contact/secant/secant_law.hpp"

#include <cmath>

namespace scree::contact {
namespace {

/// Changes of the gap below this part of the law's length: the quotient would be round-off, the value in the
/// middle is as good.
constexpr double kSmallChange = 1e-5;

}  // namespace

LawValue secant_at(const NormalLaw& law, double gap_n, double gap, const PairConstants& pair) {
  const double change = gap - gap_n;
  const LawValue at_end = law.at(gap, pair);
  LawValue value;
  value.energy = at_end.energy;
  value.adhesion = at_end.adhesion;
  if (std::abs(change) < kSmallChange * law.scale()) {
    value.force = law.at(gap_n + 0.5 * change, pair).force;
    value.slope = 0.5 * law.at(gap_n + 2.0 / 3.0 * change, pair).slope;
    return value;
  }
  const LawValue at_start = law.at(gap_n, pair);
  value.adhesion = 0.5 * (at_start.adhesion + at_end.adhesion);
  value.force = (at_start.energy - at_end.energy) / change;
  value.slope = (at_end.force - value.force) / change;
  return value;
}

}  // namespace scree::contact
