/// What the methods for LCPs share: the scaled problem they solve, and its stopping measure. Internal.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "solvers/contact_dynamics/delassus.hpp"
#include "solvers/contact_dynamics/lcp.hpp"

namespace scree::contact_dynamics {

/// 0 <= y _|_ N y + p >= 0 with N_ii = 1 (0 for contacts between bodies that are fixed, which no force
/// helps). With s_i = sqrt(mean N_ii / N_ii): f_i = force s_i y_i, (N f + p)_i of the step = rate / s_i
/// times that here.
struct ScaledLcp {
  Delassus* n = nullptr;
  std::vector<double> p, s;
  double tolerance = 0;
  long max_iterations = 0;

  [[nodiscard]] std::size_t size() const { return p.size(); }
  /// A contact's part of r, for a force y and w = N y + p.
  [[nodiscard]] double part(std::size_t i, double y, double w) const {
    return std::abs(std::min(s[i] * y, w / s[i]));
  }
  /// w = N y + p. Collective.
  void rates(std::span<const double> y, std::span<double> w) const;
  /// r of this rank's contacts.
  [[nodiscard]] double local_measure(std::span<const double> y, std::span<const double> w) const;
  /// r of all contacts. Collective.
  [[nodiscard]] double measure(std::span<const double> y, std::span<const double> w) const;
};

struct MethodReport {
  long iterations = 0, products = 0;
  std::string cause;  ///< why it gave up; empty if it believes to have converged
};

/// Each solves the scaled problem from y >= 0 to its tolerance or gives up and says why. Collective.
MethodReport solve_apgd(const ScaledLcp& lcp, std::span<double> y);
MethodReport solve_gauss_seidel(const ScaledLcp& lcp, std::span<double> y);
/// @param contacts for N assembled, which BQPIP needs.
MethodReport solve_tao(const ScaledLcp& lcp, LcpMethod method, const ContactOperator& contacts,
                       std::span<double> y);

/// Sums over all ranks, in place.
template <std::size_t Count>
void sum_over_ranks(std::array<double, Count>& values, MPI_Comm comm) {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(Count), MPI_DOUBLE, MPI_SUM, comm);
}

}  // namespace scree::contact_dynamics
