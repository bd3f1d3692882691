#include "solvers/contact_dynamics/rigid_step.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "contact/forces/rigid_forces.hpp"
#include "contact/pair/folded_contacts.hpp"
#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "core/text.hpp"
#include "solvers/contact_dynamics/gathered_step.hpp"
#include "solvers/contact_dynamics/one_step.hpp"
#include "solvers/contact_dynamics/uniqueness.hpp"

namespace scree::contact_dynamics {
namespace {

using petsc::check;

constexpr const char* kStep = "solving a step of contact dynamics";

/// Overlap at the end of an adaptive step up to this part of the mean bounding radius is that of
/// linearised gaps; more of it rejects the step. Of bodies that are not convex overlap has to stay so small
/// that the entry point of a body is unique.
constexpr double kOverlapInStep = 1e-3;
constexpr double kOverlapOfFolded = 3e-5;

/// The same for steps of fixed size, which are longer by intent.
constexpr double kOverlapInFixedStep = 5e-3;

/// Adaptive steps: way of a body, part of its bounding radius, beyond which a step is rejected. Its size was
/// chosen by the velocities of the start, that may be zero.
constexpr double kMostWay = 0.3;

/// What there was before may be measured deeper at other features.
constexpr double kOverlapMayGrow = 1.1;

/// Overlap that is left alone, as part of the mean bounding radius; part of the rest that a step takes out;
/// and how well.
constexpr double kOverlapThatStays = 1e-10;
constexpr double kRecovery = 0.5;
constexpr double kRecoveryReach = 0.1;  ///< at most this part of the reach of contacts, in a step
constexpr double kRecoveryResidual = 1e-3;
constexpr long kRecoverySweeps = 50;

/// Scaled residual up to which a step continues whose LCP was not solved to the tolerance: the run
/// says how often.
constexpr double kAcceptedResidual = 1e-5;

/// Change of forces between the last two stiffnesses above which a one-step solution is rejected.
constexpr double kOneStepFails = 0.3;

/// Error of the normal velocity of sliding contacts above which the same is done, as part of the change of
/// velocity that the mean force makes in a step.
constexpr double kSlipFails = 1e-2;

std::string figure_of(double value) { return text::number(value, 2); }

}  // namespace

RigidStep::RigidStep(RigidProblem& problem) : step_(problem), choice_(problem.world().model().solver) {
  const std::vector<Shape>& shapes = problem.world().model().shapes;
  overlap_in_step_ = !problem.world().model().time.adaptive                          ? kOverlapInFixedStep
                     : std::any_of(shapes.begin(), shapes.end(), contact::is_folded) ? kOverlapOfFolded
                                                                                     : kOverlapInStep;
}

StepReport RigidStep::solve(double time, double h, double factor) {
  const RigidFigures before = figures_;
  const auto forget = [&] {
    operator_.reset();
    figures_ = before;
  };
  StepReport report;
  try {
    report = attempt(time, h, factor);
  } catch (const Interrupted&) {
    if (step_.moved()) step_.reject();
    forget();
    throw;
  } catch (const RecoverableError& error) {
    if (step_.moved()) step_.undo();
    report.cause = error.what();
  }
  if (report.outcome != StepOutcome::converged) forget();
  return report;
}

StepReport RigidStep::attempt(double time, double h, double factor) {
  StepReport report;
  operator_.reset();
  figures_ = {};
  figures_.known = true;
  figures_.length = step_.world().mean_length();
  figures_.gap_at_start = step_.begin(time, h, factor, problem_, contacts_);
  MPI_Allreduce(&problem_.between_held, &figures_.between_held, 1, MPI_LONG, MPI_SUM, problem_.comm);
  detail_.clear();
  krylov_ = 0;
  report.cause = solve_stages();
  report.detail = detail_;
  report.newton = static_cast<int>(figures_.lcp_iterations);
  report.krylov = krylov_;
  if (!report.cause.empty()) return report;
  // Impulses that give energy have created it: that is no loss, and the balance shows it.
  double sum = losses_.damping + losses_.friction;
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, problem_.comm);
  if (!(sum > 0)) losses_.damping = losses_.friction = 0;
  measure_lag();

