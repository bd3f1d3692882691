#include "solvers/contact_dynamics/compatibility.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "solvers/contact_dynamics/compatibility_primal.hpp"
#include "solvers/contact_dynamics/contact_newton.hpp"
#include "solvers/contact_dynamics/delassus.hpp"

namespace scree::contact_dynamics {
namespace {

using petsc::check;

constexpr const char* kLooking = "looking for compatible forces";

/// Of the stiffness: keeps floating bodies and mechanisms from making the Hessian singular. Its bias is
/// removed by Newton's iterations, each of which leaves shift / (shift + own stiffness) of what a motion has
/// to bear. Boxes face on face that are turned by an angle e bear along the face with a stiffness e^2 of the
/// others: where iterations stall, the next restart has less of a shift, down to where factors still tell
/// pivots from nothing (PETSc takes those below 2e-14 for zero).
constexpr double kShift = 1e-10;
constexpr double kLeastShift = 1e-12;
constexpr double kShiftFalls = 1e-2;
constexpr int kMostRestarts = 30;

/// Balance of light bodies: scale by the typical load, at least; and by what presses on the body.
constexpr double kLeastScale = 1e-6;
constexpr double kPressed = 1e-3;

std::string prefix_of_dual(const StepProblem& problem) { return problem.options_prefix + "compatibility_"; }

double largest(MPI_Comm comm, double mine) {
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_MAX, comm);
  return mine;
}

/// Throws on all ranks if a contact of any is wrong.
void check_stiffness(const StepProblem& problem) {
  std::array<double, 2> least{1, 1};
  for (const Constraint& contact : problem.constraints) {
    least[0] = std::min(least[0], contact.stiffness_ratio);
    least[1] = std::min(least[1], contact.exponent);
  }
  MPI_Allreduce(MPI_IN_PLACE, least.data(), 2, MPI_DOUBLE, MPI_MIN, problem.comm);
  if (!(least[0] > 0) || !(least[1] >= 1))
    throw RunError(
        "force compatibility requires stiffness_ratio > 0 and exponent 1 or 1.5; smallest "
        "values: " +
        std::to_string(least[0]) + " and " + std::to_string(least[1]));
}

/// Residual of complementarity between forces and the truss's displacement u, and how many are loaded. Part
/// of u may be in the offsets.
void measure(const ContactEnergy& energy, Vec u, const std::vector<double>& f, CompatibilityReport& report) {
  std::vector<double> x;
  energy.compressions(u, x);
  double violation = 0, scale = 0;
  long loaded = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    const double c = compression_of(energy.laws()[i], std::max(f[i], 0.0));
    loaded += f[i] > 0 ? 1 : 0;
    violation = std::max({violation, -f[i] / energy.laws()[i].stiffness, std::abs(std::min(c, c - x[i]))});
    scale = std::max(scale, c);
  }
  MPI_Comm comm = energy.problem().comm;
  scale = largest(comm, scale);
  report.opening = scale > 0 ? largest(comm, violation) / scale : 0;
  MPI_Allreduce(&loaded, &report.loaded, 1, MPI_LONG, MPI_SUM, comm);
}

