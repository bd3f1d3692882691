/// Boundaries in time: when they are switched, where they are, and how they move in a step.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "assembly/interrupt.hpp"
#include "core/rotation.hpp"
#include "solvers/boundary_motion.hpp"
#include "solvers/system.hpp"

namespace scree {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Rotation vector of a turn that was about `expected` [rad].
Vec3 turn_between(const Quat& from, const Quat& to, const Vec3& expected) {
  constexpr double kNearlyHalfTurn = 3;  // beyond it the ends tell another turn
  if (expected.norm() > kNearlyHalfTurn) return expected;
  const Eigen::AngleAxisd turn(to * from.conjugate());
  const double angle = turn.angle() > M_PI ? turn.angle() - 2 * M_PI : turn.angle();
  return angle * turn.axis();
}

/// Angle by which a boundary may turn in a step, unless that leaves its shape what it is [rad].
constexpr double kMostTurn = 0.5 * std::numbers::pi;

}  // namespace

double System::next_switch(double time) const {
  double next = kInfinity;
  for (const BoundaryDescription& boundary : model_->boundaries) {
    if (boundary.active_from > time) next = std::min(next, boundary.active_from);
    if (boundary.active_until > time) next = std::min(next, boundary.active_until);
  }
  for (const contact::Interface& interface : model_->interfaces) {
    for (const auto& [from, until] : interface.friction.active) {
      if (from > time) next = std::min(next, from);
      if (until > time) next = std::min(next, until);
    }
  }
  return next;
}

double System::next_event(double time) const {
  double next = next_switch(time);
  for (const BoundaryDescription& boundary : model_->boundaries)
    next = std::min(next, next_knot(boundary.motion, time));
  return next;
}

void System::set_boundaries(double time) {
  std::vector<char>& active = boundaries_active_;
  active.clear();
  for (const BoundaryPart& part : model_->boundary_parts) {
    const BoundaryDescription& boundary = model_->boundaries[part.boundary];
    active.push_back(time >= boundary.active_from && time < boundary.active_until ? 1 : 0);
  }
  contacts_.set_boundaries(bodies_, active);
}

void System::move_boundaries(double time, double during) {
  for (int w = bodies_.moving(); w < bodies_.all(); ++w) {
    const BoundaryPart& part = model_->boundary_parts[w - bodies_.moving()];
    if (moves(model_->boundaries[part.boundary].motion))
      bodies_.state[w] = boundary_state(*model_, part, time, during);
  }
}

void System::boundary_trial(double from, double time) {
  for (int w = bodies_.moving(); w < bodies_.all(); ++w) {
    const BoundaryPart& part = model_->boundary_parts[w - bodies_.moving()];
    if (!moves(model_->boundaries[part.boundary].motion)) continue;
    const BodyState& accepted = bodies_.state[w];
    // Velocities are those of the step: at its start (theory 02, alpha = 0) a knot may lie.
    const double during = time > from ? 0.5 * (from + time) : from + 0.5 * h_;
    const BodyState now = boundary_state(*model_, part, time, during);
    BodyTrial& trial = bodies_.trial[w];
    const Mat3 start = accepted.q.toRotationMatrix();
    trial = BodyTrial{};
    trial.u = now.x - accepted.x;
    trial.x = now.x;
    trial.R = now.q.toRotationMatrix();
    trial.Q = trial.R * start.transpose();
    trial.alpha = rotation::rodrigues(trial.Q);
    trial.Xi = rotation::spin_map(trial.alpha);
    trial.v = now.v;
    trial.w = now.w;
  }
}

void System::Obstacle::fail(StepReport& report) const {
  if (!any()) return;
  report.outcome = StepOutcome::failed;
  report.cause = cause;
  report.detail = detail;
  report.blocked = true;
}

System::Obstacle System::path_of_boundaries(double from, double to) {
  const std::vector<BodyTrial> start(bodies_.trial.begin() + bodies_.moving(), bodies_.trial.end());
  boundary_trial(step_start_, to);
  Obstacle found;
  for (int w = bodies_.moving(); w < bodies_.all(); ++w) {
    const int k = w - bodies_.moving();
    const BodyTrial& now = bodies_.trial[w];
    path_.du[w] = now.u - start[k].u;
    path_.dalpha[w] = now.alpha - start[k].alpha;
    const BoundaryDescription& boundary = model_->boundaries[model_->boundary_parts[k].boundary];
    if (!moves(boundary.motion)) continue;
    const RigidMotion then = motion_at(boundary.motion, from, 0.5 * (from + to));
    path_.centres[k] = then.about + then.displacement;
    // Increments do not tell a quarter turn and more from less.
    const double angle = then.spin.norm() * (to - from);
    if (!found.any() && angle > kMostTurn &&
        contacts_.changes_by_turning(bodies_, k, then.spin, path_.centres[k]))
      found = {"boundary \"" + boundary.name + "\" turns by more than a quarter turn in a step", "it"};
  }
  std::copy(start.begin(), start.end(), bodies_.trial.begin() + bodies_.moving());
  return found;
}

