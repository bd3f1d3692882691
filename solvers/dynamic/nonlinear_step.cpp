#include "solvers/dynamic/nonlinear_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "assembly/factors.hpp"
#include "core/error.hpp"
#include "solvers/compliant/linear_choice.hpp"

namespace scree {
namespace {

using petsc::check;

/// The merit has to fall by this part of what the linear model promises (Armijo).
constexpr double kSufficient = 1e-4;
constexpr int kMostBacktracks = 14;

/// Updates of a solve that are taken whole where neither the merit grows beyond that of all iterates nor the
/// work says that they go far too far.
constexpr int kFullUpdates = 7;

/// Part of the work that the residual does along an update which a searched step may leave, with the other
/// sign: then it has not gone far beyond the minimum along the update.
constexpr double kOvershootOfResidual = 0.5;
constexpr double kFullOvershoot = 4;  ///< the same of an update that is taken whole

/// No part of an update along which the residual does negative work promises less: the tangent is
/// indefinite there. Its reverse is tried instead where the whole update leaves more than this part.
constexpr double kWorthWhole = 0.5;
/// Part of what is free of collisions along an update that is taken.
constexpr double kOfWay = 0.9;

/// Iterates that may be worse than the best one (NewtonStyle) are worse by this factor at most.
constexpr double kWorse = 2;
/// A residual above so many reference forces is not what rounding leaves, whatever bounds on rounding say
/// where stiffness has no bound.
constexpr double kMostAtFloor = 1;

/// Gives PETSc the limits that it has read from options once more: it does not look at them there, and a
/// negative number of iterations ends a solve without a reason.
void judge_limits(SNES snes, KSP ksp) {
  constexpr const char* kDoing = "reading Newton options";
  PetscReal absolute = 0, relative = 0, other = 0;
  PetscInt iterations = 0, evaluations = 0;
  check(SNESGetTolerances(snes, &absolute, &relative, &other, &iterations, &evaluations), kDoing);
  check(SNESSetTolerances(snes, absolute, relative, other, iterations, evaluations), kDoing);
  check(KSPGetTolerances(ksp, &relative, &absolute, &other, &iterations), kDoing);
  check(KSPSetTolerances(ksp, relative, absolute, other, iterations), kDoing);
}

NonlinearStep& self(void* context) { return *static_cast<NonlinearStep*>(context); }

bool uses_factors(KSP ksp) {
  constexpr const char* kDoing = "reading the choice of the linear solver";
  PC pc = nullptr;
  PetscBool factors = PETSC_FALSE;
  check(KSPGetPC(ksp, &pc), kDoing);
  check(PetscObjectTypeCompareAny(reinterpret_cast<PetscObject>(petsc::factors_of(pc)), &factors, PCLU,
                                  PCCHOLESKY, ""),
        kDoing);
  return factors == PETSC_TRUE;
}

/// Whether factors did not fit into memory. PETSc 3.18 passes some of MUMPS's reasons on as such, not all:
/// INFOG(1) of its manual, section 8.
bool lacks_memory(PC used, PCFailedReason reason) {
  PC pc = petsc::factors_of(used);
  if (pc != used) check(PCGetFailedReason(pc, &reason), "reading the factors");
  if (reason == PC_FACTOR_OUTMEMORY) return true;
  PetscBool factors = PETSC_FALSE;
  check(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(pc), PCLU, &factors), "reading the factors");
  if (factors == PETSC_FALSE) return false;
  MatSolverType package = nullptr;
  check(PCFactorGetMatSolverType(pc, &package), "reading the factors");
  if (package == nullptr || std::string_view(package) != MATSOLVERMUMPS) return false;
  Mat matrix = nullptr;
  PetscInt info = 0;
  check(PCFactorGetMatrix(pc, &matrix), "reading the factors");
  check(MatMumpsGetInfog(matrix, 1, &info), "reading the status of MUMPS");
  constexpr std::array kMemory{-8, -9, -11, -12, -13, -14, -17, -19, -20};
  return std::find(kMemory.begin(), kMemory.end(), info) != kMemory.end();
}

}  // namespace

NonlinearStep::NonlinearStep(CompliantProblem& problem, NewtonStyle style)
    : problem_(&problem), style_(style), guard_(problem.world().comm()) {}

