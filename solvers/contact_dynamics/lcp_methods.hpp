/// What the methods for LCPs share: the scaled problem they solve, and its stopping measure. Internal.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "solvers/contact_dynamics/contact_operator.hpp"
#include "solvers/contact_dynamics/delassus.hpp"
#include "solvers/contact_dynamics/methods.hpp"

namespace scree::contact_dynamics {

/// 0 <= y _|_ N y + p >= 0 with N_ii = 1 (0 for contacts between bodies that are fixed, which no force
/// helps). Units of forces go with 1 / sqrt(N_ii), those of rates with sqrt(N_ii).
struct ScaledLcp {
  Delassus* n = nullptr;
  std::vector<double> p;
  std::vector<double> force_unit;  ///< what y_i = 1 stands for [N]
  std::vector<double> weight;      ///< of min(y_i, (N y + p)_i) in r: force_unit by f_0i of the contact
  double power = 1;                ///< unit of force times unit of rate, the same for all contacts [W]
  double least_force = 1;          ///< the least f_0i [N]
  double typical_force = 1;        ///< LcpScales::force [N]
  double tolerance = 0;
  long max_iterations = 0;

  [[nodiscard]] std::size_t size() const { return p.size(); }
  /// What (N y + p)_i = 1 stands for [m/s].
  [[nodiscard]] double rate_unit(std::size_t i) const { return power / force_unit[i]; }
  /// A contact's part of r, for a force y and w = N y + p.
  [[nodiscard]] double part(std::size_t i, double y, double w) const {
    return weight[i] * std::abs(std::min(y, w));
  }
  /// w = N y + p. Collective.
  void rates(std::span<const double> y, std::span<double> w) const;
  /// r of all contacts. @throws Interrupted on all ranks if any was asked to stop. Collective.
  [[nodiscard]] double measure(std::span<const double> y, std::span<const double> w) const;
};

struct MethodReport {
  long iterations = 0, products = 0;
  std::string cause;  ///< why it gave up; empty if it believes to have converged
};

/// Each solves the scaled problem from y >= 0 to its tolerance or gives up and says why.
/// @throws Interrupted on all ranks if any was asked to stop. Collective.
MethodReport solve_apgd(const ScaledLcp& lcp, std::span<double> y);
MethodReport solve_newton(const ScaledLcp& lcp, std::span<double> y);
MethodReport solve_gauss_seidel(const ScaledLcp& lcp, std::span<double> y);
/// @param contacts for N assembled, which BQPIP needs.
MethodReport solve_tao(const ScaledLcp& lcp, LcpMethod method, const ContactOperator& contacts,
                       std::span<double> y);

/// Lets the solver of TAO for an LCP read its options, as `solve_tao` does. @param prefix of them.
/// Collective. @throws RunError if PETSc does not take an option.
void read_tao_options(MPI_Comm comm, LcpMethod method, const std::string& prefix);

/// Folds values of contacts, in lanes: one after the other, each waits for the last one's addition, which
/// takes as long as a product with N. The order is fixed, so are the bits.
/// @param value of a contact, into `fold(result, value)`.
template <class Result, class Value, class Fold>
Result fold_contacts(std::size_t size, Result start, Value&& value, Fold&& fold) {
  constexpr std::size_t kLanes = 4;
  std::array<Result, kLanes> lanes;
  lanes.fill(start);
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) fold(lanes[lane], value(i + lane));
  }
  for (; i < size; ++i) fold(lanes[0], value(i));
  for (std::size_t lane = 1; lane < kLanes; ++lane) fold(lanes[0], lanes[lane]);
  return lanes[0];
}

/// Sums over the contacts of all ranks. Collective. @param terms of a contact, an array of Count.
template <std::size_t Count, class Terms>
std::array<double, Count> sum_contacts(const ScaledLcp& lcp, Terms&& terms) {
  using Sums = std::array<double, Count>;
  Sums sums = fold_contacts(lcp.size(), Sums{}, terms, [](Sums& sum, const Sums& more) {
    for (std::size_t k = 0; k < Count; ++k) sum[k] += more[k];
  });
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(Count), MPI_DOUBLE, MPI_SUM, lcp.n->comm());
  return sums;
}

}  // namespace scree::contact_dynamics
