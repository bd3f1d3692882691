#include "passages.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "distances.hpp"
#include "meshes.hpp"
#include "neighbours.hpp"
#include "separation.hpp"
#include "walls.hpp"

namespace intersection {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Size of a core, as part of the solid's; the least of it, where deep overlap is allowed.
constexpr double kCore = 0.7;
constexpr double kLeastCore = 0.05;

/// Overlap that is allowed is left outside of cores by this factor.
constexpr double kBeyondAllowed = 1.5;

/// Balls in a solid that is not convex, at most.
constexpr int kMostBalls = 64;

/// What is nearer than this part of a core's margin has met.
constexpr double kMet = 1e-3;

/// A pole that went this many times as far as its velocities take it, and its size, was brought back.
constexpr double kWrapped = 2;

double core_factor(double thickness, double allowed) {
  return std::clamp(1 - kBeyondAllowed * allowed / thickness, kLeastCore, kCore);
}

/// Balls under the faces, each halfway to the other side.
void add_balls(const Solid& solid, double allowed, Core& core) {
  std::vector<Vector> points;
  for (const auto& v : solid.vertices) points.emplace_back(v.cast<Real>());
  const auto distance = [&](const Vector& p) {
    Real nearest = std::numeric_limits<Real>::infinity();
    for (const auto& face : solid.faces)
      nearest = std::min(nearest, polygon_distance(p, p, corners(points, face)));
    return static_cast<double>(nearest);
  };
  const std::size_t stride = solid.faces.size() / kMostBalls + 1;
  for (std::size_t f = 0; f < solid.faces.size(); f += stride) {
    const auto loop = corners(points, solid.faces[f]);
    Vector middle = Vector::Zero();
    for (const Vector& p : loop) middle += p / static_cast<Real>(loop.size());
    const Vector inward = -loop_normal(loop).normalized();
    Vector centre = middle;
    double radius = 0;
    // The deepest of some points below the face.
    for (int k = 1; k <= 32; ++k) {
      const Vector p = middle + inward * (solid.bounding_radius * k / 16.0);
      const double r = surrounds(solid, points, p) ? distance(p) : 0;
      if (r > radius) {
        radius = r;
        centre = p;
      } else if (r == 0) {
        break;
      }
    }
    if (radius == 0) continue;
    Solid ball;
    ball.vertices = {centre.cast<double>()};
    ball.radius = core_factor(radius, allowed) * radius;
    ball.prepare();
    core.margin = std::min(core.margin, radius - ball.radius);
    core.parts.push_back(std::move(ball));
  }
}

Pose between(const Pose& a, const Pose& b, double t) { return {a.x + t * (b.x - a.x), a.q.slerp(t, b.q)}; }

/// Turn from one pose to another: angle in [0, pi] and axis.
Eigen::AngleAxisd turn_between(const Pose& a, const Pose& b) {
  Eigen::Quaterniond q = b.q * a.q.conjugate();
  if (q.w() < 0) q.coeffs() *= -1;
  return Eigen::AngleAxisd(q.normalized());
}

/// A way from one pose to another.
struct Way {
  Pose from, to;
  Eigen::AngleAxisd turn;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< point that turning is about, at `from`
  Eigen::Vector3d shift = Eigen::Vector3d::Zero();   ///< of that point

  Way(const Pose& a, const Pose& b, bool screw) : from(a), to(b), turn(turn_between(a, b)) {
    centre = a.x;
    shift = b.x - a.x;
    if (!screw || turn.angle() < 1e-9) return;
    // Chasles: the axis goes through c = (x_a + x_b')/2 + cot(angle/2)/2 n x (x_b' - x_a), with x_b' = x_b
    // less what goes along the axis n.
    const Eigen::Vector3d n = turn.axis();
    const Eigen::Vector3d along = n * n.dot(shift), across = shift - along;
    centre = a.x + 0.5 * across + 0.5 / std::tan(0.5 * turn.angle()) * n.cross(across);
    shift = along;
  }
  [[nodiscard]] Pose at(double t) const {
    const Eigen::Quaterniond q(Eigen::AngleAxisd(t * turn.angle(), turn.axis()));
    return {centre + t * shift + q * (from.x - centre), q * from.q};
  }
};

/// Whether a distance that changes by at most `speed` per unit of t vanishes on [0, 1].
template <class Distance>
bool vanishes(Distance&& distance, double speed, double met) {
  for (double t = 0; t < 1;) {
    const double apart = distance(t);
    if (apart <= met) return true;
    t += apart / speed;
  }
  return false;
}

}  // namespace