/// What the balance of a body counts by, as part of the typical load: 1 for bodies of equal mass (theory 07
/// section 3).
class BodyScales {
 public:
  BodyScales(const ContactEnergy& energy, Vec load) : own_(energy.problem().bodies.size(), 1) {
    const StepProblem& problem = energy.problem();
    std::array<double, 3> sums{};  // |F~|^2, (|F~| / m)^2, bodies that move
    std::vector<double> masses(problem.owned, 0);
    {
      const petsc::ConstVecValues values(load);
      for (int b = 0; b < problem.owned; ++b) {
        // Of what is fixed there is no mass; rotations are lengths here, and count with the same mass.
        const auto diagonal = problem.bodies[b].mass.diagonal().head<3>();
        masses[b] = diagonal.maxCoeff();
        if (!(masses[b] > 0)) continue;
        const Eigen::Map<const Eigen::VectorXd> needed(
            values.data() + energy.block() * static_cast<std::ptrdiff_t>(b), energy.block());
        sums[0] += needed.squaredNorm();
        sums[1] += needed.squaredNorm() / (masses[b] * masses[b]);
        sums[2] += 1;
      }
    }
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), 3, MPI_DOUBLE, MPI_SUM, problem.comm);
    if (!(sums[0] > 0)) return;
    load_ = std::sqrt(sums[0] / sums[2]);
    const double typical_mass = std::sqrt(sums[0] / sums[1]);
    for (int b = 0; b < problem.owned; ++b) {
      if (masses[b] > 0) own_[b] = std::clamp(masses[b] / typical_mass, kLeastScale, 1.0);
      least_ = std::min(least_, own_[b]);
    }
    MPI_Allreduce(MPI_IN_PLACE, &least_, 1, MPI_DOUBLE, MPI_MIN, problem.comm);
  }
  [[nodiscard]] double least() const { return least_; }  ///< over all bodies

  /// |B^T f - F~| / |F~|, each body's part by its scale. Collective.
  [[nodiscard]] double balance(const ContactEnergy& energy, const std::vector<double>& f, Vec load) const {
    const petsc::VecHandle carried = energy.displacements();
    energy.assembled(f, carried);
    check(VecAXPY(carried, -1, load), kLooking);
    if (least_ < 1) divide(energy, f, carried);
    double off = 0, size = 0;
    check(VecNorm(carried, NORM_2, &off), kLooking);
    check(VecNorm(load, NORM_2, &size), kLooking);
    return size > 0 ? off / size : off;
  }

 private:
  /// Divides each body's part by its scale; what presses on a light body has its own round-off there.
  void divide(const ContactEnergy& energy, const std::vector<double>& f, Vec carried) const {
    const StepProblem& problem = energy.problem();
    BodyValues pressed(problem, 1);
    for (std::size_t i = 0; i < f.size(); ++i) {
      pressed.data()[energy.a(i)] += f[i];
      if (energy.b(i) >= 0) pressed.data()[energy.b(i)] += f[i];
    }
    pressed.add_ghosts_to_owners();
    const petsc::VecValues values(carried);
    for (int b = 0; b < problem.owned; ++b) {
      const double scale = std::min(1.0, std::max(own_[b], kPressed * pressed.data()[b] / load_));
      for (int k = 0; k < energy.block(); ++k)
        values.data()[energy.block() * static_cast<std::ptrdiff_t>(b) + k] /= scale;
    }
  }

  std::vector<double> own_;  ///< by the masses
  double load_ = 1;          ///< root of the mean square of |F~| over bodies that move [N]
  double least_ = 1;
};

/// A compression that loads of this size make, and the stiffness there: scales of the problem.
struct Scales {
  double compression = 1, stiffness = 1;
};

Scales scales_of_forces(const ContactEnergy& energy, Vec load) {
  double force = 0;
  check(VecNorm(load, NORM_INFINITY, &force), kLooking);
  std::array<double, 3> sum{};
  for (const ElasticLaw& law : energy.laws()) {
    const double c = compression_of(law, force);
    sum[0] += c;
    sum[1] += law.exponent * secant(law, c);
    sum[2] += 1;
  }
  MPI_Allreduce(MPI_IN_PLACE, sum.data(), 3, MPI_DOUBLE, MPI_SUM, energy.problem().comm);
  return {sum[0] / sum[2], sum[1] / sum[2]};
}

/// min_u sum W_i(-(B u)_i) + F~.u (theory 07 section 3, dual), by Newton within a proximal iteration: the
/// term eps/2 |u - u_before|^2 makes every Hessian regular, and vanishes as u settles.
void solve_dual(ContactEnergy& energy, Vec load, const BodyScales& bodies,
                const CompatibilityOptions& options, Vec u, std::vector<double>& f,
                CompatibilityReport& report) {
  double size = 0;
  check(VecNorm(load, NORM_2, &size), kLooking);
  // Newton's norm is that of all bodies together: for light ones it aims at less than round-off of heavy ones
  // leaves, and stops there.
  const double aim = 0.1 * options.balance * size * bodies.least();
  const Scales scales = scales_of_forces(energy, load);
  double shift = kShift;
  energy.shift(shift * scales.stiffness, scales.stiffness);
  energy.load(load);
  energy.centre(u);
  ContactNewton newton(energy, prefix_of_dual(energy.problem()), options.preconditioning);
  newton.bonded_start(u, scales.compression);
  newton.follow();
  std::vector<double> x, best_x;
  double best = std::numeric_limits<double>::infinity();
  // What came of u so far goes into compressions, and the rest is counted from there: where bodies hold each
  // other, u is so large beside compressions that their round-off would unbalance forces.
  const auto count_from = [&](std::vector<double> compressions) {
    for (double& value : compressions) value = -value;
    energy.offsets(std::move(compressions));
    check(VecSet(u, 0), kLooking);
    energy.centre(u);
  };
  for (report.restarts = 0;; ++report.restarts) {
    const NewtonReport run = newton.minimise(u, aim, 0.5 * options.balance * size, report.restarts > 0);
    report.newton += run.newton;
    report.krylov += run.krylov;
    report.method = "dual, " + run.preconditioner;
    energy.compressions(u, x);
    energy.forces(x, f);
    report.balance = bodies.balance(energy, f, load);
    report.converged = report.balance <= options.balance;
    // A load that cannot be carried lets u run away at a steady pace.
    const bool stuck = report.balance > 0.9 * best && shift <= kLeastShift;
    if (report.balance < best) {
      best = report.balance;
      best_x = x;
    }
    if (report.converged || report.restarts == kMostRestarts || stuck) break;
    if (!run.converged) shift = std::max(kShiftFalls * shift, kLeastShift);
    energy.shift(shift * scales.stiffness, scales.stiffness);
    count_from(x);
  }
  if (report.converged) return;
  energy.forces(best_x, f);
  count_from(std::move(best_x));
}

}  // namespace

