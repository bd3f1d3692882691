/// How the solution of a step ended, whichever solver was used.
#pragma once

#include <string>

namespace scree {

enum class StepOutcome {
  converged,
  left_cover,  ///< contacts appeared that the lists did not foresee: prepare again and repeat
  failed       ///< cut the step
};

struct StepReport {
  StepOutcome outcome = StepOutcome::failed;
  std::string cause;     ///< of a failure, in words
  std::string detail;    ///< which body was in the way, where `blocked`
  bool blocked = false;  ///< bodies would have gone through something: only a smaller step helps
  bool linear_failed = false;
  bool no_memory = false;  ///< for factors that a step of any size needs
  int newton = 0;          ///< iterations; sweeps of the fixed-point iteration
  long krylov = 0;
  int clipped = 0;       ///< iterations shortened so that no gap closes
  int backtracks = 0;    ///< trial states that the line search rejected
  double residual = 0;   ///< largest component at the end [N]
  double tolerance = 0;  ///< what it was to be below [N]
};

}  // namespace scree