LinearChoice NonlinearStep::linear_choice() const {
  const LinearChoice wanted = problem_->model().solver.linear;
  if (wanted != LinearChoice::automatic) return wanted;
  return direct_instead_ || style_.direct ? LinearChoice::direct : wanted;
}

void NonlinearStep::create(LinearChoice linear) {
  island_scale_.reset();  // of the solver before
  y_ = problem_->dofs().create_vector();
  r_ = problem_->dofs().create_vector();
  check(SNESCreate(problem_->world().comm(), snes_.put()), "creating the Newton solver");
  check(SNESSetOptionsPrefix(snes_, problem_->world().options_prefix().c_str()), "naming the Newton solver");
  check(SNESSetType(snes_, SNESNEWTONLS), "choosing Newton");
  check(SNESSetFunction(snes_, r_, function, this), "setting the residual");
  check(SNESSetJacobian(snes_, problem_->matrix(), problem_->matrix(), jacobian, this),
        "setting the tangent");
  check(SNESSetConvergenceTest(snes_, converged, this, nullptr), "setting the convergence test");
  SNESLineSearch search = nullptr;
  check(SNESGetLineSearch(snes_, &search), "setting up the line search");
  check(SNESLineSearchSetType(search, SNESLINESEARCHSHELL), "setting up the line search");
  check(SNESLineSearchShellSetUserFunc(search, line_search, this), "setting up the line search");
  check(SNESSetTolerances(snes_, 0, 0, 0, problem_->model().solver.newton_max_iterations, 1000000),
        "setting tolerances");
  KSP ksp = nullptr;
  check(SNESGetKSP(snes_, &ksp), "setting up the linear solver");
  const PetscInt unknowns = problem_->dofs().global_unknowns();
  choose_linear_solver(ksp, linear, unknowns);
  guard_.watch(ksp);
  check(SNESSetFromOptions(snes_), "reading Newton options");
  factored_.reset();
  if (!is_small(unknowns) && uses_factors(ksp)) factored_.emplace();
  judge_limits(snes_, ksp);
}

bool NonlinearStep::set_up(LinearChoice linear) {
  constexpr const char* kDoing = "setting up the solver of the step";
  create(linear);
  if (problem_->predict(y_).any()) return false;
  const auto outcome = guard_.run([&] { problem_->residual(y_, r_); });
  if (outcome == petsc::CallbackGuard::Outcome::failed) guard_.rethrow_kept();
  if (outcome != petsc::CallbackGuard::Outcome::done) return false;
  update_tangent(y_, 0);
  KSP ksp = nullptr;
  Mat given = nullptr;
  check(SNESGetKSP(snes_, &ksp), kDoing);
  check(SNESGetJacobian(snes_, nullptr, &given, nullptr, nullptr), kDoing);
  check(KSPSetOperators(ksp, problem_->matrix(), given), kDoing);
  check(KSPSetUp(ksp), kDoing);
  check(KSPSetUpOnBlocks(ksp), kDoing);
  return true;
}

StepReport NonlinearStep::solve() {
  direct_instead_ = false;  // an exception may have ended the solve before
  StepReport report = solve_once();
  if (report.outcome == StepOutcome::failed && report.linear_failed &&
      problem_->model().solver.linear == LinearChoice::automatic && !style_.direct) {
    // What the iterative solver cannot do, factors can: once, for this step.
    direct_instead_ = true;
    snes_.reset();
    problem_->begin_again();
    const StepReport first = report;
    report = solve_once();
    report.newton += first.newton;
    report.krylov += first.krylov;
    report.factored = true;
    direct_instead_ = false;
    snes_.reset();
  }
  if (report.outcome == StepOutcome::converged) note(report);
  return report;
}

void NonlinearStep::note(const StepReport& report) {
  ++notes_.solves;
  if (report.factored) ++notes_.factored;
  // A tolerance that was raised, and not needed, says nothing about the forces.
  if (report.residual <= report.wanted) return;
  if (report.at_floor) {
    ++notes_.at_floor;
  } else {
    ++notes_.raised;
  }
  if (report.force_scale > 0) notes_.worst = std::max(notes_.worst, report.residual / report.force_scale);
}

