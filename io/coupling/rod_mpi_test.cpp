/// A ball strikes the end of a long elastic rod: the closed solution of theory 13 section 7, and the order of
/// the error of coupled steps.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "io/coupling/accelerator.hpp"
#include "io/coupling/test_coupling.hpp"

namespace scree::coupling {
namespace {

constexpr double kImpedance = 400;  ///< rho c A [kg/s]
constexpr double kWaveSpeed = 1000, kLength = 5;
constexpr double kStiffness = 1e5, kSpeed = 1;  ///< of the contact [N/m], of the ball [m/s]
constexpr double kEnd = 0.008;                  ///< before the wave returns, and before the ball leaves [s]
const double kMass = 4.0 / 3.0 * std::numbers::pi * std::pow(0.05, 3) * 2500;

/// Vertical displacement of linear elements, the lower end fixed: trapezoidal rule.
class Rod {
 public:
  explicit Rod(int elements) : u_(static_cast<std::size_t>(elements), 0.0), v_(u_), a_(u_), end_(u_) {
    const double h = kLength / elements;
    k_ = kImpedance * kWaveSpeed / h;
    m_ = kImpedance / kWaveSpeed * h / 6;
  }
  /// @returns the displacement of the upper end, node 0 [m]. @param force on it [N].
  double solve(double force, double dt) {
    const double f = 4 / (dt * dt);
    const std::size_t n = u_.size();
    std::vector<double> right(n), over(n), p(n);
    for (std::size_t i = 0; i < n; ++i) p[i] = u_[i] + dt * v_[i] + dt * dt / 4 * a_[i];
    const double side = f * m_ - k_;
    for (std::size_t i = 0; i < n; ++i) {  // Thomas
      const double parts = i == 0 ? 1 : 2;
      right[i] = f * m_ * (2 * parts * p[i] + (i > 0 ? p[i - 1] : 0) + (i + 1 < n ? p[i + 1] : 0));
      if (i == 0) right[i] += force;
      double diagonal = parts * (k_ + 2 * f * m_);
      if (i > 0) {
        diagonal -= side * over[i - 1];
        right[i] -= side * right[i - 1];
      }
      over[i] = side / diagonal;
      right[i] /= diagonal;
    }
    end_ = right;
    for (std::size_t i = n - 1; i-- > 0;) end_[i] -= over[i] * end_[i + 1];
    return end_[0];
  }
  void accept(double dt) {
    for (std::size_t i = 0; i < u_.size(); ++i) {
      const double a = 4 / (dt * dt) * (end_[i] - u_[i] - dt * v_[i]) - a_[i];
      v_[i] += dt / 2 * (a_[i] + a);
      a_[i] = a;
    }
    u_ = end_;
  }

 private:
  double k_ = 0, m_ = 0;
  std::vector<double> u_, v_, a_, end_;
};

/// The rod answers like a dashpot: F'' + (k/Z) F' + (k/m) F = k g, F(0) = 0, F'(0) = k v.
double exact_force(double t) {
  const double a = kStiffness / (2 * kImpedance), w = std::sqrt(kStiffness / kMass - a * a);
  const double weight = kMass * 9.81;
  return weight + std::exp(-a * t) *
                      ((kStiffness * kSpeed - a * weight) / w * std::sin(w * t) - weight * std::cos(w * t));
}

struct Strike {
  double error = 0;       ///< of the force at the ends of steps, over its peak
  double iterations = 0;  ///< per step
};

Strike strike_rod(int elements) {
  const double dt = kLength / kWaveSpeed / elements;
  std::string scene = deck(
      R"("normal": {"law": "hooke", "stiffness": )" + text::number(kStiffness) + R"(, "damping": 0})", kBall,
      R"({"shape": "ball", "material": "rock", "position": [0.1, 0.03, 0.05], "velocity": [0, 0, -1]})",
      Sheet(3).text() + R"(, "motion": "coupled")", "", 1, text::number(dt, 17));
  const std::string newmark = R"("type": "newmark")";
  scene.insert(scene.find(newmark) + newmark.size(), R"(, "beta": 0.25, "gamma": 0.5)");
  Participant bodies = participant(scene);
  const Surface plate = bodies.add_surface("plate");
  bodies.initialize();
  Rod rod(elements);
  Accelerator accelerator({}, MPI_COMM_WORLD, {1.0 / ranks()});
  const std::size_t numbers = bodies.mesh(plate).reference.size();
  double force = 0, peak = 0;
  Strike found;
  const int steps = static_cast<int>(std::lround(kEnd / dt));
  std::vector<double> x(1);
  for (int k = 1; k <= steps; ++k) {
    x[0] = rod.solve(force, dt);
    const CoupledStep step = iterate(accelerator, x,
                                     [&](std::span<const double> from, std::span<double> to) {
                                       std::vector<double> u(numbers, 0.0);
                                       for (std::size_t i = 2; i < numbers; i += 3) u[i] = from[0];
                                       bodies.set_motion(plate, u);
                                       EXPECT_TRUE(bodies.solve_step(dt).converged());
                                       force = bodies.resultant(plate).force.z();
                                       to[0] = rod.solve(force, dt);
                                     },
                                     {.relative = 1e-10, .absolute = 1e-16});
    EXPECT_TRUE(step.converged) << k;
    bodies.accept();
    rod.accept(dt);
    found.iterations += static_cast<double>(step.iterations) / steps;
    test::keep_largest(peak, exact_force(k * dt));
    test::keep_largest(found.error, std::abs(-force - exact_force(k * dt)));
  }
  found.error /= peak;
  return found;
}

TEST(RodImpact, ErrorIsOfSecondOrderInTheStep) {
  std::vector<Strike> runs;
  for (const int elements : {25, 50, 100}) {
    runs.push_back(strike_rod(elements));
    RecordProperty("error_" + std::to_string(elements), text::number(runs.back().error));
    RecordProperty("iterations_" + std::to_string(elements), text::number(runs.back().iterations));
  }
  EXPECT_NEAR(std::log2(runs[0].error / runs[1].error), 2.0, 0.15) << runs[0].error << " " << runs[1].error;
  EXPECT_NEAR(std::log2(runs[1].error / runs[2].error), 2.0, 0.15) << runs[2].error;
  EXPECT_LT(runs[2].error, 1e-3);
  EXPECT_LT(runs[2].iterations, 4.0);
}

}  // namespace
}  // namespace scree::coupling
