#include "solvers/compliant/compliant_problem.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "assembly/interrupt.hpp"
#include "contact/bounds/paths.hpp"
#include "contact/bounds/step_bounds.hpp"
#include "contact/bounds/step_limits.hpp"
#include "contact/forces/contact_forces.hpp"
#include "contact/forces/contact_work.hpp"
#include "contact/neighbours/body_motion.hpp"
#include "contact/neighbours/contact_model.hpp"
#include "contact/neighbours/pair_list.hpp"
#include "contact/neighbours/waking.hpp"
#include "contact/pair/round_off.hpp"
#include "core/error.hpp"
#include "elements/integrators/end_of_step.hpp"
#include "elements/rigid_body.hpp"
#include "solvers/compliant/body_stops.hpp"
#include "solvers/world/list_reach.hpp"

namespace scree {

using elements::ForceStage;

namespace {

/// A body whose update changes its own forces by less than this part of the tolerance is held.
constexpr double kQuiet = 0.05;

}  // namespace

CompliantProblem::CompliantProblem(World& world, std::shared_ptr<const elements::Integrator> integrator)
    : world_(&world),
      stage_(world, std::move(integrator)),
      passage_(world),
      at_rest_(world),
      tolerances_(world),
      blocks_(world),
      islands_(world) {
  follow_layout();
}

void CompliantProblem::follow_layout() {
  if (layout_ == world_->layout()) return;
  layout_ = world_->layout();
  at_rest_.clear();
  tolerances_.clear();
  increment_.assign(static_cast<std::size_t>(world_->rows().offset.back()), 0.0);
  forget_evaluation();
  passage_.resize();
  layout_changed_ = true;
}

void CompliantProblem::forget_evaluation() { changed_.reset(increment_.size(), world_->bodies().all()); }

void CompliantProblem::reset_trial() {
  world_->reset_trial();
  forget_evaluation();
}

void CompliantProblem::lists_renewed() {
  follow_layout();
  blocks_.renew(frame());
  layout_changed_ = true;
}

void CompliantProblem::evaluate_accepted(double time) {
  reset_trial();
  stage_.evaluate_accepted(time);
}

void CompliantProblem::settle(double time) {
  // Equations of motion at the accepted state: f = m a, m = J dw + w x J w (theory 02 section 2).
  reset_trial();
  stage_.evaluate_accepted(time, [&] { world_->update_surface_forces(); });
  take_accelerations(0);
}

void CompliantProblem::settle_arrivals(int arrivals) {
  world_->load_residual();
  take_accelerations(world_->bodies().owned - arrivals);
  forget_evaluation();
}

void CompliantProblem::take_accelerations(int first) {
  Bodies& bodies = world_->bodies();
  for (int i = first; i < bodies.owned; ++i) {
    const Eigen::Map<const Vec6> r(world_->rows().residual_of(i));
    elements::set_accelerations(bodies.properties[i], -r.head<3>(), -r.tail<3>(), bodies.state[i]);
  }
  world_->update_ghost_states();
}

struct CompliantProblem::Foreseen {
  double way = 0;        ///< displacement of a body or of a boundary as a body sees it [m]
  double motion = 0;     ///< the same with rotation [m]
  double travelled = 0;  ///< displacement since the last search [m]
  double base_force = 0, inertial_force = 0, nothing = 0;  ///< [N]
};

CompliantProblem::Foreseen CompliantProblem::foresee() {
  const StepFrame& frame = stage_.frame();
  const Bodies& bodies = world_->bodies();
  const double h = frame.h, fall = frame.fall * h * h;
  reset_trial();
  double step_travel = 0, step_motion = 0, inertial = 0;
  // A contact that rounding alone makes is to count as none, where nothing weighs or moves.
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  double nothing = 0;
  for (int i = 0; i < bodies.owned; ++i) {
    nothing = std::max(
        nothing, kEpsilon * kEpsilon * bodies.properties[i].mass * bodies.properties[i].length / (h * h));
    const BodyState& state = bodies.state[i];
    const double travel = (h * state.v + fall * state.a).norm();
    step_travel = std::max(step_travel, travel);
    inertial = std::max(inertial, momentum_size(bodies.properties[i], state.q, state.v, state.w) / h);
    step_motion =
        std::max(step_motion, travel + bodies.properties[i].length * (h * state.w + fall * state.dw).norm());
  }
  world_->move_boundary_trials(frame.start, world_->load_time(), h);
  const double wall_travel = world_->contacts().motion().in_step(bodies);  // the bodies are where they were
  reset_trial();
  step_motion = std::max(step_motion, wall_travel);
  step_travel = std::max(step_travel, wall_travel);
  double load = 0;
  const std::vector<double> loads = world_->loads().sizes(bodies, frame.end);
  for (int i = 0; i < bodies.owned; ++i)
    if (!all_fixed(bodies.properties[i].fixed)) load = std::max(load, loads[static_cast<std::size_t>(i)]);
  const double since_search = world_->contacts().motion().since_search(bodies);
  double largest[6] = {step_travel, since_search, std::max(load, kInertialShare * inertial),
                       inertial,    step_motion,  nothing};
  MPI_Allreduce(MPI_IN_PLACE, largest, 6, MPI_DOUBLE, MPI_MAX, world_->comm());
  return {largest[0], largest[4], largest[1], largest[2], largest[3], largest[5]};
}

void CompliantProblem::keep_forces_at_start() {
  if (integrator().secant_forces()) stage_.keep_loads_at_start();
  if (stage_.stage() != ForceStage::start) return;
  stage_.keep_conservative_forces();
  forget_evaluation();
}

void CompliantProblem::begin_again() {
  const StepFrame frame = stage_.frame();
  std::vector<BodyTrial>& trial = world_->bodies().trial;
  std::vector<double> graded(trial.size());
  for (std::size_t i = 0; i < trial.size(); ++i) graded[i] = trial[i].end_weight;
  roll_back();
  stage_.begin(frame);
  keep_forces_at_start();
  for (std::size_t i = 0; i < trial.size(); ++i) trial[i].end_weight = graded[i];
}

bool CompliantProblem::prepare(const StepFrame& frame, double factor) {
  follow_layout();
  stage_.begin(frame);
  const Foreseen foreseen = foresee();
  inertial_force_ = foreseen.inertial_force;
  nothing_ = foreseen.nothing;
  foreseen_way_ = foreseen.way;
  base_force_ = foreseen.base_force > 0 ? foreseen.base_force : least_force_;
  contact::Contacts& contacts = world_->contacts();
  const double step_travel = 1.5 * factor * foreseen.way;
  bool changed = false;
  // Lists that a repeat made wide would be walked through for as long as they last.
  if (factor > 1 || cover_widened_ || world_->uneven() ||
      foreseen.travelled + step_travel + kSeenByLimits * foreseen.way > contacts.list().covered_travel()) {
    cover_widened_ = factor > 1;
    check_interrupt(world_->comm());  // with millions of bodies this takes seconds
    world_->renew_lists(world_->travel_for(factor * foreseen.way));
    check_interrupt(world_->comm());
    follow_layout();
    blocks_.renew(frame);
    changed = true;
  } else if (layout_changed_ && !world_->pair_forces().empty()) {
    blocks_.renew(frame);
  } else {
    changed = blocks_.cover(frame);
  }
  tolerances_.begin(frame, base_force_);
  contacts.waking().wake(world_->bodies(), 2 * factor * foreseen.motion + 0.1 * contacts.model().scale());
  changed = changed || layout_changed_;
  layout_changed_ = false;
  keep_forces_at_start();
  return changed && blocks_.update_matrix();
}

Obstacle CompliantProblem::predict(Vec y) {
  const Bodies& bodies = world_->bodies();
  const LocalSystem& rows = world_->rows();
  const StepFrame& frame = stage_.frame();
  passage_.reset_too_long();
  for (int i = 0; i < bodies.moving(); ++i) {
    Vec3& u = passage_.du(i);
    Vec3& alpha = passage_.dalpha(i);
    integrator().predict(bodies.state[i], frame.h, u, alpha);
    if (at_rest_.holds(i)) u = alpha = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
      if (bodies.properties[i].fixed[k]) u[k] = 0;
      if (bodies.properties[i].fixed[k + 3]) alpha[k] = 0;
    }
  }
  // Bodies and boundaries go together from the accepted state to that where the forces are.
  for (int w = bodies.moving(); w < bodies.all(); ++w) world_->set_accepted(w);
  Obstacle found = passage_.set_boundaries(frame, frame.start, world_->load_time());
  if (stage_.moves_bodies() && !found.any()) {
    // Bodies begin where they are not yet in each other's way, but boundaries go all the way.
    if (stop_bodies(*world_, passage_, integrator().secant_forces())) {
      passage_.end_at_stops();
    } else {
      // All by the same part, or by nothing where boundaries would meet them there: what does not meet the
      // accepted state is no obstacle.
      for (const double part : {0.9 * passage_.clear_part(contact::PathPairs::all).t, 0.0}) {
        for (int i = 0; i < bodies.moving(); ++i) {
          passage_.du(i) *= part;
          passage_.dalpha(i) *= part;
        }
        found = passage_.obstacle(passage_.clear_part(contact::PathPairs::of_moving_boundaries));
        if (!found.any()) break;
      }
    }
  }
  world_->move_boundary_trials(frame.start, world_->load_time(), frame.h);
  passage_.stop_boundaries();
  const petsc::VecValues values(y);
  for (int i = 0; i < bodies.owned; ++i) {
    for (int k = 0; k < kBodyUnknowns; ++k) {
      const double d = k < 3 ? passage_.du(i)[k] : passage_.dalpha(i)[k - 3];
      values.data()[rows.offset[i] + k] = d / rows.scale[rows.offset[i] + k];
    }
  }
  return found;
}

