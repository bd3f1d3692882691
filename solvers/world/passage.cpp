#include "solvers/world/passage.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "contact/bounds/core_passage.hpp"
#include "contact/bounds/path_bounds.hpp"
#include "contact/bounds/paths.hpp"
#include "contact/neighbours/body_motion.hpp"
#include "core/rotation.hpp"
#include "solvers/analysis.hpp"
#include "solvers/world/boundary_motion.hpp"

namespace scree {
namespace {

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
/// Friction takes the way of a wall that turns in itself from its increment of rotation [rad].
constexpr double kMostSlip = 1;

const BoundaryDescription& boundary_of(const Model& model, int part) {
  return model.boundaries[model.boundary_parts[part].boundary];
}

}  // namespace

void Obstacle::fail(StepReport& report) const {
  if (!any()) return;
  report.outcome = StepOutcome::failed;
  report.cause = cause;
  report.detail = detail;
  report.blocked = true;
}

void Passage::resize() {
  const Bodies& bodies = world_->bodies();
  path_.du.assign(static_cast<std::size_t>(bodies.all()), Vec3::Zero());
  path_.dalpha = path_.du;
  path_.centres.assign(static_cast<std::size_t>(bodies.boundaries), Vec3::Zero());
  path_.stops.clear();
  path_.phases.assign(world_->surfaces().empty() ? 0 : static_cast<std::size_t>(bodies.boundaries), 0.0);
}

Obstacle Passage::set_boundaries(const StepFrame& step, double from, double to) {
  Bodies& bodies = world_->bodies();
  const std::vector<BodyTrial> start(bodies.trial.begin() + bodies.moving(), bodies.trial.end());
  world_->move_boundary_trials(step.start, to, step.h);
  Obstacle found;
  for (int w = bodies.moving(); w < bodies.all(); ++w) {
    const int k = w - bodies.moving();
    const BodyTrial& now = bodies.trial[w];
    path_.du[w] = now.u - start[k].u;
    path_.dalpha[w] = now.alpha - start[k].alpha;
    if (!path_.phases.empty()) path_.phases[k] = now.phase - start[k].phase;
    const BoundaryDescription& boundary = boundary_of(world_->model(), k);
    if (!moves(boundary.motion)) continue;
    const RigidMotion then = motion_at(boundary.motion, from, 0.5 * (from + to));
    path_.centres[k] = then.about + then.displacement;
    // Increments do not distinguish rotations above 90 degrees from smaller ones.
    const double angle = then.spin.norm() * (to - from);
    if (!found.any() && angle > kMostTurn &&
        world_->contacts().motion().changes_by_turning(bodies, k, then.spin, path_.centres[k]))
      found = {"boundary \"" + boundary.name + "\" rotates by more than 90 degrees in a step", ""};
    if (!found.any() && angle > kMostSlip && world_->model().has_friction(boundary.material) &&
        traits_of(world_->model().analysis).forces_follow_from_state)
      found = {"boundary \"" + boundary.name + "\" rotates by more than 1 rad in a step", ""};
  }
  std::copy(start.begin(), start.end(), bodies.trial.begin() + bodies.moving());
  return found;
}

void Passage::stop_boundaries() {
  const Bodies& bodies = world_->bodies();
  for (int w = bodies.moving(); w < bodies.all(); ++w) path_.du[w] = path_.dalpha[w] = Vec3::Zero();
  std::fill(path_.phases.begin(), path_.phases.end(), 0.0);
}

contact::ClearPart Passage::own_clear_part(contact::PathPairs which) {
  const contact::ClearPart clear = world_->contacts().path_bounds().clip(world_->bodies(), path_, which);
  if (clear.short_of_end) too_long_ = true;
  return clear;
}

contact::StoppedBodies Passage::own_stops(const std::vector<char>& changed, std::vector<double>& stops,
                                          std::vector<double>& carriers) {
  const contact::StoppedBodies found =
      world_->contacts().path_bounds().stop_bodies(world_->bodies(), path_, changed, stops, carriers);
  if (found.short_of_end) too_long_ = true;
  return found;
}

void Passage::carry(int i, int carrier) {
  const Bodies& bodies = world_->bodies();
  const int w = bodies.moving() + carrier;
  const BodyTrial& wall = bodies.trial[w];
  const ShapeKind kind = world_->contacts().model().shape_of(bodies, w).kind;
  const Mat3 turn = rotation::matrix(wall.alpha + path_.dalpha[w]) * wall.Q.transpose();
  const Vec3 from = wall.R.col(2);  // normal of a plane, axis of a bore
  const Vec3 to = turn * from;
  const Vec3 arm = bodies.trial[i].x - wall.x;
  // The motion of its surface alone: it may slide and spin in itself.
  Vec3 u = path_.du[w];
  Vec3 tilt = Vec3::Zero();
  if (kind != ShapeKind::cavity) {
    tilt = 2 / (1 + from.dot(to)) * from.cross(to);  // Rodrigues vector from one to the other
    const Vec3 turned = rotation::matrix(tilt) * arm - arm;
    u = kind == ShapeKind::plane ? Vec3((from.dot(arm) - to.dot(arm - u)) * to)
                                 : Vec3(u - to.dot(u) * to + turned);
  }
  path_.du[i] = u;
  path_.dalpha[i] = tilt;
  for (int k = 0; k < 3; ++k) {
    if (bodies.properties[i].fixed[k]) path_.du[i][k] = 0;
    if (bodies.properties[i].fixed[k + 3]) path_.dalpha[i][k] = 0;
  }
}

void Passage::end_at_stops() {
  for (std::size_t i = 0; i < path_.stops.size(); ++i) {
    path_.du[i] *= path_.stops[i];
    path_.dalpha[i] *= path_.stops[i];
  }
  path_.stops.clear();
}

contact::ClearPart Passage::clear_part(contact::PathPairs which) {
  contact::ClearPart clear = least_part(own_clear_part(which));
  clear.short_of_end = is_too_long();
  return clear;
}

contact::ClearPart Passage::least_part(contact::ClearPart own) const {
  const MPI_Comm comm = world_->comm();
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  struct {
    double t;
    int rank;
  } least = {own.t, rank};
  static_assert(sizeof least == 16, "a pair as MPI_DOUBLE_INT has it");
  MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_DOUBLE_INT, MPI_MINLOC, comm);
  if (least.t == 1) return own;
  MPI_Bcast(&own, sizeof own, MPI_BYTE, least.rank, comm);
  return own;
}