contact::ClearPart System::clear_part(contact::Contacts::Pairs which) {
  contact::ClearPart clear = contacts_.clip(bodies_, path_, which);
  if (clear.short_of_end) path_too_long_ = true;
  clear = least_part(clear);
  clear.short_of_end = path_too_long();
  return clear;
}

contact::ClearPart System::least_part(contact::ClearPart own) const {
  int rank = 0;
  MPI_Comm_rank(comm_, &rank);
  struct {
    double t;
    int rank;
  } least = {own.t, rank};
  static_assert(sizeof least == 16, "a pair as MPI_DOUBLE_INT has it");
  MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_DOUBLE_INT, MPI_MINLOC, comm_);
  if (least.t == 1) return own;
  MPI_Bcast(&own, sizeof own, MPI_BYTE, least.rank, comm_);
  return own;
}

System::Obstacle System::obstacle(const contact::ClearPart& clear) const {
  if (clear.t == 1) return {};
  const std::string body = model_->body_in_words(clear.body);
  if (clear.short_of_end) return {kPathTooLong, body};
  if (clear.boundary < 0) return {"the end of the step penetrates", body};
  const BoundaryDescription& boundary = model_->boundaries[model_->boundary_parts[clear.boundary].boundary];
  const std::string name = "boundary \"" + boundary.name + '"';
  return {moves(boundary.motion) ? name + " would pass through a body" : "a body would pass through " + name,
          body};
}

System::Obstacle System::passage() {
  const bool rigid = model_->analysis == Analysis::contact_dynamics;
  const auto all = static_cast<std::size_t>(bodies_.all());
  contact::EvenPath path{accepted_.empty() ? bodies_.state : accepted_, std::vector<Vec3>(all, Vec3::Zero()),
                         std::vector<Vec3>(all, Vec3::Zero()),
                         std::vector<Vec3>(static_cast<std::size_t>(bodies_.boundaries), Vec3::Zero())};
  for (int i = 0; i < bodies_.all(); ++i) {
    const BodyTrial& to = bodies_.trial[i];
    path.du[i] = to.x - path.from[i].x;
    path.turn[i] = turn_between(path.from[i].q, Quat(to.R), h_ * to.w);
    if (!bodies_.is_boundary(i)) continue;
    const int k = i - bodies_.moving();
    const BoundaryMotion& motion = model_->boundaries[model_->boundary_parts[k].boundary].motion;
    if (!moves(motion)) continue;
    const double middle = step_start_ + 0.5 * h_;
    const RigidMotion first = motion_at(motion, step_start_, middle);
    path.centres[k] = first.about + first.displacement;
    path.du[i] = motion_at(motion, step_start_ + h_, middle).displacement - first.displacement;
  }
  const contact::ClearPart clear = least_part(contacts_.find_passage(bodies_, path, rigid));
  Obstacle found = obstacle(clear);
  if (found.any() && clear.boundary < 0) found.cause = "a body would pass through another one";
  return found;
}

System::Switched System::set_time(double time) {
  std::vector<char> added = boundaries_active_;
  set_boundaries(time);
  for (std::size_t part = 0; part < added.size(); ++part)
    added[part] = boundaries_active_[part] != 0 && added[part] == 0 ? 1 : 0;
  // The velocities of what follows: halfway to the next knot.
  const double next = next_event(time * (1 + 1e-12));
  move_boundaries(time, std::isfinite(next) ? 0.5 * (time + next) : time + model_->time.end);
  for (int w = bodies_.moving(); w < bodies_.all(); ++w) set_accepted(w);
  // At a knot nothing is switched: forces hardly jump, and what friction's dashpots did would be forgotten.
  const bool switched = next_switch(time * (1 - 1e-12)) <= time * (1 + 1e-12);
  if (std::find(added.begin(), added.end(), 1) != added.end()) {
    BodyId body = 0;
    const std::string met = describe_overlap("when the boundary becomes active", &added, body);
    if (!met.empty()) return {switched, met};
    check_interrupt(comm_);  // the search may not have come to its end
  }
  if (bonds_broke_ || time == 0 || switched) initialise_accelerations(time);
  return {switched, ""};
}

}  // namespace scree
