#include "solvers/contact_dynamics/contact_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solvers/contact_dynamics/contact_heights.hpp"

namespace scree::contact_dynamics {
namespace {

using petsc::check;

constexpr const char* kMinimising = "minimising the energy of contacts";
constexpr const char* kOptionsOfContacts = "reading options of Newton's method for contacts";

/// A step is long enough where the slope has fallen to this part of the first, of either sign.
constexpr double kFlat = 0.5;
constexpr int kMostTrials = 40;
/// Conjugate gradients: more than this says that the preconditioner does not fit (theory 10 section 2: MIC
/// takes 71 iterations for 290,000 bodies).
constexpr PetscInt kMostKrylov = 300;
/// Far from the minimum linear systems deserve little: the first residual falls by this, and those after it
/// by the square of what Newton's last step gained (Eisenstat and Walker 1996, version 2 with gamma = 0.9).
constexpr double kFirstForcing = 1e-1;
constexpr double kForcingWhereNear = 1e-8;
constexpr double kGamma = 0.9;
/// Linear systems that deserve more than this also deserve the best factors.
constexpr double kAccurate = 1e-3;
/// Of the tolerance: what conjugate gradients leave at least. Less would be lost on Newton.
constexpr double kLeft = 0.5;
/// More accuracy than this, conjugate gradients do not have.
constexpr double kExact = 1e-11;
constexpr int kMostNewton = 200;
/// So many iterates in succession without progress are round-off, or a load that contacts cannot carry.
constexpr int kMostStalled = 8;

/// Up, if bodies are heavy: the direction in which incomplete factors order them.
Vec3 against_loads(const StepProblem& problem) {
  Vec3 sum = Vec3::Zero();
  for (int b = 0; b < problem.owned; ++b) {
    const StepBody& body = problem.bodies[b];
    for (int k = 0; k < 3; ++k) sum[k] -= body.mass(k, k) > 0 ? body.force[k] : 0;
  }
  MPI_Allreduce(MPI_IN_PLACE, sum.data(), 3, MPI_DOUBLE, MPI_SUM, problem.comm);
  return sum.norm() > 0 ? Vec3(sum.normalized()) : Vec3(Vec3::UnitZ());
}

ContactNewton& newton_of(void* context) { return *static_cast<ContactNewton*>(context); }

}  // namespace

ContactNewton::ContactNewton(ContactEnergy& energy, const std::string& prefix, Preconditioning wanted)
    : energy_(&energy), hessian_(energy), guard_(energy.problem().comm) {
  MPI_Comm comm = energy.problem().comm;
  std::vector<double> depth = contact_heights(energy, against_loads(energy.problem()));
  for (double& value : depth) value = -value;  // from top to bottom
  preconditioner_ = std::make_unique<ContactPreconditioner>(comm, prefix, wanted, std::move(depth));
  residual_ = energy.displacements();
  check(SNESCreate(comm, snes_.put()), kMinimising);
  check(SNESSetOptionsPrefix(snes_, prefix.c_str()), kMinimising);
  check(SNESSetType(snes_, SNESNEWTONLS), kMinimising);
  check(SNESSetFunction(snes_, residual_, function, this), kMinimising);
  const petsc::VecHandle rest = energy.displacements();
  const Mat hessian = hessian_.at(rest);
  PetscInt own = 0;
  check(VecGetLocalSize(rest, &own), kMinimising);
  check(MatCreateShell(comm, own, own, PETSC_DETERMINE, PETSC_DETERMINE, this, product_.put()), kMinimising);
  check(MatShellSetOperation(product_, MATOP_MULT, reinterpret_cast<void (*)()>(multiply)), kMinimising);
  check(SNESSetJacobian(snes_, product_, hessian, jacobian, this), kMinimising);
  check(SNESSetConvergenceTest(snes_, converged, this, nullptr), kMinimising);
  check(SNESSetTolerances(snes_, 0, 0, 0, kMostNewton, std::numeric_limits<PetscInt>::max()), kMinimising);
  check(SNESSetMaxLinearSolveFailures(snes_, kMostNewton),
        kMinimising);  // also unfinished, a direction of descent
  SNESLineSearch search = nullptr;
  check(SNESGetLineSearch(snes_, &search), kMinimising);
  check(SNESLineSearchSetType(search, SNESLINESEARCHSHELL), kMinimising);
  check(SNESLineSearchShellSetUserFunc(search, line_search, this), kMinimising);
  KSP ksp = nullptr;
  PC pc = nullptr;
  check(SNESGetKSP(snes_, &ksp), kMinimising);
  check(KSPSetType(ksp, KSPCG), kMinimising);
  check(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED), kMinimising);
  check(KSPSetTolerances(ksp, 1e-10, 0, 1e10, kMostKrylov), kMinimising);
  check(KSPGetPC(ksp, &pc), kMinimising);
  preconditioner_->attach(pc);
  check(SNESSetFromOptions(snes_), kOptionsOfContacts);
}