void CompliantProblem::evaluate_local() {
  Bodies& bodies = world_->bodies();
  LocalSystem& rows = world_->rows();
  changed_.compare(increment_, bodies, rows);
  for (int i = 0; i < bodies.moving(); ++i) {
    if (changed_.moved()[i] == 0) continue;
    BodyTrial& trial = bodies.trial[i];
    trial.u = Eigen::Map<const Vec3>(&increment_[rows.offset[i]]);
    trial.alpha = Eigen::Map<const Vec3>(&increment_[rows.offset[i] + 3]);
    Vec3 u = trial.u;
    Vec3 alpha = trial.alpha;
    integrator().full_increment(u, alpha);
    if (!(trial.alpha.squaredNorm() < 4 && alpha.squaredNorm() < 4))
      throw RecoverableError("rotation increment above 90 degrees");
    integrator().kinematics(bodies.state[i], frame().h, trial);
    if (at_rest_.stops(i)) trial.v = trial.w = Vec3::Zero();
  }
  stage_.evaluate(changed_.moved());
  integrator().residual(bodies, frame().h, rows);
  spin_residual_ = rows.residual;
  elements::residual_to_increments(bodies, integrator().supports_in_moments(), rows);
  changed_.hold_boundaries(bodies);
}

void CompliantProblem::residual(Vec y, Vec r) {
  static const petsc::LogEvent event("ScreeResidual");
  const petsc::LogScope scope(event);
  LocalSystem& rows = world_->rows();
  dofs().to_local(y, rows.scale, increment_);
  // Other ranks wait in the reductions below: a trial state that fails here has to get there first.
  std::string failure;
  try {
    evaluate_local();
    blocks_.assemble_residual(r);
  } catch (const RecoverableError& error) {
    failure = error.what();
  }
  changed_.evaluated(increment_);

  const Bodies& bodies = world_->bodies();
  tolerances_.weigh(stage_.is_lasting());
  double sums[1] = {0};
  const double pair_force =
      std::max(world_->contacts().results().largest_force, world_->pair_forces().largest_force());
  double largest[4] = {0, pair_force, failure.empty() ? 0.0 : 1.0, blocks_.are_missing() ? 1.0 : 0.0};
  for (int i = 0; i < bodies.owned; ++i) {
    double sum = 0;
    for (const double force : scaled_residual(i)) sum += force * force;
    largest[0] = std::max(largest[0], largest_force_on(i));
    sums[0] += sum / bodies.properties[i].mass;
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, 1, MPI_DOUBLE, MPI_SUM, world_->comm());
  MPI_Allreduce(MPI_IN_PLACE, largest, 4, MPI_DOUBLE, MPI_MAX, world_->comm());
  if (largest[2] > 0) {
    changed_.failed();
    throw RecoverableError(failure.empty() ? "invalid trial state on another rank" : failure);
  }
  norms_.merit = std::sqrt(sums[0]);
  norms_.largest = largest[0];
  blocks_missing_ = largest[3] > 0;
  norms_.force_scale = std::max(base_force_, kForceShare * largest[1]);
  norms_.round_off = kInertialRoundOff * inertial_force_ + kContactRoundOff * largest[1] + nothing_;
  if (!std::isfinite(norms_.merit)) throw RecoverableError("residual is NaN or Inf");
}

