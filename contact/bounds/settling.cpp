#include "contact/bounds/settling.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "contact/bounds/approach.hpp"
#include "contact/geometry/closest_points.hpp"
#include "contact/pair/pair_history.hpp"
#include "contact/surface/deforming_surface.hpp"

namespace scree::contact {
namespace {

/// Change of a velocity in a step, over the velocity, that is smooth motion.
constexpr double kSmooth = 0.5;

/// Acceleration by which a spin turns a velocity round, over gravity, from which on it takes bodies around.
constexpr double kAround = 1e-3;
/// Bodies whose spins differ by less than this part of them are taken around together.
constexpr double kTogether = 0.1;

/// A wall that is no plane, and how fast it and a body go past each other where the body is [m/s].
struct FastWall {
  const BodyPair* pair;
  double speed;
};

/// Velocity and spin of B in the step under way.
struct MotionOfB {
  Vec3 v, w;  ///< of its pole [m/s], [rad/s]
};

/// The same of the place under a contact of a surface that deforms; its pole is the origin.
MotionOfB motion_under(const BodyPair& pair, const DeformingSurface& surface, const HistoryEntry& entry,
                       double h) {
  const BodyTrial motion = surface.motion_over(place_of_contact(pair, surface, entry), 1);
  const Vec3 spin = motion.alpha / h;
  return {motion.u / h - spin.cross(motion.x - 0.5 * motion.u), spin};
}

/// Whether two bodies meet in free fall: without the other each of them fell in the step before as gravity
/// alone has it. Of bodies that hold each other up one at most does.
bool meet_in_fall(const BodyPair& pair, const Bodies& bodies, const Vec3& gravity) {
  constexpr double kOthers = 0.01;  // of gravity: what other forces do to a body that falls freely
  const Vec3 on_a = force_before(pair);
  const double most = kOthers * gravity.norm();
  const auto falls = [&](int i, double sign) {
    return (bodies.state[i].a - sign / bodies.properties[i].mass * on_a - gravity).norm() < most;
  };
  return falls(pair.a, 1) && falls(pair.b, -1);
}

/// What the forces by which a pair comes to rest took in the step [J].
double taken_by_settling(const BodyPair& pair) {
  double sum = 0;
  for (const Active& contact : pair.active) sum += contact.settled;
  return sum;
}

/// How far a contact is from flight towards rest. @param turn angle by which its oscillation turns in a step.
double grade(double turn, bool damped) {
  // A law that damps nothing leaves all to this, also where steps resolve it: h^2 omega^2 / 2 of the critical
  // damping.
  return std::clamp(damped ? 0.5 * (turn - 1) : turn, 0.0, 1.0);
}

}  // namespace

Settling::Weights Settling::weigh(const Bodies& bodies, const RestStep& step) {
  const double h = step.h;
  const double slow = step.slow;
  const auto count = static_cast<std::size_t>(bodies.all());
  Weights weights{std::vector<double>(count, 0.0), std::vector<char>(count, 0),
                  std::vector<double>(count, 0.0)};
  auto& [settling, hit, struck] = weights;
  for (BodyPair& pair : list_->pairs()) pair.settling = 0;
  std::vector<FastWall> fast_walls;
  for (const AwakePair& awake : list_->awake()) {
    BodyPair& pair = list_->pairs()[awake.pair];
    if (!pair.acts) continue;
    const auto a = static_cast<std::size_t>(pair.a);
    const auto b = static_cast<std::size_t>(pair.b);
    const bool wall = bodies.is_boundary(pair.b);
    const DeformingSurface* surface = geometry_->surface_of(bodies, pair.b);
    MotionOfB of_other{wall ? bodies.trial[pair.b].v : bodies.state[pair.b].v,
                       wall ? bodies.trial[pair.b].w : bodies.state[pair.b].w};
    const auto go_under = [&](const HistoryEntry& entry) {
      if (surface != nullptr) of_other = motion_under(pair, *surface, entry, h);
    };
    const BodyState& of_a = bodies.state[pair.a];
    // A step that ends in the middle of an impact leaves a body slow for a moment. Its contact is that
    // impact, also where what it hits is at rest.
    const auto thrown = [&](const BodyState& body, int i) {
      const bool turns = pole_fixed(bodies.properties[i].fixed);
      const double acceleration =
          turns ? body.dw.norm() * model_->shape_of(bodies, i).bounding_radius : body.a.norm();
      return acceleration * h > slow;
    };
    if (thrown(of_a, pair.a)) struck[a] = 1;
    if (!wall && thrown(bodies.state[pair.b], pair.b)) struck[b] = 1;
    const auto rate = [&](const Vec3& arm_a, const Vec3& arm_b) {
      return Vec3(of_a.v + of_a.w.cross(arm_a) - of_other.v - of_other.w.cross(arm_b));
    };
    const Vec3 from_b = of_a.x - bodies.state[pair.b].x - pair.shift;
    if (pair.history.empty()) {
      // What is near follows from poles and radii alone: lists are of another age on each number of ranks.
      const Shape& other = model_->shape_of(bodies, pair.b);
      // A wall has the velocity of its place there; of a body any place of its surface may come near.
      const Vec3 apart = wall ? rate(Vec3::Zero(), from_b) : Vec3(of_a.v - of_other.v);
      if (wall && other.kind != ShapeKind::plane) {
        const double speed = apart.norm() + (surface != nullptr ? surface->largest_way() / h : 0.0);
        if (speed > slow) fast_walls.push_back({&pair, speed});
        continue;
      }
      const double radius = model_->shape_of(bodies, pair.a).bounding_radius;
      const BodyState& of_b = bodies.state[pair.b];
      const double spinning = wall ? 0.0 : of_a.w.norm() * radius + of_other.w.norm() * other.bounding_radius;
      const double gap = wall ? (of_b.q * Vec3::UnitZ()).dot(from_b) - radius
                              : from_b.norm() - radius - other.bounding_radius;
      const double speed = approach_speed(other, of_b.q.toRotationMatrix(), apart) + spinning;
      if (speed > slow && speed * h > gap) struck[a] = struck[b] = 1;
      continue;
    }
    const NormalLaw& law = model_->law(pair).normal;
    const bool damped = law.restitution(pair) < 1;
    // Without friction nothing is lost. With it, what vibrates for ever would creep on any slope.
    if (!damped && (step.detailed || !model_->law(pair).friction_acts(step.time))) {
      hit[a] = hit[b] = 1;
      continue;
    }
    // Nothing presses them on each other.
    if (!wall && meet_in_fall(pair, bodies, step.gravity)) {
      hit[a] = hit[b] = 1;
      continue;
    }
    // Bodies that slide or roll on each other are not at rest.
    go_under(pair.history.front());
    const double speed = rate(Vec3::Zero(), from_b).norm();
    if (speed > slow) hit[a] = hit[b] = 1;
    // What a boundary takes around changes its velocity all the time, and so does what lies on that. Contacts
    // are damped, not those velocities.
    const auto goes_around = [&](const Vec3& w, const Vec3& v) {
      return w.cross(v).norm() > kAround * step.gravity.norm();
    };
    const bool taken_around =
        damped && (wall ? goes_around(of_other.w, of_other.v + of_other.w.cross(from_b))
                        : goes_around(of_a.w, of_a.v) && goes_around(of_other.w, of_other.v) &&
                              (of_a.w - of_other.w).norm() < kTogether * of_a.w.norm());
    // What changes its velocity little in a step swings, slides or rolls: it does not ring. Velocities are
    // those on the other body, or a moving wall would carry all that it touches past this.
    const auto glides = [&](const BodyState& body) {
      const double change = body.a.norm() * h;
      return change < kSmooth * speed && (wall || change < kSmooth * body.v.norm());
    };
    if (glides(of_a)) hit[a] = 1;
    if (!wall && glides(bodies.state[pair.b])) hit[b] = 1;
    // Their contacts are, if no place of the smaller one comes or goes faster than slowly.
    double radius = model_->shape_of(bodies, pair.a).bounding_radius;
    if (!wall) radius = std::min(radius, model_->shape_of(bodies, pair.b).bounding_radius);
    double stiffest = 0, fastest = 0, stiffest_that_rings = 0;
    for (const HistoryEntry& entry : pair.history) {
      go_under(entry);
      const Vec3 spin = of_a.w - of_other.w;
      const Vec3 apart = rate(entry.arm_a, entry.arm_b);
      if (apart.norm() > slow) hit[a] = hit[b] = 1;
      if (std::abs(entry.n.dot(apart)) > slow) struck[a] = struck[b] = 1;
      fastest = std::max(fastest, std::abs(entry.n.dot(apart)) + 2 * radius * entry.n.cross(spin).norm());
      const double stiffness = std::max(-law.at(entry.gap_n, pair).slope, 0.0);
      const double own = grade(h * std::sqrt(stiffness / pair.m_star), damped);
      stiffest = std::max(stiffest, own);
      if (!damped || entry.rings()) stiffest_that_rings = std::max(stiffest_that_rings, own);
    }
    // What swings or rocks is slow where it turns round, too, and its contacts do not ring. Those of a law
    // that damps nothing do, and slowly where steps resolve them.
    if (!taken_around) settling[a] = std::max(settling[a], stiffest_that_rings);
    if (!wall && !taken_around) settling[b] = std::max(settling[b], stiffest_that_rings);
    // Rounding must not decide: a ball that slides under friction has spins of whole numbers of g h.
    if (damped && fastest < 2 * slow) pair.settling = std::min(2 - fastest / slow, 1.0) * stiffest;
  }
  // Distances to walls that are no planes take time: of what would come to rest alone.
  for (const auto& [pair, speed] : fast_walls) {
    const auto a = static_cast<std::size_t>(pair->a);
    if (!(settling[a] > 0) || struck[a] != 0) continue;
    const BodyState& of_b = bodies.state[pair->b];
    const Vec3 place = of_b.q.conjugate() * (bodies.state[pair->a].x - of_b.x - pair->shift);
    const double reach = model_->shape_of(bodies, pair->a).bounding_radius + speed * h;
    if (distance_to_shape(model_->shape_of(bodies, pair->b), place) < reach) struck[a] = 1;
  }
  return weights;
}

void Settling::hand_on(const Bodies& bodies, Weights& weights) {
  auto& [settling, hit, struck] = weights;
  for (const AwakePair& awake : list_->awake()) {
    BodyPair& pair = list_->pairs()[awake.pair];
    if (!pair.acts || pair.history.empty()) continue;
    const auto a = static_cast<std::size_t>(pair.a);
    const auto b = static_cast<std::size_t>(pair.b);
    // Walls hand nothing on, or all that lies on a floor would depend on what hits it elsewhere.
    if (struck[a] == 0 && (bodies.is_boundary(pair.b) || struck[b] == 0)) continue;
    hit[a] = hit[b] = 1;
    pair.settling = 0;
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(bodies.moving()); ++i) {
    if (struck[i] != 0) hit[i] = 1;
    if (hit[i] != 0) settling[i] = 0;
  }
}

std::vector<double> Settling::support(const Bodies& bodies) const {
  std::vector<double> support(static_cast<std::size_t>(bodies.all()), 0.0);
  for (const AwakePair& awake : list_->awake()) {
    for (const HistoryEntry& entry : list_->pairs()[awake.pair].history) {
      support[awake.a] = std::max(support[awake.a], entry.normal_n);
      support[awake.b] = std::max(support[awake.b], entry.normal_n);
    }
  }
  return support;
}

double Settling::taken(const Bodies& bodies) const {
  double sum = 0;
  for (const AwakePair& awake : list_->awake()) {
    const BodyPair& pair = list_->pairs()[awake.pair];
    if (counted(bodies, pair)) sum += taken_by_settling(pair);
  }
  return sum;
}

void Settling::leave_out() {
  // Each rank of a pair has to decide alike: not by the sign of round-off.
  constexpr double kRoundOff = 1e-9;
  for (const AwakePair& awake : list_->awake()) {
    BodyPair& pair = list_->pairs()[awake.pair];
    double size = 0;
    for (const Active& contact : pair.active) size += std::abs(contact.settled);
    if (taken_by_settling(pair) < -kRoundOff * size) pair.never_settles = left_out_ = true;
  }
}

void Settling::restore() {
  if (!left_out_) return;
  for (BodyPair& pair : list_->pairs()) pair.never_settles = false;
  left_out_ = false;
}

}  // namespace scree::contact
