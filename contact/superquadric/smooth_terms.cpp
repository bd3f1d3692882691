#include "contact/superquadric/smooth_terms.hpp"

#include <algorithm>
#include <vector>

#include "contact/geometry/closest_points.hpp"
#include "contact/superquadric/features.hpp"
#include "contact/superquadric/hollow.hpp"
#include "contact/superquadric/meeting.hpp"
#include "contact/superquadric/midway.hpp"
#include "core/error.hpp"

namespace scree::contact {
namespace {

/// Of the size: what a rounded superquadric may be smaller than the sharp one (docs/superquadrics.md).
constexpr double kSharper = 0.02;

/// The superquadric of a pair (A, if both are) and the other body.
struct Sides {
  const BodyView& a;
  const BodyView& b;
  bool smooth_a;
  Smooth body;
  const BodyView& other;

  Sides(const BodyView& view_a, const BodyView& view_b)
      : a(view_a),
        b(view_b),
        smooth_a(is_smooth(*view_a.shape)),
        body(smooth_a ? view_a : view_b),
        other(smooth_a ? view_b : view_a) {}
};

Term term_of(const Touch& touch, const Sides& sides) {
  Term term;
  term.kind = TermKind::smooth;
  term.rank = static_cast<std::int8_t>(touch.rank);
  term.distance = touch.distance;
  term.gap = touch.distance - sides.other.shape->radius;
  term.n = sides.smooth_a ? touch.n : Vec3(-touch.n);
  (sides.smooth_a ? term.f : term.e) = touch.axis;
  const Vec3 on_body = sides.body.x + touch.on_body;
  term.p = sides.smooth_a ? on_body : Vec3(on_body - touch.distance * touch.n);
  return term;
}

void require_found(const Touch& touch) {
  if (!touch.found) throw RecoverableError("closest points of a superquadric: no convergence");
}

/// One contact of a term.
void add(VertexContacts& found, BodyPair& pair, const Term& term, int feature) {
  found.contacts.push_back({static_cast<int>(pair.terms.size()), 1, feature});
  pair.terms.push_back(term);
}

/// Which octant of the superquadric touches, to distinguish contacts at both ends of a face.
int octant_of(const Sides& sides, const Vec3& n) {
  const Vec3 m = sides.body.R.transpose() * n;
  return (m.x() > 0 ? 1 : 0) + (m.y() > 0 ? 2 : 0) + (m.z() > 0 ? 4 : 0);
}

void hollow_terms(VertexContacts& found, BodyPair& pair, const Sides& sides, double threshold) {
  thread_local std::vector<HollowTouch> touches;
  found.nearest = touch_hollow(sides.body, sides.other, threshold, touches);
  for (std::size_t k = 0; k < touches.size(); ++k) {
    Term term = term_of(touches[k].touch, sides);
    term.sign = touches[k].sign;
    if (k > 0 && touches[k].contact == touches[k - 1].contact) {
      pair.terms.push_back(term);
      ++found.contacts.back().count;
      continue;
    }
    int key = octant_of(sides, touches[k].touch.n);
    for (const VertexContacts::Contact& other : found.contacts) key += other.feature == key ? 8 : 0;
    add(found, pair, term, key);
  }
}

void surface_terms(VertexContacts& found, BodyPair& pair, const Item& item, const Sides& sides,
                   double threshold) {
  const double radius = sides.other.shape->radius;
  thread_local std::vector<Place> places;
  thread_local std::vector<Touch> touches;  // of the places
  places.clear();
  touches.clear();
  found.nearest = std::numeric_limits<double>::infinity();
  for (int c = item.b; c < item.b + item.count; ++c) {
    const ClosedFeature& closed = pair.closed[c];
    const Touch touch =
        touch_closed(sides.body, sides.other, closed.kind, closed.feature, pair.hints[c], threshold + radius);
    if (closed.kind == FeatureKind::face) found.nearest = std::min(found.nearest, touch.distance - radius);
    if (touch.distance - radius >= threshold) continue;
    require_found(touch);
    bool is_new = false;
    Place& place = place_of(places, touch.kind, touch.feature, is_new);
    if (is_new) {
      place.point = {touch.kind, touch.feature, touch.on_body - touch.distance * touch.n, touch.distance};
      touches.push_back(touch);
    }
    place.weight += closed.kind == FeatureKind::edge ? -1 : 1;
  }
  drop_ties(places);
  for (std::size_t k = 0; k < places.size(); ++k) {
    const auto& [point, weight] = places[k];
    if (weight == 0) continue;
    const bool face = point.kind == FeatureKind::face;
    const int feature = face ? sides.other.shape->faces[point.feature].sheet : point.feature;
    Term term = term_of(touches[k], sides);
    term.sign = weight;
    add(found, pair, term, feature * 3 + static_cast<int>(point.kind));
  }
}

/// Two superquadrics by their midway point. The bodies are the sharp ones, so that they may meet a little
/// before those of the support function do.
void midway_term(VertexContacts& found, BodyPair& pair, const Sides& sides, double threshold) {
  const double stop =
      threshold + kSharper * (sides.a.shape->bounding_radius + sides.b.shape->bounding_radius);
  found.nearest = touch_convex(sides.body, sides.other, pair.hints[0], stop).distance;
  if (found.nearest >= stop) return;
  const Midway midway = contact::midway(sides.body, Smooth(sides.other));
  if (!midway.converged) throw RecoverableError("midway point of two superquadrics: no convergence");
  if (midway.gap >= threshold) return;
  Term term;
  term.kind = TermKind::midway;
  term.distance = term.gap = midway.gap;
  term.n = midway.n;
  term.p = midway.x + midway.to_a * midway.n;
  add(found, pair, term, 0);
}

/// Points of the nearest touch, hints left as they are. @param[in,out] met where two superquadrics were last.
Touch nearest_touch(const BodyPair& pair, const Item& item, const Sides& sides, double stop, Meeting& met,
                    double enough = 1) {
  if (sides.other.shape->hollow_radius > 0) {
    return nearest_in_hollow(sides.body, sides.other);
  }
  if (item.count == 0) {
    TouchHint hint = pair.hints[0];
    return touch_convex(sides.body, sides.other, hint, stop, is_smooth(*sides.other.shape) ? &met : nullptr,
                        enough);
  }
  Touch nearest;
  for (int c = item.b; c < item.b + item.count; ++c) {
    if (pair.closed[c].kind != FeatureKind::face) continue;  // closed faces contain the rest
    TouchHint hint = pair.hints[c];
    const Touch touch = touch_closed(sides.body, sides.other, pair.closed[c].kind, pair.closed[c].feature,
                                     hint, std::min(stop, nearest.distance));
    if (touch.distance < nearest.distance) nearest = touch;
  }
  return nearest;
}

Meeting last_meeting(const BodyPair& pair) { return pair.meeting.empty() ? Meeting{} : pair.meeting[0]; }

/// The next search between two superquadrics begins where they met.
void begin_next_at(BodyPair& pair, const Meeting& met, const Sides& sides) {
  if (!is_smooth(*sides.other.shape)) return;
  pair.hints[0].n = met.n;
  pair.meeting.assign(1, met);
}

NearestPoints points_of(const Touch& touch, const Sides& sides) {
  const Term term = term_of(touch, sides);
  return {term.gap, Vec3(term.p - sides.a.shape->radius * term.n),
          Vec3(term.p - (term.distance - sides.b.shape->radius) * term.n), term.n};
}

}  // namespace

void smooth_terms(BodyPair& pair, const Item& item, const BodyView& a, const BodyView& b, double threshold,
                  VertexContacts& found, bool by_midway) {
  const Sides sides(a, b);
  found.contacts.clear();
  if (sides.other.shape->hollow_radius > 0) {
    hollow_terms(found, pair, sides, threshold);
  } else if (by_midway && is_smooth(*a.shape) && is_smooth(*b.shape)) {
    midway_term(found, pair, sides, threshold);
  } else if (item.count > 0) {
    surface_terms(found, pair, item, sides, threshold);
  } else {
    const double radius = sides.other.shape->radius;
    if (is_smooth(*sides.other.shape)) pair.meeting.resize(1);
    const Touch touch = touch_convex(sides.body, sides.other, pair.hints[0], threshold + radius,
                                     pair.meeting.empty() ? nullptr : pair.meeting.data());
    found.nearest = touch.distance - radius;
    if (found.nearest < threshold) {
      require_found(touch);
      add(found, pair, term_of(touch, sides), 0);
    }
  }
}

ClosedTouch touch_of_closed(const ClosedFeature& closed, const BodyView& a, const BodyView& b,
                            TouchHint& hint, double stop) {
  const Sides sides(a, b);
  const double radius = sides.other.shape->radius;
  const Touch touch = touch_closed(sides.body, sides.other, closed.kind, closed.feature, hint, stop + radius);
  if (touch.distance - radius < stop) require_found(touch);
  return {term_of(touch, sides), {touch.kind, touch.feature, Vec3::Zero(), touch.distance}};
}

void build_smooth_items(BodyPair& pair, const BodyView& a, const BodyView& b, double reach) {
  const Sides sides(a, b);
  const double radius = sides.other.shape->radius;
  Item item;
  item.kind = ItemKind::smooth;
  item.a = item.b = 0;
  if (!by_features(*sides.other.shape)) {
    pair.hints.resize(1);
    Meeting met = last_meeting(pair);
    const double gap = nearest_touch(pair, item, sides, reach + radius, met).distance - radius;
    if (gap > 0) begin_next_at(pair, met, sides);
    if (gap < reach) {
      pair.items.push_back(item);
    } else {
      pair.reach = gap;
    }
    return;
  }
  pair.hints.assign(pair.closed.size(), {});
  pair.search_n.kept = false;  // of other features
  std::size_t kept = 0;
  for (std::size_t c = 0; c < pair.closed.size(); ++c) {
    const ClosedFeature closed = pair.closed[c];
    TouchHint hint;
    const Touch touch =
        touch_closed(sides.body, sides.other, closed.kind, closed.feature, hint, reach + radius);
    if (touch.distance - radius >= reach) continue;
    pair.closed[kept] = closed;
    pair.hints[kept++] = hint;
  }
  pair.closed.resize(kept);
  pair.hints.resize(kept);
  item.count = static_cast<int>(kept);
  if (kept > 0) pair.items.push_back(item);
}

NearestPoints smooth_nearest(const BodyPair& pair, const Item& item, const BodyView& a, const BodyView& b) {
  const Sides sides(a, b);
  Meeting met = last_meeting(pair);
  return points_of(nearest_touch(pair, item, sides, std::numeric_limits<double>::infinity(), met), sides);
}

NearestPoints find_nearest(BodyPair& pair, const Item& item, const BodyView& a, const BodyView& b,
                           double enough) {
  const Sides sides(a, b);
  Meeting met = last_meeting(pair);
  const Touch touch = nearest_touch(pair, item, sides, std::numeric_limits<double>::infinity(), met, enough);
  NearestPoints nearest = points_of(touch, sides);
  if (item.count == 0 && nearest.gap > 0) begin_next_at(pair, met, sides);
  return nearest;
}

double contact_radius(const BodyView& body, const Mat3& bend, const Vec3& outward, CurvatureRule rule,
                      double limit) {
  if (!is_smooth(*body.shape)) return body.shape->radius;
  const CurvatureRadii radii = curvature_radii(bend, outward);
  return std::min(rule == CurvatureRule::mean ? radii.mean : radii.gaussian,
                  limit * typical_radius(*body.shape));
}

StartRadii radii_at_start(const BodyPair& pair, const BodyView& a, const BodyView& b, CurvatureRule rule,
                          double limit) {
  const Smooth then_a = accepted_body(a), then_b = accepted_body(b);
  const Summit summit = highest_separation(then_a, then_b, a.trial->Q.transpose() * pair.hints[0].n);
  const Vec3 outward_a = -(then_a.R.transpose() * summit.n), outward_b = then_b.R.transpose() * summit.n;
  return {contact_radius(a, summit.on_a.hessian, outward_a, rule, limit),
          contact_radius(b, summit.on_b.hessian, outward_b, rule, limit)};
}

}  // namespace scree::contact
