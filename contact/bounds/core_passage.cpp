#include "contact/bounds/core_passage.hpp"

#include <algorithm>
#include <cmath>

#include "contact/geometry/placed_body.hpp"
#include "contact/search/candidates.hpp"
#include "contact/search/far_items.hpp"
#include "contact/surface/deforming_surface.hpp"
#include "core/infinity.hpp"

namespace scree::contact {
namespace {

/// What is nearer than this part of a core's margin has met.
constexpr double kMet = 1e-3;

Mat3 turned(const Vec3& turn, double t) {
  const double angle = turn.norm();
  return angle > 0 ? Eigen::AngleAxisd(t * angle, turn / angle).toRotationMatrix() : Mat3::Identity();
}

Pose pose_at(const Bodies& bodies, const EvenPath& path, int i, double t) {
  const BodyState& from = path.from[static_cast<std::size_t>(i)];
  const Mat3 q = turned(path.turn[i], t);
  const Mat3 R = q * from.q.toRotationMatrix();
  if (!bodies.is_boundary(i)) return {from.x + t * path.du[i], R};
  const Vec3& centre = path.centres[static_cast<std::size_t>(i - bodies.moving())];
  return {centre + t * path.du[i] + q * (from.x - centre), R};
}

/// Bound on how fast points of body a move as b sees it [m].
double relative_speed(const Bodies& bodies, const EvenPath& path, int a, int b) {
  const double size = bodies.properties[a].length;
  const double turn_a = path.turn[a].norm(), turn_b = path.turn[b].norm();
  const Vec3 relative = path.du[a] - path.du[b];
  if (!bodies.is_boundary(b)) return relative.norm() + size * turn_a + bodies.properties[b].length * turn_b;
  const Vec3 arm =
      path.from[static_cast<std::size_t>(a)].x - path.centres[static_cast<std::size_t>(b - bodies.moving())];
  return (relative - path.turn[b].cross(arm)).norm() + turn_b * relative.norm() + size * (turn_a + turn_b);
}

}  // namespace

bool CorePassage::meets(const Bodies& bodies, const EvenPath& path, int ia, int ib, const Vec3& shift,
                        double speed) {
  const Core& core = cores_.of(bodies.properties[ia].shape);
  const Shape& shape_b = model_->shape_of(bodies, ib);
  const bool wall = bodies.is_boundary(ib);
  PlacedBody part_of_a, of_b;
  BodyPair probe;
  const Pose start_a = pose_at(bodies, path, ia, 0);
  const Pose start_b = pose_at(bodies, path, ib, 0);
  for (const Core::Part& part : core.parts) {
    if (!wall) {
      const double apart = (start_a.x + start_a.R * part.offset - start_b.x - shift).norm();
      if (apart - part.shape.bounding_radius - shape_b.bounding_radius > speed) continue;
    }
    const bool trees = searched_by_trees({&part.shape}, {&shape_b});
    BodyView vb = of_b.set(shape_b, start_b, wall && !trees);
    for (double t = 0; t < 1;) {
      Pose a = pose_at(bodies, path, ia, t);
      Pose b = pose_at(bodies, path, ib, t);
      if (wall) {
        a = seen_from(a, b, start_b);
      } else {
        b.x += shift;
        vb = of_b.set(shape_b, b, !trees);
      }
      const BodyView va = part_of_a.set(part.shape, {a.x + a.R * part.offset, a.R}, !trees);
      build_items(probe, va, vb, std::max(speed * (1 - t), core.margin));
      const double gap = probe.items.empty() ? probe.reach : smallest_gap(probe, va, vb);
      if (gap <= kMet * core.margin) return true;
      if (speed == 0) break;
      t += gap / speed;
    }
  }
  return false;
}

bool CorePassage::meets_surface(const Bodies& bodies, const EvenPath& path, int ia, int ib, double speed) {
  const Core& core = cores_.of(bodies.properties[ia].shape);
  const DeformingSurface& surface = *geometry_->surface_of(bodies, ib);
  const double phases = path.phases[static_cast<std::size_t>(ib - bodies.moving())];
  const BodyTrial in_place;
  PlacedBody part_of_a;
  BodyPair probe;
  for (const Core::Part& part : core.parts) {
    const auto part_at = [&](double t) {
      const Pose a = pose_at(bodies, path, ia, t);
      return part_of_a.set(part.shape, {a.x + a.R * part.offset, a.R}, false);  // the surface has a tree
    };
    build_items(probe, part_at(0), {&surface.at(0), &in_place}, speed + core.margin);
    if (probe.items.empty()) continue;
    const DeformingSurface::Part near = surface.part_of(probe);
    const double relative = (path.du[ia] - phases * near.mean_way).norm() + phases * near.spread +
                            bodies.properties[ia].length * path.turn[ia].norm();
    for (double t = 0; t < 1;) {
      const double gap = smallest_gap(probe, part_at(t), {&surface.walk(near, t * phases), &in_place});
      if (gap <= kMet * core.margin) return true;
      if (relative == 0) break;
      t += gap / relative;
    }
  }
  return false;
}

ClearPart CorePassage::find(const Bodies& bodies, const EvenPath& path, bool near_surfaces) {
  for (const AwakePair& awake : list_->awake()) {  // those that sleep stay apart in the step
    const Shape& a = model_->shape_of(bodies, awake.a);
    const Shape& b = model_->shape_of(bodies, awake.b);
    // Nothing lies behind these: what went in is overlap, and is pushed out again, unless its middle went in.
    if (b.kind == ShapeKind::plane || b.hollow_radius > 0) {
      if (!list_->pairs()[static_cast<std::size_t>(awake.pair)].acts) continue;
      const auto height = [&](double t) {
        const Pose wall = pose_at(bodies, path, awake.b, t);
        return distance_to_shape(b, wall.R.transpose() * (pose_at(bodies, path, awake.a, t).x - wall.x));
      };
      if (height(0) >= 0 && height(1) < 0)
        return {.t = 0, .boundary = awake.b - bodies.moving(), .body = bodies.properties[awake.a].id};
      continue;
    }
    const bool wall = bodies.is_boundary(awake.b);
    const bool always = near_surfaces && b.open;
    const DeformingSurface* deforming = geometry_->surface_of(bodies, awake.b);
    const double deforms = deforming == nullptr || path.phases.empty()
                               ? 0.0
                               : path.phases[static_cast<std::size_t>(awake.b - bodies.moving())];
    double speed = relative_speed(bodies, path, awake.a, awake.b);
    if (deforming != nullptr && deforms != 0) speed += deforms * deforming->largest_way();
    const auto may_meet = [&](int i) {
      const double margin = cores_.margin_of(bodies.properties[i].shape);
      return margin < kInfinity && (always || speed >= margin);
    };
    if (!may_meet(awake.a) && (wall || !may_meet(awake.b))) continue;
    const BodyPair& pair = list_->pairs()[static_cast<std::size_t>(awake.pair)];
    if (!pair.acts) continue;
    if (b.open) {
      const Pose surface = pose_at(bodies, path, pair.b, 0);
      const Vec3 local = surface.R.transpose() * (path.from[static_cast<std::size_t>(pair.a)].x - surface.x);
      if (distance_to_shape(b, local) - a.bounding_radius > speed) continue;
    }
    if (deforms != 0) {
      if (meets_surface(bodies, path, pair.a, pair.b, speed))
        return {.t = 0, .boundary = pair.b - bodies.moving(), .body = bodies.properties[pair.a].id};
      continue;
    }
    if ((may_meet(pair.a) && meets(bodies, path, pair.a, pair.b, pair.shift, speed)) ||
        (!wall && may_meet(pair.b) && meets(bodies, path, pair.b, pair.a, -pair.shift, speed)))
      return {.t = 0, .boundary = wall ? pair.b - bodies.moving() : -1, .body = bodies.properties[pair.a].id};
  }
  return {};
}

}  // namespace scree::contact
