/// For tests: the worst of many values, which not a number always is.
#pragma once

#include <cmath>
#include <concepts>
#include <initializer_list>
#include <utility>

namespace scree::test {

/// Keeps the largest value in `most`. A value that is not a number stays there, whatever comes later, so that
/// every bound on `most` fails; std::max drops it or what came before it (verification/check_extremes.py).
inline void keep_largest(double& most, double value) {
  if (value > most || std::isnan(value)) most = value;
}
template <std::integral Number>
void keep_largest(Number& most, std::integral auto value) {
  if (std::cmp_greater(value, most)) most = static_cast<Number>(value);
}

/// Keeps the smallest value in `least`, as keep_largest().
inline void keep_smallest(double& least, double value) {
  if (value < least || std::isnan(value)) least = value;
}

/// As above, for some values at once.
inline void keep_largest(double& most, std::initializer_list<double> values) {
  for (const double value : values) keep_largest(most, value);
}
inline void keep_smallest(double& least, std::initializer_list<double> values) {
  for (const double value : values) keep_smallest(least, value);
}

}  // namespace scree::test
