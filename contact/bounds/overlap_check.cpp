#include "contact/bounds/overlap_check.hpp"

#include <algorithm>
#include <cmath>

#include "contact/geometry/piercing.hpp"
#include "contact/pair/folded_contacts.hpp"
#include "contact/search/candidates.hpp"
#include "contact/search/far_items.hpp"
#include "contact/superquadric/smooth_terms.hpp"
#include "core/error.hpp"
#include "core/infinity.hpp"
#include "core/interrupt.hpp"

namespace scree::contact {
namespace {

/// Overlap at the start that rigid contact takes, as part of a body's bounding radius: what its steps may
/// leave and take out, so that a run can start from the state of another (docs/contact_dynamics.md).
constexpr double kRigidOverlap = 1e-3;

/// Pairs of edges up to which all axes of two convex bodies are tried.
constexpr std::size_t kMostEdgePairs = 10000;

/// How deep a point of a body is inside of a solid that is not convex, where features of the two need not be
/// near each other [m]; 0: outside, or in a hollow of it.
double depth_in_solid(const BodyView& body, const BodyView& solid) {
  if (!is_folded(*solid.shape)) return 0;
  const double apart = (body.trial->x - solid.trial->x).norm();
  if (apart > body.shape->bounding_radius + solid.shape->bounding_radius) return 0;
  // A vertex, or the middle without one: that of a body that is not convex may be outside of it.
  const Vec3 point = body.shape->vertices.empty() ? body.trial->x : body.vertex(0);
  return std::max(0.0, -nearest_on_closed(*solid.shape, solid.to_local(point)).distance);
}

double depth_inside(const BodyView& a, const BodyView& b) {
  if (is_wall(*b.shape) && !is_folded(*b.shape)) return 0;
  return std::max(depth_in_solid(a, b), depth_in_solid(b, a));
}

/// The same for convex bodies with many faces, where trying all pairs of edges would take minutes: an edge of
/// one passes through a face of the other, or one is inside of the other [m].
double depth_of_convex(const BodyView& a, const BodyView& b) {
  const auto depth_of_vertex = [](const BodyView& body, const BodyView& solid) {
    if (solid.shape->faces.empty())
      return 0.0;  // nothing is inside of an axis, and its rounding does not count
    return -distance_to_shape(*solid.shape, solid.to_local(body.vertex(0)));
  };
  return std::max({0.0, piercing_depth(a, b), depth_of_vertex(a, b), depth_of_vertex(b, a)});
}

}  // namespace

std::optional<OverlappingPair> OverlapCheck::find(const Bodies& bodies, const std::vector<char>* boundaries) {
  geometry_->update(bodies);
  for (BodyPair& pair : list_->pairs()) {
    if (interrupt_requested()) return std::nullopt;  // the caller asks all ranks
    if (!pair.acts) continue;
    if (boundaries != nullptr &&
        (!bodies.is_boundary(pair.b) || (*boundaries)[pair.b - bodies.moving()] == 0))
      continue;
    const InterfaceLaw& law = model_->law(pair);
    const BodyView va = geometry_->view(bodies, pair.a);
    const BodyView vb = geometry_->view_of_b(bodies, pair);
    const bool rigid = law.normal.rigid() != nullptr;
    const double size = std::min(va.shape->bounding_radius,
                                 bodies.is_boundary(pair.b) ? kInfinity : vb.shape->bounding_radius);
    const double rigid_overlap = rigid ? kRigidOverlap * size : 0;
    if (const double inside = depth_inside(va, vb); inside > rigid_overlap) {
      return OverlappingPair{.a = pair.a,
                             .b = pair.b,
                             .depth = inside,
                             .barrier = !law.normal.allows_overlap(),
                             .rigid = rigid,
                             .through_face = pair.seen_as >= 0};
    }
    if (rigid) {
      double depth = kInfinity;
      try {
        rigid_->find_of(pair, bodies, 0);
        depth = -pair.nearest;
      } catch (const RecoverableError&) {
        // Centres or axes coincide: there is no direction along which the overlap could be measured.
      }
      pair.active.clear();
      if (depth > rigid_overlap)
        return OverlappingPair{.a = pair.a, .b = pair.b, .depth = depth, .barrier = false, .rigid = true};
      continue;
    }
    const double allowed = model_->allowed_depth(pair, bodies);
    if (std::isinf(allowed)) {
      const double height = distance_to_shape(*vb.shape, vb.to_local(va.trial->x));
      if (height >= 0) continue;
      return OverlappingPair{.a = pair.a, .b = pair.b, .depth = -height, .barrier = false, .behind = true};
    }
    build_items(pair, va, vb, model_->pair_reach(law));
    pair.covered = pair.reach;
    double gap = allowed + (pair.items.empty() ? pair.reach : smallest_gap(pair, va, vb));
    const auto is_polyhedron = [](const BodyView& v) { return v.shape->kind == ShapeKind::polyhedron; };
    const auto has_length = [&](const BodyView& v) {
      return is_polyhedron(v) || v.shape->kind == ShapeKind::capsule;
    };
    const bool solid = vb.shape->kind != ShapeKind::cylinder && (is_polyhedron(va) || is_polyhedron(vb)) &&
                       (allowed > 0 || (has_length(va) && has_length(vb)));
    if (is_smooth_pair(va, vb)) {
      // The separation is a depth already.
    } else if (has_length(va) && has_length(vb) && va.shape->convex && vb.shape->convex &&
               va.shape->edges.size() * vb.shape->edges.size() > kMostEdgePairs) {
      const double depth = depth_of_convex(va, vb);
      if (depth > 0) gap = std::min(gap, -depth);
    } else if (solid && va.shape->convex && vb.shape->convex) {
      // Features say how far apart bodies are, but not how deep they overlap.
      const double separation = polyhedra_separation(va, vb);
      if (separation <= 0) gap = std::min(gap, separation);
    } else if (vb.shape->kind == ShapeKind::cylinder && vb.shape->hollow_radius == 0) {
      // Of its axis only distances are known, which grow again inside of a body.
      const double depth = largest_way_past(va, vb);
      if (depth > 0) gap = std::min(gap, -depth);
    } else if (!va.shape->convex || !vb.shape->convex) {
      const double depth = piercing_depth(va, vb);
      if (depth > 0) gap = std::min(gap, -depth);
    }
    if (gap > 0) continue;
    return OverlappingPair{.a = pair.a,
                           .b = pair.b,
                           .depth = 0 - gap,
                           .barrier = !law.normal.allows_overlap(),
                           .through_face = pair.seen_as >= 0};
  }
  return std::nullopt;
}

}  // namespace scree::contact
