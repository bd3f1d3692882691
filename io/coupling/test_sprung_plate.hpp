/// A partner of coupled runs whose motion is known step by step.
#pragma once

namespace scree::coupling {

/// A rigid plate on a spring: one vertical displacement; trapezoidal rule.
struct SprungPlate {
  double mass = 2, stiffness = 2e4, u = 0, v = 0, a = 0, end = 0, end_a = 0;

  double solve(double force, double h) {
    const double predicted = u + h * v + h * h / 4 * a;
    end = (force + 4 * mass / (h * h) * predicted) / (stiffness + 4 * mass / (h * h));
    end_a = 4 / (h * h) * (end - predicted);
    return end;
  }
  void accept(double h) {
    v += h / 2 * (a + end_a);
    a = end_a;
    u = end;
  }
};

}  // namespace scree::coupling
