#include "contact/bounds/path_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "contact/bounds/feature_motion.hpp"
#include "contact/geometry/placed_body.hpp"
#include "contact/neighbours/body_motion.hpp"
#include "contact/search/candidates.hpp"
#include "contact/search/far_items.hpp"
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

/// Part of the clear part of its path that a body goes.
constexpr double kBeforeStop = 0.9;

/// Stops are halved down to this part of a path where a boundary continues into a body; then it stays where
/// it is.
constexpr double kLeastStop = 0.25;

/// Reach of the next list of features of a pair over that of one that was empty, and of one that was not.
constexpr double kWider = 4;
constexpr double kLonger = 2;

/// A list of more features than this is long enough: the next one of the path does not reach further.
constexpr std::size_t kLongList = 200;

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

/// Whether a boundary moves and has no edge that a body could get around from where the boundary takes it.
bool carries(const Shape& wall, const Bodies& bodies, const Path& path, int w) {
  const bool endless =
      wall.kind == ShapeKind::plane || wall.kind == ShapeKind::bore || wall.kind == ShapeKind::cavity;
  return endless && !stands_still(bodies, path, w);
}

Pose pose_of(const BodyTrial& from, const Path& path, int i, double at) {
  const double t = std::min(at, path.stop(i));
  return {from.x + t * path.du[i],
          rotation::matrix(from.alpha + t * path.dalpha[i]) * from.Q.transpose() * from.R};
}

/// Motion of a body at t of a path, where it does not stop before.
BodyWay way_of(const BodyTrial& from, const Bodies& bodies, const Path& path, int i, double t) {
  BodyWay way;
  way.length = bodies.properties[i].length;
  if (t >= path.stop(i)) return way;
  const Vec3 alpha = from.alpha + t * path.dalpha[i];
  way.velocity = path.du[i];
  way.spin = rotation::spin_map(alpha) * path.dalpha[i];
  way.turn = path.dalpha[i].norm();
  return way;
}

/// A body that goes all of a path.
struct Goer {
  const BodyTrial& from;
  Vec3 du, dalpha;
  double length;  ///< largest distance of its points from its pole [m]

  /// Bound on how far its spin on the path is from `dalpha`: half of the largest |alpha| times that.
  [[nodiscard]] double spin_error() const {
    return 0.5 * std::max(from.alpha.norm(), (from.alpha + dalpha).norm()) * dalpha.norm();
  }
};

