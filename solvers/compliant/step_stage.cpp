#include "solvers/compliant/step_stage.hpp"

#include <string>
#include <utility>

#include "contact/bounds/paths.hpp"
#include "contact/forces/contact_forces.hpp"
#include "contact/forces/contact_work.hpp"
#include "contact/neighbours/trial_geometry.hpp"
#include "core/error.hpp"
#include "elements/integrators/end_of_step.hpp"

namespace scree {

using contact::Configuration;
using contact::FirstTouch;
using elements::ForceStage;

StepStage::StepStage(World& world, std::shared_ptr<const elements::Integrator> integrator)
    : world_(&world), integrator_(std::move(integrator)) {}

bool StepStage::moves_bodies() const { return stage() == ForceStage::end || stage() == ForceStage::middle; }

void StepStage::begin(const StepFrame& frame) {
  loads_at_start_.clear();
  frame_ = frame;
  set_times();
}

void StepStage::set_times() {
  const double h = frame_.h;
  switch (stage()) {
    case ForceStage::end:
      world_->set_load_time(frame_.end);
      break;
    case ForceStage::middle:
      world_->set_load_time(frame_.middle());
      break;
    case ForceStage::start:
    case ForceStage::given:
      world_->set_load_time(frame_.start);
  }
  if (lasting_) {
    begin_contacts(frame_.middle(), h);
    return;
  }
  // What is switched in time holds from one event to the next.
  world_->contacts().forces().begin_step(
      {.h = stage() == ForceStage::middle ? 0.5 * h : h,
       .time = frame_.middle(),
       .frozen = stage() == ForceStage::start,
       .first_touch = stage() == ForceStage::end ? FirstTouch::part : FirstTouch::dashpot_at_once,
       .secant = integrator_->secant_forces()});
}

void StepStage::begin_contacts(double time, double h) {
  if (!lasting_) {
    world_->contacts().forces().begin_step({.h = h, .time = time, .secant = integrator_->secant_forces()});
    return;
  }
  // How far a proximal step goes before a contact is made is chosen by its size, not by the loads.
  world_->contacts().forces().begin_step(
      {.h = lasting_->h, .time = lasting_->switches_of.value_or(time), .first_touch = FirstTouch::whole});
}

void StepStage::evaluate_forces(const std::vector<char>& moved) {
  LocalSystem& rows = world_->rows();
  const Bodies& bodies = world_->bodies();
  rows.clear_residual();
  world_->loads().residual(bodies, time_of_loads(), rows);
  if (mean_loads()) {
    for (std::size_t k = 0; k < loads_at_start_.size(); ++k)
      rows.residual[k] = 0.5 * (rows.residual[k] + loads_at_start_[k]);
  }
  world_->contacts().forces().residual(bodies, moved, rows);
  const bool secant = !lasting_ && integrator_->secant_forces();
  world_->pair_forces().residual(bodies,
                                 world_->contacts().geometry().is_frozen() ? Configuration::accepted
                                 : secant                                  ? Configuration::step
                                                                           : Configuration::trial,
                                 rows);
}

void StepStage::evaluate_all() {
  evaluate_forces(std::vector<char>(static_cast<std::size_t>(world_->bodies().all()), 1));
}

double StepStage::time_of_loads() const {
  // A force that is the mean over the step does the work of one that is even within it.
  const bool in_step = integrator_->secant_forces() && world_->load_time() == frame_.end;
  return in_step ? frame_.middle() : world_->load_time();
}

bool StepStage::mean_loads() const {
  return integrator_->secant_forces() && loads_at_start_.size() == world_->rows().residual.size();
}

void StepStage::keep_loads_at_start() {
  LocalSystem& rows = world_->rows();
  rows.clear_residual();
  world_->loads().residual(world_->bodies(), time_of_loads(), rows);
  loads_at_start_ = rows.residual;
}

void StepStage::set_still() {
  for (int i = 0; i < world_->bodies().moving(); ++i) {
    world_->bodies().trial[i].v.setZero();
    world_->bodies().trial[i].w.setZero();
  }
}

void StepStage::keep_conservative_forces() {
  world_->contacts().forces().begin_step(
      {.h = frame_.h, .time = frame_.middle(), .frozen = true, .at_rest = true});
  set_still();
  evaluate_all();
  conservative_ = world_->rows().residual;
  world_->reset_trial();
  set_times();
}

void StepStage::evaluate(const std::vector<char>& moved) {
  std::vector<double>& residual = world_->rows().residual;
  switch (stage()) {
    case ForceStage::given:
      world_->rows().clear_residual();
      return;  // they act when the step is over
    case ForceStage::start:
      // Conservative forces whole and dissipative ones half: the mean of all and of the conservative ones.
      evaluate_forces(moved);
      for (std::size_t k = 0; k < residual.size(); ++k) residual[k] = 0.5 * (residual[k] + conservative_[k]);
      break;
    case ForceStage::middle:
    case ForceStage::end:
      evaluate_forces(moved);
      break;
  }
  if (stage() != ForceStage::end) forces_ = residual;
}

void StepStage::add_tangent() {
  const Bodies& bodies = world_->bodies();
  LocalSystem& rows = world_->rows();
  if (stage() == ForceStage::start) {
    // Only velocities depend on the unknown: bonds, near-field forces and dead loads have none.
    world_->loads().velocity_tangent(bodies, world_->load_time(), rows);
    world_->contacts().forces().tangent(bodies, rows);
    for (double& value : rows.values) value *= 0.5;
    integrator_->tangent(bodies, frame_.h, rows);
    return;
  }
  if (mean_loads()) {
    world_->loads().tangent(bodies, time_of_loads(), rows);
    for (int i = 0; i < rows.owned; ++i) {
      if (rows.assembles(i)) Eigen::Map<Eigen::Matrix<double, 36, 1>>(rows.diagonal(i)) *= 0.5;
    }
  }
  integrator_->tangent(bodies, frame_.h, rows);
  if (stage() == ForceStage::given) return;
  if (!mean_loads()) world_->loads().tangent(bodies, time_of_loads(), rows);
  world_->contacts().forces().tangent(bodies, rows);
  world_->pair_forces().tangent(rows);
}

void StepStage::evaluate_accepted(double time, const std::function<void()>& meanwhile) {
  loads_at_start_.clear();
  world_->set_load_time(time);
  begin_contacts(time, world_->model().time.step);
  evaluate_all();
  world_->contacts().forces().keep_stored();
  if (meanwhile) meanwhile();
  world_->contacts().forces().roll_back();
}

template <class Evaluate>
std::string StepStage::failure_anywhere(Evaluate&& evaluate) const {
  std::string failure;
  try {
    evaluate();
  } catch (const RecoverableError& error) {
    failure = error.what();
  }
  const bool anywhere = world_->on_any_rank(!failure.empty());
  return anywhere && failure.empty() ? "invalid trial state on another rank" : failure;
}

void StepStage::return_to_start() {
  loads_at_start_.clear();
  if (!start_.empty()) world_->bodies().state.swap(start_);
  start_.clear();
  world_->contacts().forces().roll_back();
  begin_contacts(frame_.middle(), frame_.h);
  world_->reset_trial();
  world_->set_load_time(frame_.start);
  // Step limits, the next prediction and observers read the last evaluation.
  const std::string failure = failure_anywhere([this] { evaluate_all(); });
  world_->contacts().forces().roll_back();
  if (!failure.empty())
    throw RunError("after a rejected step, the state at its start cannot be evaluated again: " + failure +
                   ".");
}

void StepStage::keep_impulses() {
  const Bodies& bodies = world_->bodies();
  impulses_.resize(static_cast<std::size_t>(bodies.owned));
  for (int i = 0; i < bodies.owned; ++i) {
    if (stage() == ForceStage::given) {
      Vec3 force;
      Vec3 moment;
      elements::inertia_forces(bodies.properties[i], bodies.state[i], force, moment);
      impulses_[i] << frame_.h * force, frame_.h * moment;
    } else {
      impulses_[i] = -frame_.h * Eigen::Map<const Vec6>(&forces_[world_->rows().offset[i]]);
    }
  }
}

Obstacle StepStage::obstacle_to_end(Passage& passage) {
  Bodies& bodies = world_->bodies();
  const bool from_start = stage() != ForceStage::middle;
  const double from = from_start ? frame_.start : world_->load_time();
  const std::vector<BodyTrial> at_stage = bodies.trial;
  for (int i = 0; i < bodies.all(); ++i) {
    if (from_start) world_->set_accepted(i);
    if (bodies.is_boundary(i)) continue;
    Vec3& u = passage.du(i);
    Vec3& alpha = passage.dalpha(i);
    u = at_stage[i].u;
    alpha = at_stage[i].alpha;
    integrator_->full_increment(u, alpha);
    u -= bodies.trial[i].u;
    alpha -= bodies.trial[i].alpha;
  }
  Obstacle found = passage.set_boundaries(frame_, from, frame_.end);
  if (!found.any()) found = passage.obstacle(passage.clear_part(contact::PathPairs::all));
  passage.stop_boundaries();
  bodies.trial = at_stage;
  return found;
}

void StepStage::add_dissipative_impulses() {
  // Q is what velocities add to the forces, all else equal (theory 02 section 3: second half of Q at the
  // end).
  const LocalSystem& rows = world_->rows();
  const contact::StepContext at_end{
      .h = frame_.h, .time = frame_.middle(), .first_touch = FirstTouch::dashpot_at_once};
  evaluate_all();
  forces_ = rows.residual;
  world_->contacts().forces().begin_step({.h = frame_.h, .time = frame_.middle(), .at_rest = true});
  set_still();
  evaluate_all();
  world_->contacts().forces().begin_step(at_end);
  for (int i = 0; i < world_->bodies().owned; ++i) {
    const int at = rows.offset[i];
    impulses_[i] -=
        0.5 * frame_.h * (Eigen::Map<const Vec6>(&forces_[at]) - Eigen::Map<const Vec6>(&rows.residual[at]));
  }
}

void StepStage::accept_end_velocities() {
  Bodies& bodies = world_->bodies();
  for (int i = 0; i < bodies.owned; ++i) {
    BodyTrial& trial = bodies.trial[i];
    elements::apply_impulse(bodies.properties[i], bodies.state[i], impulses_[i].head<3>(),
                            impulses_[i].tail<3>(), trial);
    integrator_->commit(bodies.properties[i], frame_.h, trial, bodies.state[i]);
  }
  // The owner of a body computes its forces and sends them to its ghosts.
  world_->update_ghost_states();
  for (int i = bodies.owned; i < bodies.moving(); ++i) {
    bodies.trial[i].v = bodies.state[i].v;
    bodies.trial[i].w = bodies.state[i].w;
  }
}

std::string StepStage::move_to_end() {
  Bodies& bodies = world_->bodies();
  if (stage() == ForceStage::middle) {
    work_ = world_->contacts().work().dissipative_work(bodies, 0.5);
    work_.friction += world_->contacts().work().remembered_energy(bodies);
  }
  start_ = bodies.state;
  world_->set_load_time(frame_.end);
  world_->contacts().forces().begin_step(
      {.h = frame_.h, .time = frame_.middle(), .first_touch = FirstTouch::dashpot_at_once});
  for (int i = 0; i < bodies.moving(); ++i)
    elements::move_to_end(*integrator_, bodies.state[i], frame_.h, bodies.trial[i]);
  world_->move_boundary_trials(frame_.start, frame_.end, frame_.h);
  std::string failure;
  if (stage() == ForceStage::start) failure = failure_anywhere([this] { add_dissipative_impulses(); });
  if (!failure.empty()) return failure;
  accept_end_velocities();
  failure = failure_anywhere([this] { evaluate_all(); });
  if (!failure.empty()) return failure;
  for (int i = 0; i < bodies.owned; ++i) {
    const Eigen::Map<const Vec6> r(world_->rows().residual_of(i));
    elements::set_accelerations(bodies.properties[i], -r.head<3>(), -r.tail<3>(), bodies.state[i]);
  }
  return "";
}

const std::vector<BodyState>& StepStage::states_at_start() const {
  return start_.empty() ? std::as_const(*world_).bodies().state : start_;
}

void StepStage::correct_losses(contact::StepLosses& losses) const {
  if (stage() != ForceStage::middle) return;
  // Kinetic energy answers to the forces in the middle, not to the mean of those at the ends.
  losses.damping = work_.damping;
  losses.friction = work_.friction - world_->contacts().work().remembered_energy(world_->bodies());
  losses.boundaries = work_.boundaries;
}

void StepStage::commit() {
  Bodies& bodies = world_->bodies();
  if (stage() == ForceStage::end) {
    for (int i = 0; i < bodies.moving(); ++i)
      integrator_->commit(bodies.properties[i], frame_.h, bodies.trial[i], bodies.state[i]);
  } else {
    world_->update_ghost_states();
    start_.clear();
  }
}

}  // namespace scree
