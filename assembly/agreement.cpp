#include "assembly/agreement.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/text.hpp"

namespace scree {

void require_same(double value, std::string_view got, std::string_view unit, MPI_Comm comm) {
  constexpr double kNothing = -std::numeric_limits<double>::infinity();
  const bool is_nan = std::isnan(value);  // it has no place in an order, and would be lost in a maximum
  double most[3] = {is_nan ? 1.0 : 0.0, is_nan ? kNothing : value, is_nan ? kNothing : -value};
  MPI_Allreduce(MPI_IN_PLACE, most, 3, MPI_DOUBLE, MPI_MAX, comm);
  const bool any_nan = most[0] > 0, all_nan = most[1] == kNothing && most[2] == kNothing;
  const double largest = most[1], smallest = -most[2];
  if (all_nan || (!any_nan && largest == smallest)) return;
  throw std::invalid_argument(text::join(got, ' ', any_nan ? "nan" : text::number(smallest), ' ', unit,
                                         " on one rank and ", text::number(largest), ' ', unit,
                                         " on another; expected the same on all ranks"));
}

}  // namespace scree