  std::vector<contact::RigidForce> forces(contacts_.size());
  {
    const petsc::ConstVecValues normal(forces_.normal);
    const petsc::ConstVecValues first(forces_.first);
    for (std::size_t i = 0; i < forces.size(); ++i) {
      forces[i].normal = normal.data()[i];
      forces[i].first_found = first.data()[i];
      if (rough()) forces[i].friction = forces_.friction[i];
    }
  }
  std::vector<Vec6> by_contact = wrenches(forces_);
  const petsc::ConstVecValues velocities(forces_.velocities);
  const petsc::VecHandle push = corrections(forces_);
  const petsc::ConstVecValues corrections(push);
  // The forces of the step work along the correction of positions too. A body with a curved surface rolls
  // into overlap in each step: its impact counts as a loss, and the correction lifts it back.
  for (int i = 0; i < problem_.owned; ++i) {
    const Eigen::Map<const Vec6> along(corrections.data() + kBodyUnknowns * static_cast<std::ptrdiff_t>(i));
    losses_.damping -= problem_.h * by_contact[i].dot(along);
  }
  const bool covered = step_.end(velocities.data(), corrections.data(), contacts_, forces, by_contact);
  if (!covered) {
    step_.undo();
    report.outcome = StepOutcome::left_cover;
    return report;
  }
  if (const Obstacle found = step_.passage(); found.any()) {
    step_.undo();
    found.fail(report);
    return report;
  }
  if (step_.world().model().time.adaptive &&
      step_.longest_way() > kMostWay * step_.world().model().time.resolution) {
    step_.undo();
    report.cause = "body motion above the limit";
    return report;
  }
  figures_.gap_at_end = step_.smallest_gap();
  const double allowed =
      std::min(-overlap_in_step_ * figures_.length, kOverlapMayGrow * figures_.gap_at_start);
  if (figures_.gap_at_end < allowed) {
    step_.undo();
    report.cause = "overlap at step end above the limit";
    return report;
  }
  report.outcome = StepOutcome::converged;
  return report;
}

std::string RigidStep::solve_stage(Forces& forces) {
  operator_ = std::make_unique<ContactOperator>(problem_);
  forces.normal = operator_->per_contact();
  forces.first = operator_->per_contact();
  forces.velocities = operator_->per_body();
  forces.friction.clear();
  return choice_.method == RigidMethod::one_step ? one_step(forces) : two_step(forces);
}

std::string RigidStep::two_step(Forces& forces) {
  static const petsc::LogEvent compatible_event("ScreeCompatible");
  const petsc::VecHandle offset = operator_->per_contact();
  const petsc::VecHandle rates = operator_->per_contact();
  {
    const petsc::VecValues start(forces.first);
    std::transform(contacts_.begin(), contacts_.end(), start.data(),
                   [](const contact::RigidContact& contact) { return contact.force; });
  }
  operator_->offset(problem_, offset);
  {
    const LcpResult result =
        LcpSolver(choice_.lcp).solve(*operator_, problem_, offset, forces.first, choice_.lcp_tolerance);
    figures_.lcp = std::string(name_of(choice_.lcp));
    figures_.complementarity = result.residual;
    figures_.lcp_iterations = result.iterations;
    if (result.finished) figures_.by_newton = 1;
    if (!result.converged) figures_.lcp_short = 1;
    if (!result.converged && !(result.residual <= kAcceptedResidual)) {
      detail_ = text::join("residual ", figure_of(result.residual), ", tolerance ",
                           figure_of(choice_.lcp_tolerance), ", ", std::to_string(result.iterations),
                           " iterations", result.cause.empty() ? "" : ": " + result.cause);
      return text::join("LCP solver \"", figures_.lcp, "\" not converged");
    }
  }
  operator_->velocities(forces.first, forces.velocities);
  check(VecCopy(forces.first, forces.normal), kStep);
  PetscInt contacts = 0;
  check(VecGetSize(forces.normal, &contacts), kStep);
  if (choice_.compatibility == CompatibilityMethod::none) return "";
  // Where nothing touches there is nothing that could be otherwise.
  figures_.compatibility = name_of(choice_.compatibility);
  figures_.unique = true;
  if (contacts == 0) return "";
  const petsc::LogScope scope(compatible_event);
  operator_->delassus(forces.first, rates);
  check(VecAXPY(rates, 1, offset), kStep);
  CompatibilityOptions options;
  options.method = choice_.compatibility;
  const CompatibilityReport report = make_compatible(problem_, *operator_, rates, options, forces.normal);
  if (report.loaded > 0) figures_.compatibility = report.method;
  figures_.balance = report.balance;
  figures_.opening = report.opening;
  figures_.loaded = report.loaded;
  figures_.lcp_distance = relative_distance(forces.normal, forces.first);
  // Velocities are valid without them: the run continues, and the summary reports how often.
  figures_.unique = report.converged;
  return "";
}

