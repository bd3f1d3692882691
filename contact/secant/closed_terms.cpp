#include "contact/secant/closed_terms.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <optional>

#include "contact/geometry/near_features.hpp"
#include "contact/pair/pair_terms.hpp"
#include "contact/pair/pair_touch.hpp"
#include "contact/pair/term_gap.hpp"
#include "contact/secant/closed_places.hpp"
#include "contact/secant/hollow_step.hpp"
#include "contact/superquadric/smooth_terms.hpp"
#include "core/error.hpp"

namespace scree::contact {
namespace {

/// What the items of one pair share.
struct SidesOfATerm {
  BodyPair& pair;
  const BodyOverStep& a;
  const BodyOverStep& b;
  BodyView a_n, b_n;
  double radii, threshold;
};

bool acts(const ClosedTerm& term, double threshold) {
  return term.start.gap < threshold || term.end.gap < threshold;
}

void check_start(const ClosedTerm& term, const NormalLaw& law) {
  if (!law.allows_overlap() && !(term.end.gap > 0)) throw RecoverableError("two bodies touch or overlap");
}

/// Vertex-vertex pairs between w (vertex of B) and the acting vertices of A, which A's side has.
void subtract_vertices(const SidesOfATerm& sides, int w, int place, ClosedTerms& found) {
  const Shape& shape = *sides.a.end.shape;
  const Vec3& at = sides.b.vertex(w);
  const Vec3 at_n = sides.b.vertex_n(w);
  const double limit = sides.threshold + sides.radii;
  thread_local std::vector<int> near_end, near_start, near;
  const double wide = limit + distance_error(sides.a.end, sides.b.end);
  vertices_near(shape, sides.a.end.to_local(at), wide, near_end);
  vertices_near(shape, sides.a_n.to_local(at_n), wide, near_start);
  near.clear();
  std::set_union(near_end.begin(), near_end.end(), near_start.begin(), near_start.end(),
                 std::back_inserter(near));
  for (const int v : near) {
    if (shape.vertex_acts[static_cast<std::size_t>(v)] == 0) continue;
    const Vec3& p = sides.a.vertex(v);
    const Vec3 p_n = sides.a.vertex_n(v);
    if ((p - at).squaredNorm() >= limit * limit && (p_n - at_n).squaredNorm() >= limit * limit) continue;
    ClosedTerm term;
    term.place = place;
    term.rule = SecantRule::corner;
    term.end.kind = term.start.kind = TermKind::vv;
    term.end.sign = -1;
    term.end.p = p;
    term.start.p = p_n;
    set_gap(term.end, p - at, sides.radii);
    set_gap(term.start, p_n - at_n, sides.radii);
    if (acts(term, sides.threshold)) found.terms.push_back(term);
  }
}

/// Nearer to the end of a feature than this part of the body is at it: rounding must not decide how the terms
/// of bodies that are aligned act, which cancel.
constexpr double kAligned = 1e-8;

SecantRule rule_of_vertex(const Shape& surface, const SurfacePoint& start) {
  if (!is_sharp(surface)) return SecantRule::face;  // of no account
  if (start.kind != FeatureKind::face) return SecantRule::corner;
  const double within = kAligned * surface.bounding_radius;
  for (const int e : surface.faces[static_cast<std::size_t>(start.feature)].edges) {
    const Edge& edge = surface.edges[static_cast<std::size_t>(e)];
    const Vec3& from = surface.vertices[static_cast<std::size_t>(edge.v0)];
    const double along = nearest_on_segment(start.point, from, edge.direction, edge.length);
    if ((from + along * edge.direction - start.point).squaredNorm() < within * within)
      return SecantRule::corner;
  }
  return SecantRule::face;
}

Term term_at(const SidesOfATerm& sides, bool on_b, const Vec3& vertex, const SurfacePoint& point,
             bool start) {
  const BodyView& surface = on_b ? (start ? sides.b_n : sides.b.end) : (start ? sides.a_n : sides.a.end);
  return on_b ? vertex_on_b(vertex, point, surface, sides.radii)
              : vertex_on_a(vertex, point, surface, sides.radii);
}

/// Keeps the order of those of one place. There are few, and std::stable_sort allocates.
void sort_by_place(ClosedTerms& found, std::size_t from) {
  const auto first = found.terms.begin() + static_cast<std::ptrdiff_t>(from);
  const auto before = [](const ClosedTerm& p, const ClosedTerm& q) { return p.place < q.place; };
  for (auto it = first; it != found.terms.end(); ++it)
    std::rotate(std::upper_bound(first, it, *it, before), it, std::next(it));
}

void append_places(const std::vector<StepPlace>& places, const Shape& surface, double threshold,
                   ClosedTerms& found) {
  const std::size_t before = found.terms.size();
  for (const StepPlace& one : places) {
    if (one.weight == 0) continue;
    ClosedTerm term;
    term.start = one.start;
    term.end = one.end;
    term.end.sign = one.weight;
    // What acts at the start keeps its number through all iterates.
    term.place = place_number(surface, term.start.gap < threshold ? one.at_start : one.at_end);
    term.rule = one.rule;
    term.of_b = one.of_b;
    found.terms.push_back(term);
  }
  sort_by_place(found, before);
}

/// A vertex and a surface that is not convex.
void closed_surface_terms(const SidesOfATerm& sides, const Item& item, ClosedTerms& found) {
  const bool on_b = item.kind == ItemKind::vertex_of_a;
  const BodyOverStep& with_vertex = on_b ? sides.a : sides.b;
  const BodyOverStep& with_surface = on_b ? sides.b : sides.a;
  const Shape& surface = *with_surface.end.shape;
  const Shape& surface_n = *with_surface.start_shape;
  const Vec3 vertex = with_vertex.vertex(on_b ? item.a : item.b);
  const Vec3 vertex_n = with_vertex.vertex_n(on_b ? item.a : item.b);
  const Vec3 local = with_surface.end.to_local(vertex);
  const Vec3 local_n = with_surface.start().to_local(vertex_n);
  thread_local std::vector<StepPlace> places;
  places.clear();
  const double within = sides.threshold + sides.radii;
  const int first = on_b ? item.b : item.a;
  bool acts_n = false, acts_now = false;
  for (int c = first; c < first + item.count; ++c) {
    const ClosedFeature& closed = sides.pair.closed[static_cast<std::size_t>(c)];
    const SurfacePoint start = nearest_on(surface_n, closed, local_n);
    const SurfacePoint end = nearest_on(surface, closed, local);
    found.nearest = std::min(found.nearest, end.distance - sides.radii);
    found.nearest_n = std::min(found.nearest_n, start.distance - sides.radii);
    if (end.distance >= within && start.distance >= within) continue;
    acts_n = acts_n || start.distance < within;
    acts_now = acts_now || end.distance < within;
    add_place(places, {open_feature(start), open_feature(end), term_at(sides, on_b, vertex_n, start, true),
                       term_at(sides, on_b, vertex, end, false), closed.kind == FeatureKind::edge ? -1 : 1,
                       rule_of_vertex(surface_n, start), !on_b});
  }
  std::optional<StepPlace> beyond;
  if (!places.empty() && !(acts_n && acts_now)) {
    // The nearest point of all of a surface counts once.
    const bool at_start = !acts_n;
    const SurfacePoint nearest =
        at_start ? nearest_on_surface(surface_n, local_n) : nearest_on_surface(surface, local);
    const Term term = term_at(sides, on_b, at_start ? vertex_n : vertex, nearest, at_start);
    beyond = StepPlace{open_feature(nearest),
                       open_feature(nearest),
                       term,
                       term,
                       1,
                       rule_of_vertex(surface_n, nearest),
                       !on_b};
  }
  follow_contact(places, beyond ? &*beyond : nullptr, sides.threshold);
  append_places(places, surface_n, sides.threshold, found);
}

/// The nine closed pairs of two closed edges at one end of the step: [0] the edges, [1..2] ends of e on f,
/// [3..4] ends of f on e, [5..8] ends on ends; each with the open features that are nearest, numbered alike.
struct EdgeTerms {
  std::array<int, 9> at{};
  std::array<Term, 9> term;
};

/// Two closed edges at one end of the step.
struct EdgePair {
  Segment e, f;
  SegmentPair closest;

