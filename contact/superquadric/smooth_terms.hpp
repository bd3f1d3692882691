/// Pairs with a superquadric: their contacts, how these move with the bodies, and where they were when the
/// step started (docs/superquadrics.md).
#pragma once

#include "contact/pair/pair_terms.hpp"
#include "contact/pair/start_of_contact.hpp"

namespace scree::contact {

/// Whether the support function of one of the bodies makes the contact.
inline bool is_smooth_pair(const BodyView& a, const BodyView& b) {
  return is_smooth(*a.shape) || is_smooth(*b.shape);
}

/// Whether the terms of the last evaluation are all there is between the surfaces of a pair with a
/// superquadric: one contact, at the nearest points.
inline bool one_smooth_contact(const BodyPair& pair) {
  return pair.active.size() == 1 && pair.terms.size() == 1 && pair.items.size() == 1 &&
         pair.items[0].kind == ItemKind::smooth && pair.items[0].count == 0;
}

/// Whether the other body of such a pair is a surface that is taken feature by feature.
inline bool by_features(const Shape& other) { return other.open || !other.convex; }

/// Whether the surfaces touch in one place at most, so that one candidate is the whole pair.
inline bool touch_once(const BodyView& a, const BodyView& b) {
  const Shape& other = is_smooth(*a.shape) ? *b.shape : *a.shape;
  return is_smooth_pair(a, b) && !by_features(other) && !(other.hollow_radius > 0);
}

/// Bounds of motion are content with a gap that is at least this part of the distance.
inline constexpr double kNearEnough = 0.8;

/// Terms appended to `terms`; of a surface that is not convex the signed sum over its closed features, so
/// that edges within a plane are not felt (theory 03 section 4.1). @param threshold gaps from here on do not
/// count [m]. @throws RecoverableError where Newton's method finds no closest points.
/// @param by_midway two superquadrics touch by their midway point, for comparison with LIGGGHTS.
/// @param[out] found its contacts; one that is kept from call to call allocates nothing.
void smooth_terms(BodyPair& pair, const Item& item, const BodyView& a, const BodyView& b, double threshold,
                  VertexContacts& found, bool by_midway = false);

/// A superquadric and one closed feature of a surface that is not convex.
struct ClosedTouch {
  Term term;        ///< without its sign
  SurfacePoint at;  ///< the open feature that is nearest; its point is left out
};
/// @param hint any value is right. @param stop gaps from here on are lower bounds [m]. @throws
/// RecoverableError where Newton's method finds no closest points.
ClosedTouch touch_of_closed(const ClosedFeature& closed, const BodyView& a, const BodyView& b,
                            TouchHint& hint, double stop);

/// Fills pair.items and pair.closed, from the closed features within reach of the pole for a surface.
void build_smooth_items(BodyPair& pair, const BodyView& a, const BodyView& b, double reach);

/// The nearest points, for bounds: no forces, no memory.
struct NearestPoints {
  double gap = 0;  ///< rounding included [m]
  Vec3 on_a = Vec3::Zero(), on_b = Vec3::Zero();
  Vec3 n = Vec3::UnitZ();  ///< from B to A
};
NearestPoints smooth_nearest(const BodyPair& pair, const Item& item, const BodyView& a, const BodyView& b);
/// The same, and the next search between two superquadrics that are apart begins there: the hint would be as
/// old as the list of candidates. @param enough for two superquadrics that are apart: the gap may be a lower
/// bound, of this part of the distance at least, and the points those along a normal that proves it.
NearestPoints find_nearest(BodyPair& pair, const Item& item, const BodyView& a, const BodyView& b,
                           double enough = 1);

/// First-order motion of a term's normal and of its point p within A, when A is displaced by v and turned by
/// w about its pole, B held. @param s p from A's pole.
struct SmoothMotion {
  Eigen::Matrix<double, 3, 6> normal, shift;
};
SmoothMotion smooth_motion(const BodyPair& pair, const Term& term, const Vec3& s, const BodyView& a,
                           const BodyView& b);

/// The same of a term of kind midway, and of its gap, which follows from more than motion along the normal.
struct MidwayTermMotion : SmoothMotion {
  Vec6 gap;
};
MidwayTermMotion midway_term_motion(const Vec3& s, const BodyView& a, const BodyView& b);

/// Gap and normal of start_of_contact, for a term of such a pair. @returns the point of A that was nearest
/// [m]. @param[in,out] guess normal of two superquadrics at the start of the step, found by the last call in
/// the same step; zero: unknown. Null: the normal of the term, turned back.
Vec3 smooth_start(StartOfContact& start, const Term& term, const BodyView& a, const BodyView& b, Vec3* guess);

/// Radius that stands for a superquadric in laws that require one, at its point with an outward normal
/// [m]; the rounding of other shapes. @param bend second derivatives of its support function there.
double contact_radius(const BodyView& body, const Mat3& bend, const Vec3& outward, CurvatureRule rule,
                      double limit);

/// The radii of two superquadrics where they were nearest at the accepted state [m].
struct StartRadii {
  double of_a = 0, of_b = 0;
};
StartRadii radii_at_start(const BodyPair& pair, const BodyView& a, const BodyView& b, CurvatureRule rule,
                          double limit);

}  // namespace scree::contact
