/// Parameters of rolling resistance in a deck.
#pragma once

#include "core/parameters/parameters.hpp"

namespace scree::contact {

/// Elastic-plastic spring and dashpot against rolling, type C of [Ai]. Absent: coefficient = 0.
struct RollingParameters {
  double coefficient = 0;    ///< mu_r >= 0: the spring carries at most mu_r R* N [-]
  double stiffness = 0;      ///< k_r [N m/rad], > 0
  double damping_ratio = 0;  ///< eta_r >= 0
};

/// @returns keys, units, ranges and defaults of rolling resistance.
Specification rolling_specification();

/// @param values checked against rolling_specification().
RollingParameters rolling_parameters(const Value& values);

}  // namespace scree::contact