Obstacle Passage::obstacle(const contact::ClearPart& clear) const {
  if (clear.t == 1) return {};
  const Model& model = world_->model();
  const std::string body = model.body_in_words(clear.body);
  if (clear.short_of_end) return {kPathTooLong, body};
  if (clear.boundary < 0) return {"intersection at step end", body};
  const BoundaryDescription& boundary = boundary_of(model, clear.boundary);
  const std::string name = "boundary \"" + boundary.name + '"';
  return {moves(boundary.motion) ? name + kBoundaryMeetsBody : "a body would pass through " + name, body};
}

Obstacle Passage::over_step(const std::vector<BodyState>& from, const StepFrame& step, bool near_surfaces) {
  const Bodies& bodies = world_->bodies();
  const auto all = static_cast<std::size_t>(bodies.all());
  contact::EvenPath path{from, std::vector<Vec3>(all, Vec3::Zero()), std::vector<Vec3>(all, Vec3::Zero()),
                         std::vector<Vec3>(static_cast<std::size_t>(bodies.boundaries), Vec3::Zero()),
                         std::vector<double>(path_.phases.size(), 0.0)};
  for (int i = 0; i < bodies.all(); ++i) {
    const BodyTrial& to = bodies.trial[i];
    path.du[i] = to.x - path.from[i].x;
    path.turn[i] = turn_between(path.from[i].q, Quat(to.R), step.h * to.w);
    if (!bodies.is_boundary(i)) continue;
    const int k = i - bodies.moving();
    if (!path.phases.empty()) path.phases[k] = to.phase;
    const BoundaryMotion& motion = boundary_of(world_->model(), k).motion;
    if (!moves(motion)) continue;
    const RigidMotion first = motion_at(motion, step.start, step.middle());
    path.centres[k] = first.about + first.displacement;
    path.du[i] = motion_at(motion, step.end, step.middle()).displacement - first.displacement;
  }
  const contact::ClearPart clear = least_part(world_->contacts().passage().find(bodies, path, near_surfaces));
  Obstacle found = obstacle(clear);
  if (found.any() && clear.boundary < 0) found.cause = "a body would pass through another one";
  return found;
}

}  // namespace scree
