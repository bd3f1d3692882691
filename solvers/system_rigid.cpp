/// What contact dynamics needs of the system: the bodies and contacts of a step, and what came of it
/// (theory 07 section 1).
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "contact/rigid_contacts.hpp"
#include "core/rotation.hpp"
#include "elements/free_spin.hpp"
#include "solvers/boundary_motion.hpp"
#include "solvers/system.hpp"

namespace scree {
namespace {

/// Contacts are looked for this many times as far as bodies go without them: contact deflects, and seldom
/// makes faster.
constexpr double kReachFactor = 1.5;

/// Gaps up to this part of the mean bounding radius are closed. Less is round-off of steps before, and where
/// bodies are jammed forces would follow it: a method that descends finds them only after as many iterations.
constexpr double kClosed = 1e-8;

/// A list serves so many steps of the present size.
constexpr double kStepsPerSearch = 6;

/// Global mass matrix of a body, and its inverse, on what is free.
void set_mass(const BodyProperties& properties, const Quat& q, contact_dynamics::StepBody& body) {
  const Mat3 R = q.toRotationMatrix();
  body.mass.topLeftCorner<3, 3>() = properties.mass * Mat3::Identity();
  body.mass.bottomRightCorner<3, 3>() = R * properties.inertia_B * R.transpose();
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

}  // namespace

double System::begin_rigid_step(double time, double h, double factor, contact_dynamics::StepProblem& problem,
                                std::vector<contact::Contacts::RigidContact>& contacts) {
  accepted_.clear();
  problem.options_prefix = options_prefix_;
  step_start_ = time;
  h_ = h;
  time_ = time + 0.5 * h;  // loads in the middle of the step
  reset_trial();
  LocalSystem& forces = load_residual();
  double motion = 0;
  double base = 0;
  for (int i = 0; i < bodies_.owned; ++i) {
    const BodyProperties& body = bodies_.properties[i];
    const Eigen::Map<const Vec6> r(forces.residual_of(i));
    base = std::max(base, r.head<3>().norm());
    const double fall = all_fixed(body.fixed) ? 0.0 : h * h * r.head<3>().norm() / body.mass;
    motion =
        std::max(motion, h * bodies_.state[i].v.norm() + fall + h * body.length * bodies_.state[i].w.norm());
  }
  boundary_trial(time, time + h);
  motion = std::max(motion, contacts_.motion_in_step(bodies_));  // that of walls: bodies are where they were
  reset_trial();
  double largest[3] = {motion, contacts_.travelled(bodies_), base};
  MPI_Allreduce(MPI_IN_PLACE, largest, 3, MPI_DOUBLE, MPI_MAX, comm_);
  base_force_ = largest[2];
  rigid_reach_ = 2 * kReachFactor * factor * largest[0];
  if (largest[1] + 0.5 * rigid_reach_ > contacts_.covered_travel()) {
    redistribute(std::max(0.5 * kStepsPerSearch * rigid_reach_, 2 * contacts_.scale()));
    // Numbers of bodies are other ones now.
    load_residual();
  }
  double gap = contacts_.find_rigid(bodies_, rigid_reach_, contacts);

  problem.comm = comm_;
  problem.h = h;
  problem.owned = bodies_.owned;
  problem.bodies.assign(static_cast<std::size_t>(bodies_.moving()), {});
  for (int i = 0; i < bodies_.moving(); ++i) {
    contact_dynamics::StepBody& body = problem.bodies[i];
    const BodyProperties& properties = bodies_.properties[i];
    body.number = dofs_->first_unknown(i) / kBodyUnknowns;
    set_mass(properties, bodies_.state[i].q, body);
    body.velocity << bodies_.state[i].v, bodies_.state[i].w;
    if (!bodies_.is_owned(i)) continue;
    const Mat3 R = bodies_.state[i].q.toRotationMatrix();
    const Mat3 inertia = R * properties.inertia_B * R.transpose();
    const Vec3& w = bodies_.state[i].w;
    const auto& fixed = properties.fixed;
    body.force = -Eigen::Map<const Vec6>(local_.residual_of(i));
    // The gyroscopic moment, by what it does in the step: -w x J w at its start makes energy without limit.
    const Vec3 free = elements::free_spin(inertia, w, h, {fixed[3], fixed[4], fixed[5]});
    body.force.tail<3>() += inertia * (free - w) / h;
  }
  problem.constraints.clear();
  problem.between_held = 0;
  const double closed = kClosed * mean_length();
  std::vector<std::optional<BodyState>> ends;  // of boundaries that move
  for (const BoundaryPart& part : model_->boundary_parts) {
    ends.emplace_back();
    if (moves(model_->boundaries[part.boundary].motion))
      ends.back() = boundary_state(*model_, part, time + h, time + 0.5 * h);
  }
  std::size_t kept = 0;
  for (const contact::Contacts::RigidContact& contact : contacts) {
    const contact::BodyPair& pair = contacts_.pairs()[contact.pair];
    const bool wall = bodies_.is_boundary(pair.b);
    // Between what is held nothing can be found out: the contact has no force.
    if (all_fixed(bodies_.properties[pair.a].fixed) &&
        (wall || all_fixed(bodies_.properties[pair.b].fixed))) {
      ++problem.between_held;
      continue;
    }
    const contact::InterfaceLaw& law = contacts_.law(pair);
    const contact::Active& active = pair.active[contact.at];
    contact_dynamics::Constraint row;
    row.a = pair.a;
    row.b = wall ? -1 : pair.b;
    row.key = active.key;
    row.normal = pair.terms[active.first].n;
    row.gap = pair.terms[active.first].gap > closed ? pair.terms[active.first].gap : 0;
    row.overlap = std::max(-pair.terms[active.first].gap, 0.0);
    row.arm_a = contact.point - bodies_.trial[pair.a].x;
    if (wall) {
      // The wall's motion over the step, where the contact is.
      if (const auto& to = ends[pair.b - bodies_.moving()]; to) {
        const BodyState& from = bodies_.state[pair.b];
        const Vec3 arm = from.q.conjugate() * (contact.point - from.x);
        row.drift = -(to->x + to->q * arm - contact.point) / h;
      }
    } else {
      row.arm_b = contact.point - bodies_.trial[pair.b].x;
    }
    row.restitution = law.normal.rigid()->restitution;
    row.stiffness_ratio = law.normal.rigid()->stiffness_ratio;
    row.exponent = law.normal.rigid()->exponent;
    if (law.friction_acts(time)) row.friction = law.friction.dynamic_coefficient;
    problem.constraints.push_back(row);
    contacts[kept++] = contact;
  }
  contacts.resize(kept);
  MPI_Allreduce(MPI_IN_PLACE, &gap, 1, MPI_DOUBLE, MPI_MIN, comm_);
  return gap;
}

bool System::end_rigid_step(const double* velocities, const double* corrections,
                            const std::vector<contact::Contacts::RigidContact>& contacts,
                            const std::vector<contact::Contacts::RigidForce>& forces,
                            std::vector<Vec6> wrenches) {
  accepted_ = bodies_.state;
  contacts_.set_rigid_forces(bodies_, contacts, forces);
  rigid_wrenches_before_ = std::exchange(rigid_wrenches_, std::move(wrenches));
  double motion = 0;
  for (int i = 0; i < bodies_.owned; ++i) {
    BodyState& state = bodies_.state[i];
    const Eigen::Map<const Vec6> v(velocities + kBodyUnknowns * static_cast<std::ptrdiff_t>(i));
    state.a = (v.head<3>() - state.v) / h_;
    state.dw = (v.tail<3>() - state.w) / h_;
    state.v = v.head<3>();
    state.w = v.tail<3>();
    const Eigen::Map<const Vec6> push(corrections + kBodyUnknowns * static_cast<std::ptrdiff_t>(i));
    const Vec3 along = state.v + push.head<3>();
    const Vec3 turn = state.w + push.tail<3>();
    move(state, along, turn, h_);
    motion = std::max(motion, h_ * (along.norm() + bodies_.properties[i].length * turn.norm()));
  }
  update_ghost_states();
  time_ = step_start_ + h_;
  move_boundaries(time_, step_start_ + 0.5 * h_);
  reset_trial();
  return 2 * max_over_ranks(motion) <= rigid_reach_;
}

void System::undo_rigid_step() {
  bodies_.state.swap(accepted_);
  accepted_.clear();
  reset_trial();
}

void System::reject_rigid_step() {
  undo_rigid_step();
  contacts_.undo_rigid_forces();
  rigid_wrenches_ = rigid_wrenches_before_;
}

double System::rigid_gap() { return -max_over_ranks(-contacts_.rigid_gap(bodies_, rigid_reach_)); }

double System::rigid_step_limit(double part) {
  double rate = 0;
  for (int i = 0; i < bodies_.owned; ++i) {
    const BodyState& state = bodies_.state[i];
    const double length = bodies_.properties[i].length;
    rate = std::max(rate, (state.v.norm() + length * state.w.norm()) / length);
  }
  rate = max_over_ranks(rate);
  return rate > 0 ? part / rate : std::numeric_limits<double>::infinity();
}

}  // namespace scree
