/// How large the next step may be, and why (theory 09 section 4; deck: time/step).
#pragma once

#include <algorithm>
#include <map>
#include <string>

#include "contact/contacts.hpp"
#include "solvers/model.hpp"

namespace scree {

/// Chooses step sizes. The same on all ranks if its inputs are.
class StepControl {
 public:
  explicit StepControl(const TimeDescription& time) : time_(time), next_(time.step) {}

  /// Size of the next step from `now`. @param event next time that a step has to meet exactly [s].
  /// @param limits of the accepted state, the smallest over ranks (adaptive steps only).
  double next(double now, double event, const contact::StepLimits& limits);

  /// Adaptive steps: what the next one is at most, whatever the limits [s].
  [[nodiscard]] double longest() const { return std::min(next_, time_.max); }

  /// The step was accepted. @param taken its size [s].
  void accepted(double now, double taken);
  /// The step failed. @returns false if it cannot be cut further.
  bool cut(double now, double taken);

  [[nodiscard]] const std::map<std::string, long>& limit_causes() const { return causes_; }

 private:
  TimeDescription time_;
  double next_ = 0;   ///< adaptive: size before limits; fixed: unused
  long grid_ = 0;     ///< fixed: steps of the grid that are done
  int halvings_ = 0;  ///< fixed: of the step under way
  std::map<std::string, long> causes_;
};

}  // namespace scree
