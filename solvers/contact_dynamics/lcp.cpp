#include "solvers/contact_dynamics/lcp.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <variant>
#include <vector>

#include "assembly/interrupt.hpp"
#include "core/error.hpp"
#include "solvers/contact_dynamics/contact_newton.hpp"
#include "solvers/contact_dynamics/delassus.hpp"
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

/// Sums of forces do not resolve less than this part of the largest force near a contact.
constexpr double kUnresolved = 1e-14;

double mean(double sum, double count) { return count > 0 ? sum / count : 0; }

/// LcpScales, and those of each contact (theory 07 section 1).
struct ContactScales {
  LcpScales mean;
  std::vector<double> force;  ///< f_0i [N]; w_0i = f_0i N_ii
  /// f_0i with what sums resolve, for the tolerance: a part of r below it is round-off [N].
  std::vector<double> resolved;
  double least = 1;  ///< the least f_0i [N]
};

/// The mass that a contact moves: for two bodies the harmonic mean of theirs, without leverage, so that it is
/// their mass where they are equal [kg]. 0 where both are fixed.
std::vector<double> moved_masses(const Delassus& n) {
  return std::visit(
      [&](const auto& rows) {
        std::vector<double> masses;
        for (int i = 0; i < rows.contacts(); ++i) {
          int sides = 0;
          double response = 0;  // h / m, summed over both
          for (const int body : {rows.a[i], rows.b[i]}) {
            const Vec3 normal = rows.row_a(i).template head<3>();
            const Mat3 inverse = rows.inverse_mass[body].template topLeftCorner<3, 3>();
            sides += body + 1 < rows.bodies() ? 1 : 0;
            response += normal.dot(inverse * normal);
          }
          if (!(response > 0)) response = n.diagonal()[i];  // bodies that turn only
          masses.push_back(response > 0 ? n.problem().h * sides / response : 0);
        }
        return masses;
      },
      n.rows());
}

/// The largest force [N] that may act on a body or on any that contacts join to it: its load, and what stops
/// it within the step. Collective.
BodyValues forces_near(const StepProblem& problem, const Delassus& n, const std::vector<double>& loads) {
  BodyValues largest(problem, 1);
  std::copy(loads.begin(), loads.end(), largest.data());
  int changed = 1;
  while (changed != 0) {
    changed = 0;
    largest.copy_owners_to_ghosts();
    std::visit(
        [&](const auto& rows) {
          const int fixed = rows.bodies() - 1;
          for (int i = 0; i < rows.contacts(); ++i) {
            if (rows.a[i] == fixed || rows.b[i] == fixed) continue;
            double& of_a = largest.data()[rows.a[i]];
            double& of_b = largest.data()[rows.b[i]];
            if (!(of_a < of_b || of_b < of_a)) continue;  // also where one is no number
            of_a = of_b = std::max(of_a, of_b);
            changed = 1;
          }
        },
        n.rows());
    largest.raise_owners_to_ghosts();
    MPI_Allreduce(MPI_IN_PLACE, &changed, 1, MPI_INT, MPI_MAX, problem.comm);
  }
  return largest;
}

/// A contact's force is measured by the typical force or, if that is less, by its own mass times the typical
/// acceleration: heavy bodies elsewhere say nothing about light ones, and light ones with a large load
/// nothing about heavy ones. Where heavy bodies rest on light ones, round-off is that of the large forces.
ContactScales scales_of(const StepProblem& problem, const Delassus& n, Vec p, double tolerance) {
  // |F|, |M^-1 F|, bodies; N_ii, contacts; of those that close (p_i / N_ii)^2, the same by mass, number
  std::array<double, 8> sums{};
  std::vector<double> loads(static_cast<std::size_t>(problem.owned), 0);
  double most = 0;
  for (int i = 0; i < problem.owned; ++i) {
    const StepBody& body = problem.bodies[i];
    const Mat3 mass = body.mass.topLeftCorner<3, 3>();
    if (mass.isZero(0)) continue;
    // Of unknowns that are fixed there is no mass here, and the force on them is not to be read.
    const Vec3 moves = (mass.diagonal().array() > 0).cast<double>();
    const double force = body.force.head<3>().cwiseProduct(moves).norm();
    sums[0] += force;
    sums[1] += (body.inverse_mass * body.force).head<3>().norm();
    sums[2] += 1;
    loads[i] = force + (body.mass * body.velocity).head<3>().norm() / problem.h;
    most = std::max(most, loads[i]);
  }
  const std::vector<double> masses = moved_masses(n);
  const petsc::ConstVecValues offset(p);
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const double entry = n.diagonal()[i];
    if (!(entry > 0)) continue;
    sums[3] += entry;
    sums[4] += 1;
    if (!(offset.data()[i] < 0)) continue;
    const double alone = offset.data()[i] / entry;
    sums[5] += alone * alone;
    sums[6] += alone / masses[i] * (alone / masses[i]);
    sums[7] += 1;
  }
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), 8, MPI_DOUBLE, MPI_SUM, problem.comm);
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, problem.comm);
  ContactScales scales;
  scales.mean.force = std::max(mean(sums[0], sums[2]), std::sqrt(mean(sums[5], sums[7])));
  if (!(scales.mean.force > 0))
    scales.mean.force = 1;  // nothing moves and nothing pushes: f = 0 in any units
  scales.mean.rate = scales.mean.force * mean(sums[3], sums[4]);
  if (!(scales.mean.rate > 0)) scales.mean.rate = 1;
  const double acceleration = std::max(mean(sums[1], sums[2]), std::sqrt(mean(sums[6], sums[7])));
  scales.least = scales.mean.force;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const double own = acceleration * masses[i];
    scales.force.push_back(own > 0 ? std::min(scales.mean.force, own) : scales.mean.force);
    scales.least = std::min(scales.least, scales.force[i]);
  }
  MPI_Allreduce(MPI_IN_PLACE, &scales.least, 1, MPI_DOUBLE, MPI_MIN, problem.comm);
  scales.resolved = scales.force;
  if (kUnresolved * most <= tolerance * scales.least) return scales;  // also with this load on every contact
  const BodyValues near = forces_near(problem, n, loads);
  std::visit(
      [&](const auto& rows) {
        for (int i = 0; i < rows.contacts(); ++i) {
          const double force = std::max(near.data()[rows.a[i]], near.data()[rows.b[i]]);
          scales.resolved[i] = std::max(scales.force[i], kUnresolved / tolerance * force);
        }
      },
      n.rows());
  return scales;
}

