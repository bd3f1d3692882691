#include "contact/pair/taken_off.hpp"

#include <cmath>

namespace scree::contact {
namespace {

/// Most that is taken off, over the energy of the law halfway into its range: attraction that is left is
/// nothing to an impact, and the slope does not jump.
constexpr double kMost = 1e-3;
/// Quotients of smaller changes are round-off.
constexpr double kSameEnergy = 1e-10;

}  // namespace

TakenOff::TakenOff(const NormalLaw& law, const PairConstants& pair) {
  if (law.threshold() > law.onset()) return;  // attraction is meant
  const double halfway = law.at(law.onset() - 0.5 * law.scale(), pair).energy;
  if (halfway > 0) most_ = kMost * halfway;
}

double TakenOff::secant(double first, double last) const {
  if (first >= 0 && last >= 0) return 1;
  if (!mixed(first, last)) return left(first) * left(last);
  const double change = last - first;
  if (std::abs(change) < kSameEnergy * most_) return 1;
  return (energy(last) - energy(first)) / change;
}

double TakenOff::secant_slope(double first, double last) const {
  if (first >= 0 && last >= 0) return 0;
  if (!mixed(first, last)) return left(first) * left(last) * left(last) / most_;
  const double change = last - first;
  if (std::abs(change) < kSameEnergy * most_) return 0;
  return (slope(last) - secant(first, last)) / change;
}

}  // namespace scree::contact