StepReport NonlinearStep::solve_once() {
  static const petsc::LogEvent event("ScreeNewton");
  const petsc::LogScope scope(event);
  Mat known = nullptr;
  if (snes_) check(SNESGetJacobian(snes_, &known, nullptr, nullptr, nullptr), "reading the tangent");
  if (!snes_ || known != problem_->matrix()) create(linear_choice());

  report_ = {};
  history_.clear();
  guard_.clear_domain_error();
  tolerance_ = 0;
  best_merit_ = std::numeric_limits<double>::infinity();
  largest_merit_ = 0;
  updates_ = 0;
  worse_ = 0;
  started_at_floor_ = false;
  if (factored_) factored_->forget();  // a run that continues from a saved state has the same bits
  problem_->predict(y_).fail(report_);
  if (report_.blocked) return report_;
  problem_->begin_solve();
  const PetscErrorCode code = SNESSolve(snes_, nullptr, y_);
  problem_->end_solve();
  if (code != 0) snes_.reset();  // its preconditioner refuses a third solve after two that failed
  guard_.rethrow_kept();
  check(code, "solving the step");

  SNESConvergedReason reason = SNES_CONVERGED_ITERATING;
  check(SNESGetConvergedReason(snes_, &reason), "reading the reason of convergence");
  PetscInt newton = 0;
  PetscInt krylov = 0;
  check(SNESGetIterationNumber(snes_, &newton), "counting iterations");
  check(SNESGetLinearSolveIterations(snes_, &krylov), "counting iterations");
  report_.newton = static_cast<int>(newton);
  if (started_at_floor_) --report_.newton;  // the last iteration was undone
  report_.krylov = krylov;
  report_.tolerance = tolerance_;
  if (reason > 0) {
    report_.residual = problem_->norms().largest;
    report_.outcome = problem_->left_cover() ? StepOutcome::left_cover : StepOutcome::converged;
    return report_;
  }
  report_.outcome = StepOutcome::failed;
  switch (reason) {
    case SNES_DIVERGED_FUNCTION_DOMAIN:
    case SNES_DIVERGED_FNORM_NAN:
      report_.cause = guard_.domain_error().empty() ? "invalid trial state" : guard_.domain_error();
      break;
    case SNES_DIVERGED_LINEAR_SOLVE:
      report_.linear_failed = true;
      report_.cause = linear_failure();
      break;
    case SNES_DIVERGED_MAX_IT:
      report_.cause = "Newton: iteration limit";
      break;
    case SNES_DIVERGED_LINE_SEARCH:
      report_.cause = "Newton: line search failed";
      break;
    default:
      report_.cause = SNESConvergedReasons[reason];
  }
  if (problem_->path_too_long()) report_.cause = Passage::kPathTooLong;
  return report_;
}

std::string NonlinearStep::linear_failure() {
  KSP ksp = nullptr;
  PC pc = nullptr;
  PCFailedReason reason = PC_NOERROR;
  check(SNESGetKSP(snes_, &ksp), "reading the status of the linear solver");
  check(KSPGetPC(ksp, &pc), "reading the status of the linear solver");
  check(PCGetFailedReason(pc, &reason), "reading the status of the linear solver");
  if (reason != PC_NOERROR && lacks_memory(pc, reason)) {
    report_.no_memory = !direct_instead_;
    return "linear solver: out of memory in the factorisation";
  }
  if (reason != PC_NOERROR) return "linear solver: singular tangent (factorisation failed)";
  return "linear solver: iteration limit";
}

PetscErrorCode NonlinearStep::function(SNES /*snes*/, Vec y, Vec r, void* context) {
  NonlinearStep& me = self(context);
  return me.guard_.function(r, [&] { me.problem_->residual(y, r); });
}

PetscErrorCode NonlinearStep::jacobian(SNES snes, Vec y, Mat /*a*/, Mat /*p*/, void* context) {
  NonlinearStep& me = self(context);
  return me.guard_.jacobian(snes, [&] { me.update_tangent(y, me.tolerance_); });
}

void NonlinearStep::update_tangent(Vec y, double tolerance) {
  constexpr const char* kDoing = "setting the tangent";
  // SNES looks at the matrix that it called with once more when it is back, whether it is replaced or not.
  check(SNESGetJacobian(snes_, nullptr, called_with_.put(), nullptr, nullptr), kDoing);
  check(PetscObjectReference(reinterpret_cast<PetscObject>(static_cast<Mat>(called_with_))), kDoing);
  bool is_new = problem_->tangent(y, tolerance);
  if (factored_) is_new = factored_->copy(problem_->matrix()) || is_new;
  Mat const given = factored_ ? factored_->matrix() : problem_->matrix();
  if (is_new) check(SNESSetJacobian(snes_, problem_->matrix(), given, jacobian, this), kDoing);
  KSP ksp = nullptr;
  check(SNESGetKSP(snes_, &ksp), kDoing);
  weigh_islands(ksp, problem_->dofs(), problem_->world().rows(), problem_->island_weights(), island_scale_);
}

