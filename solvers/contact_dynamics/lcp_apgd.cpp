/// Accelerated projected gradients: Mazhar, Heyn, Negrut, Tasora, Using Nesterov's method to accelerate
/// multibody dynamics with friction and contact, ACM Trans. Graph. 34 (2015) 32, algorithm 1, with the
/// restart by gradient of O'Donoghue and Candes, Found. Comput. Math. 15 (2015) 715-732.
/// Once the set of loaded contacts has settled, conjugate gradients on those contacts go the rest of the way,
/// or as far as forces stay positive (the face of Dostal and Schoeberl, Comput. Optim. Appl. 30 (2005)
/// 23-43).
#include <algorithm>
#include <array>
#include <cmath>

#include "core/infinity.hpp"
#include "solvers/contact_dynamics/lcp_methods.hpp"

namespace scree::contact_dynamics {
namespace {

constexpr double kShrink = 0.97;  ///< of the estimated |N| from one iteration to the next
constexpr int kSettled = 25;      ///< iterations without a contact gained or lost before the face is tried
constexpr int kShortFace = 10;    ///< a face left sooner was not worth it: the next has to be settled longer
constexpr double kNoCurvature = 1e-14;  ///< of a direction on the face; |N| is at least 1

class Accelerated {
 public:
  Accelerated(const ScaledLcp& lcp, std::span<double> y)
      : lcp_(lcp),
        y_(y),
        ahead_(y.size()),
        w_(y.size()),
        w_ahead_(y.size()),
        next_(y.size()),
        w_next_(y.size()) {}

  MethodReport solve() {
    rates(y_, w_);
    restart();
    int settled = 0, wanted = kSettled;
    double measure = lcp_.measure(y_, w_);
    while (measure > lcp_.tolerance) {
      if (report_.iterations >= lcp_.max_iterations) {
        report_.cause = "iteration limit";
        break;
      }
      ++report_.iterations;
      descend();
      settled = accelerate() ? 0 : settled + 1;
      if (settled >= wanted) {
        const long before = report_.iterations;
        follow_face();
        if (report_.iterations - before < kShortFace) wanted *= 2;
        settled = 0;
        restart();
      }
      measure = lcp_.measure(y_, w_);
    }
    return report_;
  }

 private:
  void rates(std::span<const double> y, std::vector<double>& w) {
    lcp_.rates(y, w);
    ++report_.products;
  }

  void restart() {
    theta_ = 1;
    std::copy(y_.begin(), y_.end(), ahead_.begin());
    w_ahead_ = w_;
  }

  /// A projected gradient step from the point ahead, as long as the quadratic model bounds the energy there.
  void descend() {
    while (true) {
      const double length = 1 / norm_;
      for (std::size_t i = 0; i < y_.size(); ++i) next_[i] = std::max(ahead_[i] - length * w_ahead_[i], 0.0);
      rates(next_, w_next_);
      const auto [curvature, square] = sum_contacts<2>(lcp_, [&](std::size_t i) -> std::array<double, 2> {
        const double step = next_[i] - ahead_[i];
        return {step * (w_next_[i] - w_ahead_[i]), step * step};
      });
      if (!(curvature > norm_ * square * (1 + 1e-12))) return;  // also where it is no number
      norm_ = std::max(2 * norm_, curvature / square);
    }
  }

  /// Takes the step, and a new point ahead of it. @returns whether a contact was gained or lost.
  bool accelerate() {
    const double square = theta_ * theta_;
    const double theta = 0.5 * (-square + theta_ * std::sqrt(square + 4));
    double beta = theta_ * (1 - theta_) / (square + theta);
    const auto [uphill, changed] = sum_contacts<2>(lcp_, [&](std::size_t i) -> std::array<double, 2> {
      return {w_ahead_[i] * (next_[i] - y_[i]), (next_[i] > 0) != (y_[i] > 0) ? 1.0 : 0.0};
    });
    theta_ = theta;
    if (uphill > 0) {
      beta = 0;
      theta_ = 1;
    }
    for (std::size_t i = 0; i < y_.size(); ++i) {  // w is linear: the point ahead needs no product of its own
      ahead_[i] = next_[i] + beta * (next_[i] - y_[i]);
      w_ahead_[i] = w_next_[i] + beta * (w_next_[i] - w_[i]);
      y_[i] = next_[i];
    }
    w_.swap(w_next_);
    norm_ *= kShrink;
    return changed > 0;
  }

  /// Conjugate gradients on the loaded contacts until r is reached, a force comes to 0, or contacts without
  /// force want one more than those with force want theirs changed.
  void follow_face() {
    std::vector<double>&direction = ahead_, &image = w_ahead_;
    const auto loaded_gradient = [&](std::size_t i) { return y_[i] > 0 ? w_[i] : 0; };
    for (std::size_t i = 0; i < y_.size(); ++i) direction[i] = loaded_gradient(i);
    auto [square, other] = face();  // of gradients, loaded and not
    while (square > other && report_.iterations < lcp_.max_iterations) {
      lcp_.n->apply(direction.data(), image.data());
      ++report_.products;
      ++report_.iterations;
      const auto [curvature, length] = sum_contacts<2>(lcp_, [&](std::size_t i) -> std::array<double, 2> {
        return {direction[i] * image[i], direction[i] * direction[i]};
      });
      const double most = way(direction);
      const bool curved = curvature > kNoCurvature * length;
      const bool blocked = !curved || square / curvature >= most;
      if (blocked && !std::isfinite(most))
        break;  // no end: nothing solves the problem, and the limit will say so
      const double step = blocked ? most : square / curvature;
      for (std::size_t i = 0; i < y_.size(); ++i) {
        const bool ends = blocked && direction[i] > 0 && y_[i] <= step * direction[i];
        y_[i] = ends ? 0 : std::max(y_[i] - step * direction[i], 0.0);
        w_[i] -= step * image[i];
      }
      if (blocked || lcp_.measure(y_, w_) <= lcp_.tolerance) break;
      const double before = square;
      const auto now = face();
      square = now[0];
      other = now[1];
      for (std::size_t i = 0; i < y_.size(); ++i) {
        direction[i] = loaded_gradient(i) + square / before * direction[i];
      }
    }
    rates(y_, w_);  // what was summed up has round-off
  }

  /// |w|^2 of loaded contacts, and of others that want a force.
  [[nodiscard]] std::array<double, 2> face() const {
    return sum_contacts<2>(lcp_, [&](std::size_t i) -> std::array<double, 2> {
      const double wants = std::min(w_[i], 0.0);
      return {y_[i] > 0 ? w_[i] * w_[i] : 0, y_[i] > 0 ? 0 : wants * wants};
    });
  }

  /// How far one can go against a direction until a force is 0.
  [[nodiscard]] double way(const std::vector<double>& direction) const {
    double most = fold_contacts(
        y_.size(), kInfinity,
        [&](std::size_t i) { return direction[i] > 0 ? y_[i] / direction[i] : kInfinity; },
        [](double& least, double more) { least = std::min(least, more); });
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MIN, lcp_.n->comm());
    return most;
  }

  const ScaledLcp& lcp_;
  std::span<double> y_;
  std::vector<double> ahead_, w_, w_ahead_, next_, w_next_;  ///< points, and w = N y + p at them
  double theta_ = 1;
  double norm_ = 1;  ///< estimate of |N|; the least it can be where the diagonal is 1, grows where it has to
  MethodReport report_;
};

}  // namespace

MethodReport solve_apgd(const ScaledLcp& lcp, std::span<double> y) { return Accelerated(lcp, y).solve(); }

}  // namespace scree::contact_dynamics
