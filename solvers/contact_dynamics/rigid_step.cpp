#include "solvers/contact_dynamics/rigid_step.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "core/text.hpp"

namespace scree::contact_dynamics {
namespace {

using petsc::check;

constexpr const char* kStep = "solving a step of contact dynamics";

/// Adaptive runs: overlap at the end of a step up to this part of the mean bounding radius is that of
/// linearised gaps; more of it cuts the step.
constexpr double kOverlapInStep = 1e-3;

/// Overlap that is left alone, as part of the mean bounding radius; part of the rest that a step takes out;
/// and how well.
constexpr double kOverlapThatStays = 1e-10;
constexpr double kRecovery = 0.5;
constexpr double kRecoveryResidual = 1e-3;
constexpr long kRecoverySweeps = 50;

std::string figure(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

double relative_distance(Vec f, Vec g) {
  petsc::VecHandle difference;
  check(VecDuplicate(f, difference.put()), kStep);
  check(VecWAXPY(difference, -1, f, g), kStep);
  PetscReal distance = 0;
  PetscReal size = 0;
  check(VecNorm(difference, NORM_2, &distance), kStep);
  check(VecNorm(f, NORM_2, &size), kStep);
  return size > 0 ? distance / size : 0;
}

}  // namespace

RigidStep::RigidStep(System& system) : system_(system), choice_(system.model().solver) {}

StepReport RigidStep::solve(double time, double h, double factor) {
  StepReport report;
  operator_.reset();
  figures_ = {};
  figures_.known = true;
  figures_.gap_at_start = system_.begin_rigid_step(time, h, factor, problem_, contacts_);
  operator_ = std::make_unique<ContactOperator>(problem_);
  forces_.normal = operator_->per_contact();
  forces_.first = operator_->per_contact();
  forces_.velocities = operator_->per_body();
  forces_.friction.clear();
  report.cause = two_step(forces_);
  report.newton = static_cast<int>(figures_.lcp_iterations);
  if (!report.cause.empty()) return report;

  std::vector<contact::Contacts::RigidForce> forces(contacts_.size());
  {
    const petsc::ConstVecValues normal(forces_.normal);
    const petsc::ConstVecValues first(forces_.first);
    for (std::size_t i = 0; i < forces.size(); ++i) {
      forces[i].normal = normal.data()[i];
      forces[i].first_found = first.data()[i];
      forces[i].least = 0;
      forces[i].most = -1;
      if (!forces_.friction.empty()) forces[i].friction = forces_.friction[i];
    }
  }
  measure_losses(forces_);
  std::vector<Vec6> by_contact = wrenches(forces_);
  const petsc::ConstVecValues velocities(forces_.velocities);
  const petsc::VecHandle push = corrections(forces_);
  const petsc::ConstVecValues corrections(push);
  const bool covered =
      system_.end_rigid_step(velocities.data(), corrections.data(), contacts_, forces, std::move(by_contact));
  if (!covered) {
    system_.undo_rigid_step();
    report.outcome = StepOutcome::left_cover;
    return report;
  }
  figures_.gap_at_end = system_.rigid_gap();
  const double allowed = std::min(-kOverlapInStep * system_.mean_length(), 2 * figures_.gap_at_start);
  if (system_.model().time.adaptive && figures_.gap_at_end < allowed) {
    system_.undo_rigid_step();
    report.cause = "overlap at the end of the step";
    return report;
  }
  report.outcome = StepOutcome::converged;
  return report;
}

std::string RigidStep::two_step(Forces& forces) {
  static const petsc::LogEvent compatible_event("ScreeCompatible");
  const petsc::VecHandle offset = operator_->per_contact();
  const petsc::VecHandle rates = operator_->per_contact();
  operator_->offset(problem_, offset);
  {
    const petsc::VecValues start(forces.first);
    std::transform(contacts_.begin(), contacts_.end(), start.data(),
                   [](const contact::Contacts::RigidContact& contact) { return contact.force; });
  }
  {
    const LcpResult result =
        LcpSolver(choice_.lcp).solve(*operator_, problem_, offset, forces.first, choice_.lcp_tolerance);
    figures_.lcp = std::string(name_of(choice_.lcp));
    figures_.complementarity = result.residual;
    figures_.lcp_iterations = result.iterations;
    if (!result.converged) {
      return text::join("complementarity, \"", figures_.lcp, "\": residual ", figure(result.residual), " of ",
                        figure(choice_.lcp_tolerance), " after ", std::to_string(result.iterations),
                        " iterations", result.cause.empty() ? "" : ": " + result.cause);
    }
  }
  operator_->velocities(forces.first, forces.velocities);
  check(VecCopy(forces.first, forces.normal), kStep);
  PetscInt contacts = 0;
  check(VecGetSize(forces.normal, &contacts), kStep);
  if (contacts == 0 || choice_.compatibility == CompatibilityMethod::none) return "";
  const petsc::LogScope scope(compatible_event);
  operator_->delassus(forces.first, rates);
  check(VecAXPY(rates, 1, offset), kStep);
  CompatibilityOptions options;
  options.method = choice_.compatibility;
  const CompatibilityReport report = make_compatible(problem_, *operator_, rates, options, forces.normal);
  figures_.compatibility = report.method;
  figures_.balance = report.balance;
  figures_.opening = report.opening;
  figures_.loaded = report.loaded;
  figures_.lcp_distance = relative_distance(forces.normal, forces.first);
  // Velocities are right without them: the run goes on, and says how often.
  figures_.unique = report.converged;
  return "";
}

petsc::VecHandle RigidStep::corrections(const Forces& forces) const {
  petsc::VecHandle push = operator_->per_body();
  double deepest = 0;
  for (const Constraint& contact : problem_.constraints) deepest = std::max(deepest, contact.overlap);
  MPI_Allreduce(MPI_IN_PLACE, &deepest, 1, MPI_DOUBLE, MPI_MAX, problem_.comm);
  if (deepest <= kOverlapThatStays * system_.mean_length()) return push;
  const petsc::VecHandle rates = operator_->per_contact();
  const petsc::VecHandle pressure = operator_->per_contact();
  check(MatMultAdd(operator_->rates(), forces.velocities, operator_->drift(), rates), kStep);
  {
    // Gaps at the end of the step as velocities leave them.
    const petsc::VecValues gaps(rates);
    for (std::size_t k = 0; k < problem_.constraints.size(); ++k) {
      const Constraint& contact = problem_.constraints[k];
      gaps.data()[k] += (contact.gap - kRecovery * contact.overlap) / problem_.h;
    }
  }
  (void)LcpSolver(LcpMethod::pgs)
      .solve(*operator_, problem_, rates, pressure, kRecoveryResidual, kRecoverySweeps);
  operator_->velocities(pressure, push);
  check(VecAXPY(push, -1, operator_->free_velocities()), kStep);
  return push;
}

std::vector<Vec6> RigidStep::wrenches(const Forces& forces) const {
  const petsc::VecHandle sum = operator_->per_body();
  check(MatMultTranspose(operator_->rates(), forces.normal, sum), kStep);
  std::vector<Vec6> wrenches(static_cast<std::size_t>(problem_.owned));
  const petsc::ConstVecValues values(sum);
  for (int i = 0; i < problem_.owned; ++i)
    wrenches[i] = Eigen::Map<const Vec6>(values.data() + kBodyUnknowns * static_cast<std::ptrdiff_t>(i));
  return wrenches;
}

void RigidStep::measure_losses(const Forces& forces) {
  // An impulse does its work at the mean of the velocities before and after it: exact for translation.
  losses_ = {};
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
  check(MatMultAdd(operator_->rates(), mean, operator_->drift(), rates), kStep);
  const petsc::ConstVecValues rate(rates);
  const petsc::ConstVecValues force(forces.normal);
  for (std::size_t k = 0; k < problem_.constraints.size(); ++k)
    losses_.damping -= problem_.h * force.data()[k] * rate.data()[k];
}

const RigidFigures& RigidStep::figures() { return figures_; }

void RigidStep::add_intervals(std::vector<ContactRecord>& /*records*/) {}

}  // namespace scree::contact_dynamics