Core core_of(const Solid& solid, double allowed) {
  Core core;
  core.margin = kInfinity;
  if (!solid.convex) {
    add_balls(solid, allowed, core);
    return core;
  }
  Solid part = solid;
  double thickness = solid.radius;
  for (const auto& face : solid.faces) {
    const auto loop = corners(solid.vertices, face);
    const double depth = loop_normal(loop).normalized().dot(loop[0]);
    thickness = thickness == 0 ? depth : std::min(thickness, depth);
  }
  const double factor = core_factor(thickness, allowed);
  if (!solid.faces.empty()) {
    for (auto& v : part.vertices) v *= factor;
  }
  part.radius *= factor;
  part.prepare();
  core.margin = (1 - factor) * thickness;
  core.parts = {part};
  return core;
}

Passages::Passages(const TraceReader& trace, double allowed) : trace_(trace) {
  for (const Solid& solid : trace.solids) cores_.push_back(core_of(solid, allowed));
  for (const auto solid : trace.solid_of) radii_.push_back(trace.solids[solid].bounding_radius);
}

bool Passages::wrapped(int body, const State& now) const {
  const double fastest = std::max(before_.velocities[body].norm(), now.velocities[body].norm());
  return (now.poses[body].x - before_.poses[body].x).norm() >
         kWrapped * (fastest * (now.time - before_.time) + radii_[body]);
}

bool Passages::core_meets(int a, int b, const State& now) const {
  const Pose &a0 = before_.poses[a], &a1 = now.poses[a], &b0 = before_.poses[b], &b1 = now.poses[b];
  const double speed = ((a1.x - a0.x) - (b1.x - b0.x)).norm() + turn_between(a0, a1).angle() * radii_[a] +
                       turn_between(b0, b1).angle() * radii_[b];
  if (speed < core(a).margin) return false;
  return std::any_of(core(a).parts.begin(), core(a).parts.end(), [&](const Solid& part) {
    return vanishes(
        [&](double t) {
          return static_cast<double>(
              separation(part, between(a0, a1, t), solid(b), between(b0, b1, t)).value);
        },
        speed, kMet * core(a).margin);
  });
}

bool Passages::meets_wall(int body, int wall, const State& now, bool screw) const {
  const Pose &a0 = before_.poses[body], &a1 = now.poses[body];
  const Way way(before_.walls[wall], now.walls[wall], screw);
  const Eigen::Vector3d relative = a1.x - a0.x - way.shift;
  // Points of the core as the wall sees them; the arm of its pole from the centre changes evenly.
  const Eigen::Vector3d carried = way.turn.angle() * way.turn.axis().cross(a0.x - way.centre);
  const double speed = (relative - carried).norm() + way.turn.angle() * relative.norm() +
                       (turn_between(a0, a1).angle() + way.turn.angle()) * radii_[body];
  if (speed < core(body).margin) return false;
  return std::any_of(core(body).parts.begin(), core(body).parts.end(), [&](const Solid& part) {
    return vanishes(
        [&](double t) {
          return static_cast<double>(
              separation(part, between(a0, a1, t), trace_.walls[wall], way.at(t), speed).value);
        },
        speed, kMet * core(body).margin);
  });
}

std::vector<Passage> Passages::next(const State& state) {
  std::vector<Passage> passages;
  if (first_) {
    first_ = false;
    before_ = state;
    return passages;
  }
  const int bodies = static_cast<int>(state.poses.size());
  std::vector<char> left_out(static_cast<std::size_t>(bodies), 0);
  double farthest = 0;
  double least_margin = kInfinity;
  for (int i = 0; i < bodies; ++i) {
    left_out[i] = wrapped(i, state) ? 1 : 0;
    if (left_out[i] != 0) continue;
    const double moved = (state.poses[i].x - before_.poses[i].x).norm();
    const double turned = turn_between(before_.poses[i], state.poses[i]).angle() * radii_[i];
    farthest = std::max(farthest, moved + turned);
    least_margin = std::min(least_margin, core(i).margin);
  }
  if (2 * farthest >= least_margin) {
    for (const auto& [a, b] : near_pairs(before_.poses, radii_, 2 * farthest)) {
      if (left_out[a] == 0 && left_out[b] == 0 && (core_meets(a, b, state) || core_meets(b, a, state)))
        passages.push_back({a, b});
    }
  }
  for (int w = 0; w < static_cast<int>(trace_.walls.size()); ++w) {
    const Wall& wall = trace_.walls[w];
    if (before_.time < wall.from || state.time > wall.until) continue;
    // Behind these there is nothing: a state shows what went through.
    if (wall.kind == WallKind::plane || wall.kind == WallKind::bore || wall.kind == WallKind::cavity)
      continue;
    for (int i = 0; i < bodies; ++i) {
      if (left_out[i] == 0 && meets_wall(i, w, state, false) && meets_wall(i, w, state, true))
        passages.push_back({i, -1 - w});
    }
  }
  before_ = state;
  return passages;
}

}  // namespace intersection