petsc::VecHandle RigidStep::corrections(const Forces& forces) {
  petsc::VecHandle push = operator_->per_body();
  double deepest = 0;
  for (const Constraint& contact : problem_.constraints) deepest = std::max(deepest, contact.overlap);
  MPI_Allreduce(MPI_IN_PLACE, &deepest, 1, MPI_DOUBLE, MPI_MAX, problem_.comm);
  if (deepest <= kOverlapThatStays * figures_.length) return push;
  // No further than contacts were looked for, however short the step.
  const double most = kRecoveryReach * step_.reach();
  const petsc::VecHandle rates = operator_->per_contact();
  const petsc::VecHandle pressure = operator_->per_contact();
  check(MatMultAdd(operator_->rates(), forces.velocities, operator_->drift(), rates), kStep);
  {
    // Gaps at the end of the step as velocities leave them.
    const petsc::VecValues gaps(rates);
    for (std::size_t k = 0; k < problem_.constraints.size(); ++k) {
      const Constraint& contact = problem_.constraints[k];
      gaps.data()[k] += (contact.gap - std::min(kRecovery * contact.overlap, most)) / problem_.h;
    }
  }
  figures_.recovery_short =
      !LcpSolver(LcpMethod::pgs)
           .solve(*operator_, problem_, rates, pressure, kRecoveryResidual, kRecoverySweeps)
           .converged;
  operator_->velocities(pressure, push);
  check(VecAXPY(push, -1, operator_->free_velocities()), kStep);
  return push;
}

std::string RigidStep::one_step(Forces& forces) {
  static const petsc::LogEvent event("ScreeOneStep");
  const petsc::LogScope scope(event);
  figures_.lcp = "one-step";
  OneStepResult result = solve_one_step_of_ranks(problem_, *operator_);
  figures_.lcp_iterations = result.report.newton;
  krylov_ += result.report.krylov;
  figures_.compatibility = result.report.method.empty() ? "one-step" : "one-step, " + result.report.method;
  figures_.opening = result.report.change;
  figures_.unique = result.report.converged;
  forces.velocities = std::move(result.velocities);
  forces.normal = std::move(result.normal);
  check(VecCopy(forces.normal, forces.first), kStep);
  forces.friction = std::move(result.tangential);
  if (!result.report.converged && result.report.change > kOneStepFails) {
    detail_ = text::join("relative force change ", figure_of(result.report.change), ", ",
                         std::to_string(result.report.levels), " stiffness levels");
    return "one-step method not converged";
  }
  if (result.report.slip_error > kSlipFails) {
    detail_ = text::join("error ", figure_of(result.report.slip_error), ", ",
                         std::to_string(result.report.solutions), " solutions");
    return "friction not converged";
  }
  return "";
}

std::vector<Vec6> RigidStep::wrenches(const Forces& forces) const {
  const petsc::VecHandle sum = operator_->per_body();
  check(MatMultTranspose(operator_->rates(), forces.normal, sum), kStep);
  if (rough()) add_friction(forces, sum);
  std::vector<Vec6> wrenches(static_cast<std::size_t>(problem_.owned));
  const petsc::ConstVecValues values(sum);
  for (int i = 0; i < problem_.owned; ++i)
    wrenches[i] = Eigen::Map<const Vec6>(values.data() + kBodyUnknowns * static_cast<std::ptrdiff_t>(i));
  return wrenches;
}

void RigidStep::add_friction(const Forces& forces, Vec sum) const {
  // Contacts between two ranks are on one of them: PETSc brings their share to the other.
  const auto add = [&](int body, const Vec3& force, const Vec3& arm) {
    Vec6 wrench;
    wrench << force, arm.cross(force);
    PetscInt rows[kBodyUnknowns];
    for (int k = 0; k < kBodyUnknowns; ++k) rows[k] = kBodyUnknowns * problem_.bodies[body].number + k;
    check(VecSetValues(sum, kBodyUnknowns, rows, wrench.data(), ADD_VALUES), kStep);
  };
  for (std::size_t k = 0; k < problem_.constraints.size(); ++k) {
    const Constraint& contact = problem_.constraints[k];
    add(contact.a, forces.friction[k], contact.arm_a);
    if (contact.b >= 0) add(contact.b, -forces.friction[k], contact.arm_b);
  }
  check(VecAssemblyBegin(sum), kStep);
  check(VecAssemblyEnd(sum), kStep);
}

