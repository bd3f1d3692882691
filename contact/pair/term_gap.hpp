/// The gap of one term, whichever step it belongs to.
#pragma once

#include "contact/pair/pair.hpp"
#include "core/error.hpp"

namespace scree::contact {

/// Distance, gap, normal and curvature of a term between two points. @param y from the point on B to that on
/// A [m]. @param radii of both roundings [m].
inline void set_gap(Term& term, const Vec3& y, double radii) {
  term.distance = y.norm();
  term.gap = term.distance - radii;
  const double r = term.distance > 0 ? term.distance : 1.0;
  term.n = y / r;
  term.curvature = 1 / r;
}

/// Nearest point of a closed feature of a surface to a point, in the frame of the surface.
inline SurfacePoint nearest_on(const Shape& surface, const ClosedFeature& closed, const Vec3& local) {
  if (closed.kind == FeatureKind::face) return nearest_on_face(surface, closed.feature, local);
  if (closed.kind == FeatureKind::edge) return nearest_on_edge(surface, closed.feature, local);
  const Vec3& v = surface.vertices[static_cast<std::size_t>(closed.feature)];
  return {FeatureKind::vertex, closed.feature, v, (local - v).norm()};
}

/// Failure of a step in which the contacts of an overlap-based law are too soft for the impacts.
inline constexpr const char* kOverlapTooDeep = "overlap exceeds the rounding radii (contacts too soft)";

/// Where an overlap-based law has a meaning: gaps are negative, but the skeletons that the rounding is about
/// do not meet. @throws RecoverableError beyond that.
inline void check_overlap(const Term& term, const BodyView& a, const BodyView& b) {
  if (is_smooth(term.kind)) return;  // the separation has a sign
  const bool plane = a.shape->kind == ShapeKind::plane || b.shape->kind == ShapeKind::plane;
  if (plane || term.gap >= 0) return;
  if (a.shape->radius + b.shape->radius == 0)
    throw RecoverableError("overlap of two sharp-edged bodies (undefined for this law)");
  const bool face = term.kind == TermKind::vf || term.kind == TermKind::fv;
  if (!face && !(term.distance > 0)) throw RecoverableError(kOverlapTooDeep);
}

}  // namespace scree::contact
