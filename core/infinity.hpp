/// Larger than any length, gap or time.
#pragma once

#include <limits>

namespace scree {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace scree
