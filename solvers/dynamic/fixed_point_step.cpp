#include "solvers/dynamic/fixed_point_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assembly/interrupt.hpp"
#include "core/error.hpp"

namespace scree {
namespace {

/// Forces out of balance that have grown by this factor over the smallest ones will not come back.
constexpr double kDiverged = 1e4;

const char* const kHint =
    " (it converges for time steps below sqrt(m/k)/phi only); reduce time/step, or use "
    "\"nonlinear\": \"newton\"";

/// A change in the step below this part of the whole is lost in round-off as a measure of errors.
constexpr double kVanishing = 1e-6;

/// Nor does a sweep that changes less than this part of the whole say anything.
constexpr double kRoundOffOfMotion = 1e-15;

/// Moments of forces through the poles are round-off of force times lever. Spins that nothing else makes are
/// measured against what forces of this part would make, and against the motion of the surface: else their
/// digits, which never settle, would be the largest error of all.
constexpr double kMomentRoundOff = 1e-14;

}  // namespace

StepReport FixedPointStep::solve() {
  static const petsc::LogEvent event("ScreeFixedPoint");
  const petsc::LogScope scope(event);
  y_ = problem_->dofs().create_vector();
  r_ = problem_->dofs().create_vector();
  p_ = problem_->dofs().create_vector();
  const SolverDescription& solver = problem_->model().solver;
  StepReport report;
  history_.clear();
  report.tolerance = solver.fixed_point_tolerance;
  double best = std::numeric_limits<double>::infinity();
  problem_->predict(y_).fail(report);
  if (report.blocked) return report;
  try {
    for (int sweep = 1; sweep <= solver.fixed_point_max_iterations; ++sweep) {
      check_interrupt(problem_->world().comm());
      problem_->residual(y_, r_);
      const double unbalanced = problem_->norms().largest;
      petsc::check(VecCopy(y_, p_), "keeping an iterate");
      const double error = sweep_once(y_);
      petsc::check(VecAXPY(p_, -1, y_), "taking an update");
      petsc::check(VecWAXPY(r_, 1, p_, y_), "keeping an iterate");
      double whole = 0, part = 0;
      petsc::check(VecNorm(p_, NORM_2, &whole), "limiting an update");
      const double clear = problem_->clip(p_);
      petsc::check(VecNorm(p_, NORM_2, &part), "limiting an update");
      const bool shortened = clear < 1 || part != whole;  // of all bodies, or of some
      if (shortened)
        petsc::check(VecWAXPY(y_, clear < 1 ? -0.9 * clear : -1.0, p_, r_), "limiting an update");
      history_.push_back(error);
      report.newton = sweep;
      best = std::min(best, unbalanced);
      if (error <= solver.fixed_point_tolerance && !shortened) {
        problem_->residual(y_, r_);  // forces and memory of the state that is accepted
        report.residual = problem_->norms().largest;
        report.outcome = problem_->left_cover() ? StepOutcome::left_cover : StepOutcome::converged;
        return report;
      }
      // The error measures do not tell: what they divide by grows alike.
      if (!(unbalanced <= std::max(kDiverged * best, problem_->norms().force_scale))) {
        report.cause = std::string("fixed-point iteration diverged") + kHint;
        return report;
      }
    }
    report.cause = std::string("fixed-point iteration: iteration limit") + kHint;
  } catch (const RecoverableError& error) {  // on all ranks if on any
    report.cause = std::string("fixed-point iteration: ") + error.what() + kHint;
  }
  return report;
}

double FixedPointStep::sweep_once(Vec y) {
  // Forces require velocities, these require positions: [Sph, Eqs. 42, 45] for the residual of theory 02
  // section 5 is d - (h phi)^2 M^-1 r, a Jacobi sweep, which knows no order of bodies and no ranks.
  const elements::Integrator& integrator = problem_->integrator();
  const Bodies& bodies = problem_->world().bodies();
  const LocalSystem& rows = problem_->world().rows();
  const double h = problem_->frame().h;
  const double factor = integrator.sweep_factor(h);
  enum Measure { position, velocity, spin, rotation, kMeasures };
  // Change in the sweep, change in the step, and size, summed over bodies.
  constexpr std::size_t kTurned = std::size_t{3} * kMeasures;
  double sums[kTurned + 1] = {};
  double& turned = sums[kTurned];  // rotation that round-off may make
  const petsc::VecValues values(y);
  for (int i = 0; i < bodies.owned; ++i) {
    const BodyProperties& properties = bodies.properties[i];
    const BodyState& state = bodies.state[i];
    BodyTrial trial = bodies.trial[i];
    const Vec6 r = problem_->spin_residual(i);
    Vec3 du = -factor / properties.mass * r.head<3>();
    // A sphere: J = j I in any axes.
    Vec3 dalpha = -factor / properties.inertia_B(0, 0) * r.tail<3>();
    for (int k = 0; k < 3; ++k) {
      if (properties.fixed[k]) du[k] = 0;
      if (properties.fixed[k + 3]) dalpha[k] = 0;
    }
    turned += (trial.u.norm() + factor / properties.mass * problem_->norms().force_scale) / properties.length;
    const Vec3 v = trial.v;
    const Vec3 w = trial.w;
    trial.u += du;
    trial.alpha += dalpha;
    integrator.kinematics(state, h, trial);
    const double terms[3 * kMeasures] = {du.norm(),
                                         (trial.v - v).norm(),
                                         (trial.w - w).norm(),
                                         dalpha.norm(),
                                         trial.u.norm(),
                                         (trial.v - state.v).norm(),
                                         (trial.w - state.w).norm(),
                                         trial.alpha.norm(),
                                         trial.x.norm(),
                                         trial.v.norm(),
                                         trial.w.norm(),
                                         trial.alpha.norm()};
    for (int k = 0; k < 3 * kMeasures; ++k) sums[k] += terms[k];
    for (int k = 0; k < kBodyUnknowns; ++k) {
      const int at = rows.offset[i] + k;
      values.data()[at] = (k < 3 ? trial.u[k] : trial.alpha[k - 3]) / rows.scale[at];
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, 3 * kMeasures + 1, MPI_DOUBLE, MPI_SUM, problem_->world().comm());
  double error = 0;
  for (int k = 0; k < kMeasures; ++k) {
    const double change = sums[kMeasures + k];
    const double size = sums[2 * kMeasures + k];
    // [Sph, Eq. 48]; where the denominator approaches zero [Sph, Eq. 49].
    const double denominator = change > kVanishing * size ? change : size;
    double round_off = kRoundOffOfMotion * size;
    if (k == rotation) round_off += kMomentRoundOff * turned;
    if (k == spin) round_off += kMomentRoundOff * turned / h;
    if (sums[k] > round_off) error = std::max(error, sums[k] / denominator);
  }
  return error;
}

}  // namespace scree
