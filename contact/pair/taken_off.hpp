/// Edge pairs that take off more than they add (docs/contact.md, section 2).
#pragma once

#include <limits>

#include "contact/laws/law_value.hpp"
#include "contact/laws/normal_law.hpp"

namespace scree::contact {

/// Where two edges overlap by less than the activation distance at a small angle, the ends of both are beside
/// the other, and the signed sum E of the pair is negative: it takes off a contact that these ends already
/// are. Where several such pairs meet, more would be taken off than there is. Below zero the energy is
/// therefore E / (1 - E / most): at least -most, with a continuous derivative.
class TakenOff {
 public:
  /// Nothing is limited.
  TakenOff() = default;
  TakenOff(const NormalLaw& law, const PairConstants& pair);

  /// @param sum E [J]. @returns the energy of the pair [J].
  [[nodiscard]] double energy(double sum) const { return sum >= 0 ? sum : sum * left(sum); }
  /// @returns its derivative by E, and the second one [1/J].
  [[nodiscard]] double slope(double sum) const { return sum >= 0 ? 1 : left(sum) * left(sum); }
  [[nodiscard]] double curvature(double sum) const {
    return sum >= 0 ? 0 : 2 / most_ * left(sum) * left(sum) * left(sum);
  }
  /// @param first, last E at both ends of a step [J]. @returns change of the energy over that of E.
  [[nodiscard]] double secant(double first, double last) const;
  /// @returns its derivative by `last` [1/J].
  [[nodiscard]] double secant_slope(double first, double last) const;

 private:
  [[nodiscard]] double left(double sum) const { return 1 / (1 - sum / most_); }
  [[nodiscard]] bool mixed(double first, double last) const { return (first < 0) != (last < 0); }

  double most_ = std::numeric_limits<double>::infinity();
};

}  // namespace scree::contact