  EdgePair(const Segment& first, const Segment& second)
      : e(first),
        f(second),
        closest(nearest_on_segments(e.start, e.direction, e.length, f.start, f.direction, f.length)) {}

  /// Gap of the edges [m].
  [[nodiscard]] double gap(double radii) const { return (e.at(closest.s) - f.at(closest.t)).norm() - radii; }

  /// Whether the nearest point of one is as good as its end [m].
  [[nodiscard]] bool meets_end(double within) const {
    return std::min({closest.s, e.length - closest.s, closest.t, f.length - closest.t}) < within;
  }
  /// Whether the nearest end is one of f.
  [[nodiscard]] bool vertex_of_b() const {
    return std::min(closest.t, f.length - closest.t) < std::min(closest.s, e.length - closest.s);
  }

  void find(double radii, EdgeTerms& to) const {
    const auto end_of = [](double t, double length) { return t <= 0 ? 0 : (t >= length ? 1 : -1); };
    const std::array<Vec3, 2> v{e.start, e.at(e.length)};
    const std::array<Vec3, 2> w{f.start, f.at(f.length)};
    const int s = end_of(closest.s, e.length);
    const int t = end_of(closest.t, f.length);
    to.at[0] = s < 0 && t < 0 ? 0 : s < 0 ? 3 + t : t < 0 ? 1 + s : 5 + 2 * s + t;
    for (int i = 0; i < 2; ++i) {
      const double on_f = nearest_on_segment(v[i], f.start, f.direction, f.length);
      const int end = end_of(on_f, f.length);
      to.at[1 + i] = end < 0 ? 1 + i : 5 + 2 * i + end;
      const double on_e = nearest_on_segment(w[i], e.start, e.direction, e.length);
      const int end_e = end_of(on_e, e.length);
      to.at[3 + i] = end_e < 0 ? 3 + i : 5 + 2 * end_e + i;
      set(1 + i, v[i], f.at(on_f), radii, to);
      set(3 + i, e.at(on_e), w[i], radii, to);
      for (int j = 0; j < 2; ++j) {
        to.at[5 + 2 * i + j] = 5 + 2 * i + j;
        set(5 + 2 * i + j, v[i], w[j], radii, to);
      }
    }
    set(0, e.at(closest.s), f.at(closest.t), radii, to);
  }