bool CompliantProblem::tangent(Vec y, double tolerance) {
  static const petsc::LogEvent event("ScreeTangent");
  const petsc::LogScope scope(event);
  LocalSystem& rows = world_->rows();
  dofs().to_local(y, rows.scale, increment_);
  if (!changed_.is_evaluated(increment_)) {
    const petsc::VecHandle scratch = dofs().create_vector();
    residual(y, scratch);
  }
  bool is_new = false;
  if (blocks_missing_) {
    blocks_.extend(frame());
    is_new = blocks_.update_matrix();
    blocks_missing_ = false;
  }
  for (int i = 0; i < rows.owned; ++i) rows.assembling[i] = largest_force_on(i) >= tolerance ? 1 : 0;
  // Forces at the step start are halved in place, all rows at once (StepStage::add_tangent).
  changed_.choose(increment_, stage_.stage() == ForceStage::start, *world_);
  rows.clear_tangent();
  stage_.add_tangent();
  blocks_.assemble([&](int first, int last) {
    elements::tangent_to_increments(world_->bodies(), integrator().supports_in_moments(), spin_residual_,
                                    first, last, rows);
  });
  weigh_islands(tolerance);
  return is_new;
}

void CompliantProblem::weigh_islands(double tolerance) {
  island_weights_.reset();
  if (tolerance == 0) return;
  const LocalSystem& rows = std::as_const(*world_).rows();
  std::vector<double> unbalanced, sizes;
  for (int i = 0; i < rows.owned; ++i) {
    unbalanced.push_back(largest_force_on(i) > tolerance ? 1 : 0);
    sizes.push_back(scaled_residual(i).norm() / rows.stiffness[i]);
  }
  islands_.find();
  island_weights_ = islands_.weights(std::move(unbalanced), std::move(sizes));
}

