/// Stages of a step of contact dynamics: impacts that follow from others (theory 07 section 1).
#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "solvers/contact_dynamics/rigid_step.hpp"

namespace scree::contact_dynamics {
namespace {

using petsc::check;

constexpr const char* kStages = "solving the stages of a step of contact dynamics";

/// Impacts of a step that follow from each other: contacts wait that would not close (part of the mean
/// bounding radius), as far away as this many times the reach; of the last stage none waits.
constexpr double kWaits = 1e-9;
constexpr double kFar = 10;
constexpr int kMostStages = 40;

/// Work of the impulses of a stage above which they create energy, part of the energy that they exchange;
/// forces are known to 1e-6. Solutions that look for the part of the restitution that creates none.
constexpr double kCreates = 1e-5;
constexpr int kHalvings = 6;

/// Figures of a step of several stages. @param before of the stages before. @param[in,out] figures of the
/// last one, then of all.
void add_stage(const RigidFigures& before, RigidFigures& figures) {
  figures.lcp_iterations += before.lcp_iterations;
  figures.complementarity = std::max(figures.complementarity, before.complementarity);
  figures.lcp_short = std::max(figures.lcp_short, before.lcp_short);
  figures.by_newton = std::max(figures.by_newton, before.by_newton);
  figures.unique = figures.unique && before.unique;
  figures.balance = std::max(figures.balance, before.balance);
  figures.opening = std::max(figures.opening, before.opening);
  figures.lcp_distance = std::max(figures.lcp_distance, before.lcp_distance);
  figures.less_rebound = std::max(figures.less_rebound, before.less_rebound);
}

}  // namespace

std::string RigidStep::solve_without_gain(Forces& forces) {
  problem_.rebound = 1;
  std::string cause = solve_stage(forces);
  if (!cause.empty() || !creates_energy(forces)) return cause;
  double least = 0, most = 1;
  bool found = false;
  for (int k = 0; k < kHalvings || (k == kHalvings && !found); ++k) {
    problem_.rebound = k < kHalvings ? 0.5 * (least + most) : 0;
    const RigidFigures before = figures_;
    Forces tried;
    const bool takes = solve_stage(tried).empty() && !creates_energy(tried);
    add_stage(before, figures_);
    (takes ? least : most) = problem_.rebound;
    if (!takes) continue;
    forces = std::move(tried);
    found = true;
  }
  problem_.rebound = 1;
  detail_.clear();
  if (found) figures_.less_rebound = 1;
  return "";
}

bool RigidStep::creates_energy(const Forces& forces) const {
  // Against the velocities that loads alone would leave: from these, impulses without rebound only take.
  const std::vector<Vec6> by_contact = wrenches(forces);
  double sums[2] = {power_of_boundaries(forces), 0};
  {
    const petsc::ConstVecValues free(operator_->free_velocities());
    const petsc::ConstVecValues after(forces.velocities);
    for (int i = 0; i < problem_.owned; ++i) {
      const auto at = kBodyUnknowns * static_cast<std::ptrdiff_t>(i);
      const Eigen::Map<const Vec6> from(free.data() + at);
      const Eigen::Map<const Vec6> to(after.data() + at);
      sums[0] += 0.5 * by_contact[i].dot(from + to);
      sums[1] += 0.5 * by_contact[i].dot(to - from);
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, problem_.comm);
  return sums[0] > kCreates * sums[1];
}

double RigidStep::power_of_boundaries(const Forces& forces) const {
  const petsc::ConstVecValues force(forces.normal);
  double power = 0;
  for (std::size_t k = 0; k < problem_.constraints.size(); ++k) {
    const Constraint& contact = problem_.constraints[k];
    const Vec3 on_a = force.data()[k] * contact.normal + (rough() ? forces.friction[k] : Vec3::Zero());
    power += on_a.dot(contact.drift);
  }
  return power;
}

std::string RigidStep::solve_stages() {
  losses_ = {};
  problem_.rebound = 1;
  problem_.follows = false;
  int rebounds = std::any_of(problem_.constraints.begin(), problem_.constraints.end(),
                             [](const Constraint& contact) { return contact.restitution > 0; })
                     ? 1
                     : 0;
  MPI_Allreduce(MPI_IN_PLACE, &rebounds, 1, MPI_INT, MPI_MAX, problem_.comm);
  if (rebounds == 0) {
    std::string cause = solve_stage(forces_);
    if (cause.empty()) measure(forces_, true);
    return cause;
  }
  {
    const std::vector<double> changes = ContactOperator(problem_).changes_by_loads(problem_);
    for (std::size_t k = 0; k < changes.size(); ++k) problem_.constraints[k].by_loads = changes[k];
  }
  const std::vector<StepBody> bodies = problem_.bodies;
  const std::vector<Constraint> constraints = problem_.constraints;
  problem_.closed = kWaits * figures_.length;
  std::string cause;
  int stages = 0;
  for (bool goes_on = true; goes_on;) {
    const std::vector<char> waiting =
        ++stages < kMostStages ? beyond(constraints) : std::vector<char>(constraints.size(), 0);
    for (std::size_t k = 0; k < constraints.size(); ++k)
      problem_.constraints[k].gap = waiting[k] != 0 ? kFar * step_.reach() : constraints[k].gap;
    const RigidFigures before = figures_;
    Forces stage;
    problem_.follows = stages > 1;
    cause = solve_without_gain(stage);
    if (!cause.empty()) break;
    measure(stage, stages == 1);
    if (stages == 1) {
      forces_ = std::move(stage);
    } else {
      check(VecAXPY(forces_.normal, 1, stage.normal), kStages);
      check(VecAXPY(forces_.first, 1, stage.first), kStages);
      for (std::size_t k = 0; k < stage.friction.size(); ++k) forces_.friction[k] += stage.friction[k];
      forces_.velocities = std::move(stage.velocities);
      add_stage(before, figures_);
    }
    {
      const petsc::ConstVecValues velocities(forces_.velocities);
      for (int i = 0; i < problem_.owned; ++i) {
        StepBody& body = problem_.bodies[i];
        body.velocity = Eigen::Map<const Vec6>(velocities.data() + kBodyUnknowns * std::ptrdiff_t{i});
        body.force.setZero();
      }
    }
    int hit = 0;
    const petsc::VecHandle rates = operator_->per_contact();
    check(MatMultAdd(operator_->rates(), forces_.velocities, operator_->drift(), rates), kStages);
    {
      const petsc::ConstVecValues rate(rates);
      for (std::size_t k = 0; k < constraints.size(); ++k)
        if (waiting[k] != 0 && constraints[k].gap + problem_.h * rate.data()[k] < -problem_.closed) hit = 1;
    }
    MPI_Allreduce(MPI_IN_PLACE, &hit, 1, MPI_INT, MPI_MAX, problem_.comm);
    goes_on = hit != 0;
  }
  problem_.bodies = bodies;
  problem_.constraints = constraints;
  problem_.follows = false;
  if (!cause.empty()) return cause;
  if (stages > 1) operator_ = std::make_unique<ContactOperator>(problem_);
  return "";
}

std::vector<char> RigidStep::beyond(const std::vector<Constraint>& constraints) const {
  const ContactOperator op(problem_);
  const petsc::VecHandle rates = op.per_contact();
  check(MatMultAdd(op.rates(), op.free_velocities(), op.drift(), rates), kStages);
  const petsc::ConstVecValues rate(rates);
  std::vector<char> beyond(constraints.size(), 0);
  for (std::size_t k = 0; k < constraints.size(); ++k)
    beyond[k] =
        constraints[k].restitution > 0 && constraints[k].gap + problem_.h * rate.data()[k] > problem_.closed
            ? 1
            : 0;
  return beyond;
}

}  // namespace scree::contact_dynamics
