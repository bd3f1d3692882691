#include "io/output/sampling.hpp"

#include <cmath>

namespace scree {

bool Sampling::due(const AcceptedState& state) {
  if (every_ < 0 || state.step_number == last_step_) return false;
  // Times are sums of steps: a state that misses its due time by round-off is at it, not a step before it.
  const double slack = 1e-4 * state.step;
  const bool reached = every_ == 0 || state.time >= next_ - slack;
  if (reached && every_ > 0) next_ = every_ * (std::floor((state.time + slack) / every_) + 1);
  if (!reached && !state.last) return false;
  last_step_ = state.step_number;
  reached_ = reached;
  return true;
}

}  // namespace scree