void ContactNewton::set_up() {
  const petsc::VecHandle rest = energy_->displacements();
  preconditioner_->update(hessian_.at(rest), false);
}

void ContactNewton::bonded_start(Vec z, double bonded) {
  KSP ksp = nullptr;
  check(SNESGetKSP(snes_, &ksp), kMinimising);
  const Mat hessian = hessian_.at(z, bonded);
  preconditioner_->update(hessian, false);
  energy_->gradient(z, residual_);
  const petsc::VecHandle correction = energy_->displacements();
  check(KSPSetOperators(ksp, product_, hessian), kMinimising);
  check(KSPSetTolerances(ksp, kFirstForcing, 0, 1e10, kMostKrylov), kMinimising);
  const PetscErrorCode code = KSPSolve(ksp, residual_, correction);
  guard_.rethrow_kept();
  check(code, kMinimising);
  check(VecAXPY(z, -1, correction), kMinimising);
}

NewtonReport ContactNewton::minimise(Vec z, double tolerance, double good_enough, bool near) {
  static const petsc::LogEvent event("ScreeContactNewton");
  const petsc::LogScope scope(event);
  tolerance_ = tolerance;
  good_enough_ = good_enough;
  best_ = std::numeric_limits<double>::infinity();
  stalled_ = 0;
  residual_now_ = residual_before_ = 0;
  forcing_ = near ? kForcingWhereNear : kFirstForcing;
  const PetscErrorCode code = SNESSolve(snes_, nullptr, z);
  guard_.rethrow_kept();
  check(code, kMinimising);
  NewtonReport report;
  SNESConvergedReason reason = SNES_CONVERGED_ITERATING;
  PetscInt newton = 0, krylov = 0;
  check(SNESGetConvergedReason(snes_, &reason), kMinimising);
  check(SNESGetIterationNumber(snes_, &newton), kMinimising);
  check(SNESGetLinearSolveIterations(snes_, &krylov), kMinimising);
  check(SNESGetFunctionNorm(snes_, &report.residual), kMinimising);
  report.converged = reason > 0;
  report.newton = static_cast<int>(newton);
  report.krylov = krylov;
  report.preconditioner = preconditioner_->description();
  return report;
}

PetscErrorCode ContactNewton::function(SNES /*snes*/, Vec z, Vec r, void* context) {
  ContactNewton& me = newton_of(context);
  return me.guard_.function(r, [&] { me.evaluate(z, r); });
}

void ContactNewton::evaluate(Vec z, Vec r) {
  if (follows_) energy_->centre(z);
  energy_->gradient(z, r);
}

PetscErrorCode ContactNewton::jacobian(SNES snes, Vec z, Mat /*a*/, Mat /*p*/, void* context) {
  ContactNewton& me = newton_of(context);
  return me.guard_.jacobian(snes, [&] {
    const bool moved_on = me.judge_linear_solver();
    const Mat hessian = me.hessian_.at(z);
    const bool changed = me.hessian_.changed();
    me.set_forcing(!changed);
    if (changed || moved_on) me.preconditioner_->update(hessian, me.forcing_ < kAccurate);
  });
}

/// @param linear where the last step changed no stiffness there is nothing to wait for: this system's
/// solution is the minimum.
void ContactNewton::set_forcing(bool linear) {
  if (residual_before_ > 0) {
    const double gained = residual_now_ / residual_before_;
    forcing_ = linear ? kExact : std::min(kGamma * gained * gained, kFirstForcing);
  }
  const double left = kLeft * tolerance_;
  KSP ksp = nullptr;
  check(SNESGetKSP(snes_, &ksp), kMinimising);
  check(KSPSetTolerances(ksp, forcing_, left, 1e10, kMostKrylov), kMinimising);
}

