/// Accelerated projected gradients: Mazhar, Heyn, Negrut, Tasora, Using Nesterov's method to accelerate
/// multibody dynamics with friction and contact, ACM Trans. Graph. 34 (2015) 32, algorithm 1, with the
/// restart by gradient of O'Donoghue and Candes, Found. Comput. Math. 15 (2015) 715-732.
/// Once the set of loaded contacts has settled, conjugate gradients on those contacts go the rest of the way,
/// or as far as forces stay positive (the face of Dostal and Schoeberl, Comput. Optim. Appl. 30 (2005)
/// 23-43).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

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
      for (std::size_t i = 0; i < y_.size(); ++i) next_[i] = std::max(ahead_[i] - w_ahead_[i] / norm_, 0.0);
      rates(next_, w_next_);
      std::array<double, 2> sums{};  // with d = next - ahead: d^T N d and d^T d
      for (std::size_t i = 0; i < y_.size(); ++i) {
        const double step = next_[i] - ahead_[i];
        sums[0] += step * (w_next_[i] - w_ahead_[i]);
        sums[1] += step * step;
      }
      sum_over_ranks(sums, lcp_.n->comm());
      if (!(sums[0] > norm_ * sums[1] * (1 + 1e-12))) return;  // also where it is no number
      norm_ = std::max(2 * norm_, sums[0] / sums[1]);
    }
  }

  /// Takes the step, and a new point ahead of it. @returns whether a contact was gained or lost.
  bool accelerate() {
    const double square = theta_ * theta_;
    const double theta = 0.5 * (-square + theta_ * std::sqrt(square + 4));
    double beta = theta_ * (1 - theta_) / (square + theta);
    std::array<double, 2> sums{};  // by how much the step goes uphill, contacts gained or lost
    for (std::size_t i = 0; i < y_.size(); ++i) {
      sums[0] += w_ahead_[i] * (next_[i] - y_[i]);
      sums[1] += (next_[i] > 0) != (y_[i] > 0) ? 1 : 0;
    }
    sum_over_ranks(sums, lcp_.n->comm());
    theta_ = theta;
    if (sums[0] > 0) {
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
    return sums[1] > 0;
  }

  /// Conjugate gradients on the loaded contacts until r is reached, a force comes to 0, or contacts without
  /// force want one more than those with force want theirs changed.
  void follow_face() {
    std::vector<double>&direction = ahead_, &image = w_ahead_;
    const auto loaded_gradient = [&](std::size_t i) { return y_[i] > 0 ? w_[i] : 0; };
    double square = 0, other = 0;
    for (std::size_t i = 0; i < y_.size(); ++i) direction[i] = loaded_gradient(i);
    look_at_face(square, other);
    while (square > other && report_.iterations < lcp_.max_iterations) {
      lcp_.n->apply(direction.data(), image.data());
      ++report_.products;
      ++report_.iterations;
      const auto [curvature, length, most] = along(direction, image);
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
      look_at_face(square, other);
      for (std::size_t i = 0; i < y_.size(); ++i) {
        direction[i] = loaded_gradient(i) + square / before * direction[i];
      }
    }
    rates(y_, w_);  // what was summed up has round-off
  }

  /// |w|^2 of loaded contacts, and of others that want a force.
  void look_at_face(double& loaded, double& other) const {
    std::array<double, 2> sums{};
    for (std::size_t i = 0; i < y_.size(); ++i) {
      const double wants = std::min(w_[i], 0.0);
      (y_[i] > 0 ? sums[0] : sums[1]) += y_[i] > 0 ? w_[i] * w_[i] : wants * wants;
    }
    sum_over_ranks(sums, lcp_.n->comm());
    loaded = sums[0];
    other = sums[1];
  }

  /// d^T N d, d^T d, and how far one can go against d until a force is 0.
  [[nodiscard]] std::array<double, 3> along(const std::vector<double>& direction,
                                            const std::vector<double>& image) const {
    std::array<double, 2> sums{};
    double most = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < y_.size(); ++i) {
      sums[0] += direction[i] * image[i];
      sums[1] += direction[i] * direction[i];
      if (direction[i] > 0) most = std::min(most, y_[i] / direction[i]);
    }
    sum_over_ranks(sums, lcp_.n->comm());
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MIN, lcp_.n->comm());
    return {sums[0], sums[1], most};
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
