#include "contact/secant/secant_law.hpp"

#include <algorithm>
#include <cmath>

namespace scree::contact {
namespace {

/// Changes of the gap below this part of the length over which the force changes: the quotient would be
/// round-off, the value in the middle is as good.
constexpr double kSmallChange = 1e-5;

/// @returns that length [m]: where a barrier diverges, the gap itself; where a law begins, the depth beyond
/// its onset. The middle of a step across the onset may be a gap without force, although work is done.
/// Friction, whose limit is that of the step before, would then vanish at once.
double length_of(const NormalLaw& law, double gap_n, double gap) {
  const double length = law.allows_overlap() ? law.scale() : std::min({law.scale(), gap_n, gap});
  // The energy of an attraction is not small at the onset: it has no digits for less than the scale.
  const bool attracts = law.threshold() > law.onset();
  const double depth = law.onset() - std::min(gap_n, gap);
  return attracts || !(depth > 0) ? length : std::min(length, depth);
}

}  // namespace

LawValue secant_at(const NormalLaw& law, double gap_n, double gap, const PairConstants& pair) {
  const double change = gap - gap_n;
  const LawValue at_end = law.at(gap, pair);
  LawValue value;
  value.energy = at_end.energy;
  if (std::abs(change) < kSmallChange * length_of(law, gap_n, gap)) {
    const LawValue middle = law.at(gap_n + 0.5 * change, pair);
    const LawValue beyond = law.at(gap_n + 2.0 / 3.0 * change, pair);
    value.force = middle.force;
    value.slope = 0.5 * beyond.slope;
    value.adhesion = middle.adhesion;
    value.adhesion_slope = 0.5 * beyond.adhesion_slope;
    return value;
  }
  const LawValue at_start = law.at(gap_n, pair);
  value.force = (at_start.energy - at_end.energy) / change;
  value.slope = (at_end.force - value.force) / change;
  // Its own secant: what is left of the force is that of the compression alone, none in a gap.
  value.adhesion = (at_end.adhesive - at_start.adhesive) / change;
  value.adhesion_slope = (at_end.adhesion - value.adhesion) / change;
  return value;
}

}  // namespace scree::contact
