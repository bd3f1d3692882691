#include "contact/pair/pair_terms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/geometry/near_features.hpp"
#include "contact/pair/term_gap.hpp"

namespace scree::contact {
namespace {

/// Nearly parallel edges have no distinct crossing; their ends carry the contact. The pair is faded in
/// between parallel and the angle at which the ends are kWindowOpening scales of the law apart
/// (docs/contact.md).
constexpr double kWindowOpening = 3.0;
constexpr double kWidestSine2 = 1e-2;
constexpr double kParallelSine2 = 1e-12;
/// Of coordinates: round-off of a nearest point.
constexpr double kRoundOffs = 16 * std::numeric_limits<double>::epsilon();

/// Sets distance, gap and normal from the vector of the witnesses, B to A.
/// Point p inside of a bore or cavity: the normal points to its axis or centre, and lines of equal distance
/// curve the other way.
void set_hollow_gap(Term& term, const Vec3& p, const BodyView& b, double radii) {
  Vec3 radial = b.to_local(p);
  if (b.shape->kind == ShapeKind::bore) radial.z() = 0;
  const double rho = radial.norm();
  term.distance = b.shape->hollow_radius - rho;
  term.gap = term.distance - radii;
  term.n = rho > 0 ? Vec3(b.trial->R * (radial / -rho)) : Vec3(-b.trial->R.col(0));
  term.curvature = rho > 0 ? -1 / rho : 0;
}

/// Less the vertex-vertex pairs between w (vertex of B) and the acting vertices of A, which A's side has.
/// @param error of distances [m].
int subtract_vertices(BodyPair& pair, const Vec3& w, const BodyView& a, double radii, double threshold,
                      double error) {
  const Shape& shape = *a.shape;
  const double limit = threshold + radii;
  int added = 0;
  const auto subtract = [&](int v) {
    const Vec3 p = a.vertex(v);
    const Vec3 y = p - w;
    if (shape.vertex_acts[v] == 0 || y.squaredNorm() >= limit * limit) return;
    Term term;
    term.kind = TermKind::vv;
    term.sign = -1;
    term.p = p;
    set_gap(term, y, radii);
    if (term.gap >= threshold) return;
    pair.terms.push_back(term);
    ++added;
  };
  thread_local std::vector<int> vertices;
  vertices_near(shape, a.to_local(w), limit + error, vertices);
  for (const int v : vertices) subtract(v);
  return added;
}

}  // namespace

Place& place_of(std::vector<Place>& places, FeatureKind kind, int feature, bool& is_new) {
  const auto known = std::find_if(places.begin(), places.end(), [&](const Place& place) {
    return place.point.kind == kind && place.point.feature == feature;
  });
  is_new = known == places.end();
  return is_new ? places.emplace_back() : *known;
}

void drop_ties(std::vector<Place>& places) {
  for (Place& place : places) {
    if (place.weight >= 0) continue;
    const Vec3& at = place.point.point;
    const double apart = kSamePoint * place.point.distance + kRoundOffs * at.norm();
    // A face is the first to go: what is left of a point above a vertex is the vertex, however many faces
    // tie.
    for (const bool face : {true, false}) {
      for (Place& other : places) {
        if (place.weight >= 0) break;
        if ((other.point.kind == FeatureKind::face) != face || other.weight <= 0) continue;
        if ((other.point.point - at).squaredNorm() > apart * apart) continue;
        const int ties = std::min(other.weight, -place.weight);
        other.weight -= ties;
        place.weight += ties;
      }
    }
  }
}

void weighted_places(const BodyPair& pair, const Item& item, const Shape& surface, const Vec3& local,
                     double within, std::vector<Place>& places, double& nearest) {
  places.clear();
  nearest = std::numeric_limits<double>::infinity();
  const int first = item.kind == ItemKind::vertex_of_a ? item.b : item.a;
  for (int c = first; c < first + item.count; ++c) {
    const ClosedFeature& closed = pair.closed[c];
    const SurfacePoint point = nearest_on(surface, closed, local);
    nearest = std::min(nearest, point.distance);
    if (point.distance >= within) continue;
    bool is_new = false;
    Place& place = place_of(places, point.kind, point.feature, is_new);
    if (is_new) place.point = point;
    place.weight += closed.kind == FeatureKind::edge ? -1 : 1;
  }
}

Term vertex_on_b(const Vec3& p, const SurfacePoint& on_b, const BodyView& b, double radii) {
  Term term;
  term.p = p;
  if (on_b.kind == FeatureKind::face) {
    term.kind = TermKind::vf;
    term.n = b.trial->R * b.shape->faces[on_b.feature].normal;
    if (on_b.behind) term.n = -term.n;
    term.distance = on_b.distance;
    term.gap = term.distance - radii;
    return term;
  }
  term.kind = on_b.kind == FeatureKind::edge ? TermKind::ve : TermKind::vv;
  if (b.shape->hollow_radius > 0) {
    term.f = b.trial->R.col(2);
    set_hollow_gap(term, p, b, radii);
    return term;
  }
  if (on_b.kind == FeatureKind::edge) term.f = b.trial->R * b.shape->edges[on_b.feature].direction;
  set_gap(term, p - b.to_global(on_b.point), radii);
  return term;
}

Term vertex_on_a(const Vec3& q, const SurfacePoint& on_a, const BodyView& a, double radii) {
  Term term;
  term.p = q;
  if (on_a.kind == FeatureKind::face) {
    term.kind = TermKind::fv;
    term.n = a.trial->R * a.shape->faces[on_a.feature].normal;
    if (!on_a.behind) term.n = -term.n;
    term.distance = on_a.distance;
    term.gap = term.distance - radii;
    return term;
  }
  const Vec3 point = a.to_global(on_a.point);
  if (on_a.kind == FeatureKind::edge) {
    term.kind = TermKind::ev;
    term.e = a.trial->R * a.shape->edges[on_a.feature].direction;
  } else {
    term.kind = TermKind::vv;
    term.p = point;  // vv terms are written with the point that moves with A
  }
  set_gap(term, point - q, radii);
  return term;
}

Segment segment_of(const BodyView& body, int edge, const BodyView& other) {
  const Edge& e = body.shape->edges[edge];
  if (e.v0 < 0) {
    // Ends that no feature of the other body reaches, and yet numbers as small as the bodies.
    const Vec3 direction = body.trial->R * e.direction;
    const double half = 4 * (other.shape->bounding_radius + other.shape->radius + body.shape->radius);
    const double foot = direction.dot(other.trial->x - body.trial->x);
    return {body.trial->x + (foot - half) * direction, direction, 2 * half};
  }
  return {body.vertex(e.v0), body.trial->R * e.direction, e.length};
}

SurfacePoint nearest_of_item(const BodyPair& pair, const Item& item, const Shape& surface,
                             const Vec3& local) {
  int hint = item.hint;
  if (item.count == 0) return nearest_on_convex(surface, local, hint);
  SurfacePoint best;
  best.distance = std::numeric_limits<double>::infinity();
  const int first = item.kind == ItemKind::vertex_of_a ? item.b : item.a;
  for (int c = first; c < first + item.count; ++c) {
    const ClosedFeature& closed = pair.closed[static_cast<std::size_t>(c)];
    if (closed.kind != FeatureKind::face) continue;  // closed faces contain the rest
    const SurfacePoint point = nearest_on_face(surface, closed.feature, local);
    if (point.distance < best.distance) best = point;
  }
  return best;
}

Term crossing_term(const Segment& e, const Segment& f, const SegmentPair& nearest) {
  Term term;
  term.kind = TermKind::ee;
  term.e = e.direction;
  term.f = f.direction;
  term.p = e.at(nearest.s);
  return term;
}

Vec3 contact_point(const Term& term, double radius_a, double radius_b, double share) {
  return moves_with_b(term.kind) ? Vec3(term.p + (radius_b + (1 - share) * term.gap) * term.n)
                                 : Vec3(term.p - (radius_a + share * term.gap) * term.n);
}

void vertex_terms(BodyPair& pair, Item& item, const BodyView& a, const BodyView& b, double threshold,
                  VertexContacts& found) {
  const bool on_b = item.kind == ItemKind::vertex_of_a;
  const BodyView& surface = on_b ? b : a;
  const int vertex = on_b ? item.a : item.b;
  const Vec3& p = on_b ? a.vertex(vertex) : b.vertex(vertex);
  const Vec3 local = surface.to_local(p);
  const double radii = a.shape->radius + b.shape->radius;
  // A sphere is seen from one side alone (candidates.cpp): then nothing was counted twice.
  const bool from_both = !on_b && b.shape->vertices.size() > 1;
  found.contacts.clear();
  const auto add = [&](const SurfacePoint& point, double sign) {
    Term term = on_b ? vertex_on_b(p, point, b, radii) : vertex_on_a(p, point, a, radii);
    term.sign = sign;
    pair.terms.push_back(term);
  };

  if (item.count == 0) {
    const SurfacePoint point = nearest_on_convex(*surface.shape, local, item.hint);
    found.nearest = point.distance - radii;
    if (found.nearest < threshold) {
      VertexContacts::Contact& contact = found.contacts.emplace_back();
      contact.first = static_cast<int>(pair.terms.size());
      add(point, 1);
      contact.count = 1;
      if (from_both) contact.count += subtract_vertices(pair, p, a, radii, threshold, distance_error(a, b));
    }
    return;
  }

  thread_local std::vector<Place> places;
  weighted_places(pair, item, *surface.shape, local, threshold + radii, places, found.nearest);
  found.nearest -= radii;
  drop_ties(places);
  bool host = from_both;  // the vertex-vertex duplicates go to the first positive contact
  for (const auto& [point, weight] : places) {
    if (weight == 0) continue;
    VertexContacts::Contact& contact = found.contacts.emplace_back();
    contact.first = static_cast<int>(pair.terms.size());
    const bool face = point.kind == FeatureKind::face;
    const int feature = face ? surface.shape->faces[point.feature].sheet : point.feature;
    contact.feature = feature * 3 + static_cast<int>(point.kind);
    add(point, weight);
    contact.count = 1;
    if (host && weight > 0) {
      contact.count += subtract_vertices(pair, p, a, radii, threshold, distance_error(a, b));
      host = false;
    }
  }
}

EdgeWindow edge_window(const NormalLaw& law, double length_a, double length_b) {
  const double opening = kWindowOpening * law.scale() / std::min(length_a, length_b);
  return {std::min(opening * opening, kWidestSine2)};
}

EdgeContact edge_terms(BodyPair& pair, const Item& item, const BodyView& a, const BodyView& b,
                       const NormalLaw& law) {
  const double threshold = law.threshold();
  const Segment e = segment_of(a, item.a, b);
  const Segment f = segment_of(b, item.b, a);
  const double radii = a.shape->radius + b.shape->radius;
  const SegmentPair closest =
      nearest_on_segments(e.start, e.direction, e.length, f.start, f.direction, f.length);
  EdgeContact contact;
  const Vec3 y = e.at(closest.s) - f.at(closest.t);
  const double distance = y.norm();
  contact.nearest = distance - radii;
  if (contact.nearest >= threshold || closest.sine2 < kParallelSine2) return contact;

  // Weight per open feature pair: [0] crossing, [1..2] e's ends on f, [3..4] f's ends on e, [5..8] ends on
  // ends.
  int weight[9] = {};
  const auto end_of = [](double t, double length) { return t <= 0 ? 0 : (t >= length ? 1 : -1); };
  const Vec3 v[2] = {e.start, e.at(e.length)};
  const Vec3 w[2] = {f.start, f.at(f.length)};
  double on_f[2], on_e[2];
  const double limit = threshold + radii;
  const double limit2 = limit * limit;
  const int s_end = end_of(closest.s, e.length);
  const int t_end = end_of(closest.t, f.length);
  if (s_end < 0 && t_end < 0) {
    weight[0] += 1;
  } else if (s_end < 0) {
    weight[3 + t_end] += 1;
  } else if (t_end < 0) {
    weight[1 + s_end] += 1;
  } else {
    weight[5 + 2 * s_end + t_end] += 1;
  }
  for (int i = 0; i < 2; ++i) {
    on_f[i] = nearest_on_segment(v[i], f.start, f.direction, f.length);
    if ((v[i] - f.at(on_f[i])).squaredNorm() < limit2) {
      const int end = end_of(on_f[i], f.length);
      weight[end < 0 ? 1 + i : 5 + 2 * i + end] -= 1;
    }
    on_e[i] = nearest_on_segment(w[i], e.start, e.direction, e.length);
    if ((w[i] - e.at(on_e[i])).squaredNorm() < limit2) {
      const int end = end_of(on_e[i], e.length);
      weight[end < 0 ? 3 + i : 5 + 2 * end + i] -= 1;
    }
  }
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      if ((v[i] - w[j]).squaredNorm() < limit2) weight[5 + 2 * i + j] += 1;
    }
  }
  for (int k = 0; k < 9; ++k) {
    if (weight[k] == 0) continue;
    Term term;
    if (k == 0) {
      term = crossing_term(e, f, closest);
      set_gap(term, y, radii);
    } else if (k <= 2) {
      term.kind = TermKind::ve;
      term.f = f.direction;
      term.p = v[k - 1];
      set_gap(term, v[k - 1] - f.at(on_f[k - 1]), radii);
    } else if (k <= 4) {
      term.kind = TermKind::ev;
      term.e = e.direction;
      term.p = w[k - 3];
      set_gap(term, e.at(on_e[k - 3]) - w[k - 3], radii);
    } else {
      term.kind = TermKind::vv;
      term.p = v[(k - 5) / 2];
      set_gap(term, v[(k - 5) / 2] - w[(k - 5) % 2], radii);
    }
    term.sign = weight[k];
    pair.terms.push_back(term);
    ++contact.terms;
  }
  if (contact.terms == 0) return contact;

  const double widest = edge_window(law, e.length, f.length).widest;
  const double x = closest.sine2 / widest;
  contact.window = 1;
  if (x < 1) {
    const double c = e.direction.dot(f.direction);
    contact.window = x * (2 - x);
    contact.mu = -4 * c * (1 - x) / widest;
    contact.mu_dc = -4 * (1 - x) / widest - 8 * c * c / (widest * widest);
  }
  return contact;
}

}  // namespace scree::contact
