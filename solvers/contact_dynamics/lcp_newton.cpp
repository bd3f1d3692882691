/// Method of multipliers with a semismooth Newton within, for contacts that hold each other: the proximal
/// point iteration on the forces,
///   f <- argmin_{f >= 0} 1/2 f^T N f + p^T f + sum_i (f - f_before)_i^2 / (2 sigma_i),
/// each step of which is, in the change u of velocities that the new forces bring, the minimum of
///   1/(2 h) |u|_M^2 + (B^T f_before).u + sum_i 1/(2 sigma_i) max(0, f_before - sigma (w + B u))_i^2,
/// w = N f_before + p (Rockafellar, Math. Oper. Res. 1 (1976) 97-116, section 4). Convex and smooth, with the
/// Hessian M / h + B^T diag(sigma) B on bodies, regular also where N is singular, as it is for boxes that lie
/// face on face. On quadratic programs the iteration ends after finitely many steps (Rockafellar, SIAM J.
/// Control Optim. 14 (1976) 877-898, section 3). As changes are solved for, round-off is that of f and w
/// alone, however large sigma is.
#include <algorithm>
#include <vector>

#include "solvers/contact_dynamics/contact_newton.hpp"
#include "solvers/contact_dynamics/lcp_methods.hpp"

namespace scree::contact_dynamics {
namespace {

using petsc::check;

/// sigma_i N_ii to begin with, as the other methods leave it; its largest, of which the Hessian's condition
/// is made; the factor by which it grows where a step took r to no less than `kFell` of itself, and falls
/// where Newton failed.
constexpr double kFirst = 1e6;
constexpr double kMost = 1e10;
constexpr double kGrowthOfPenalty = 10;
constexpr double kFell = 0.01;
constexpr int kMostOuter = 50;
/// Gradients: part of the tolerance that Newton aims at, in units of the least force scale of a contact, and
/// where it may stop if round-off ends its way, in units of the typical force.
constexpr double kAimOfNewton = 0.1;
constexpr double kGoodEnough = 1;

/// The contacts as springs of stiffness 1 / N_ii, which sigma multiplies.
StepProblem with_springs(const StepProblem& problem) {
  StepProblem springs = problem;
  for (Constraint& contact : springs.constraints) {
    const double own = own_delassus(problem, contact);
    contact.exponent = 1;
    contact.stiffness_ratio = own > 0 ? 1 / own : 1;
    contact.friction = 0;
  }
  return springs;
}

std::vector<int> that_push(const Delassus& n) {
  std::vector<int> contacts;
  for (int i = 0; i < n.contacts(); ++i) {
    if (n.diagonal()[i] > 0) contacts.push_back(i);
  }
  return contacts;
}

class Multipliers {
 public:
  Multipliers(const ScaledLcp& lcp, std::span<double> y)
      : lcp_(lcp),
        y_(y),
        springs_(with_springs(lcp.n->problem())),
        energy_(springs_, that_push(*lcp.n), false),
        newton_(energy_, lcp_prefix(springs_) + "newton_", Preconditioning::automatic),
        change_(energy_.displacements()),
        load_(energy_.displacements()),
        w_(y.size()),
        f_(energy_.contacts().size()) {}

  MethodReport solve() {
    MethodReport report;
    double sigma = kFirst;
    double measure = rates(report);
    for (int outer = 0; measure > lcp_.tolerance; ++outer) {
      if (outer == kMostOuter || report.iterations >= lcp_.max_iterations) {
        report.cause = "iteration limit";
        break;
      }
      const std::vector<double> kept(y_.begin(), y_.end());
      const bool settled = step(sigma, outer > 0, report);
      const double before = measure;
      measure = rates(report);
      // Where round-off of heavy bodies ends Newton's way, light ones may have gained.
      if (!settled && !(measure < before)) {
        std::copy(kept.begin(), kept.end(), y_.begin());
        measure = rates(report);
        sigma /= kGrowthOfPenalty;
        continue;
      }
      if (measure > kFell * before && sigma < kMost) sigma *= kGrowthOfPenalty;
    }
    return report;
  }

 private:
  double rates(MethodReport& report) {
    lcp_.rates(y_, w_);
    ++report.products;
    return lcp_.measure(y_, w_);
  }

  /// A step of the outer iteration. In the energy displacements are sigma times velocities.
  /// @returns whether Newton converged.
  bool step(double sigma, bool near, MethodReport& report) {
    const std::vector<int>& contacts = energy_.contacts();
    std::vector<double> offsets(contacts.size());
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      const int i = contacts[k];
      f_[k] = lcp_.force_unit[i] * y_[i];
      offsets[k] = sigma * lcp_.rate_unit(i) * w_[i] - f_[k] / energy_.laws()[k].stiffness;
    }
    energy_.inertia(1 / (sigma * springs_.h));
    energy_.offsets(std::move(offsets));
    energy_.assembled(f_, load_);
    energy_.load(load_);
    check(VecSet(change_, 0), "starting from no change of velocities");
    const NewtonReport run = newton_.minimise(change_, kAimOfNewton * lcp_.tolerance * lcp_.least_force,
                                              kGoodEnough * lcp_.tolerance * lcp_.typical_force, near);
    report.iterations += run.newton;
    energy_.compressions(change_, x_);
    energy_.forces(x_, f_);
    for (std::size_t k = 0; k < contacts.size(); ++k) y_[contacts[k]] = f_[k] / lcp_.force_unit[contacts[k]];
    return run.converged;
  }

  const ScaledLcp& lcp_;
  std::span<double> y_;
  StepProblem springs_;
  ContactEnergy energy_;
  ContactNewton newton_;
  petsc::VecHandle change_, load_;
  std::vector<double> w_, f_, x_;
};

}  // namespace

MethodReport solve_newton(const ScaledLcp& lcp, std::span<double> y) { return Multipliers(lcp, y).solve(); }

}  // namespace scree::contact_dynamics
