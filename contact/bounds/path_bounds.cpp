#include "contact/bounds/path_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "contact/geometry/placed_body.hpp"
#include "contact/neighbours/body_motion.hpp"
#include "contact/pair/pair_evaluate.hpp"
#include "contact/search/candidates.hpp"
#include "contact/superquadric/smooth_terms.hpp"
#include "contact/surface/deforming_surface.hpp"
#include "core/infinity.hpp"
#include "core/interrupt.hpp"
#include "core/rotation.hpp"

namespace scree::contact {
namespace {

/// Part of a gap that has to remain along a clear path (sigma of theory 03 section 6).
constexpr double kKeep = 0.1;

/// Steps of the check of one path. Resolved paths need 6, at most about 30; one that slides along a surface
/// needs as many as it is longer than the gap.
constexpr int kMostAdvances = 1000;

/// Reach of the next list of features of a pair over that of one that was empty.
constexpr double kWider = 4;

/// Pose of a boundary on a path: it turns about its centre, and the centre goes straight.
Pose wall_pose(const Bodies& bodies, const Path& path, int w, double t) {
  const BodyTrial& from = bodies.trial[w];
  const Mat3 back = from.Q.transpose();
  const Mat3 turned = rotation::matrix(from.alpha + t * path.dalpha[w]) * back;
  Pose pose{from.x + t * path.du[w], turned * from.R};
  if (path.centres.empty() || path.dalpha[w].isZero(0)) return pose;
  const Vec3 arm = from.x - path.centres[static_cast<std::size_t>(w - bodies.moving())];
  const Mat3 whole = rotation::matrix(from.alpha + path.dalpha[w]) * back;
  // centre + t (way of the centre) + turned arm, with the way that leads to the end of the path.
  pose.x += (turned * arm - arm) - t * (whole * arm - arm);
  return pose;
}

/// Change of the phase of a boundary along a path.
double deforms(const Path& path, const Bodies& bodies, int i) {
  return path.phases.empty() ? 0.0 : path.phases[static_cast<std::size_t>(i - bodies.moving())];
}

bool stands_still(const Bodies& bodies, const Path& path, int i) {
  return path.du[i].isZero(0) && path.dalpha[i].isZero(0) &&
         (!bodies.is_boundary(i) || deforms(path, bodies, i) == 0);
}

Pose pose_of(const BodyTrial& from, const Path& path, int i, double t) {
  return {from.x + t * path.du[i],
          rotation::matrix(from.alpha + t * path.dalpha[i]) * from.Q.transpose() * from.R};
}

/// What has to remain along a path of a gap that includes the depth allowed [m]: a part of it, and where
/// overlap is allowed half of that depth, or half of what is left of it. So one step does not press bodies
/// through each other, and one that is pressed deep can still be pressed deeper.
double least_gap_on_path(double gap, double deep) { return std::max(kKeep * gap, 0.5 * std::min(gap, deep)); }

}  // namespace

double PathBounds::motion_along(const Bodies& bodies, const Path& path) const {
  double largest = 0;
  for (int i = 0; i < bodies.moving(); ++i) {
    const BodyTrial& trial = bodies.trial[i];
    largest = std::max(largest, (trial.u + path.du[i]).norm() +
                                    bodies.properties[i].length * (trial.alpha + path.dalpha[i]).norm());
  }
  for (int w = bodies.moving(); w < bodies.all(); ++w) {
    if (const DeformingSurface* surface = geometry_->surface_of(bodies, w)) {
      const double phase = bodies.trial[w].phase + std::max(deforms(path, bodies, w), 0.0);
      largest = std::max(largest, phase * surface->largest_way());
      continue;
    }
    // An arc may end near its beginning.
    for (const double t : {0.5, 1.0}) {
      const double motion = largest_wall_motion(
          bodies, model_->shape_of(bodies, w), bodies.state[w], wall_pose(bodies, path, w, t),
          [&](int i) { return Vec3(bodies.trial[i].x + t * path.du[i]); });
      largest = std::max(largest, motion);
      if (path.dalpha[w].isZero(0)) break;  // a straight way is longest at its end
    }
  }
  return largest;
}

double PathBounds::closing_speed(int ia, int ib, const Bodies& bodies, const Path& path) const {
  const std::vector<Vec3>& du = path.du;
  const std::vector<Vec3>& dalpha = path.dalpha;
  const double own = bodies.properties[ia].length;
  const double turn_a = dalpha[ia].norm();
  const double turn_b = dalpha[ib].norm();
  if (!bodies.is_boundary(ib))
    return (du[ia] - du[ib]).norm() + own * turn_a + bodies.properties[ib].length * turn_b;
  if (stands_still(bodies, path, ib)) return du[ia].norm() + own * turn_a;
  if (const DeformingSurface* surface = geometry_->surface_of(bodies, ib))
    return du[ia].norm() + own * turn_a + std::abs(deforms(path, bodies, ib)) * surface->largest_way();
  const BodyTrial& a = bodies.trial[ia];
  const BodyTrial& b = bodies.trial[ib];
  const Shape& wall = model_->shape_of(bodies, ib);
  const double reach = own + du[ia].norm();
  double shape_change = 0;
  for (const double t : {0.5, 1.0}) {
    const Pose pose = wall_pose(bodies, path, ib, t);
    shape_change = std::max(shape_change, wall_motion(wall, b.x, b.R, pose.x, pose.R, a.x, reach));
  }
  // A wall that slides or spins in itself is the same wall all along the path.
  if (shape_change < 1e-9 * own) return du[ia].norm() + own * turn_a + 2 * shape_change;
  // Velocity of A's points relative to the wall's frame: the spin of the path is dalpha to first order, with
  // |spin| <= |dalpha| and |spin - dalpha| <= |dalpha|^3 for paths of less than half a turn (theory 01
  // section 3), and the arm from the centre, which goes straight, changes by `relative`.
  const bool about_pole = path.centres.empty();
  const Vec3 centre = about_pole ? b.x : path.centres[static_cast<std::size_t>(ib - bodies.moving())];
  const Pose end = wall_pose(bodies, path, ib, 1);
  const Vec3 way = end.x - centre - end.R * b.R.transpose() * (b.x - centre);  // of the centre
  const Vec3 relative = du[ia] - way;
  const Vec3 arm = a.x - centre;
  const double cubed = turn_b * turn_b * turn_b;
  return (relative - dalpha[ib].cross(arm)).norm() + own * (turn_a + turn_b) + turn_b * relative.norm() +
         (cubed + turn_b * b.alpha.norm()) * arm.norm();
}

ClearPart PathBounds::advance(BodyPair& pair, const Bodies& bodies, const Path& path, double speed) const {
  // Additive conservative advancement (Li et al., Codimensional IPC 2021) with the motion bound of theory
  // 03 section 6: all distances of the pair change by less than `speed` per unit of t.
  const BodyView a0 = geometry_->view(bodies, pair.a);
  const BodyView b0 = geometry_->view_of_b(bodies, pair);
  const bool wall = bodies.is_boundary(pair.b);
  const bool b_moves = !stands_still(bodies, path, pair.b);
  const InterfaceLaw& pair_law = model_->law(pair);
  thread_local PlacedBody a, b;  // keep their vertices: no allocation per pair
  const double deep = model_->allowed_depth(pair, bodies);
  const double floor = least_gap_on_path(pair.nearest + deep, deep);
  // A list that ends nearer than this would pass for an obstacle.
  const double needed = std::max(pair_law.normal.threshold(), floor - deep);
  const double usual = model_->pair_reach(pair_law);
  double reach = usual;
  bool widened = false;
  const auto clear = [&](ClearPart part) {
    if (widened && !pair.items.empty()) pair.built = false;  // too long for evaluations
    return part;
  };
  double t = 0;
  double step = (pair.nearest + deep - floor) / speed;
  for (int k = 0; t + step < 1; ++k) {
    if (k == kMostAdvances) return clear({.t = t, .short_of_end = true});
    t += step;
    Pose of_a = pose_of(*a0.trial, path, pair.a, t);
    if (wall && b_moves)
      of_a = seen_from(of_a, wall_pose(bodies, path, pair.b, t), {b0.trial->x, b0.trial->R});
    const BodyView va = a.set(*a0.shape, of_a);
    const BodyView vb = wall ? b0 : b.set(*b0.shape, pose_of(*b0.trial, path, pair.b, t));
    // From the list of features: nothing else is as near as this.
    double seen = pair.reach - motion_since_build(pair, va, vb);
    if (!(seen > needed) || (pair.items.empty() && seen < 0.5 * pair.reach)) {
      reach = std::max(reach, 2 * needed);
      build_items(pair, va, vb, reach);
      widened = reach > 2 * usual;
      seen = pair.reach;
      // An empty list proves only its reach clear: the next one looks further, so that steps grow on the way
      // through empty space.
      if (pair.items.empty()) reach *= kWider;
    }
    const double gap =
        deep + std::min(pair.items.empty() ? kInfinity : smallest_gap(pair, va, vb, kNearEnough), seen);
    if (gap <= floor) return clear({.t = std::max(t - step, 0.0) + 0.5 * step});
    step = 0.9 * (gap - 0.5 * floor) / speed;
  }
  return clear({});
}

ClearPart PathBounds::advance_beside(BodyPair& pair, const Bodies& bodies, const Path& path,
                                     double speed) const {
  // As `advance`, with a list that lasts for the whole path: only its features move, and how fast their
  // distances change follows from their own motion, not from that of the whole surface.
  const BodyView a0 = geometry_->view(bodies, pair.a);
  const BodyView b0 = geometry_->view(bodies, pair.b);
  const DeformingSurface& surface = *b0.surface;
  const double phases = deforms(path, bodies, pair.b);
  thread_local PlacedBody a;
  const double deep = model_->allowed_depth(pair, bodies);
  const double floor = least_gap_on_path(pair.nearest + deep, deep);
  const double reach = std::max(model_->law(pair).normal.threshold(), floor - deep) + speed;
  bool widened = false;
  if (!pair.built || pair.reach - motion_since_build(pair, a0, b0) < reach) {
    build_items(pair, a0, b0, reach);
    widened = reach > 2 * model_->pair_reach(model_->law(pair));
  }
  const auto clear = [&](ClearPart part) {
    if (widened && !pair.items.empty()) pair.built = false;  // too long for evaluations
    return part;
  };
  if (pair.items.empty()) return clear({});
  const DeformingSurface::Part near = surface.part_of(pair);
  const double relative = (path.du[pair.a] - phases * near.mean_way).norm() +
                          bodies.properties[pair.a].length * path.dalpha[pair.a].norm() +
                          std::abs(phases) * near.spread;
  const BodyTrial in_place;
  double t = 0;
  double step = (pair.nearest + deep - floor) / relative;
  for (int k = 0; t + step < 1; ++k) {
    if (k == kMostAdvances) return clear({.t = t, .short_of_end = true});
    t += step;
    const BodyView va = a.set(*a0.shape, pose_of(*a0.trial, path, pair.a, t));
    const BodyView vb{&surface.walk(near, b0.trial->phase + t * phases), &in_place};
    const double gap = deep + smallest_gap(pair, va, vb, kNearEnough);
    if (gap <= floor) return clear({.t = std::max(t - step, 0.0) + 0.5 * step});
    step = 0.9 * (gap - 0.5 * floor) / relative;
  }
  return clear({});
}

ClearPart PathBounds::clip(const Bodies& bodies, const Path& path, PathPairs which) {
  ClearPart clear;
  geometry_->refresh_images(bodies);
  waking_->wake_beyond(bodies, motion_along(bodies, path));
  const auto deforms_on_path = [&](int b) {
    return geometry_->surface_of(bodies, b) != nullptr && deforms(path, bodies, b) != 0;
  };
  for (const AwakePair& awake : list_->awake()) {
    if (which == PathPairs::of_moving_boundaries &&
        (!bodies.is_boundary(awake.b) || stands_still(bodies, path, awake.b)))
      continue;
    const double speed = closing_speed(awake.a, awake.b, bodies, path);
    if (speed == 0) continue;
    BodyPair& pair = list_->pairs()[awake.pair];
    if (!pair.acts) continue;
    const double deep = model_->allowed_depth(pair, bodies);
    if (std::isinf(deep)) continue;
    const double gap = pair.nearest + deep;
    if (speed * clear.t < gap - least_gap_on_path(gap, deep)) continue;
    // Thousands of pairs with long paths take minutes. Ranks agree on what follows in the next collective
    // check.
    if (interrupt_requested()) return {.t = 0, .short_of_end = true};
    const ClearPart own = deforms_on_path(awake.b) ? advance_beside(pair, bodies, path, speed)
                                                   : advance(pair, bodies, path, speed);
    if (own.t >= clear.t) continue;
    clear = own;
    clear.boundary = bodies.is_boundary(awake.b) ? awake.b - bodies.moving() : -1;
    clear.body = bodies.properties[awake.a].id;
  }
  return clear;
}

}  // namespace scree::contact