PetscErrorCode ContactNewton::multiply(Mat product, Vec d, Vec result) {
  ContactNewton* me = nullptr;
  if (const PetscErrorCode code = MatShellGetContext(product, static_cast<void*>(&me)); code != 0)
    return code;
  const auto outcome = me->guard_.run([&] { me->hessian_.product(d, result); });
  return outcome == petsc::CallbackGuard::Outcome::done ? 0 : PETSC_ERR_USER;
}

bool ContactNewton::judge_linear_solver() {
  KSP ksp = nullptr;
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  check(SNESGetKSP(snes_, &ksp), kMinimising);
  check(KSPGetConvergedReason(ksp, &reason), kMinimising);
  return reason < 0 && preconditioner_->disappointed("MIC(0) took more than " + std::to_string(kMostKrylov) +
                                                     " iterations");
}

PetscErrorCode ContactNewton::converged(SNES /*snes*/, PetscInt it, PetscReal /*x*/, PetscReal /*s*/,
                                        PetscReal f, SNESConvergedReason* reason, void* context) {
  ContactNewton& me = newton_of(context);
  *reason = SNES_CONVERGED_ITERATING;
  me.residual_before_ = std::exchange(me.residual_now_, f);
  me.stalled_ = f < 0.9 * me.best_ ? 0 : me.stalled_ + 1;
  me.best_ = std::min<double>(me.best_, f);
  if (!std::isfinite(f)) {
    *reason = SNES_DIVERGED_FUNCTION_DOMAIN;
  } else if (f <= me.tolerance_) {
    *reason = SNES_CONVERGED_FNORM_ABS;
  } else if (me.stalled_ >= 2 && f <= me.good_enough_) {
    *reason = SNES_CONVERGED_FNORM_RELATIVE;
  } else if (it >= kMostNewton || me.stalled_ > kMostStalled) {
    *reason = SNES_DIVERGED_MAX_IT;
  }
  return 0;
}

PetscErrorCode ContactNewton::line_search(SNESLineSearch search, void* context) {
  ContactNewton& me = newton_of(context);
  const auto outcome = me.guard_.run([&] { me.search_along(search); });
  return outcome == petsc::CallbackGuard::Outcome::failed ? PETSC_ERR_LIB : 0;
}

void ContactNewton::search_along(SNESLineSearch search) {
  Vec z = nullptr, f = nullptr, direction = nullptr, trial = nullptr, g = nullptr;
  check(SNESLineSearchGetVecs(search, &z, &f, &direction, &trial, &g), kMinimising);
  check(SNESLineSearchSetReason(search, SNES_LINESEARCH_SUCCEEDED), kMinimising);
  double quadratic = 0, curvature = 0;
  energy_->compressions(z, x_);
  energy_->directions(direction, dx_);
  energy_->slope_constants(z, direction, quadratic, curvature);
  const auto slope = [&](double s) { return energy_->slope(x_, dx_, s, quadratic, curvature); };
  // SNES subtracts its direction: the way down is towards s < 0.
  const double start = slope(0);
  double near = 0, far = -1;
  double at_near = start, at_far = slope(far);
  double s = far, here = at_far;
  const auto flat = [&] { return std::abs(here) <= kFlat * start; };
  if (start > 0) {
    for (int k = 0; k < kMostTrials && !flat() && here > 0; ++k) {  // not yet past the minimum: farther
      near = far, at_near = at_far;
      s = far = 2 * far;
      here = at_far = slope(far);
    }
    for (int k = 0; k < kMostTrials && !flat(); ++k) {
      // Regula falsi that does not stick to one end.
      s = near + (far - near) * std::clamp(at_near / (at_near - at_far), 0.1, 0.9);
      here = slope(s);
      (here > 0 ? near : far) = s;
      (here > 0 ? at_near : at_far) = here;
    }
  }
  check(VecAXPY(z, s, direction), kMinimising);
  evaluate(z, f);
  PetscReal zz = 0, ff = 0, dd = 0;
  check(VecNorm(z, NORM_2, &zz), kMinimising);
  check(VecNorm(f, NORM_2, &ff), kMinimising);
  check(VecNorm(direction, NORM_2, &dd), kMinimising);
  check(SNESLineSearchSetNorms(search, zz, ff, dd), kMinimising);
}

}  // namespace scree::contact_dynamics
