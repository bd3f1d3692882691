/// A sphere with one unknown, for tests of coupled steps.
#pragma once

#include <algorithm>
#include <cmath>

namespace scree::coupling {

/// A sphere that presses with Hertz's force on a surface that moves; the trapezoidal rule.
struct HertzSphere {
  double mass, stiffness, u = 0.0, v = 0.0, a = 0.0, end = 0.0, force = 0.0;

  /// @param surface its displacement at the end [m]. @returns the force [N].
  double solve(double surface, double h) {
    const double predicted = u + h * v + h * h / 4.0 * a;
    // m (end - predicted) 4/h^2 + k (end - surface)^1.5 = 0 increases in `end`: Newton from the right.
    end = std::max(predicted, surface);
    for (int k = 0; k < 100; ++k) {
      const double overlap = std::max(end - surface, 0.0);
      const double residual = 4.0 * mass / (h * h) * (end - predicted) + stiffness * std::pow(overlap, 1.5);
      const double step = residual / (4.0 * mass / (h * h) + 1.5 * stiffness * std::sqrt(overlap));
      end -= step;
      if (std::abs(step) <= 1e-15 * std::abs(end)) break;
    }
    force = stiffness * std::pow(std::max(end - surface, 0.0), 1.5);
    return force;
  }
  void accept(double h) {
    const double next = 4.0 / (h * h) * (end - u - h * v) - a;
    v += h / 2.0 * (a + next);
    a = next;
    u = end;
  }
};

}  // namespace scree::coupling
