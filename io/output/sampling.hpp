/// When output is due: the first accepted step at or after each due time, and the last state always.
#pragma once

#include "solvers/observer.hpp"

namespace scree {

class Sampling {
 public:
  /// @param every simulated time between due times [s], the first at 0; 0: each accepted step; negative:
  /// never.
  explicit Sampling(double every) : every_(every) {}

  /// Called once per accepted state. A state that is shown twice (as accepted, then as last) is due once.
  /// A step over several due times is due once. @returns true if the state is to be written.
  bool due(const AcceptedState& state);

 private:
  double every_;
  double next_ = 0;      ///< next due time [s]
  long last_step_ = -1;  ///< step number written last
};

}  // namespace scree
