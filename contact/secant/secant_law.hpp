/// A normal law over a step instead of at a gap: the force whose work is what the law stores
/// (theory 11 section 2).
#pragma once

#include "contact/laws/normal_law.hpp"

namespace scree::contact {

/// @param gap_n, gap at the start and at the end of the step [m].
/// @returns energy at the end [J]; force (V_n - V)/(gap - gap_n) [N], so that force times the decrease of the
/// gap is the energy stored, whatever the step; slope its derivative in `gap` [N/m], not positive where the
/// law is convex. No dashpot.
LawValue secant_at(const NormalLaw& law, double gap_n, double gap, const PairConstants& pair);

/// Whether a sum of terms of both signs is more than what rounding leaves of them.
/// @param largest of their magnitudes, in the unit of the sum.
inline bool remains(double sum, double largest) {
  constexpr double kRoundOff = 1e-9;
  return sum > kRoundOff * largest;
}

}  // namespace scree::contact
