#include "contact/pair_terms.hpp"

#include <cmath>
#include <limits>

namespace scree::contact {
namespace {

/// Nearly parallel edges have no distinct crossing; their ends carry the contact. The pair is faded in
/// between parallel and the angle at which the ends are kWindowOpening scales of the law apart
/// (docs/contact.md).
constexpr double kWindowOpening = 3.0;
constexpr double kWidestSine2 = 1e-2;
constexpr double kParallelSine2 = 1e-12;

Vec3 to_body(const BodyView& body, const Vec3& p) { return body.trial->R.transpose() * (p - body.trial->x); }
Vec3 to_global(const BodyView& body, const Vec3& p) { return body.trial->x + body.trial->R * p; }

/// Sets distance, gap and normal from the vector of the witnesses, B to A.
void set_gap(Term& term, const Vec3& y, double radii) {
  term.distance = y.norm();
  term.gap = term.distance - radii;
  term.n = y / (term.distance > 0 ? term.distance : 1.0);
}

/// Less the vertex-vertex pairs between w (vertex of B) and the acting vertices of A, which A's side has.
int subtract_vertices(BodyPair& pair, const Vec3& w, const BodyView& a, double radii, double threshold) {
  const Shape& shape = *a.shape;
  const double limit = threshold + radii;
  int added = 0;
  for (std::size_t v = 0; v < shape.vertices.size(); ++v) {
    const Vec3 y = a.vertices[v] - w;
    if (shape.vertex_acts[v] == 0 || y.squaredNorm() >= limit * limit) continue;
    Term term;
    term.kind = TermKind::vv;
    term.sign = -1;
    term.p = a.vertices[v];
    set_gap(term, y, radii);
    if (term.gap >= threshold) continue;
    pair.terms.push_back(term);
    ++added;
  }
  return added;
}

}  // namespace

Term vertex_on_b(const Vec3& p, const SurfacePoint& on_b, const BodyView& b, double radii) {
  Term term;
  term.p = p;
  if (on_b.kind == FeatureKind::face) {
    term.kind = TermKind::vf;
    term.n = b.trial->R * b.shape->faces[on_b.feature].normal;
    term.distance = on_b.distance;
    term.gap = term.distance - radii;
    return term;
  }
  term.kind = on_b.kind == FeatureKind::edge ? TermKind::ve : TermKind::vv;
  if (on_b.kind == FeatureKind::edge) term.f = b.trial->R * b.shape->edges[on_b.feature].direction;
  set_gap(term, p - to_global(b, on_b.point), radii);
  return term;
}

Term vertex_on_a(const Vec3& q, const SurfacePoint& on_a, const BodyView& a, double radii) {
  Term term;
  term.p = q;
  if (on_a.kind == FeatureKind::face) {
    term.kind = TermKind::fv;
    term.n = -(a.trial->R * a.shape->faces[on_a.feature].normal);
    term.distance = on_a.distance;
    term.gap = term.distance - radii;
    return term;
  }
  const Vec3 point = to_global(a, on_a.point);
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

Segment segment_of(const BodyView& body, int edge) {
  const Edge& e = body.shape->edges[edge];
  return {body.vertices[e.v0], body.trial->R * e.direction, e.length};
}

VertexContacts vertex_terms(BodyPair& pair, Item& item, const BodyView& a, const BodyView& b,
                            double threshold) {
  const bool on_b = item.kind == ItemKind::vertex_of_a;
  const BodyView& surface = on_b ? b : a;
  const int vertex = on_b ? item.a : item.b;
  const Vec3& p = on_b ? a.vertices[vertex] : b.vertices[vertex];
  const Vec3 local = to_body(surface, p);
  const double radii = a.shape->radius + b.shape->radius;
  VertexContacts found;
  const auto add = [&](const SurfacePoint& point, double sign) {
    Term term = on_b ? vertex_on_b(p, point, b, radii) : vertex_on_a(p, point, a, radii);
    term.sign = sign;
    pair.terms.push_back(term);
  };

  if (item.count == 0) {
    const SurfacePoint point = nearest_on_convex(*surface.shape, local, item.hint);
    found.nearest = point.distance - radii;
    if (found.nearest < threshold) {
      found.first_of[0] = static_cast<int>(pair.terms.size());
      add(point, 1);
      found.count_of[0] = 1;
      if (!on_b) found.count_of[0] += subtract_vertices(pair, p, a, radii, threshold);
      found.contacts = 1;
    }
    return found;
  }

  // Non-convex: closed faces and vertices +1, closed edges -1, summed per open feature (theory 03, 4.1).
  SurfacePoint points[VertexContacts::kMost];
  int weights[VertexContacts::kMost] = {};
  int kinds = 0;
  found.nearest = std::numeric_limits<double>::infinity();
  const int first = on_b ? item.b : item.a;
  for (int c = first; c < first + item.count; ++c) {
    const ClosedFeature& closed = pair.closed[c];
    SurfacePoint point;
    if (closed.kind == FeatureKind::face) {
      point = nearest_on_face(*surface.shape, closed.feature, local);
    } else if (closed.kind == FeatureKind::edge) {
      point = nearest_on_edge(*surface.shape, closed.feature, local);
    } else {
      const Vec3& v = surface.shape->vertices[closed.feature];
      point = {FeatureKind::vertex, closed.feature, v, (local - v).norm()};
    }
    found.nearest = std::min(found.nearest, point.distance - radii);
    if (point.distance - radii >= threshold) continue;
    int k = 0;
    while (k < kinds && !(points[k].kind == point.kind && points[k].feature == point.feature)) ++k;
    if (k == VertexContacts::kMost) continue;
    if (k == kinds) points[kinds++] = point;
    weights[k] += closed.kind == FeatureKind::edge ? -1 : 1;
  }
  bool host = !on_b;  // the vertex-vertex duplicates go to the first positive contact
  for (int k = 0; k < kinds; ++k) {
    if (weights[k] == 0) continue;
    const int c = found.contacts++;
    found.first_of[c] = static_cast<int>(pair.terms.size());
    found.feature_of[c] = points[k].feature * 3 + static_cast<int>(points[k].kind);
    add(points[k], weights[k]);
    found.count_of[c] = 1;
    if (host && weights[k] > 0) {
      found.count_of[c] += subtract_vertices(pair, p, a, radii, threshold);
      host = false;
    }
  }
  return found;
}

EdgeContact edge_terms(BodyPair& pair, const Item& item, const BodyView& a, const BodyView& b,
                       const NormalLaw& law) {
  const double threshold = law.threshold();
  const Segment e = segment_of(a, item.a);
  const Segment f = segment_of(b, item.b);
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
    term.sign = weight[k];
    if (k == 0) {
      term.kind = TermKind::ee;
      term.e = e.direction;
      term.f = f.direction;
      term.p = e.at(closest.s);
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
    pair.terms.push_back(term);
    ++contact.terms;
  }
  if (contact.terms == 0) return contact;

  const double opening = kWindowOpening * law.scale() / std::min(e.length, f.length);
  const double widest = std::min(opening * opening, kWidestSine2);
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
