/// Modified proportioning with reduced gradient projections: Dostal and Schoeberl, Minimizing quadratic
/// functions subject to bound constraints with the rate of convergence and finite termination, Comput.
/// Optim. Appl. 30 (2005) 23-43, algorithm 3.1. The expansion is tried first as a projected step of conjugate
/// gradients, and taken if the energy falls by no less than up to the bound.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "solvers/contact_dynamics/lcp_methods.hpp"

namespace scree::contact_dynamics {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr const char* kUnsolvable = "forces grow without bound: no velocities satisfy all contacts";
constexpr int kPowerSteps = 12;
constexpr double kStep = 1.8;       ///< of the projected gradient, in units of 1/|N|; below 2
constexpr double kAtBound = 1e-15;  ///< what is left of a force that a step ends at its bound is round-off
constexpr double kNoCurvature = 1e-15;  ///< of a direction, relative to |N|

class Mprgp {
 public:
  Mprgp(const ScaledLcp& lcp, std::span<double> y)
      : lcp_(lcp), y_(y), g_(y.size()), direction_(y.size()), image_(y.size()), trial_(y.size()) {}

  MethodReport solve() {
    norm_ = lcp_.n->norm(kPowerSteps);
    step_ = kStep / std::max(norm_, kNoCurvature);
    report_.products = kPowerSteps;
    renew();
    bool fresh = true;  // g_ is no sum of updates
    while (true) {
      const Gradient gradient = look();
      if (gradient.measure <= lcp_.tolerance) {
        if (fresh) return report_;
        renew();
        fresh = true;
        continue;
      }
      if (report_.iterations == lcp_.max_iterations) return give_up("iteration limit");
      ++report_.iterations;
      fresh = false;
      if (gradient.chopped <= gradient.reduced) {
        if (!conjugate_step()) return give_up(kUnsolvable);
      } else if (!proportion()) {
        return give_up(kUnsolvable);
      }
    }
  }

 private:
  struct Gradient {
    double chopped = 0;  ///< |beta|^2, of contacts without force that want one
    double reduced = 0;  ///< phi~^T phi, of contacts with force
    double measure = 0;
  };

  MethodReport give_up(const char* cause) {
    report_.cause = cause;
    return report_;
  }

  void apply(const std::vector<double>& x) {
    lcp_.n->apply(x.data(), image_.data());
    ++report_.products;
  }

  void renew() {
    lcp_.rates(y_, g_);
    ++report_.products;
    restart();
  }

  /// The next step goes along the free gradient.
  void restart() {
    for (std::size_t i = 0; i < y_.size(); ++i) direction_[i] = y_[i] > 0 ? g_[i] : 0;
  }

  [[nodiscard]] Gradient look() const {
    Gradient gradient;
    for (std::size_t i = 0; i < y_.size(); ++i) {
      if (y_[i] > 0) {
        gradient.reduced += std::min(y_[i] / step_, g_[i]) * g_[i];
      } else {
        const double wants = std::min(g_[i], 0.0);
        gradient.chopped += wants * wants;
      }
    }
    gradient.measure = lcp_.local_measure(y_, g_);
    std::array<double, 2> sums{gradient.chopped, gradient.reduced};
    sum_over_ranks(sums, lcp_.n->comm());
    MPI_Allreduce(MPI_IN_PLACE, &gradient.measure, 1, MPI_DOUBLE, MPI_MAX, lcp_.n->comm());
    gradient.chopped = sums[0];
    gradient.reduced = sums[1];
    return gradient;
  }

  /// g^T d, d^T N d and |d|^2 for the direction.
  [[nodiscard]] std::array<double, 3> products() const {
    std::array<double, 3> sums{};
    for (std::size_t i = 0; i < y_.size(); ++i) {
      sums[0] += g_[i] * direction_[i];
      sums[1] += image_[i] * direction_[i];
      sums[2] += direction_[i] * direction_[i];
    }
    sum_over_ranks(sums, lcp_.n->comm());
    return sums;
  }

