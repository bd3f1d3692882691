#include "solvers/contact_dynamics/rigid_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "assembly/callback_guard.hpp"
#include "contact/forces/rigid_forces.hpp"
#include "contact/neighbours/body_motion.hpp"
#include "contact/neighbours/contact_model.hpp"
#include "contact/neighbours/pair_list.hpp"
#include "core/rotation_between.hpp"
#include "elements/free_spin.hpp"
#include "solvers/world/boundary_motion.hpp"

namespace scree::contact_dynamics {
namespace {

/// Contacts are looked for this many times as far as bodies go without them: contact deflects, and seldom
/// makes faster.
constexpr double kReachFactor = 1.5;

/// Gaps up to this part of the mean bounding radius are closed. Less is round-off of steps before, and where
/// bodies are jammed forces would follow it: a method that descends finds them only after as many iterations.
constexpr double kClosed = 1e-8;

/// A list serves so many steps of the present size.
constexpr double kStepsPerSearch = 6;

/// Parts of the slope of a fluid force in the velocities of a body: the symmetric ones brake, the skew ones
/// turn velocities. What the spin does to the force is left out: with the spin of the start, a force across
/// the velocity does no work.
Mat6 part_of(const Mat6& slope, double sign) {
  Mat6 part = Mat6::Zero();
  for (const int at : {0, 3}) {
    const Mat3 own = slope.block<3, 3>(at, at);
    part.block<3, 3>(at, at) = 0.5 * (own + sign * own.transpose());
  }
  return part;
}
Mat6 braking_part(const Mat6& slope) { return part_of(slope, 1); }
Mat6 turning_part(const Mat6& slope) { return part_of(slope, -1); }

/// Global mass matrix of a body, and its inverse, on what is free. @param added by a fluid that brakes.
void set_mass(const BodyProperties& properties, const Quat& q, StepBody& body,
              const Mat6& added = Mat6::Zero()) {
  const Mat3 R = q.toRotationMatrix();
  body.mass.topLeftCorner<3, 3>() = properties.mass * Mat3::Identity();
  body.mass.bottomRightCorner<3, 3>() = R * properties.inertia_B * R.transpose();
  body.mass += added;
  Mat6 held = body.mass;  // of what is fixed: ones, so that the rest inverts by itself
  for (int k = 0; k < kBodyUnknowns; ++k) {
    if (!properties.fixed[k]) continue;
    body.mass.row(k).setZero();
    body.mass.col(k).setZero();
    held.row(k).setZero();
    held.col(k).setZero();
    held(k, k) = 1;
  }
  body.inverse_mass = held.inverse();
  for (int k = 0; k < kBodyUnknowns; ++k) {
    if (!properties.fixed[k]) continue;
    body.inverse_mass.row(k).setZero();
    body.inverse_mass.col(k).setZero();
  }
}

/// How far moments alone turn the surface of a body from rest in a step [m]. @param moment [N m].
double way_of_turn(const BodyProperties& properties, const Quat& q, const Vec3& moment, double h) {
  if (moment.isZero(0)) return 0;
  StepBody body;
  set_mass(properties, q, body);
  return h * h * properties.length * (body.inverse_mass.bottomRightCorner<3, 3>() * moment).norm();
}

/// What the turning part of a fluid force adds to it: half of the change of velocity, so that the force is
/// that of the mean velocity and does no work in a fluid at rest. @param body with its mass. @param force
/// that changes the velocity [N], [N m].
Vec6 turning_force(const Mat6& slope, const StepBody& body, const Vec6& force, double h) {
  const Mat6 turning = turning_part(slope);
  if (turning.isZero(0)) return Vec6::Zero();
  const Mat6 inverse = h * body.inverse_mass;
  const Mat6 system = Mat6::Identity() - 0.5 * inverse * turning;
  const Vec6 explicit_change = inverse * force;
  const Vec6 change = system.partialPivLu().solve(explicit_change);
  return 0.5 * turning * change;
}

/// How far loads alone move the surface of a body from rest in a step [m]. @param force [N], [N m]. @param
/// fluid the part of it that depends on velocities, nullptr without.
double way_of_loads(const BodyProperties& properties, const Quat& q, const Vec6& force,
                    const elements::FluidForce* fluid, double h) {
  if (all_fixed(properties.fixed)) return 0;
  if (fluid == nullptr)
    return h * h * force.head<3>().norm() / properties.mass + way_of_turn(properties, q, force.tail<3>(), h);
  StepBody body;
  set_mass(properties, q, body, -h * braking_part(fluid->slope));
  const Vec6 all = force + turning_force(fluid->slope, body, force, h);
  const Vec6 change = h * body.inverse_mass * all;
  return h * (change.head<3>().norm() + properties.length * change.tail<3>().norm());
}

/// Moves a body by velocities: x + h v, and the rotation by h |omega| about omega, which is Q(alpha) with
/// alpha = 2 tan(theta/2)/theta h omega (theory 07 section 1).
void move(BodyState& state, const Vec3& v, const Vec3& w, double h) {
  state.x += h * v;
  const double angle = h * w.norm();
  if (angle > 0) {
    state.q = Quat(Eigen::AngleAxisd(angle, w.normalized())) * state.q;
    state.q.normalize();
  }
}

/// What the linear gap of a point of a body at a bore or cavity leaves out, if the body moves along the wall
/// with the velocity of its start: the wall's curvature, and that of the point's path (theory 07 section 1).
/// @param p of the body [m]. @param wall_motion of the wall's pole in the step [m]. @returns the change of
/// the gap [m], negative where the wall bends towards the body.
double bend(const Shape& wall, const BodyState& pose, const BodyState& body, const Vec3& p,
            const Vec3& normal, const Vec3& wall_motion, double h) {
  const Vec3 arm = p - body.x;
  const Vec3 linear = h * (body.v + body.w.cross(arm)) - wall_motion;
  BodyState end = body;
  move(end, body.v, body.w, h);
  const Vec3 moved = end.x + end.q * (body.q.conjugate() * arm) - wall_motion - normal * normal.dot(linear);
  const Vec3 axis = pose.q * Vec3::UnitZ();
  const auto distance = [&](const Vec3& at) {
    const Vec3 r = at - pose.x;
    return wall.kind == ShapeKind::bore ? Vec3(r - axis * axis.dot(r)).norm() : r.norm();
  };
  return distance(p) - distance(moved);
}

/// Way of a wall in a step where a contact is [m]: along the wall that of its material, across it that of its
/// surface. A drum that turns in itself has none across; the chord of its material has.
Vec3 wall_way(const Shape& wall, const BodyState& from, const BodyState& to, const Vec3& point,
              const Vec3& n) {
  const Vec3 arm = point - from.x;
  Vec3 material = to.x + to.q * (from.q.conjugate() * arm) - point;
  Quat tilt = Quat::Identity();
  switch (wall.kind) {
    case ShapeKind::sphere:
    case ShapeKind::cavity:
      break;
    case ShapeKind::plane:
    case ShapeKind::capsule:
    case ShapeKind::cylinder:
    case ShapeKind::bore:
      tilt = rotation::between(from.q * Vec3::UnitZ(), to.q * Vec3::UnitZ());
      break;
    default:
      return material;
  }
  const Vec3 surface = to.x + tilt * arm - point;
  return material + n * n.dot(surface - material);
}

}  // namespace

double RigidProblem::begin(double time, double h, double factor, StepProblem& problem,
                           std::vector<contact::RigidContact>& contacts) {
  accepted_.clear();
  frame_ = {.start = time, .end = time + h, .h = h};
  look_ahead(factor);
  const double mean_length = world_->mean_length();  // a reduction: not where a rank may have thrown
  double gap = 0;
  petsc::CallbackGuard(world_->comm()).call([&] {
    gap = world_->contacts().rigid().find(world_->bodies(), reach_, h, contacts);
    add_bodies(problem);
    add_constraints(problem, contacts, mean_length);
  });
  world_->set_load_time(frame_.start);  // what is shown if the step fails
  MPI_Allreduce(MPI_IN_PLACE, &gap, 1, MPI_DOUBLE, MPI_MIN, world_->comm());
  return gap;
}

double RigidProblem::list_travel() const {
  return std::max(0.5 * kStepsPerSearch * reach_, 2 * world_->contacts().model().scale());
}

void RigidProblem::look_ahead(double factor) {
  const double h = frame_.h;
  const Bodies& bodies = world_->bodies();
  const contact::Contacts& contacts = world_->contacts();
  world_->set_load_time(frame_.middle());
  world_->reset_trial();
  LocalSystem& forces = find_loads();
  double motion = 0;
  for (int i = 0; i < bodies.owned; ++i) {
    const BodyProperties& body = bodies.properties[i];
    const Vec6 force = -Eigen::Map<const Vec6>(forces.residual_of(i));
    const elements::FluidForce* fluid = fluid_.empty() ? nullptr : &fluid_[i];
    const double turn = h * body.length * bodies.state[i].w.norm();
    motion = std::max(
        motion, h * bodies.state[i].v.norm() + turn + way_of_loads(body, bodies.state[i].q, force, fluid, h));
  }
  world_->move_boundary_trials(frame_.start, frame_.end, h);
  motion = std::max(motion, contacts.motion().in_step(bodies));  // that of walls: bodies are where they were
  world_->reset_trial();
  double largest[2] = {motion, contacts.motion().since_search(bodies)};
  MPI_Allreduce(MPI_IN_PLACE, largest, 2, MPI_DOUBLE, MPI_MAX, world_->comm());
  reach_ = 2 * kReachFactor * factor * largest[0];
  if (world_->uneven() || largest[1] + 0.5 * reach_ > contacts.list().covered_travel()) {
    world_->redistribute(list_travel());
    // Numbers of bodies are other ones now.
    find_loads();
  }
}

LocalSystem& RigidProblem::find_loads() {
  fluid_ = world_->loads().fluid_forces(world_->bodies(), world_->load_time());
  return world_->load_residual();
}

void RigidProblem::add_bodies(StepProblem& problem) {
  const Bodies& bodies = world_->bodies();
  const double h = frame_.h;
  problem.comm = world_->comm();
  problem.options_prefix = world_->options_prefix();
  problem.h = h;
  problem.owned = bodies.owned;
  problem.bodies.assign(static_cast<std::size_t>(bodies.moving()), {});
  const std::vector<Vec6> pressed = fluid_.empty() ? std::vector<Vec6>() : wrenches_.of_owned();
  for (int i = 0; i < bodies.moving(); ++i) {
    StepBody& body = problem.bodies[i];
    const BodyProperties& properties = bodies.properties[i];
    body.number = world_->dofs().first_unknown(i) / kBodyUnknowns;
    body.id = properties.id;
    const Mat6 braking = fluid_.empty() ? Mat6(Mat6::Zero()) : Mat6(-h * braking_part(fluid_[i].slope));
    set_mass(properties, bodies.state[i].q, body, braking);
    body.velocity << bodies.state[i].v, bodies.state[i].w;
    if (!bodies.is_owned(i)) continue;
    const Mat3 R = bodies.state[i].q.toRotationMatrix();
    const Mat3 inertia = R * properties.inertia_B * R.transpose();
    const Vec3& w = bodies.state[i].w;
    const auto& fixed = properties.fixed;
    body.force = -Eigen::Map<const Vec6>(world_->rows().residual_of(i));
    // The gyroscopic moment, by what it does in the step: -w x J w at its start makes energy without limit.
    const Vec3 free = elements::free_spin(inertia, w, h, {fixed[3], fixed[4], fixed[5]});
    body.force.tail<3>() += inertia * (free - w) / h;
    if (fluid_.empty()) continue;
    // The forces of contacts are not known yet. Bodies that contacts carried in the last step are taken to be
    // carried in this one: loads without contact would turn a ball that spins on a floor aside from a fall.
    elements::FluidForce& fluid = fluid_[i];
    const Vec6 turns = turning_force(fluid.slope, body, pressed[i].isZero(0) ? body.force : fluid.value, h);
    fluid.value += turns;
    body.force += turns;
  }
}

void RigidProblem::add_constraints(StepProblem& problem, std::vector<contact::RigidContact>& contacts,
                                   double mean_length) const {
  const Bodies& bodies = world_->bodies();
  const double h = frame_.h;
  problem.constraints.clear();
  problem.between_held = 0;
  const double closed = kClosed * mean_length;
  std::vector<std::optional<BodyState>> ends;  // of boundaries that move
  for (const BoundaryPart& part : world_->model().boundary_parts) {
    ends.emplace_back();
    if (moves(world_->model().boundaries[part.boundary].motion))
      ends.back() = boundary_state(world_->model(), part, frame_.end, frame_.middle());
  }
  std::size_t kept = 0;
  for (const contact::RigidContact& contact : contacts) {
    const contact::BodyPair& pair = world_->contacts().list().pairs()[contact.pair];
    const bool wall = bodies.is_boundary(pair.b);
    // Between what is held nothing can be found out: the contact has no force.
    if (all_fixed(bodies.properties[pair.a].fixed) && (wall || all_fixed(bodies.properties[pair.b].fixed))) {
      ++problem.between_held;
      continue;
    }
    const contact::InterfaceLaw& law = world_->contacts().model().law(pair);
    const contact::Active& active = pair.active[contact.at];
    Constraint row;
    row.a = pair.a;
    row.b = wall ? -1 : pair.b;
    row.key = active.key;
    row.normal = pair.terms[active.first].n;
    row.gap = pair.terms[active.first].gap > closed ? pair.terms[active.first].gap : 0;
    row.overlap = std::max(-pair.terms[active.first].gap, 0.0);
    row.arm_a = contact.point - bodies.trial[pair.a].x;
    if (wall) {
      const Shape& shape = world_->contacts().model().shape_of(bodies, pair.b);
      const auto& to_end = ends[pair.b - bodies.moving()];
      if (shape.hollow_radius > 0)
        row.gap +=
            bend(shape, bodies.state[pair.b], bodies.state[pair.a], pair.terms[active.first].p, row.normal,
                 to_end ? Vec3(to_end->x - bodies.state[pair.b].x) : Vec3(Vec3::Zero()), h);
      // The wall's motion over the step, where the contact is.
      if (to_end) row.drift = -wall_way(shape, bodies.state[pair.b], *to_end, contact.point, row.normal) / h;
    } else {
      row.arm_b = contact.point - bodies.trial[pair.b].x;
    }
    row.restitution = law.normal.rigid()->restitution;
    row.stiffness_ratio = law.normal.rigid()->stiffness_ratio;
    row.exponent = law.normal.rigid()->exponent;
    if (law.friction_acts(frame_.start)) row.friction = law.friction.dynamic_coefficient;
    problem.constraints.push_back(row);
    contacts[kept++] = contact;
  }
  contacts.resize(kept);
}

void RigidProblem::add_work(const StepProblem& problem, const double* after, bool first,
                            elements::LoadWork& work) const {
  std::vector<Vec6> moved(static_cast<std::size_t>(problem.owned));
  for (int i = 0; i < problem.owned; ++i) {
    const Vec6& before = problem.bodies[i].velocity;
    const Eigen::Map<const Vec6> end(after + kBodyUnknowns * static_cast<std::ptrdiff_t>(i));
    moved[i] = frame_.h * (0.5 * (before + end));
    if (fluid_.empty()) continue;
    // Braking is part of the mass matrix: its force follows the velocities that contacts leave.
    Vec6 force = braking_part(fluid_[i].slope) * (end - before);
    if (first) force += fluid_[i].value;
    work.fluid += force.dot(moved[i]);
  }
  if (first) work.dead += world_->loads().dead_work_along(world_->bodies(), frame_.middle(), moved);
}

bool RigidProblem::end(const double* velocities, const double* corrections,
                       const std::vector<contact::RigidContact>& contacts,
                       const std::vector<contact::RigidForce>& forces, const std::vector<Vec6>& wrenches) {
  Bodies& bodies = world_->bodies();
  const double h = frame_.h;
  accepted_ = bodies.state;
  world_->contacts().rigid().set(bodies, contacts, forces);
  wrenches_.set(wrenches);
  double motion = 0;
  for (int i = 0; i < bodies.owned; ++i) {
    BodyState& state = bodies.state[i];
    const Eigen::Map<const Vec6> v(velocities + kBodyUnknowns * static_cast<std::ptrdiff_t>(i));
    state.a = (v.head<3>() - state.v) / h;
    state.dw = (v.tail<3>() - state.w) / h;
    state.v = v.head<3>();
    state.w = v.tail<3>();
    const Eigen::Map<const Vec6> push(corrections + kBodyUnknowns * static_cast<std::ptrdiff_t>(i));
    const Vec3 along = state.v + push.head<3>();
    const Vec3 turn = state.w + push.tail<3>();
    move(state, along, turn, h);
    motion = std::max(motion, h * (along.norm() + bodies.properties[i].length * turn.norm()));
  }
  world_->update_ghost_states();
  world_->set_load_time(frame_.end);
  world_->move_boundaries(frame_.end, frame_.middle());
  world_->reset_trial();
  return 2 * world_->max_over_ranks(motion) <= reach_;
}

void RigidProblem::undo() {
  world_->bodies().state.swap(accepted_);
  accepted_.clear();
  wrenches_.undo();
  world_->set_load_time(frame_.start);
  world_->reset_trial();
}

void RigidProblem::reject() {
  undo();
  world_->contacts().rigid().undo();
}

double RigidProblem::smallest_gap() {
  double gap = 0;
  petsc::CallbackGuard(world_->comm()).call([&] {
    gap = world_->contacts().rigid().smallest_gap(world_->bodies(), reach_);
  });
  return -world_->max_over_ranks(-gap);
}

double RigidProblem::longest_way() {
  const Bodies& bodies = world_->bodies();
  double longest = 0;
  for (int i = 0; i < bodies.owned; ++i) {
    const Vec3 way = bodies.state[i].x - accepted_[static_cast<std::size_t>(i)].x;
    longest = std::max(longest, way.norm() / bodies.properties[i].length);
  }
  return world_->max_over_ranks(longest);
}

double RigidProblem::step_limit(double part) const {
  const Bodies& bodies = world_->bodies();
  double rate = 0;
  for (int i = 0; i < bodies.owned; ++i) {
    const BodyState& state = bodies.state[i];
    const double length = bodies.properties[i].length;
    rate = std::max(rate, (state.v.norm() + length * state.w.norm()) / length);
  }
  rate = world_->max_over_ranks(rate);
  return rate > 0 ? part / rate : std::numeric_limits<double>::infinity();
}

}  // namespace scree::contact_dynamics
