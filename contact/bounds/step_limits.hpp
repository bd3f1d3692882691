/// What contacts allow the next step to be.
#pragma once

#include "core/infinity.hpp"

namespace scree::contact {

/// What the accepted state allows the next step to be (theory 09 section 4), and why.
struct StepLimits {
  double closing = 0;          ///< limit 1: distance to the threshold plus eta thresholds [s]
  double oscillation = 0;      ///< limit 2: eta / omega of the contacts that are being moved [s]
  double turning = kInfinity;  ///< the fastest spin, with contacts or without, turns by one radian [s]
};

}  // namespace scree::contact