  /// How far the direction goes to the first bound.
  [[nodiscard]] double feasible() const {
    double length = kInfinity;
    for (std::size_t i = 0; i < y_.size(); ++i) {
      if (direction_[i] > 0) length = std::min(length, y_[i] / direction_[i]);
    }
    MPI_Allreduce(MPI_IN_PLACE, &length, 1, MPI_DOUBLE, MPI_MIN, lcp_.n->comm());
    return length;
  }

  /// @returns false if the energy falls forever along the direction.
  bool conjugate_step() {
    apply(direction_);
    const auto [slope, curvature, length] = products();
    const bool curved = curvature > kNoCurvature * norm_ * length;
    const double whole = curved ? slope / curvature : kInfinity;
    const double most = feasible();
    if (whole <= most) {
      advance(whole);
      conjugate(curvature);
      return true;
    }
    if (most == kInfinity) return false;
    if (!curved || !project(whole, most * (slope - 0.5 * most * curvature))) expand(most);
    restart();
    return true;
  }

  void advance(double length) {
    for (std::size_t i = 0; i < y_.size(); ++i) {
      const double next = y_[i] - length * direction_[i];
      y_[i] = next > kAtBound * y_[i] ? next : 0;
      g_[i] -= length * image_[i];
    }
  }

  /// The next direction, conjugate to this one.
  void conjugate(double curvature) {
    std::array<double, 1> sum{};
    for (std::size_t i = 0; i < y_.size(); ++i) {
      if (y_[i] > 0) sum[0] += g_[i] * image_[i];
    }
    sum_over_ranks(sum, lcp_.n->comm());
    const double gamma = sum[0] / curvature;
    for (std::size_t i = 0; i < y_.size(); ++i) {
      direction_[i] = (y_[i] > 0 ? g_[i] : 0) - gamma * direction_[i];
    }
  }

  /// Goes the whole way and projects, if the energy falls by `enough`. @returns whether it did.
  bool project(double length, double enough) {
    for (std::size_t i = 0; i < y_.size(); ++i) trial_[i] = std::max(y_[i] - length * direction_[i], 0.0);
    lcp_.rates(trial_, image_);
    ++report_.products;
    std::array<double, 1> fall{};
    for (std::size_t i = 0; i < y_.size(); ++i) fall[0] += 0.5 * (y_[i] - trial_[i]) * (g_[i] + image_[i]);
    sum_over_ranks(fall, lcp_.n->comm());
    if (fall[0] < enough) {
      apply(direction_);
      return false;
    }
    std::copy(trial_.begin(), trial_.end(), y_.begin());
    g_.swap(image_);
    return true;
  }

  /// To the first bound, and from there along the projected gradient with a fixed step.
  void expand(double most) {
    advance(most);
    for (std::size_t i = 0; i < y_.size(); ++i) {
      if (y_[i] > 0) y_[i] = std::max(y_[i] - step_ * g_[i], 0.0);
    }
    lcp_.rates(y_, g_);
    ++report_.products;
  }

  /// Gives force to contacts that want one. @returns false if the energy falls forever along the direction.
  bool proportion() {
    for (std::size_t i = 0; i < y_.size(); ++i) direction_[i] = y_[i] > 0 ? 0 : std::min(g_[i], 0.0);
    apply(direction_);
    const auto [slope, curvature, length] = products();
    if (!(curvature > kNoCurvature * norm_ * length)) return false;
    advance(slope / curvature);
    restart();
    return true;
  }

  const ScaledLcp& lcp_;
  std::span<double> y_;
  std::vector<double> g_;          ///< N y + p
  std::vector<double> direction_;  ///< against which the next step goes
  std::vector<double> image_;      ///< N times direction_
  std::vector<double> trial_;
  double norm_ = 0, step_ = 0;
  MethodReport report_;
};

}  // namespace

MethodReport solve_mprgp(const ScaledLcp& lcp, std::span<double> y) { return Mprgp(lcp, y).solve(); }

}  // namespace scree::contact_dynamics
