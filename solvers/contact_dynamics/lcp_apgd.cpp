/// Accelerated projected gradients: Mazhar, Heyn, Negrut, Tasora, Using Nesterov's method to accelerate
/// multibody dynamics with friction and contact, ACM Trans. Graph. 34 (2015) 32, algorithm 1, with the
/// restart by gradient of O'Donoghue and Candes, Found. Comput. Math. 15 (2015) 715-732.
#include <algorithm>
#include <array>
#include <cmath>

#include "solvers/contact_dynamics/lcp_methods.hpp"

namespace scree::contact_dynamics {
namespace {

constexpr double kShrink = 0.97;  ///< of the estimated |N| from one iteration to the next

}  // namespace

MethodReport solve_apgd(const ScaledLcp& lcp, std::span<double> y) {
  const std::size_t size = lcp.size();
  const MPI_Comm comm = lcp.n->comm();
  std::vector<double> ahead(y.begin(), y.end()), w_ahead(size), next(size), w_next(size);  // w: N . + p
  MethodReport report;
  double theta = 1;
  double norm = 1;  // the least it can be where the diagonal is 1; grows where it has to
  report.products = 1;
  lcp.rates(ahead, w_ahead);
  if (lcp.measure(y, w_ahead) <= lcp.tolerance) return report;
  std::vector<double> w = w_ahead;
  while (report.iterations < lcp.max_iterations) {
    ++report.iterations;
    while (true) {  // until 1/norm is a step along which the quadratic model bounds q from above
      for (std::size_t i = 0; i < size; ++i) next[i] = std::max(ahead[i] - w_ahead[i] / norm, 0.0);
      lcp.rates(next, w_next);
      ++report.products;
      std::array<double, 2> sums{};  // (next - ahead)^T N (next - ahead), |next - ahead|^2
      for (std::size_t i = 0; i < size; ++i) {
        const double step = next[i] - ahead[i];
        sums[0] += step * (w_next[i] - w_ahead[i]);
        sums[1] += step * step;
      }
      sum_over_ranks(sums, comm);
      if (sums[0] <= norm * sums[1] * (1 + 1e-12)) break;
      norm = std::max(2 * norm, sums[0] / sums[1]);
    }
    if (lcp.measure(next, w_next) <= lcp.tolerance) {
      std::copy(next.begin(), next.end(), y.begin());
      return report;
    }
    const double square = theta * theta;
    const double theta_next = 0.5 * (-square + theta * std::sqrt(square + 4));
    double beta = theta * (1 - theta) / (square + theta_next);
    std::array<double, 1> uphill{};
    for (std::size_t i = 0; i < size; ++i) uphill[0] += w_ahead[i] * (next[i] - y[i]);
    sum_over_ranks(uphill, comm);
    theta = theta_next;
    if (uphill[0] > 0) {
      beta = 0;
      theta = 1;
    }
    for (std::size_t i = 0; i < size; ++i) {  // w is linear: the point ahead needs no product of its own
      ahead[i] = next[i] + beta * (next[i] - y[i]);
      w_ahead[i] = w_next[i] + beta * (w_next[i] - w[i]);
      y[i] = next[i];
    }
    w.swap(w_next);
    norm *= kShrink;
  }
  report.cause = "iteration limit";
  return report;
}

}  // namespace scree::contact_dynamics