  /// @param on_a, on_b nearest points of the closed pair k.
  void set(int k, const Vec3& on_a, const Vec3& on_b, double radii, EdgeTerms& to) const {
    Term& one = to.term[static_cast<std::size_t>(k)];
    const int open = to.at[static_cast<std::size_t>(k)];
    one.kind = open == 0 ? TermKind::ee : open <= 2 ? TermKind::ve : open <= 4 ? TermKind::ev : TermKind::vv;
    one.e = e.direction;
    one.f = f.direction;
    one.p = one.kind == TermKind::ev ? on_b : on_a;
    set_gap(one, on_a - on_b, radii);
  }
};

Segment segment_at_start(const BodyOverStep& body, int edge, const Segment& end) {
  const bool infinite = body.end.shape->edges[static_cast<std::size_t>(edge)].v0 < 0;
  if (!infinite) return segment_of(body.start(), edge, body.start());
  const BodyTrial& now = *body.end.trial;
  const Mat3 back = now.Q.transpose();
  return {body.start_pose.x + back * (end.start - now.x), back * end.direction, end.length};
}

/// How far a point of a segment may have gone from one place to another [m].
double most_moved(const Segment& from, const Segment& to) {
  return std::max((to.start - from.start).norm(), (to.at(to.length) - from.at(from.length)).norm());
}

void edge_pair_terms(const SidesOfATerm& sides, const Item& item, const NormalLaw& law, ClosedTerms& found) {
  const Segment e = segment_of(sides.a.end, item.a, sides.b.end);
  const Segment f = segment_of(sides.b.end, item.b, sides.a.end);
  const EdgePair last(e, f);
  const Segment e_n = segment_at_start(sides.a, item.a, e);
  const Segment f_n = segment_at_start(sides.b, item.b, f);
  const double gap = last.gap(sides.radii);
  found.nearest = std::min(found.nearest, gap);
  found.nearest_n = gap - most_moved(e_n, e) - most_moved(f_n, f);
  if (gap >= sides.threshold && found.nearest_n >= sides.threshold) return;
  const EdgePair first(e_n, f_n);
  found.nearest_n = first.gap(sides.radii);
  if (gap >= sides.threshold && found.nearest_n >= sides.threshold) return;
  // Where they are kept, nothing is set that is not found.
  thread_local EdgeTerms end, start;
  last.find(sides.radii, end);
  first.find(sides.radii, start);
  constexpr std::array<int, 9> kWeight{1, -1, -1, -1, -1, 1, 1, 1, 1};
  std::array<char, 9> taken{};
  const double within = kAligned * std::min(e.length, f.length);
  for (std::size_t k = 0; k < 9; ++k) {
    if (taken[k] != 0) continue;
    ClosedTerm one;
    one.start = start.term[k];
    one.end = end.term[k];
    if (!acts(one, sides.threshold)) continue;
    int weight = 0;
    for (std::size_t l = k; l < 9; ++l) {
      if (end.at[l] != end.at[k] || start.at[l] != start.at[k]) continue;
      weight += kWeight[l];
      taken[l] = 1;
    }
    if (weight == 0) continue;
    one.end.sign = weight;
    const bool crosses = one.start.kind == TermKind::ee && !first.meets_end(within);
    one.rule = crosses ? SecantRule::crossing : SecantRule::corner;
    one.of_b = k == 0 ? first.vertex_of_b() : k == 3 || k == 4;
    found.terms.push_back(one);
  }
  const EdgeWindow window = edge_window(law, e.length, f.length);
  const EdgeWindow window_n = edge_window(law, e_n.length, f_n.length);
  found.widest = window.widest;
  found.cosine = e.direction.dot(f.direction);
  found.cosine_n = e_n.direction.dot(f_n.direction);
  found.window = window.at(last.closest.sine2);
  found.window_n = window_n.at(first.closest.sine2);
}

/// The term of a superquadric and a convex body with edges at the start of the step, whatever feature was
/// nearest then: their distance is continuously differentiable, that of a feature beyond its ends is another
/// one. @returns whether there is one.
bool convex_start(const SidesOfATerm& sides, const Item& item, Term& start) {
  const bool smooth_a = is_smooth(*sides.a.end.shape);
  const Shape& other = smooth_a ? *sides.b.end.shape : *sides.a.end.shape;
  if (is_smooth(other) || other.vertices.size() < 2) return false;
  thread_local VertexContacts contacts;
  const TouchHint hint = sides.pair.hints[0];
  const std::size_t first = sides.pair.terms.size();
  smooth_terms(sides.pair, item, sides.a_n, sides.b_n, std::numeric_limits<double>::infinity(), contacts);
  sides.pair.hints[0] = hint;  // of the end
  const bool any = !contacts.contacts.empty();
  if (any) start = sides.pair.terms[first];
  sides.pair.terms.resize(first);
  return any;
}

/// A superquadric and a surface that is not convex.
void smooth_surface_terms(const SidesOfATerm& sides, const Item& item, ClosedTerms& found) {
  constexpr double kAnywhere = std::numeric_limits<double>::infinity();
  const bool smooth_a = is_smooth(*sides.a.end.shape);
  const Shape& surface_n = smooth_a ? *sides.b.start_shape : *sides.a.start_shape;
  thread_local std::vector<StepPlace> places;
  places.clear();
  for (int c = item.b; c < item.b + item.count; ++c) {
    const ClosedFeature& closed = sides.pair.closed[static_cast<std::size_t>(c)];
    TouchHint& hint = sides.pair.hints[static_cast<std::size_t>(c)];
    ClosedTouch end = touch_of_closed(closed, sides.a.end, sides.b.end, hint, sides.threshold);
    if (closed.kind == FeatureKind::face) found.nearest = std::min(found.nearest, end.term.gap);
    TouchHint back = hint;
    ClosedTouch start = touch_of_closed(closed, sides.a_n, sides.b_n, back, sides.threshold);
    const bool acts_n = start.term.gap < sides.threshold;
    const bool acts_now = end.term.gap < sides.threshold;
    if (!acts_n && !acts_now) continue;
    // What acts at one end is looked at however far it is at the other.
    if (!acts_n) start = touch_of_closed(closed, sides.a_n, sides.b_n, back, kAnywhere);
    if (!acts_now) end = touch_of_closed(closed, sides.a.end, sides.b.end, hint, kAnywhere);
    add_place(places, {open_feature(start.at), open_feature(end.at), start.term, end.term,
                       closed.kind == FeatureKind::edge ? -1 : 1});
  }
  follow_contact(places, nullptr, sides.threshold);
  append_places(places, surface_n, sides.threshold, found);
}

/// Whether a superquadric is inside of a cylinder or sphere.
bool in_hollow(const SidesOfATerm& sides) {
  return sides.a.end.shape->hollow_radius > 0 || sides.b.end.shape->hollow_radius > 0;
}

/// Places of a superquadric at the wall around it at one end of the step, however far they are.
void hollow_places(const SidesOfATerm& sides, const Item& item, const BodyView& a, const BodyView& b,
                   std::vector<HollowPlace>& places, double& nearest) {
  thread_local VertexContacts contacts;
  std::vector<Term>& terms = sides.pair.terms;
  const std::size_t first = terms.size();
  smooth_terms(sides.pair, item, a, b, std::numeric_limits<double>::infinity(), contacts);
  nearest = contacts.nearest;
  const BodyTrial& body = is_smooth(*a.shape) ? *a.trial : *b.trial;
  places.clear();
  for (const VertexContacts::Contact& contact : contacts.contacts) {
    for (int t = contact.first; t < contact.first + contact.count; ++t) {
      const Term& term = terms[static_cast<std::size_t>(t)];
      places.push_back({term, body.R.transpose() * (term.p - body.x), contact.feature});
    }
  }
  terms.resize(first);
}

void hollow_terms_over_step(const SidesOfATerm& sides, const Item& item, ClosedTerms& found) {
  thread_local std::vector<HollowPlace> starts, ends;
  hollow_places(sides, item, sides.a.end, sides.b.end, ends, found.nearest);
  hollow_places(sides, item, sides.a_n, sides.b_n, starts, found.nearest_n);
  join_hollow_places(starts, ends, found.terms);
  std::erase_if(found.terms, [&](const ClosedTerm& one) { return !acts(one, sides.threshold); });
}

void smooth_pair_terms(const SidesOfATerm& sides, const Item& item, bool midway, ClosedTerms& found) {
  // What acted at the start is looked at however far it has gone.
  thread_local VertexContacts contacts;
  thread_local std::vector<Term> kept;
  kept.clear();
  std::swap(kept, sides.pair.terms);
  Term first;
  bool at_start = false;
  try {
    smooth_terms(sides.pair, item, sides.a.end, sides.b.end, std::numeric_limits<double>::infinity(),
                 contacts, midway);
    at_start = convex_start(sides, item, first);
  } catch (...) {
    std::swap(kept, sides.pair.terms);
    throw;
  }
  std::swap(kept, sides.pair.terms);
  found.nearest = std::min(found.nearest, contacts.nearest);
  for (const VertexContacts::Contact& contact : contacts.contacts) {
    for (int t = contact.first; t < contact.first + contact.count; ++t) {
      ClosedTerm one;
      one.end = kept[static_cast<std::size_t>(t)];
      one.place = contact.feature;
      one.start = at_start ? first : one.end;
      if (!at_start) {
        const StartOfContact start =
            start_of_contact(sides.pair, one.end, sides.a.end, sides.b.end, &sides.pair.search_n.n);
        one.start.gap = start.gap;
        one.start.n = start.n;
        one.start.p = start.point;
      }
      if (acts(one, sides.threshold)) found.terms.push_back(one);
    }
  }
}

}  // namespace

void closed_terms(BodyPair& pair, Item& item, const BodyOverStep& a, const BodyOverStep& b,
                  const NormalLaw& law, bool midway, ClosedTerms& found) {
  found.terms.clear();
  found.nearest = found.nearest_n = std::numeric_limits<double>::infinity();
  found.window = found.window_n = 1;
  found.cosine = found.cosine_n = found.widest = 0;  // of an edge pair
  const SidesOfATerm sides{
      pair, a, b, a.start(), b.start(), a.end.shape->radius + b.end.shape->radius, law.threshold()};
  if (item.kind == ItemKind::edges) {
    edge_pair_terms(sides, item, law, found);
  } else if (item.kind == ItemKind::smooth) {
    found.nearest_n = -std::numeric_limits<double>::infinity();
    if (item.count > 0) {
      smooth_surface_terms(sides, item, found);
    } else if (in_hollow(sides)) {
      hollow_terms_over_step(sides, item, found);
    } else {
      smooth_pair_terms(sides, item, midway, found);
    }
  } else {
    const bool on_b = item.kind == ItemKind::vertex_of_a;
    if (item.count > 0) {
      closed_surface_terms(sides, item, found);
    } else {
      const BodyOverStep& surface = on_b ? b : a;
      const Vec3& vertex = on_b ? a.vertex(item.a) : b.vertex(item.b);
      const Vec3 vertex_n = on_b ? a.vertex_n(item.a) : b.vertex_n(item.b);
      ClosedTerm term;
      int hint = item.hint;
      const SurfacePoint start =
          nearest_on_convex(*surface.start_shape, surface.start().to_local(vertex_n), hint);
      term.start = term_at(sides, on_b, vertex_n, start, true);
      term.rule = rule_of_vertex(*surface.start_shape, start);
      term.of_b = !on_b;
      term.end =
          term_at(sides, on_b, vertex,
                  nearest_on_convex(*surface.end.shape, surface.end.to_local(vertex), item.hint), false);
      found.nearest = term.end.gap;
      found.nearest_n = term.start.gap;
      if (acts(term, sides.threshold)) found.terms.push_back(term);
    }
    // A sphere is seen from one side alone (candidates.cpp): then nothing was counted twice.
    if (!on_b && b.end.shape->vertices.size() > 1 && !found.terms.empty()) {
      const auto host = std::find_if(found.terms.begin(), found.terms.end(),
                                     [](const ClosedTerm& term) { return term.end.sign > 0; });
      const int place = host != found.terms.end() ? host->place : found.terms.front().place;
      subtract_vertices(sides, item.b, place, found);
      sort_by_place(found, 0);
    }
  }
  for (const ClosedTerm& term : found.terms) check_start(term, law);
}

}  // namespace scree::contact
