/// Where the forces of a step are evaluated, and the way from there to its end (theory 02 section 1).
#include "core/error.hpp"
#include "elements/integrators/end_of_step.hpp"
#include "elements/rigid_body.hpp"
#include "solvers/system.hpp"

namespace scree {

using contact::FirstTouch;
using elements::ForceStage;

bool System::moves_to_stage() const {
  const ForceStage stage = integrator_->stage();
  return stage == ForceStage::end || stage == ForceStage::middle;
}

void System::begin_stage() {
  const ForceStage stage = integrator_->stage();
  const double part = stage == ForceStage::end ? 1.0 : stage == ForceStage::middle ? 0.5 : 0.0;
  time_ = step_start_ + part * h_;
  if (model_->analysis == Analysis::quasi_static) {
    begin_contacts(step_start_ + 0.5 * h_, h_);
    return;
  }
  // What is switched in time holds from one event to the next.
  contacts_.begin_step(step_start_ + 0.5 * h_, stage == ForceStage::middle ? 0.5 * h_ : h_,
                       stage == ForceStage::start, false,
                       stage == ForceStage::end ? FirstTouch::part : FirstTouch::dashpot_at_once);
}

void System::keep_conservative_forces() {
  contacts_.begin_step(step_start_ + 0.5 * h_, h_, true, true);
  for (int i = 0; i < bodies_.moving(); ++i) {
    bodies_.trial[i].v.setZero();
    bodies_.trial[i].w.setZero();
  }
  evaluate_forces();
  conservative_ = local_.residual;
  reset_trial();
  begin_stage();
}

void System::evaluate_stage_forces() {
  switch (integrator_->stage()) {
    case ForceStage::given:
      local_.clear_residual();
      return;  // they act when the step is over
    case ForceStage::start:
      // Conservative forces whole and dissipative ones half: the mean of all and of the conservative ones.
      evaluate_forces();
      for (std::size_t k = 0; k < local_.residual.size(); ++k)
        local_.residual[k] = 0.5 * (local_.residual[k] + conservative_[k]);
      break;
    case ForceStage::middle:
    case ForceStage::end:
      evaluate_forces();
      break;
  }
  if (integrator_->stage() != ForceStage::end) forces_ = local_.residual;
}

void System::inertia_and_forces_tangent() {
  const ForceStage stage = integrator_->stage();
  if (stage == ForceStage::start) {
    // Only velocities depend on the unknown: what the loads' tangent has without them is taken off.
    std::vector<BodyTrial> still = bodies_.trial;
    for (BodyTrial& trial : still) {
      trial.dv_du = 0;
      trial.dw_dtheta.setZero();
    }
    bodies_.trial.swap(still);
    loads_.tangent(bodies_, time_, local_);
    bodies_.trial.swap(still);
    for (double& value : local_.values) value = -value;
    loads_.tangent(bodies_, time_, local_);
    contacts_.tangent(bodies_, local_);  // bonds and near-field forces know no velocities
    for (double& value : local_.values) value *= 0.5;
    integrator_->tangent(bodies_, h_, local_);
    return;
  }
  integrator_->tangent(bodies_, h_, local_);
  if (stage == ForceStage::given) return;
  loads_.tangent(bodies_, time_, local_);
  contacts_.tangent(bodies_, local_);
  pair_forces_.tangent(local_);
}

std::string System::failure_anywhere(const std::function<void()>& evaluate) const {
  std::string failure;
  try {
    evaluate();
  } catch (const RecoverableError& error) {
    failure = error.what();
  }
  const bool anywhere = max_over_ranks(failure.empty() ? 0.0 : 1.0) > 0;
  return anywhere && failure.empty() ? "a trial state failed on another rank" : failure;
}

void System::keep_stage_impulses() {
  impulses_.resize(static_cast<std::size_t>(bodies_.owned));
  for (int i = 0; i < bodies_.owned; ++i) {
    if (integrator_->stage() == ForceStage::given) {
      Vec3 force;
      Vec3 moment;
      elements::inertia_forces(bodies_.properties[i], bodies_.state[i], force, moment);
      impulses_[i] << h_ * force, h_ * moment;
    } else {
      impulses_[i] = -h_ * Eigen::Map<const Vec6>(&forces_[local_.offset[i]]);
    }
  }
}

System::Obstacle System::obstacle_on_way(double from) {
  const std::vector<BodyTrial> stage = bodies_.trial;
  const bool from_start = from <= step_start_;
  for (int i = 0; i < bodies_.all(); ++i) {
    if (from_start) set_accepted(i);
    if (bodies_.is_boundary(i)) continue;
    Vec3& u = path_.du[i];
    Vec3& alpha = path_.dalpha[i];
    u = stage[i].u;
    alpha = stage[i].alpha;
    integrator_->full_increment(u, alpha);
    u -= bodies_.trial[i].u;
    alpha -= bodies_.trial[i].alpha;
  }
  Obstacle found = path_of_boundaries(from, step_start_ + h_);
  if (!found.any()) found = obstacle(clear_part(contact::Contacts::Pairs::all));
  for (int w = bodies_.moving(); w < bodies_.all(); ++w) path_.du[w] = path_.dalpha[w] = Vec3::Zero();
  bodies_.trial = stage;
  return found;
}

void System::add_dissipative_impulses() {
  // Q is what velocities add to the forces, all else equal (theory 02 section 3: second half of Q at the
  // end).
  evaluate_forces();
  forces_ = local_.residual;
  contacts_.begin_step(step_start_ + 0.5 * h_, h_, false, true);
  for (int i = 0; i < bodies_.moving(); ++i) {
    bodies_.trial[i].v.setZero();
    bodies_.trial[i].w.setZero();
  }
  evaluate_forces();
  contacts_.begin_step(step_start_ + 0.5 * h_, h_, false, false, FirstTouch::dashpot_at_once);
  for (int i = 0; i < bodies_.owned; ++i) {
    impulses_[i] -=
        0.5 * h_ *
        (Eigen::Map<const Vec6>(&forces_[local_.offset[i]]) - Eigen::Map<const Vec6>(local_.residual_of(i)));
  }
}

void System::accept_end_velocities() {
  for (int i = 0; i < bodies_.owned; ++i) {
    BodyTrial& trial = bodies_.trial[i];
    elements::apply_impulse(bodies_.properties[i], bodies_.state[i], impulses_[i].head<3>(),
                            impulses_[i].tail<3>(), trial);
    integrator_->commit(bodies_.properties[i], h_, trial, bodies_.state[i]);
  }
  // Who owns a body knows its forces: ghosts are told.
  update_ghost_states();
  for (int i = bodies_.owned; i < bodies_.moving(); ++i) {
    bodies_.trial[i].v = bodies_.state[i].v;
    bodies_.trial[i].w = bodies_.state[i].w;
  }
}

void System::reach_end(StepReport& report) {
  const ForceStage stage = integrator_->stage();
  if (stage == ForceStage::end) return;
  keep_stage_impulses();
  const Obstacle found = obstacle_on_way(stage == ForceStage::middle ? time_ : step_start_);
  if (found.any()) {
    found.fail(report);
    return;
  }
  if (stage == ForceStage::middle) {
    stage_work_ = contacts_.dissipative_work(bodies_, 0.5);
    stage_work_.friction += contacts_.remembered_energy(bodies_);
  }
  accepted_ = bodies_.state;
  forget_evaluation();
  time_ = step_start_ + h_;
  contacts_.begin_step(step_start_ + 0.5 * h_, h_, false, false, FirstTouch::dashpot_at_once);
  for (int i = 0; i < bodies_.moving(); ++i)
    elements::move_to_end(*integrator_, bodies_.state[i], h_, bodies_.trial[i]);
  boundary_trial(step_start_, time_);
  report.outcome = StepOutcome::failed;
  if (stage == ForceStage::start) report.cause = failure_anywhere([this] { add_dissipative_impulses(); });
  if (!report.cause.empty()) return;
  accept_end_velocities();
  report.cause = failure_anywhere([this] { evaluate_forces(); });
  if (!report.cause.empty()) return;
  for (int i = 0; i < bodies_.owned; ++i) {
    const Eigen::Map<const Vec6> r(local_.residual_of(i));
    elements::set_accelerations(bodies_.properties[i], -r.head<3>(), -r.tail<3>(), bodies_.state[i]);
  }
  report.outcome = left_cover() ? StepOutcome::left_cover : StepOutcome::converged;
}

contact::StepLosses System::commit(bool breaks) {
  contact::StepLosses losses = contacts_.commit(bodies_);
  if (integrator_->stage() == ForceStage::middle) {
    // Kinetic energy answers to the forces in the middle, not to the mean of those at the ends.
    losses.damping = stage_work_.damping;
    losses.friction = stage_work_.friction - contacts_.remembered_energy(bodies_);
  }
  const contact::BondLosses bonds = pair_forces_.commit(bodies_, breaks);
  losses.bonds = bonds.energy;
  bonds_broke_ = pair_forces_.breakable() && max_over_ranks(bonds.broken > 0 ? 1.0 : 0.0) > 0;
  if (integrator_->stage() == ForceStage::end) {
    for (int i = 0; i < bodies_.moving(); ++i)
      integrator_->commit(bodies_.properties[i], h_, bodies_.trial[i], bodies_.state[i]);
  } else {
    update_ghost_states();
    accepted_.clear();
  }
  move_boundaries(time_, 0.5 * (step_start_ + time_));
  reset_trial();
  if (bonds_broke_) contacts_.set_bonds(bodies_, pair_forces_.bonds());
  return losses;
}

void System::roll_back() {
  if (!accepted_.empty()) bodies_.state.swap(accepted_);
  accepted_.clear();
  contacts_.roll_back();
  begin_contacts(step_start_ + 0.5 * h_, h_);
  reset_trial();
  if (!load_step_) time_ = step_start_;
  // Step limits, the next prediction and what observers are told read the last evaluation.
  evaluate_forces();
  contacts_.roll_back();
}

}  // namespace scree