std::vector<double> CompliantProblem::residual_floors() const {
  std::vector<double> floors =
      contact::force_round_off(world_->contacts(), world_->pair_forces(), world_->bodies());
  // Inertia and loads add up to the forces, and round as they do.
  constexpr double kOfLoads = 8 * std::numeric_limits<double>::epsilon();
  const double common = kInertialRoundOff * inertial_force_ + kOfLoads * base_force_;
  for (std::size_t i = 0; i < floors.size(); ++i)
    floors[i] = tolerances_.factor(static_cast<int>(i)) * floors[i] + common;
  return floors;
}

bool CompliantProblem::is_round_off(double tolerance) const {
  // Body by body: a force at the edge of its reach is weighed by many powers of ten.
  const std::vector<double> floors = residual_floors();
  double above = 0;
  for (std::size_t i = 0; i < floors.size(); ++i)
    if (largest_force_on(static_cast<int>(i)) > std::max(tolerance, floors[i])) above = 1;
  return world_->max_over_ranks(above) == 0;
}

Vec6 CompliantProblem::scaled_residual(int i) const {
  const LocalSystem& rows = std::as_const(*world_).rows();
  const int at = rows.offset[i];
  return Eigen::Map<const Vec6>(&rows.scale[at]).cwiseProduct(Eigen::Map<const Vec6>(&rows.residual[at]));
}

double CompliantProblem::largest_force_on(int i) const {
  return tolerances_.factor(i) * scaled_residual(i).cwiseAbs().maxCoeff();
}

void CompliantProblem::hold_quiet(Vec p, double tolerance) const {
  const Bodies& bodies = world_->bodies();
  const LocalSystem& rows = world_->rows();
  const petsc::VecValues values(p);
  const std::vector<double> nearby = tolerances_.largest_nearby();
  for (int i = 0; i < bodies.owned; ++i) {
    const int at = rows.offset[i];
    Eigen::Map<Vec6> update(values.data() + at);
    const double factor = nearby.empty() ? 1.0 : nearby[static_cast<std::size_t>(i)];
    const double change = factor * rows.stiffness[i] * update.cwiseAbs().maxCoeff();  // at most
    const bool balanced = island_weights_ && (*island_weights_)[static_cast<std::size_t>(i)] == 0;
    if (balanced || (change <= kQuiet * tolerance && largest_force_on(i) <= tolerance)) update.setZero();
  }
}

