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
  /// Whether the last state that was due was so by its time, and not only as the last one of the run: a run
  /// that is continued has no such row.
  [[nodiscard]] bool reached() const { return reached_; }

  [[nodiscard]] double next() const { return next_; }
  [[nodiscard]] long last_step() const { return last_step_; }
  /// Continues where another one stood.
  void continue_from(double next, long last_step) {
    next_ = next;
    last_step_ = last_step;
  }

 private:
  double every_;
  double next_ = 0;      ///< next due time [s]
  long last_step_ = -1;  ///< step number written last
  bool reached_ = false;
};

}  // namespace scree
