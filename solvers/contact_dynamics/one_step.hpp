/// Velocities and compatible forces at once, by stiffening elastic contacts: the way that goes with friction
/// (theory 07 section 5).
#pragma once

#include <string>
#include <vector>

#include "solvers/contact_dynamics/contact_energy.hpp"
#include "solvers/contact_dynamics/contact_operator.hpp"
#include "solvers/contact_dynamics/contact_preconditioner.hpp"

namespace scree::contact_dynamics {

struct OneStepOptions {
  Preconditioning preconditioning = Preconditioning::automatic;
  double accuracy = 1e-9;  ///< change of the extrapolated forces that ends the continuation, as reported
  double stiffest = 1e9;   ///< contact stiffness over inertia, h^2 k / m, at which it ends at the latest
  bool coulomb = true;     ///< false: sliding contacts part at mu times their speed (the convex problem)
};

struct OneStepReport {
  bool converged = true;  ///< every level's Newton did, and the forces have settled to 1e-6
  int levels = 0;         ///< stiffnesses, a decade apart
  int newton = 0;
  long krylov = 0;
  /// Of the extrapolated forces between the last two levels: an error estimate. Relative to the largest
  /// force, or for a contact with less, to 1e-5 of the force that stops its bodies within the step.
  double change = 0;
  double stiffness = 0;  ///< h^2 k / m of the stiffest level that was used
  int solutions = 0;     ///< of convex problems, until the slip had settled
  double slip_error =
      0;  ///< of the normal velocities of sliding contacts, over h times the mean force by mass
  std::string method;

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("converged", self.converged, "");
    archive("levels", self.levels, "");
    archive("newton", self.newton, "");
    archive("krylov", self.krylov, "");
    archive("change", self.change, "");
    archive("stiffness", self.stiffness, "");
    archive("solutions", self.solutions, "");
    archive("slip_error", self.slip_error, "");
    archive("method", self.method, "");
  }
};

/// v+ and forces of a step.
struct OneStepResult {
  petsc::VecHandle velocities;   ///< v+, six per owned body
  petsc::VecHandle normal;       ///< f_n per contact [N]
  std::vector<Vec3> tangential;  ///< friction on body a per contact, global axes [N]
  OneStepReport report;
};

/// Limit, as lambda grows, of the minimum over v of
///   1/2 |v - v^|_M^2 + 1/lambda sum_i W_i(-lambda h (B v + r)_i),   W = k~/p |P|^p,
/// P the projection on c >= 0, or with friction on Coulomb's cone for the displacement (c, t) of a contact:
/// then the forces solve the convexified complementarity of Anitescu and Tasora, and of its many solutions
/// are the one with the least elastic energy, the same stiffness along and across the normal. Sliding
/// contacts of that model part at mu times their speed; unless `coulomb` is off, the problem is repeated with
/// that speed subtracted until it has settled ([DeSaxce]). With lambda in the law as (lambda
/// c)^exponent, errors go as 1/lambda for Hooke and Hertz alike (kappa = lambda, lambda^1.5: the 1/kappa and
/// kappa^(-2/3) of theory 07), and Richardson extrapolation over decades takes off the first two orders.
/// Without friction v+ and f are those of the two-step method. @throws RunError where PETSc fails.
/// Collective.
[[nodiscard]] OneStepResult solve_one_step(const StepProblem& problem, const ContactOperator& op,
                                           const OneStepOptions& options = {});

/// Makes the solver that `solve_one_step` takes, and lets it read its options. @param energy of any contacts,
/// with a metric. Collective. @throws RunError if PETSc does not take an option.
void read_one_step_options(ContactEnergy& energy, const OneStepOptions& options = {});

}  // namespace scree::contact_dynamics
