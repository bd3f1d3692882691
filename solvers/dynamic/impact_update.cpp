#include "solvers/dynamic/impact_update.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "contact/forces/contact_impacts.hpp"
#include "contact/geometry/tangent_plane.hpp"
#include "core/infinity.hpp"
#include "core/rotation.hpp"
#include "solvers/dynamic/body_mobility.hpp"
#include "solvers/dynamic/impact_turn.hpp"
#include "solvers/dynamic/impact_weights.hpp"

namespace scree {
namespace {

/// Solutions that correct weights, most of all. Friction as part of what its normal impulse allows may be off
/// by this part.
constexpr int kMostCorrections = 6;
constexpr double kFrictionError = 0.02;
/// Impulses below this part of what Newton's method leaves in a step are not resolved.
constexpr double kQuietPart = 1e-3;

using rotation::skew;

constexpr const char* kNotFound = "the velocities after impacts were not found";

}  // namespace

Vec3 ImpactUpdate::parting(const Contact& contact, const std::vector<Velocity>& velocity) const {
  const Velocity& a = velocity[static_cast<std::size_t>(contact.a)];
  return velocity_at(a, contact.arm_a) - velocity_at(contact.of_b(velocity), contact.arm_b);
}

double ImpactUpdate::effective_mass(const Contact& contact, const Vec3& direction) const {
  const Vec6 on_a = momentum_of(direction, contact.arm_a);
  double inverse = on_a.dot(mobility_[static_cast<std::size_t>(contact.a)] * on_a);
  if (contact.b < static_cast<int>(mobility_.size())) {
    const Vec6 on_b = momentum_of(direction, contact.arm_b);
    inverse += on_b.dot(mobility_[static_cast<std::size_t>(contact.b)] * on_b);
  }
  return inverse > 0 ? 1 / inverse : 0;
}

double ImpactUpdate::common_mass(const Contact& contact) const {
  double inverse = 0;
  for (const int i : {contact.a, contact.b}) {
    if (i >= static_cast<int>(mobility_.size())) continue;
    const Mat6& mobility = mobility_[static_cast<std::size_t>(i)];
    const double moves = contact.push.dot(mobility.topLeftCorner<3, 3>() * contact.push);
    // One that can only turn has no mass there that its contacts share.
    const Vec6 impulse = momentum_of(contact.push, i == contact.a ? contact.arm_a : contact.arm_b);
    inverse += moves > 0 ? moves : impulse.dot(mobility * impulse);
  }
  return inverse > 0 ? 1 / inverse : kInfinity;
}

Vec3 ImpactUpdate::spinning(const Contact& contact, const std::vector<Velocity>& velocity) {
  return velocity[static_cast<std::size_t>(contact.a)].tail<3>() - contact.of_b(velocity).tail<3>();
}

double ImpactUpdate::effective_inertia(const Contact& contact, const Vec3& direction) const {
  double inverse = 0;
  for (const int i : {contact.a, contact.b}) {
    if (i >= static_cast<int>(mobility_.size())) continue;
    inverse += direction.dot(mobility_[static_cast<std::size_t>(i)].bottomRightCorner<3, 3>() * direction);
  }
  return inverse > 0 ? 1 / inverse : 0;
}

double ImpactUpdate::net_impulse(const Contact& contact) const {
  return contact.row.net(contact.push.dot(parting(contact, velocity_)));
}

Vec6 ImpactUpdate::Contact::taken(const Vec3& parting, const Vec3& spinning) const {
  Vec6 on_a;
  on_a << -row.weight * push * push.dot(parting) - across * contact::project(parting, n),
      -turn * contact::project(spinning, n);
  return on_a;
}

void ImpactUpdate::weigh(Contact& contact, double quiet) {
  const Vec3 start = parting(contact, before_);
  const Vec3 end = parting(contact, velocity_);
  contact.end = end;
  const double h = problem_->frame().h;
  contact.row = {.h = h,
                 .restitution = contact.restitution,
                 .start = contact.push.dot(start),
                 .end = contact.push.dot(end),
                 .impulse = contact.impulse,
                 .of_corner = contact.of_corner,
                 .opened = contact.opened,
                 .steady = loads_.opening(contact, mobility_),
                 .passing = contact.passing,
                 .mass = effective_mass(contact, contact.push),
                 .common = common_mass(contact),
                 .quiet = quiet};
  const double taken = contact.row.weigh();
  contact.friction_impulse = h * contact.slip.force;
  contact.rolling_impulse = h * contact.roll.force;
  contact.end_spin = spinning(contact, velocity_);
  // The estimate of an isolated contact.
  const double normal = std::max(contact.impulse - taken, 0.0);
  double most = taken;
  if (contact.friction) {
    Across slip{contact::project(start, contact.n), contact::project(end, contact.n), 0};
    slip.mass = effective_mass(contact, slip.end.normalized());
    // A dashpot alone cannot throw back, and gives no more than it would in all of the step.
    const bool dashpot = contact.viscosity > 0;
    const double thrown_back = dashpot ? 0.0 : tangential_restitution(contact.restitution);
    contact.across = weight_across(contact.slip, slip, contact.coefficient * normal,
                                   most_of_spring(contact.slip, contact.stiffening, h), thrown_back, h);
    if (dashpot) contact.across = std::min(contact.across, h * contact.viscosity);
    most = std::max(most, impulse_of(contact.across, slip.end.norm(), slip.mass));
  }
  if (contact.rolling) {
    Across roll{contact::project(spinning(contact, before_), contact.n),
                contact::project(contact.end_spin, contact.n), 0};
    roll.mass = effective_inertia(contact, roll.end.normalized());
    contact.turn = weight_across(contact.roll, roll, contact.lever * normal,
                                 most_of_spring(contact.roll, 1, h), contact.rolling_restitution, h);
    most = std::max(most, impulse_of(contact.turn, roll.end.norm(), roll.mass) / contact.arm_a.norm());
  }
  // Bodies at rest: what is left of their motion is what the solution of the step leaves.
  if (most <= quiet) contact.row.weight = contact.across = contact.turn = 0;
}

bool ImpactUpdate::correct_normal(std::vector<Contact>& contacts) const {
  bool changed = false;
  for (Contact& contact : contacts)
    changed = contact.row.correct(contact.push.dot(parting(contact, velocity_))) || changed;
  return changed;
}

bool ImpactUpdate::correct_excess(std::vector<Contact>& contacts) const {
  const double h = problem_->frame().h;
  bool changed = false;
  for (Contact& contact : contacts) {
    if (!contact.friction && !contact.rolling) continue;
    const double net = net_impulse(contact);
    const double error = kFrictionError * contact.impulse;
    Vec6 early = Vec6::Zero();
    if (contact.friction) early.head<3>() = beyond(h * contact.slip.force, contact.coefficient * net);
    if (contact.rolling) early.tail<3>() = beyond(h * contact.roll.force, contact.lever * net);
    const Vec6 change = early - contact.early;
    if (change.head<3>().norm() <= contact.coefficient * error &&
        change.tail<3>().norm() <= contact.lever * error)
      continue;
    contact.early = early;
    changed = true;
  }
  return changed;
}

bool ImpactUpdate::correct_friction(std::vector<Contact>& contacts) const {
  const double h = problem_->frame().h;
  // What rocks or rolls on a contact that sticks is not thrown back: its slip has to stop.
  const double slow = kSlow * h * problem_->model().gravity.norm();
  bool changed = false;
  for (Contact& contact : contacts) {
    // A dashpot below its limit has given what it gives in the step.
    const bool dashpot = contact.viscosity > 0;
    if (!contact.friction || (dashpot && !contact.slip.slides && contact.slip.limit > 0)) continue;
    const Vec3 now = contact::project(parting(contact, velocity_), contact.n);
    const double left = now.norm();
    if (!(left > 0)) continue;
    Across slip{contact::project(parting(contact, before_), contact.n),
                contact::project(contact.end, contact.n), effective_mass(contact, now / left)};
    const double acting = contact.across * left;
    slip.mass = contact.answers.mass(acting, left, slip.mass);
    contact.answers = {acting, left};
    const AfterUpdate after{now, contact.across, h * contact.slip.force - contact.early.head<3>(),
                            contact.coefficient * net_impulse(contact), contact.row.weight > 0};
    const double thrown_back = dashpot ? 0.0 : tangential_restitution(contact.restitution);
    double across =
        corrected_across(contact.slip, slip, after, most_of_spring(contact.slip, contact.stiffening, h),
                         beyond_part(slow, slip.end.norm()) * thrown_back);
    if (dashpot) across = std::min(across, h * contact.viscosity);
    if (std::abs(across - contact.across) * left <= kFrictionError * contact.coefficient * contact.impulse)
      continue;
    contact.across = across;
    changed = true;
  }
  return changed;
}

void ImpactUpdate::lay_out(std::vector<Contact>& contacts) {
  const Bodies& bodies = problem_->world().bodies();
  std::vector<LocalSystem::Coupling> couplings;
  for (const Contact& contact : contacts) {
    if (bodies.is_boundary(contact.b)) continue;
    couplings.push_back({contact.a, contact.b, 0});
    couplings.push_back({contact.b, contact.a, 0});
  }
  system_.begin(std::move(couplings));
  const LocalSystem& rows = system_.rows();
  for (Contact& contact : contacts) {
    if (bodies.is_boundary(contact.b)) continue;
    contact.coupling_ab = rows.find(contact.a, contact.b);
    contact.coupling_ba = rows.find(contact.b, contact.a);
  }
}

void ImpactUpdate::fill(const std::vector<Contact>& contacts) {
  using Block = Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>>;
  const Bodies& bodies = problem_->world().bodies();
  LocalSystem& rows = system_.rows();
  rows.clear_tangent();
  for (int i = 0; i < bodies.owned; ++i)
    Block(rows.diagonal(i)) += inertia_of(bodies.properties[i], bodies.trial[i].R);
  for (const Contact& contact : contacts) {
    const Mat3 weight = contact.row.weight * contact.push * contact.push.transpose() +
                        contact.across * contact::plane_of(contact.n);
    const Mat3 skew_a = skew(contact.arm_a), skew_b = skew(contact.arm_b);
    const Mat3 turn = contact.turn * contact::plane_of(contact.n);
    // The weight between the momenta of two bodies: with L = [1; skew(arm)] it is L weight L^T.
    const Mat3 on_a = skew_a * weight, on_b = skew_b * weight;
    const Mat3 across_pair = on_a * skew_b.transpose() + turn;
    const auto add = [&](double* to, double sign, const Mat3& on_row, const Mat3& on_col, const Mat3& turns) {
      Block block(to);
      block.topLeftCorner<3, 3>() += sign * weight;
      block.topRightCorner<3, 3>() += sign * on_col.transpose();
      block.bottomLeftCorner<3, 3>() += sign * on_row;
      block.bottomRightCorner<3, 3>() += sign * turns;
    };
    if (bodies.is_owned(contact.a))
      add(rows.diagonal(contact.a), 1, on_a, on_a, on_a * skew_a.transpose() + turn);
    if (bodies.is_boundary(contact.b)) continue;
    if (bodies.is_owned(contact.b))
      add(rows.diagonal(contact.b), 1, on_b, on_b, on_b * skew_b.transpose() + turn);
    if (contact.coupling_ab >= 0) add(rows.coupling(contact.coupling_ab), -1, on_a, on_b, across_pair);
    if (contact.coupling_ba >= 0)
      add(rows.coupling(contact.coupling_ba), -1, on_b, on_a, across_pair.transpose());
  }
  system_.take_rows();
}

void ImpactUpdate::rehearse() {
  std::vector<Contact> none;
  lay_out(none);
  fill(none);
  system_.rehearse();
}

void ImpactUpdate::add_impulse(const Contact& contact, const Vec6& on_a, std::vector<Vec6>& to) const {
  const Bodies& bodies = problem_->world().bodies();
  const auto add = [&](int i, const Vec3& arm, double sign) {
    if (bodies.is_boundary(i) || !bodies.is_owned(i)) return;
    Vec6& of_body = to[static_cast<std::size_t>(i)];
    of_body += sign * momentum_of(on_a.head<3>(), arm);
    of_body.tail<3>() += sign * on_a.tail<3>();
  };
  add(contact.a, contact.arm_a, 1);
  add(contact.b, contact.arm_b, -1);
}

Vec6 ImpactUpdate::put_on_a(const Contact& contact, const std::vector<Velocity>& velocity) const {
  return contact.taken(parting(contact, velocity), spinning(contact, velocity)) + contact.early;
}

std::vector<Vec6> ImpactUpdate::impulses(const std::vector<Contact>& contacts,
                                         const std::vector<Velocity>& start) const {
  const Bodies& bodies = problem_->world().bodies();
  std::vector<Vec6> impulse(static_cast<std::size_t>(bodies.owned), Vec6::Zero());
  for (const Contact& contact : contacts) add_impulse(contact, put_on_a(contact, start), impulse);
  return impulse;
}

double ImpactUpdate::kinetic(const std::vector<Velocity>& velocity) const {
  const Bodies& bodies = problem_->world().bodies();
  double sum = 0;
  for (int i = 0; i < bodies.owned; ++i) {
    const Velocity& v = velocity[static_cast<std::size_t>(i)];
    sum += 0.5 * v.dot(inertia_of(bodies.properties[i], bodies.trial[i].R) * v);
  }
  return sum;
}

ImpactUpdate::WallWork ImpactUpdate::wall_work(const Contact& contact, const Vec6& on_a) const {
  const auto work_at = [&](const Velocity& wall) {
    return on_a.head<3>().dot(velocity_at(wall, contact.arm_b)) + on_a.tail<3>().dot(wall.tail<3>());
  };
  const double whole = work_at(contact.of_b(velocity_));
  return {whole, contact.on_place ? whole - work_at(contact.place_mean) : whole};
}

double ImpactUpdate::lost_in_the_step(const Contact& contact) const {
  if (!contact.counted) return 0;
  const double net = net_impulse(contact) / problem_->frame().h;
  return lost_in_step(contact.slip, contact.friction ? contact.coefficient * net : contact.slip.limit) +
         lost_in_step(contact.roll, contact.lever * net);
}

double ImpactUpdate::energy_to_wind(const Contact& contact, const Vec3& now) const {
  const double update = contact.across * contact::project(now, contact.n).squaredNorm();
  if (!(contact.spring > 0) || !(update > 0)) return 0;
  const double limit = contact.coefficient * net_impulse(contact) / problem_->frame().h;
  // Spring and update together hold no more than all of the friction of the step took.
  const double taken = update + std::max(lost_in_step(contact.slip, limit), 0.0);
  const double whole = (contact.slip.kept + contact.slip.moved).norm();
  const auto stored = [&](double under) {
    const double end = std::min(under / contact.spring, whole);
    return 0.5 * contact.spring * end * end;
  };
  const double more = stored(contact.rises * limit) - stored(std::min(limit, contact.slip.limit));
  return contact.resolved * std::min(more, taken);
}

bool ImpactUpdate::gave_too_much(const std::vector<Contact>& contacts, double kinetic_before) const {
  double sums[2] = {0, kinetic_before - kinetic(velocity_)};
  for (const Contact& contact : contacts) {
    sums[0] += contact.early.squaredNorm();
    sums[1] += lost_in_the_step(contact);
    if (!contact.counted || !problem_->world().bodies().is_boundary(contact.b)) continue;
    sums[1] += wall_work(contact, put_on_a(contact, velocity_)).whole;
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, problem_->world().comm());
  return sums[0] > 0 && sums[1] < 0;
}

void ImpactUpdate::give_back(std::vector<Contact>& contacts, ImpactEnergy& energy) {
  const Bodies& bodies = problem_->world().bodies();
  std::vector<Velocity> momentum(static_cast<std::size_t>(bodies.owned), Velocity::Zero());
  // Of giving all of it back: linear and quadratic part of what that does. What friction and damping took,
  // and what springs store of it.
  double sums[5] = {0, 0, energy.friction, energy.damping, 0};
  double in_springs = 0;
  WallWork walls;
  for (Contact& contact : contacts) {
    const Vec3 now = parting(contact, velocity_);
    const Vec3 spin = spinning(contact, velocity_);
    // Negative where others close the contact: its row pushes them apart.
    contact.taken_along = contact.row.weight * contact.push.dot(now);
    contact.update = put_on_a(contact, velocity_);
    const double net = net_impulse(contact);
    const double lost_before = lost_in_the_step(contact);
    sums[2] += lost_before;
    energy.before += lost_before;
    contact.friction_impulse += contact.across * contact::project(now, contact.n) - contact.early.head<3>();
    contact.rolling_impulse += contact.turn * contact::project(spin, contact.n) - contact.early.tail<3>();
    if (contact.friction)
      contact.back.head<3>() = beyond(contact.friction_impulse, contact.coefficient * net);
    if (contact.rolling) contact.back.tail<3>() = beyond(contact.rolling_impulse, contact.lever * net);
    contact.wound = energy_to_wind(contact, now);
    if (contact.counted) in_springs += contact.wound;
    if (contact.back.isZero(0)) continue;
    const Vec3 back = contact.back.head<3>();
    const Vec3 back_roll = contact.back.tail<3>();
    add_impulse(contact, contact.back, momentum);
    if (!contact.counted) continue;
    sums[0] += back.dot(now) + back_roll.dot(spin);
    if (bodies.is_boundary(contact.b)) {
      const WallWork work = wall_work(contact, contact.back);
      walls.whole += work.whole;
      walls.beside += work.beside;
    }
  }
  for (int i = 0; i < bodies.owned; ++i) {
    const Velocity& w = momentum[static_cast<std::size_t>(i)];
    sums[1] += 0.5 * w.dot(mobility_[static_cast<std::size_t>(i)] * w);
  }
  sums[4] = in_springs;
  MPI_Allreduce(MPI_IN_PLACE, sums, 5, MPI_DOUBLE, MPI_SUM, problem_->world().comm());
  const double lost = std::max(sums[2] + sums[3], 0.0);
  double part = 1;
  if (sums[0] + sums[1] > lost) {
    // Largest part with sums[0] part + sums[1] part^2 <= lost.
    part = sums[1] > 0
               ? (-sums[0] + std::sqrt(std::max(sums[0] * sums[0] + 4 * sums[1] * lost, 0.0))) / (2 * sums[1])
               : 0.0;
    part = std::clamp(part, 0.0, 1.0);
  }
  const double given = part * sums[0] + part * part * sums[1];
  const double left = std::max(lost - std::max(given, 0.0), 0.0);
  const double stored = sums[4] > left ? left / sums[4] : 1.0;
  energy.before -= stored * in_springs;
  for (const Contact& contact : contacts)
    problem_->note_update(contact, contact.taken_along, contact.update + part * contact.back,
                          stored * contact.wound);
  const double of_friction = given > std::max(sums[2], 0.0) ? std::max(sums[2], 0.0) / given : 1.0;
  const double before = kinetic(velocity_);
  for (int i = 0; i < bodies.owned; ++i) {
    velocity_[static_cast<std::size_t>(i)] +=
        part * (mobility_[static_cast<std::size_t>(i)] * momentum[static_cast<std::size_t>(i)]);
  }
  energy.work_of_boundaries += part * walls.beside;
  const double back = kinetic(velocity_) - before - part * walls.whole;
  energy.friction -= of_friction * back;
  energy.damping -= (1 - of_friction) * back;
}

std::string ImpactUpdate::apply(double tolerance, ImpactEnergy& energy) {
  static const petsc::LogEvent event("ScreeImpacts");
  const petsc::LogScope scope(event);
  energy = {};
  factored_ = false;
  turn_ = 0;
  const World& world = problem_->world();
  const Bodies& bodies = world.bodies();
  std::vector<Contact>& contacts = contacts_;
  contacts.clear();
  for (const contact::Impact& impact : world.contacts().impacts().all(bodies)) contacts.push_back({impact});
  if (!world.on_any_rank(!contacts.empty())) return "";
  before_.resize(static_cast<std::size_t>(bodies.all()));
  velocity_.resize(before_.size());
  mobility_.resize(static_cast<std::size_t>(bodies.moving()));
  for (int i = 0; i < bodies.all(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    velocity_[at] << bodies.trial[i].v, bodies.trial[i].w;
    before_[at] = velocity_[at];
    if (bodies.is_boundary(i)) continue;
    before_[at] << bodies.state[i].v, bodies.state[i].w;
    mobility_[at] = mobility_of(bodies.properties[i], bodies.trial[i].R);
  }
  loads_.begin(world, 0.5 * (problem_->frame().start + problem_->frame().end));
  const double quiet = kQuietPart * problem_->frame().h * tolerance;
  double changes = 0;
  for (Contact& contact : contacts) {
    // Of a light body less is noticed.
    double share = problem_->tolerances().share_of_loads(contact.a);
    if (!bodies.is_boundary(contact.b))
      share = std::min(share, problem_->tolerances().share_of_loads(contact.b));
    weigh(contact, share * quiet);
    changes = std::max({changes, contact.row.weight, contact.across, contact.turn});
  }
  const double kinetic_before = kinetic(velocity_);
  if (world.max_over_ranks(changes) > 0) {
    const std::vector<Velocity> start = velocity_;
    std::vector<Vec6> impulse;
    std::vector<Velocity> change(mobility_.size(), Velocity::Zero());
    const auto solve = [&](ImpactAccuracy accuracy) {
      const bool found = system_.solve(impulse, accuracy, change);
      factored_ = system_.factored();
      for (std::size_t i = 0; i < change.size(); ++i) velocity_[i] = start[i] + change[i];
      return found;
    };
    lay_out(contacts);
    for (int k = 0; k <= kMostCorrections; ++k) {
      if (k > 0) {
        // Of friction by the normal weights of the last solution.
        const bool excess = correct_excess(contacts);
        const bool friction = correct_friction(contacts);
        const bool normal = correct_normal(contacts);
        if (!world.on_any_rank(excess || friction || normal)) break;
      }
      fill(contacts);
      impulse = impulses(contacts, start);
      if (!solve(ImpactAccuracy::weights)) return kNotFound;
    }
    if (!solve(ImpactAccuracy::result)) return kNotFound;
    if (gave_too_much(contacts, kinetic_before)) {
      for (Contact& contact : contacts) contact.early.setZero();
      impulse = impulses(contacts, start);
      if (!solve(ImpactAccuracy::result)) return kNotFound;
    }
    problem_->forget_evaluation();
  }
  WallWork walls;
  for (const Contact& contact : contacts) {
    if (!contact.counted) continue;
    const Vec3 now = parting(contact, velocity_);
    const Vec3 spin = spinning(contact, velocity_);
    // Where the normal row turns the slip round, it is its work, not that of the rows across.
    const double least = contact.row.weight > 0 ? 0.0 : -kInfinity;
    const double across = 0.5 * contact.across * contact::project(now, contact.n).dot(contact.end + now);
    const double turning =
        0.5 * contact.turn * contact::project(spin, contact.n).dot(contact.end_spin + spin);
    energy.friction += std::max(across, least) + std::max(turning, least);
    energy.friction -= 0.5 * (contact.early.head<3>().dot(contact.end + now) +
                              contact.early.tail<3>().dot(contact.end_spin + spin));
    if (!bodies.is_boundary(contact.b)) continue;
    const WallWork work = wall_work(contact, put_on_a(contact, velocity_));
    walls.whole += work.whole;
    walls.beside += work.beside;
  }
  energy.work_of_boundaries = walls.beside;
  energy.damping = kinetic_before - kinetic(velocity_) + walls.whole - energy.friction;
  give_back(contacts, energy);
  problem_->set_velocities(velocity_);
  std::vector<std::array<int, 2>> touching;
  touching.reserve(contacts.size());
  for (const Contact& contact : contacts) touching.push_back({contact.a, contact.b});
  turn_ = turn_of_impacts(world, touching, problem_->frame().h);
  return "";
}

}  // namespace scree