PetscErrorCode NonlinearStep::converged(SNES /*snes*/, PetscInt it, PetscReal /*xnorm*/, PetscReal /*snorm*/,
                                        PetscReal fnorm, SNESConvergedReason* reason, void* context) {
  NonlinearStep& me = self(context);
  const SolverDescription& solver = me.problem_->model().solver;
  const ResidualNorms& norms = me.problem_->norms();
  *reason = SNES_CONVERGED_ITERATING;
  if (!std::isfinite(fnorm)) {
    *reason = SNES_DIVERGED_FUNCTION_DOMAIN;
    return 0;
  }
  StepReport& report = me.report_;
  report.wanted = me.problem_->wanted_residual();
  report.force_scale = norms.force_scale;
  me.tolerance_ = std::max(report.wanted, norms.round_off);
  me.history_.push_back(norms.largest);
  if (norms.largest <= me.tolerance_) {
    report.at_floor = false;
    *reason = SNES_CONVERGED_FNORM_ABS;
  } else if (report.at_floor) {
    *reason = SNES_CONVERGED_FNORM_ABS;
  } else if (it >= solver.newton_max_iterations) {
    report.at_floor = it > 0 && me.is_at_floor();
    *reason = report.at_floor ? SNES_CONVERGED_FNORM_ABS : SNES_DIVERGED_MAX_IT;
  }
  return 0;
}

void NonlinearStep::take(SNESLineSearch search, Vec trial, Vec residual, double lambda) {
  Vec x = nullptr, f = nullptr;
  check(SNESLineSearchGetVecs(search, &x, &f, nullptr, nullptr, nullptr), "accepting an iterate");
  check(VecCopy(trial, x), "accepting an iterate");
  check(VecCopy(residual, f), "accepting an iterate");
  check(SNESLineSearchSetLambda(search, lambda), "accepting an iterate");
  check(SNESLineSearchSetNorms(search, 1.0, problem_->norms().merit, 1.0), "accepting an iterate");
}

bool NonlinearStep::is_at_floor() const {
  const ResidualNorms& norms = problem_->norms();
  return norms.largest <= kMostAtFloor * norms.force_scale && problem_->is_round_off(tolerance_);
}

bool NonlinearStep::take_start_at_floor(SNESLineSearch search) {
  Vec x = nullptr, direction = nullptr, trial = nullptr, g = nullptr;
  check(SNESLineSearchGetVecs(search, &x, nullptr, &direction, &trial, &g), "accepting an iterate");
  // The problem has to stand at the solution.
  if (!try_state(x, direction, 0, trial, g) || !is_at_floor()) return false;
  report_.at_floor = started_at_floor_ = true;
  take(search, trial, g, 0);
  return true;
}

bool NonlinearStep::try_state(Vec from, Vec direction, double lambda, Vec to, Vec residual) {
  check(VecWAXPY(to, -lambda, direction, from), "taking a trial state");
  const auto outcome = guard_.run([&] { problem_->residual(to, residual); });
  if (outcome == petsc::CallbackGuard::Outcome::failed) guard_.rethrow_kept();
  return outcome == petsc::CallbackGuard::Outcome::done;
}

PetscErrorCode NonlinearStep::line_search(SNESLineSearch search, void* context) {
  NonlinearStep& me = self(context);
  const auto outcome = me.guard_.run([&] { me.search_along(search); });
  return outcome == petsc::CallbackGuard::Outcome::failed ? PETSC_ERR_LIB : 0;
}

/// One search along an update, from the iterate at lambda = 0.
struct NonlinearStep::Search {
  double merit = 0, work = 0;  ///< at the start; work of the residual against the update
  bool full = false;           ///< the update is taken as it is, where the merit does not grow
  bool patient = false;
  double longest = 1;  ///< first length that is tried
};