double CompliantProblem::clip(Vec p) {
  static const petsc::LogEvent event("ScreeClip");
  const petsc::LogScope scope(event);
  const Bodies& bodies = world_->bodies();
  const LocalSystem& rows = world_->rows();
  dofs().to_local(p, rows.scale, increment_);
  for (int i = 0; i < bodies.moving(); ++i) {
    passage_.du(i) = -Eigen::Map<const Vec3>(&increment_[rows.offset[i]]);
    passage_.dalpha(i) = -Eigen::Map<const Vec3>(&increment_[rows.offset[i] + 3]);
  }
  double t = 1;
  if (stage_.moves_bodies()) {
    if (stop_bodies(*world_, passage_, false)) {
      const petsc::VecValues values(p);
      for (int i = 0; i < bodies.owned; ++i)
        Eigen::Map<Vec6>(values.data() + rows.offset[i]) *= passage_.stops()[static_cast<std::size_t>(i)];
      passage_.end_at_stops();
    } else {
      t = passage_.own_clear_part(contact::PathPairs::all).t;
    }
  }
  double turn = 0;
  for (int i = 0; i < bodies.moving(); ++i) turn = std::max(turn, passage_.dalpha(i).norm());
  if (turn * t > 0.5) t = 0.5 / turn;
  MPI_Allreduce(MPI_IN_PLACE, &t, 1, MPI_DOUBLE, MPI_MIN, world_->comm());
  return t;
}

bool CompliantProblem::left_cover() const {
  const contact::Contacts& contacts = world_->contacts();
  return world_->on_any_rank(contacts.motion().since_search(world_->bodies()) >
                             contacts.list().covered_travel());
}

contact::StepLimits CompliantProblem::limits(double eta, double longest) {
  const Bodies& bodies = world_->bodies();
  const bool explicit_forces = !stage_.moves_bodies();
  if (model().time.control == StepMode::motion)
    return world_->contacts().step_bounds().motion_limits(bodies, eta, longest);
  contact::StepLimits limits = world_->contacts().step_bounds().limits(bodies, eta, longest, explicit_forces);
  limits.oscillation =
      std::min(limits.oscillation, world_->pair_forces().oscillation_limit(bodies, eta, explicit_forces));
  return limits;
}

void CompliantProblem::reach_end(StepReport& report) {
  if (stage_.stage() == ForceStage::end) return;
  stage_.keep_impulses();
  const Obstacle found = stage_.obstacle_to_end(passage_);
  if (found.any()) {
    found.fail(report);
    return;
  }
  forget_evaluation();
  report.outcome = StepOutcome::failed;
  report.cause = stage_.move_to_end();
  if (!report.cause.empty()) return;
  report.outcome = left_cover() ? StepOutcome::left_cover : StepOutcome::converged;
}

Obstacle CompliantProblem::passage() {
  return passage_.over_step(stage_.states_at_start(), stage_.frame(), false);
}

EnergyErrors CompliantProblem::energy_errors() const {
  // What a body would gain by falling a millionth of its size is not worth a step.
  constexpr double kNegligible = 1e-6;
  const double floor = kNegligible * world_->model().gravity.norm();
  const contact::ContactWork::EnergyError own =
      world_->contacts().work().worst_energy_error(world_->bodies(), stage_.states_at_start(), floor);
  double both[2] = {own.absolute, own.relative};
  MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_DOUBLE, MPI_MAX, world_->comm());
  return {both[0], both[1]};
}

std::optional<elements::LoadWork> CompliantProblem::work_of_loads() const {
  if (integrator().stage() != elements::ForceStage::end) return std::nullopt;
  const StepFrame& frame = stage_.frame();
  const bool one_time = integrator().secant_forces();
  return world_->loads().mean_work(world_->bodies(), one_time ? frame.middle() : frame.start,
                                   one_time ? frame.middle() : frame.end);
}

void CompliantProblem::set_velocities(const std::vector<Vec6>& velocity) {
  Bodies& bodies = world_->bodies();
  for (int i = 0; i < bodies.owned; ++i) {
    bodies.trial[i].v = velocity[static_cast<std::size_t>(i)].head<3>();
    bodies.trial[i].w = velocity[static_cast<std::size_t>(i)].tail<3>();
  }
}

contact::StepLosses CompliantProblem::commit(bool breaks) {
  world_->update_surface_forces();
  contact::StepLosses losses = world_->contacts().forces().commit(world_->bodies());
  stage_.correct_losses(losses);
  losses.bonds = world_->commit_bonds(breaks).energy;
  stage_.commit();
  if (integrator().secant_forces()) world_->update_ghost_states();
  const StepFrame& frame = stage_.frame();
  world_->move_boundaries(frame.end, 0.5 * (frame.start + frame.end));
  reset_trial();
  world_->unbond();
  return losses;
}

void CompliantProblem::roll_back() {
  stage_.return_to_start();
  forget_evaluation();
}

}  // namespace scree
