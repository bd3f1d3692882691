/// Times of a step.
#pragma once

namespace scree {

struct StepFrame {
  double start = 0;   ///< boundaries begin to move [s]
  double end = 0;     ///< boundaries end their motion [s]
  double h = 0;       ///< size that the integrator uses [s]; of a proximal step not end - start
  double fall = 0.5;  ///< a constant acceleration a displaces a body by fall h^2 a

  [[nodiscard]] double middle() const { return start + 0.5 * h; }
};

}  // namespace scree