void RigidStep::measure(const Forces& forces, bool first) {
  // An impulse does its work at the mean of the velocities before and after it: exact for translation.
  const petsc::VecHandle mean = operator_->per_body();
  const petsc::VecHandle rates = operator_->per_contact();
  {
    const petsc::VecValues values(mean);
    const petsc::ConstVecValues after(forces.velocities);
    for (int i = 0; i < problem_.owned; ++i) {
      const auto at = kBodyUnknowns * static_cast<std::ptrdiff_t>(i);
      Eigen::Map<Vec6>(values.data() + at) =
          0.5 * (problem_.bodies[i].velocity + Eigen::Map<const Vec6>(after.data() + at));
    }
  }
  if (first) work_of_loads_ = {};
  step_.add_work(problem_, petsc::ConstVecValues(forces.velocities).data(), first, work_of_loads_);
  check(MatMultAdd(operator_->rates(), mean, operator_->drift(), rates), kStep);
  {
    const petsc::ConstVecValues rate(rates);
    const petsc::ConstVecValues force(forces.normal);
    for (std::size_t k = 0; k < problem_.constraints.size(); ++k)
      losses_.damping -= problem_.h * force.data()[k] * rate.data()[k];
  }
  losses_.boundaries += problem_.h * power_of_boundaries(forces);
  // Weight acts in the first stage, and does its work along the velocities after the last one.
  if (!first) losses_.lag += lag_between(forces);
  if (!rough()) return;
  const petsc::VecHandle friction = operator_->per_body();
  add_friction(forces, friction);
  const petsc::ConstVecValues wrench(friction);
  const petsc::ConstVecValues velocity(mean);
  for (int i = 0; i < kBodyUnknowns * problem_.owned; ++i)
    losses_.friction -= problem_.h * wrench.data()[i] * velocity.data()[i];
  for (std::size_t k = 0; k < problem_.constraints.size(); ++k)
    losses_.friction -= problem_.h * forces.friction[k].dot(problem_.constraints[k].drift);
}

double RigidStep::lag_between(const Forces& forces) const {
  const World& world = step_.world();
  const petsc::ConstVecValues after(forces.velocities);
  double lag = 0;
  for (int i = 0; i < problem_.owned; ++i) {
    const Vec3 gain = Eigen::Map<const Vec3>(after.data() + kBodyUnknowns * static_cast<std::ptrdiff_t>(i)) -
                      problem_.bodies[i].velocity.head<3>();
    lag -= 0.5 * problem_.h * world.bodies().properties[i].mass * world.model().gravity.dot(gain);
  }
  return lag;
}

void RigidStep::measure_lag() {
  losses_.lag += lag_between(forces_);
  const petsc::ConstVecValues force(forces_.normal);
  for (std::size_t k = 0; k < problem_.constraints.size(); ++k)
    losses_.overlap += force.data()[k] * problem_.constraints[k].overlap;
}

const RigidFigures& RigidStep::figures() {
  if (!figures_.known || figures_.indeterminacy >= 0 || !operator_) return figures_;
  const Uniqueness uniqueness = measure_uniqueness(problem_, forces_.normal);
  figures_.loaded = uniqueness.loaded;
  figures_.indeterminacy = uniqueness.indeterminacy;
  figures_.estimated = uniqueness.estimate;
  return figures_;
}

void RigidStep::add_intervals(std::vector<ContactRecord>& records) {
  const auto& asked = step_.world().model().output.intervals;
  if (asked.empty() || !operator_) return;
  const petsc::VecHandle rates = operator_->per_contact();
  const petsc::VecHandle load = operator_->per_body();
  operator_->offset(problem_, rates);
  const petsc::VecHandle product = operator_->per_contact();
  operator_->delassus(forces_.normal, product);
  check(VecAXPY(rates, 1, product), kStep);
  const std::vector<char> closed = closed_contacts(problem_, *operator_, forces_.normal, rates);
  needed_load(*operator_, closed, forces_.normal, load);
  std::vector<int> wanted;        // constraints of this rank
  std::vector<std::size_t> rows;  // their records
  std::size_t record = 0;
  const petsc::ConstVecValues force(forces_.normal);
  // Records are those of the contacts with a force, in the order of contacts.
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    if (!(force.data()[k] > 0)) continue;
    const std::pair<BodyId, BodyId> parties{records[record].body_a, records[record].body_b};
    const bool named = std::any_of(asked.begin(), asked.end(), [&](const auto& pair) {
      return pair == parties || (pair.first == parties.second && pair.second == parties.first);
    });
    if (named) {
      wanted.push_back(static_cast<int>(k));
      rows.push_back(record);
    }
    ++record;
  }
  const std::vector<ForceInterval> intervals = force_intervals(problem_, closed, load, wanted);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    records[rows[i]].force_min = intervals[i].least;
    records[rows[i]].force_max = intervals[i].most;
  }
}

}  // namespace scree::contact_dynamics