/// @returns the largest number of iterations: what the option says, or the default.
PetscInt most_by_option(const StepProblem& problem) {
  PetscInt most = kMostIterations;
  check(PetscOptionsGetInt(nullptr, lcp_prefix(problem).c_str(), "-max_it", &most, nullptr),
        "reading options of the LCP");
  return most;
}

ScaledLcp scaled(Delassus& n, Vec p, const ContactScales& scales, double tolerance) {
  ScaledLcp lcp;
  lcp.n = &n;
  lcp.power = scales.mean.force * scales.mean.rate;
  lcp.least_force = scales.least;
  lcp.typical_force = scales.mean.force;
  lcp.tolerance = kAimOfMethods * tolerance;
  const double mean_diagonal = scales.mean.rate / scales.mean.force;
  const petsc::ConstVecValues values(p);
  std::vector<double> factors;
  for (std::size_t i = 0; i < n.diagonal().size(); ++i) {
    const double entry = n.diagonal()[i];
    factors.push_back(entry > 0 ? 1 / std::sqrt(entry) : 0);
    lcp.force_unit.push_back(scales.mean.force * (entry > 0 ? std::sqrt(mean_diagonal / entry) : 1));
    lcp.weight.push_back(lcp.force_unit[i] / scales.resolved[i]);
    lcp.p.push_back(values.data()[i] / lcp.rate_unit(i));
  }
  n.scale(factors);
  lcp.max_iterations = most_by_option(n.problem());
  return lcp;
}

/// r of forces, from the operator that the step itself uses.
double residual(const ContactOperator& contacts, Vec p, Vec f, const ScaledLcp& lcp,
                const ContactScales& scales, double tolerance) {
  const petsc::VecHandle rates = contacts.per_contact();
  contacts.delassus(f, rates);
  check(VecAXPY(rates, 1, p), "measuring complementarity");
  const petsc::ConstVecValues force(f), rate(rates);
  PetscInt size = 0;
  check(VecGetLocalSize(f, &size), "measuring complementarity");
  double largest = 0;
  for (PetscInt i = 0; i < size; ++i) {
    double part = lcp.part(i, force.data()[i] / lcp.force_unit[i], rate.data()[i] / lcp.rate_unit(i));
    if (part > tolerance) part *= scales.resolved[i] / scales.force[i];
    largest = std::isfinite(part) ? std::max(largest, part) : HUGE_VAL;  // max passes over what is no number
  }
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, lcp.n->comm());
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

void LcpSolver::read_options(ContactEnergy& energy) const {
  const StepProblem& problem = energy.problem();
  (void)most_by_option(problem);
  switch (method_) {
    case LcpMethod::automatic:
    case LcpMethod::newton:
      ContactNewton(energy, lcp_prefix(problem) + "newton_", Preconditioning::automatic).set_up();
      break;
    case LcpMethod::apgd:
    case LcpMethod::pgs:
      break;
    default:
      read_tao_options(problem.comm, method_, lcp_prefix(problem));
  }
}

LcpResult LcpSolver::solve(const ContactOperator& contacts, const StepProblem& problem, Vec p, Vec f,
                           double tolerance, long most) const {
  static const petsc::LogEvent event("ScreeLcp");
  const petsc::LogScope scope(event);
  if (!(tolerance > 0)) throw InputError("", "tolerance of the LCP: expected a value > 0");
  Delassus n(problem);
  LcpResult result;
  const ContactScales scales = scales_of(problem, n, p, tolerance);
  result.scales = scales.mean;
  ScaledLcp lcp = scaled(n, p, scales, tolerance);
  if (most > 0) lcp.max_iterations = most;
  const long most_iterations = lcp.max_iterations;
  std::vector<double> y(lcp.size());
  {
    const petsc::ConstVecValues start(f);
    for (std::size_t i = 0; i < y.size(); ++i) {
      const bool helps = n.diagonal()[i] > 0;
      y[i] = helps ? std::max(start.data()[i], 0.0) / lcp.force_unit[i] : 0;
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
      forces.data()[i] = lcp.force_unit[i] * std::max(y[i], 0.0);
    }
  }
  result.iterations = report.iterations;
  result.products = report.products;
  result.residual = residual(contacts, p, f, lcp, scales, tolerance);
  result.converged = result.residual <= tolerance;
  if (!result.converged) {
    result.cause = !std::isfinite(result.residual) ? "residual is NaN or Inf"
                   : report.cause.empty()          ? "stopped early"
                                                   : report.cause;
  }
  return result;
}

}  // namespace scree::contact_dynamics