std::vector<char> closed_contacts(const StepProblem& problem, const ContactOperator& op, Vec forces,
                                  Vec rates, double tolerance) {
  const petsc::VecHandle p = op.per_contact();
  op.delassus(forces, p);
  check(VecAYPX(p, -1, rates), kLooking);
  double largest_p = 0;
  check(VecNorm(p, NORM_INFINITY, &largest_p), kLooking);
  if (tolerance <= 0) tolerance = 1e-8 * largest_p;
  const petsc::ConstVecValues f(forces), w(rates);
  std::vector<char> closed(problem.constraints.size(), 0);
  for (std::size_t i = 0; i < closed.size(); ++i) {
    const double own = own_delassus(problem, problem.constraints[i]);
    closed[i] = own > 0 && (w.data()[i] <= tolerance || f.data()[i] * own > w.data()[i]) ? 1 : 0;
  }
  return closed;
}

double needed_load(const ContactOperator& op, const std::vector<char>& closed, Vec forces, Vec load) {
  const petsc::VecHandle kept = op.per_contact();
  double dropped = 0, all = 0;
  {
    const petsc::ConstVecValues f(forces);
    const petsc::VecValues to(kept);
    for (std::size_t i = 0; i < closed.size(); ++i) {
      const double force = std::max(f.data()[i], 0.0);
      all = std::max(all, force);
      if (closed[i] != 0)
        to.data()[i] = force;
      else
        dropped = std::max(dropped, force);
    }
  }
  check(MatMultTranspose(op.rates(), kept, load), kLooking);
  MPI_Comm comm = PetscObjectComm(reinterpret_cast<PetscObject>(forces));
  all = largest(comm, all);
  return all > 0 ? largest(comm, dropped) / all : 0;
}

CompatibilityReport compatible_forces(const StepProblem& problem, const std::vector<char>& closed, Vec load,
                                      const CompatibilityOptions& options, Vec forces) {
  static const petsc::LogEvent event("ScreeCompatibility");
  const petsc::LogScope scope(event);
  CompatibilityReport report;
  report.method = "none";
  if (options.method == CompatibilityMethod::none) return report;
  check_stiffness(problem);
  std::vector<int> contacts;
  for (std::size_t i = 0; i < closed.size(); ++i)
    if (closed[i] != 0) contacts.push_back(static_cast<int>(i));
  long mine = static_cast<long>(contacts.size());
  MPI_Allreduce(&mine, &report.closed, 1, MPI_LONG, MPI_SUM, problem.comm);

  ContactEnergy energy(problem, std::move(contacts), false);
  const petsc::VecHandle needed = energy.displacements();
  energy.from_loads(load, needed);
  double size = 0;
  check(VecNorm(needed, NORM_2, &size), kLooking);
  std::vector<double> f(energy.contacts().size(), 0);
  if (size > 0 && report.closed > 0) {
    const petsc::VecHandle u = energy.displacements();
    const BodyScales bodies(energy, needed);
    if (options.method == CompatibilityMethod::primal) {
      {
        const petsc::ConstVecValues start(forces);
        for (std::size_t i = 0; i < f.size(); ++i) f[i] = std::max(0.0, start.data()[energy.contacts()[i]]);
      }
      const PrimalReport primal = solve_primal(energy, needed, f, u);
      report.converged = primal.converged;
      report.newton = primal.iterations;
      report.method = primal.method;
    } else {
      solve_dual(energy, needed, bodies, options, u, f, report);
    }
    report.balance = bodies.balance(energy, f, needed);
    measure(energy, u, f, report);
  }
  check(VecSet(forces, 0), kLooking);
  const petsc::VecValues to(forces);
  for (std::size_t i = 0; i < f.size(); ++i) to.data()[energy.contacts()[i]] = f[i];
  return report;
}

void read_compatibility_options(ContactEnergy& energy, const CompatibilityOptions& options) {
  if (options.method == CompatibilityMethod::primal) read_primal_options(energy);
  if (options.method == CompatibilityMethod::dual)
    ContactNewton(energy, prefix_of_dual(energy.problem()), options.preconditioning).set_up();
}

CompatibilityReport make_compatible(const StepProblem& problem, const ContactOperator& op, Vec rates,
                                    const CompatibilityOptions& options, Vec forces) {
  const std::vector<char> closed = closed_contacts(problem, op, forces, rates);
  const petsc::VecHandle load = op.per_body();
  const double dropped = needed_load(op, closed, forces, load);
  CompatibilityReport report = compatible_forces(problem, closed, load, options, forces);
  report.dropped = dropped;
  return report;
}

}  // namespace scree::contact_dynamics
