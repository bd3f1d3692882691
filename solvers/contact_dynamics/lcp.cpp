#include "solvers/contact_dynamics/lcp.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "assembly/interrupt.hpp"
#include "core/error.hpp"
#include "solvers/contact_dynamics/lcp_methods.hpp"

namespace scree::contact_dynamics {
namespace {

using petsc::check;

constexpr PetscInt kMostIterations = 20000;
/// "auto": iterations of projected gradients after which contacts are taken to hold each other.
constexpr long kPatience = 1000;
/// Methods aim a little lower, so that round-off between their products and those of the final measure does
/// not decide.
constexpr double kAimOfMethods = 0.95;

double mean(double sum, double count) { return count > 0 ? sum / count : 0; }

LcpScales scales_of(const StepProblem& problem, const Delassus& n, Vec p) {
  std::array<double, 6> sums{};  // |F|, bodies; N_ii, contacts; (p_i / N_ii)^2 and number of those that close
  for (int i = 0; i < problem.owned; ++i) {
    const StepBody& body = problem.bodies[i];
    const Mat3 mass = body.mass.topLeftCorner<3, 3>();
    if (mass.isZero(0)) continue;
    // Of unknowns that are fixed there is no mass here, and the force on them is not to be read.
    const Vec3 moves = (mass.diagonal().array() > 0).cast<double>();
    sums[0] += body.force.head<3>().cwiseProduct(moves).norm();
    sums[1] += 1;
  }
  const petsc::ConstVecValues offset(p);
  for (std::size_t i = 0; i < n.diagonal().size(); ++i) {
    const double entry = n.diagonal()[i];
    if (!(entry > 0)) continue;
    sums[2] += entry;
    sums[3] += 1;
    if (!(offset.data()[i] < 0)) continue;
    const double alone = offset.data()[i] / entry;
    sums[4] += alone * alone;
    sums[5] += 1;
  }
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), 6, MPI_DOUBLE, MPI_SUM, problem.comm);
  LcpScales scales;
  scales.force = std::max(mean(sums[0], sums[1]), std::sqrt(mean(sums[4], sums[5])));
  if (!(scales.force > 0)) scales.force = 1;  // nothing moves and nothing pushes: f = 0 in any units
  scales.rate = scales.force * mean(sums[2], sums[3]);
  if (!(scales.rate > 0)) scales.rate = 1;
  return scales;
}

ScaledLcp scaled(Delassus& n, Vec p, const LcpScales& scales, double tolerance) {
  ScaledLcp lcp;
  lcp.n = &n;
  lcp.force = scales.force;
  lcp.rate = scales.rate;
  lcp.tolerance = kAimOfMethods * tolerance;
  const double mean_diagonal = scales.rate / scales.force;
  const petsc::ConstVecValues values(p);
  std::vector<double> factors;
  for (std::size_t i = 0; i < n.diagonal().size(); ++i) {
    const double entry = n.diagonal()[i];
    factors.push_back(entry > 0 ? 1 / std::sqrt(entry) : 0);
    lcp.s.push_back(entry > 0 ? std::sqrt(mean_diagonal / entry) : 1);
    lcp.inverse_s.push_back(1 / lcp.s[i]);
    lcp.p.push_back(lcp.s[i] * values.data()[i] / scales.rate);
  }
  n.scale(factors);
  PetscInt most = kMostIterations;
  check(PetscOptionsGetInt(nullptr, lcp_prefix(n.problem()).c_str(), "-max_it", &most, nullptr),
        "reading options of the LCP");
  lcp.max_iterations = most;
  return lcp;
}

/// r of forces, from the operator that the step itself uses.
double residual(const ContactOperator& contacts, Vec p, Vec f, const LcpScales& scales, MPI_Comm comm) {
  const petsc::VecHandle rates = contacts.per_contact();
  contacts.delassus(f, rates);
  check(VecAXPY(rates, 1, p), "measuring complementarity");
  const petsc::ConstVecValues force(f), rate(rates);
  PetscInt size = 0;
  check(VecGetLocalSize(f, &size), "measuring complementarity");
  double largest = 0;
  for (PetscInt i = 0; i < size; ++i) {
    const double part = std::abs(std::min(force.data()[i] / scales.force, rate.data()[i] / scales.rate));
    largest = std::isfinite(part) ? std::max(largest, part) : HUGE_VAL;  // max passes over what is no number
  }
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, comm);
  return largest;
}

}  // namespace

void ScaledLcp::rates(std::span<const double> y, std::span<double> w) const {
  n->apply(y.data(), w.data());
  for (std::size_t i = 0; i < size(); ++i) w[i] += p[i];
}

double ScaledLcp::measure(std::span<const double> y, std::span<const double> w) const {
  double largest = fold_contacts(
      size(), 0.0, [&](std::size_t i) { return part(i, y[i], w[i]); },
      [](double& most, double more) { most = std::max(most, more); });
  return max_or_interrupt(largest, n->comm());
}

LcpResult LcpSolver::solve(const ContactOperator& contacts, const StepProblem& problem, Vec p, Vec f,
                           double tolerance, long most) const {
  static const petsc::LogEvent event("ScreeLcp");
  const petsc::LogScope scope(event);
  if (!(tolerance > 0)) throw InputError("", "tolerance of the LCP: expected a value > 0");
  Delassus n(problem);
  LcpResult result;
  result.scales = scales_of(problem, n, p);
  ScaledLcp lcp = scaled(n, p, result.scales, tolerance);
  if (most > 0) lcp.max_iterations = most;
  const long most_iterations = lcp.max_iterations;
  std::vector<double> y(lcp.size());
  {
    const petsc::ConstVecValues start(f);
    for (std::size_t i = 0; i < y.size(); ++i) {
      const bool helps = n.diagonal()[i] > 0;
      y[i] = helps ? std::max(start.data()[i], 0.0) / (result.scales.force * lcp.s[i]) : 0;
    }
  }
  MethodReport report;
  switch (method_) {
    case LcpMethod::automatic:
      lcp.max_iterations = std::min(lcp.max_iterations, kPatience);
      report = solve_apgd(lcp, y);
      result.finished = !report.cause.empty();
      break;
    case LcpMethod::apgd:
      report = solve_apgd(lcp, y);
      break;
    case LcpMethod::newton:
      report = solve_newton(lcp, y);
      break;
    case LcpMethod::pgs:
      report = solve_gauss_seidel(lcp, y);
      break;
    default:
      report = solve_tao(lcp, method_, contacts, y);
  }
  if (result.finished) {
    const MethodReport first = report;
    lcp.max_iterations = most_iterations;
    report = solve_newton(lcp, y);
    report.iterations += first.iterations;
    report.products += first.products;
  }
  {
    const petsc::VecValues forces(f);
    for (std::size_t i = 0; i < y.size(); ++i) {
      forces.data()[i] = result.scales.force * lcp.s[i] * std::max(y[i], 0.0);
    }
  }
  result.iterations = report.iterations;
  result.products = report.products;
  result.residual = residual(contacts, p, f, result.scales, problem.comm);
  result.converged = result.residual <= tolerance;
  if (!result.converged) {
    result.cause = !std::isfinite(result.residual) ? "residual is NaN or Inf"
                   : report.cause.empty()          ? "stopped early"
                                                   : report.cause;
  }
  return result;
}

}  // namespace scree::contact_dynamics