/// Bound on how fast points of a body move along a path as another one sees them [m]: next to nothing for
/// bodies that turn together (theory 03 section 6).
double speed_seen_from(const Goer& frame, const Goer& body) {
  const Vec3 apart = body.from.x - frame.from.x;
  const Vec3 relative = body.du - frame.du;
  const double off = frame.spin_error();
  return (relative - frame.dalpha.cross(apart)).norm() + off * apart.norm() +
         (frame.dalpha.norm() + off) * relative.norm() +
         body.length * ((body.dalpha - frame.dalpha).norm() + body.spin_error() + off);
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

double PathBounds::closing_speed(int ia, int ib, const Bodies& bodies, const Path& path, bool a_moves,
                                 bool b_moves) const {
  const std::vector<Vec3>& dalpha = path.dalpha;
  const double own = bodies.properties[ia].length;
  const Vec3 du_a = a_moves ? path.du[ia] : Vec3(Vec3::Zero());
  const double turn_a = a_moves ? dalpha[ia].norm() : 0.0;
  const double turn_b = b_moves ? dalpha[ib].norm() : 0.0;
  if (!bodies.is_boundary(ib)) {
    const Vec3 du_b = b_moves ? path.du[ib] : Vec3(Vec3::Zero());
    return (du_a - du_b).norm() + own * turn_a + bodies.properties[ib].length * turn_b;
  }
  if (stands_still(bodies, path, ib)) return du_a.norm() + own * turn_a;
  if (const DeformingSurface* surface = geometry_->surface_of(bodies, ib))
    return du_a.norm() + own * turn_a + std::abs(deforms(path, bodies, ib)) * surface->largest_way();
  const BodyTrial& a = bodies.trial[ia];
  const BodyTrial& b = bodies.trial[ib];
  const Shape& wall = model_->shape_of(bodies, ib);
  const double reach = own + du_a.norm();
  double shape_change = 0;
  for (const double t : {0.5, 1.0}) {
    const Pose pose = wall_pose(bodies, path, ib, t);
    shape_change = std::max(shape_change, wall_motion(wall, b.x, b.R, pose.x, pose.R, a.x, reach));
  }
  // A wall that slides or spins in itself is the same wall all along the path.
  if (shape_change < 1e-9 * own) return du_a.norm() + own * turn_a + 2 * shape_change;
  // Velocity of A's points relative to the wall's frame: the spin of the path is dalpha to first order, with
  // |spin| <= |dalpha| and |spin - dalpha| <= |dalpha|^3 for paths of less than half a turn (theory 01
  // section 3), and the arm from the centre, which goes straight, changes by `relative`.
  const bool about_pole = path.centres.empty();
  const Vec3 centre = about_pole ? b.x : path.centres[static_cast<std::size_t>(ib - bodies.moving())];
  const Pose end = wall_pose(bodies, path, ib, 1);
  const Vec3 way = end.x - centre - end.R * b.R.transpose() * (b.x - centre);  // of the centre
  const Vec3 relative = du_a - way;
  const Vec3 arm = a.x - centre;
  const double cubed = turn_b * turn_b * turn_b;
  return (relative - dalpha[ib].cross(arm)).norm() + own * (turn_a + turn_b) + turn_b * relative.norm() +
         (cubed + turn_b * b.alpha.norm()) * arm.norm();
}

PathBounds::Closing PathBounds::closing(int ia, int ib, const Bodies& bodies, const Path& path) const {
  Closing own;
  own.both = closing_speed(ia, ib, bodies, path, true, true);
  const bool wall_moves = bodies.is_boundary(ib) && !stands_still(bodies, path, ib);
  const double stop_a = path.stop(ia);
  const double stop_b = !bodies.is_boundary(ib) ? path.stop(ib) : wall_moves ? 1.0 : stop_a;
  own.part = std::min(stop_a, stop_b);
  own.end = std::max(stop_a, stop_b);
  if (own.end > own.part) {
    own.alone = closing_speed(ia, ib, bodies, path, stop_a > stop_b, stop_b > stop_a);
    // The arm from the centre of the boundary to a body that has stopped is not the one at the start.
    if (wall_moves) own.alone += path.dalpha[ib].norm() * path.du[ia].norm();
  }
  return own;
}

double PathBounds::Closing::after(double t, double way) const {
  if (t < part) {
    const double next = t + way / both;
    if (next <= part || end == part) return next;
    way -= (part - t) * both;
    t = part;
  }
  return t + way / alone;
}

ClearPart PathBounds::advance(BodyPair& pair, const Bodies& bodies, const Path& path,
                              const Closing& speed) const {
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
  const bool trees = searched_by_trees(a0, b0);
  double reach = usual;
  bool widened = false;
  const auto clear = [&](ClearPart part) {
    if (widened && !pair.items.empty()) pair.built = false;  // too long for evaluations
    return part;
  };
  double t = 0;
  double next = speed.after(0, pair.nearest + deep - floor);
  for (int k = 0; next < speed.end; ++k) {
    if (k == kMostAdvances || interrupt_requested()) return clear({.t = t, .short_of_end = true});
    const double before = t;
    t = next;
    Pose of_a = pose_of(*a0.trial, path, pair.a, t);
    if (wall && b_moves)
      of_a = seen_from(of_a, wall_pose(bodies, path, pair.b, t), {b0.trial->x, b0.trial->R});
    const BodyView va = a.set(*a0.shape, of_a, !trees);
    const BodyView vb = wall ? b0 : b.set(*b0.shape, pose_of(*b0.trial, path, pair.b, t), !trees);
    // From the list of features: nothing else is as near as this.
    double seen = pair.reach - motion_since_build(pair, va, vb);
    if (!(seen > needed) || (pair.items.empty() && seen < 0.5 * pair.reach)) {
      reach = std::max(reach, 2 * needed);
      build_items(pair, va, vb, reach);
      widened = reach > 2 * usual;
      seen = pair.reach;
      // An empty list proves only its reach clear, if trees do not see further: the next one looks further,
      // so that steps grow on the way through empty space. One that did not last for the path is followed by
      // one that lasts longer.
      if (pair.items.empty()) {
        reach = trees && seen > reach ? usual : kWider * reach;
      } else if (pair.items.size() < kLongList) {
        reach *= kLonger;
      }
    }
    FarItems far(pair, va, vb);
    const double gap =
        deep + std::min(pair.items.empty() ? kInfinity : smallest_gap(pair, va, vb, kNearEnough, far), seen);
    if (gap <= floor) return clear({.t = before + 0.5 * (t - before)});
    next = speed.after(t, 0.9 * (gap - 0.5 * floor));
    if (next >= speed.end || (wall && b_moves)) continue;
    // Features that slide along each other close less than they move.
    const bool both = t < speed.part;
    const double last = both ? speed.part : speed.end;
    const double listed = pair.items.empty() ? 0.0 : speed.after(t, 0.9 * (deep + seen - 0.5 * floor));
    if (listed <= next) continue;
    const double apart = apart_for(pair, va, vb, way_of(*a0.trial, bodies, path, pair.a, t),
                                   wall ? BodyWay{} : way_of(*b0.trial, bodies, path, pair.b, t),
                                   0.1 * gap + 0.5 * floor - deep, last - t, far, speed.rate(t));
    next = std::max(next, std::min({t + apart, listed, last}));
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
  const bool trees = searched_by_trees(a0, b0);
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
  double relative = (path.du[pair.a] - phases * near.mean_way).norm() +
                    bodies.properties[pair.a].length * path.dalpha[pair.a].norm() +
                    std::abs(phases) * near.spread;
  if (path.stop(pair.a) < 1)
    relative = std::max(relative, std::abs(phases) * (near.mean_way.norm() + near.spread));
  const BodyTrial in_place;
  double t = 0;
  double step = (pair.nearest + deep - floor) / relative;
  for (int k = 0; t + step < 1; ++k) {
    if (k == kMostAdvances) return clear({.t = t, .short_of_end = true});
    t += step;
    const BodyView va = a.set(*a0.shape, pose_of(*a0.trial, path, pair.a, t), !trees);
    const BodyView vb{&surface.walk(near, b0.trial->phase + t * phases), &in_place};
    const double gap = deep + smallest_gap(pair, va, vb, kNearEnough);
    if (gap <= floor) return clear({.t = std::max(t - step, 0.0) + 0.5 * step});
    step = 0.9 * (gap - 0.5 * floor) / relative;
  }
  return clear({});
}

ClearPart PathBounds::clear_part_of(const AwakePair& awake, const Bodies& bodies, const Path& path,
                                    double as_far) const {
  Closing speed = closing(awake.a, awake.b, bodies, path);
  if (speed.both == 0 && speed.alone == 0) return {};
  BodyPair& pair = list_->pairs()[awake.pair];
  if (!pair.acts) return {};
  const double deep = model_->allowed_depth(pair, bodies);
  if (std::isinf(deep)) return {};
  const double gap = pair.nearest + deep;
  const auto is_clear = [&] {
    return speed.after(0, gap - least_gap_on_path(gap, deep)) > std::min(as_far, speed.end);
  };
  if (is_clear()) return {};
  if (!bodies.is_boundary(awake.b)) {
    const auto goer = [&](const BodyTrial& from, int i) {
      return Goer{from, path.du[i], path.dalpha[i], bodies.properties[i].length};
    };
    const Goer a = goer(bodies.trial[awake.a], awake.a);
    const Goer b = goer(*geometry_->view_of_b(bodies, pair).trial, awake.b);
    speed.both = std::min({speed.both, speed_seen_from(a, b), speed_seen_from(b, a)});
    if (is_clear()) return {};
  }
  // Thousands of pairs with long paths take minutes. Ranks agree on what follows in the next collective
  // check.
  if (interrupt_requested()) return {.t = 0, .short_of_end = true};
  const bool deforming =
      geometry_->surface_of(bodies, awake.b) != nullptr && deforms(path, bodies, awake.b) != 0;
  return deforming ? advance_beside(pair, bodies, path, speed.total()) : advance(pair, bodies, path, speed);
}

StoppedBodies PathBounds::stop_bodies(const Bodies& bodies, const Path& path,
                                      const std::vector<char>& changed, std::vector<double>& stops,
                                      std::vector<double>& carriers) {
  StoppedBodies stopped;
  const std::vector<double> before = carriers;
  const auto is_carried = [&before](int i) {
    return !before.empty() && before[static_cast<std::size_t>(i)] >= 0;
  };
  geometry_->refresh_images(bodies);
  waking_->wake_beyond(bodies, motion_along(bodies, path));
  stops = path.stops;
  for (const AwakePair& awake : list_->awake()) {
    const bool wall = bodies.is_boundary(awake.b);
    if (changed[awake.a] == 0 && (wall || changed[awake.b] == 0)) continue;
    const ClearPart own = clear_part_of(awake, bodies, path, 1);
    if (own.t >= 1) continue;
    if (own.short_of_end) stopped.short_of_end = true;
    if (!wall && is_carried(awake.a) != is_carried(awake.b)) {
      const bool first = is_carried(awake.a);
      carriers[first ? awake.b : awake.a] = before[first ? awake.a : awake.b];
      stopped.any = true;
      continue;
    }
    const double at = kBeforeStop * own.t;
    bool any = false;
    for (const int i : {awake.a, awake.b}) {
      if (bodies.is_boundary(i) || path.stop(i) <= at) continue;
      stops[i] = std::min(stops[i], at);
      any = true;
    }
    if (!any && wall && !before.empty() && !is_carried(awake.a) &&
        carries(model_->shape_of(bodies, awake.b), bodies, path, awake.b)) {
      carriers[awake.a] = awake.b - bodies.moving();
      any = true;
    }
    // One that a boundary carries leaves it no space by stopping sooner, nor does one that does not move.
    if (!any && !is_carried(awake.a) && path.stop(awake.a) > 0 && !stands_still(bodies, path, awake.a)) {
      const double stop = path.stop(awake.a);
      stops[awake.a] = std::min(stops[awake.a], stop > kLeastStop ? 0.5 * stop : 0.0);
      any = true;
    }
    if (any) {
      stopped.any = true;
    } else {
      stopped.in_vain = true;
    }
  }
  return stopped;
}

ClearPart PathBounds::clip(const Bodies& bodies, const Path& path, PathPairs which) {
  ClearPart clear;
  geometry_->refresh_images(bodies);
  waking_->wake_beyond(bodies, motion_along(bodies, path));
  for (const AwakePair& awake : list_->awake()) {
    if (which == PathPairs::of_moving_boundaries &&
        (!bodies.is_boundary(awake.b) || stands_still(bodies, path, awake.b)))
      continue;
    const ClearPart own = clear_part_of(awake, bodies, path, clear.t);
    if (own.t >= clear.t) continue;
    clear = own;
    clear.boundary = bodies.is_boundary(awake.b) ? awake.b - bodies.moving() : -1;
    clear.body = bodies.properties[awake.a].id;
  }
  return clear;
}

}  // namespace scree::contact