bool NonlinearStep::accepts(const Search& search, double lambda, double work) const {
  const double merit = problem_->norms().merit;
  if (problem_->norms().largest <= tolerance_) return true;
  if (search.work <= 0) {
    // Not a direction in which an energy would fall: the residual has to.
    return merit <= (1 - kSufficient * lambda) * search.merit ||
           (search.patient && merit <= kWorse * best_merit_);
  }
  const double most = search.full && merit <= largest_merit_ ? kFullOvershoot : kOvershootOfResidual;
  return work >= -most * search.work &&
         (lambda == search.longest || work <= kOvershootOfResidual * search.work);
}

void NonlinearStep::search_along(SNESLineSearch search) {
  Vec x = nullptr, f = nullptr, direction = nullptr, trial = nullptr, g = nullptr;
  check(SNESLineSearchGetVecs(search, &x, &f, &direction, &trial, &g), "searching along the update");
  check(SNESLineSearchSetReason(search, SNES_LINESEARCH_SUCCEEDED), "searching along the update");
  const double merit0 = problem_->norms().merit;
  called_with_.reset();
  const bool start_may_be_noise = problem_->norms().largest <= kMostAtFloor * problem_->norms().force_scale;
  problem_->hold_quiet(direction, tolerance_);
  worse_ = merit0 < best_merit_ ? 0 : worse_ + 1;
  best_merit_ = std::min(best_merit_, merit0);
  largest_merit_ = std::max(largest_merit_, merit0);
  Search start{.merit = merit0, .full = updates_ < kFullUpdates, .patient = worse_ < style_.most_worse};
  ++updates_;
  // It shortens the update of single bodies: the work below is that of what is searched along.
  const double clip = problem_->clip(direction);
  check(VecDot(direction, f, &start.work), "searching along the update");
  double lambda = 1;
  if (clip < 1) {
    lambda = kOfWay * clip;
    ++report_.clipped;
  }
  if (start.work < 0 && !start.full && problem_->integrator().secant_forces()) {
    if (try_state(x, direction, lambda, trial, g) && problem_->norms().merit <= kWorthWhole * merit0) {
      take(search, trial, g, lambda);
      return;
    }
    try_state(x, direction, 0, trial, g);  // the way back begins at the iterate
    check(VecScale(direction, -1), "turning an update round");
    lambda = std::min(1.0, kOfWay * problem_->clip(direction));
    check(VecDot(direction, f, &start.work), "searching along the update");
  }
  const double most = lambda;
  start.longest = most;
  double low = 0, high = 0, work_low = start.work, work_high = 0;
  for (int k = 0; k < kMostBacktracks; ++k) {
    const bool evaluated = try_state(x, direction, lambda, trial, g);
    if (evaluated) {
      const double merit = problem_->norms().merit;
      // Where the residual is what rounding leaves, no way makes it smaller but by chance.
      if (k == 0 && start_may_be_noise && merit > (1 - kSufficient * lambda) * merit0 &&
          problem_->norms().largest > tolerance_) {
        if (take_start_at_floor(search)) return;
        try_state(x, direction, lambda, trial, g);
      }
      double work = 0;
      check(VecDot(direction, g, &work), "searching along the update");
      if (accepts(start, lambda, work)) {
        take(search, trial, g, lambda);
        return;
      }
      ++report_.backtracks;
      if (start.work > 0) {
        // Illinois method: zero of the chord between the ends of the bracket.
        if (work > 0) {
          if (low > 0) work_high *= 0.5;
          low = lambda;
          work_low = work;
        } else {
          if (high > 0) work_low *= 0.5;
          high = lambda;
          work_high = work;
        }
        lambda = low + std::clamp(work_low / (work_low - work_high), 0.1, 0.9) * (high - low);
      } else {
        // Minimum of the parabola through merit^2 at 0, its slope there (Newton: -2 merit^2) and the trial.
        const double ratio = merit / merit0;
        const double shorter = lambda * lambda / (ratio * ratio - 1 + 2 * lambda);
        lambda = std::clamp(shorter, 0.1 * lambda, 0.5 * lambda);
      }
    } else {
      ++report_.backtracks;
      lambda *= 0.25;
      start.longest = lambda;
    }
    if (lambda < 1e-8 * most) break;
  }
  if (low > 0 && try_state(x, direction, low, trial, g)) {
    take(search, trial, g, low);
    return;
  }
  check(SNESLineSearchSetReason(search, SNES_LINESEARCH_FAILED_REDUCT), "ending a line search");
}

}  // namespace scree
