#include "contact/pair/folded_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/geometry/manifold.hpp"
#include "contact/geometry/near_features.hpp"
#include "contact/geometry/piercing.hpp"
#include "contact/pair/one_rigid_contact.hpp"
#include "contact/pair/pair_terms.hpp"
#include "contact/search/candidates.hpp"

namespace scree::contact {
namespace {

/// Of the smaller body: see depth_seen.
constexpr double kDepthSeen = 0.05;

/// Overlap of faces that touch, as part of depth_seen.
constexpr double kFlatFold = 0.02;

/// Edges over a face that is turned by so much (sine) at most touch its outline too, as soon as bodies turn.
constexpr double kNearlyTheFace = 0.1;

bool has(const std::vector<int>& list, int number) {
  return std::find(list.begin(), list.end(), number) != list.end();
}

/// Where a vertex inside of a closed surface came in: the face that its own edges pass through with the least
/// depth, that of its plane [m]; near an acute edge the nearest face may be the far one. The nearest place
/// where no edge decides.
SurfacePoint way_in(const BodyView& points, int vertex, const BodyView& surface,
                    const SurfacePoint& nearest) {
  const Vec3 local = surface.to_local(points.vertex(vertex));
  SurfacePoint place = nearest;
  double least = std::numeric_limits<double>::infinity();
  const std::vector<int>& edges = points.shape->vertex_edges[vertex];
  thread_local std::vector<int> faces, passed;
  passed.clear();
  for (const int e : edges) {
    const Edge& edge = points.shape->edges[e];
    const int other = edge.v0 == vertex ? edge.v1 : edge.v0;
    faces_near_segment(*surface.shape, local, surface.to_local(points.vertex(other)),
                       distance_error(points, surface), faces);
    passed.insert(passed.end(), faces.begin(), faces.end());
  }
  sort_and_thin(passed);
  for (const int f : passed) {
    const Face& face = surface.shape->faces[f];
    const double depth = face.offset - face.normal.dot(local);
    if (!(depth > 0) || depth >= least) continue;
    if (std::none_of(edges.begin(), edges.end(), [&](int e) { return way_past(points, e, surface, f) > 0; }))
      continue;
    least = depth;
    place = {FeatureKind::face, f, local + depth * face.normal, -depth, true};
  }
  return place;
}

/// A vertex inside of the other body goes out by a place on its surface.
Term way_out(const BodyView& surface, const SurfacePoint& place, const Vec3& vertex, bool on_b,
             double radii) {
  Term term;
  term.kind = on_b ? TermKind::vf : TermKind::fv;
  const Vec3 outward =
      place.kind == FeatureKind::face
          ? Vec3(surface.trial->R * surface.shape->faces[place.feature].normal)
          : Vec3((surface.to_global(place.point) - vertex).normalized());  // concave edge or vertex
  term.n = on_b ? outward : Vec3(-outward);
  term.p = vertex;
  term.distance = place.distance;
  term.gap = term.distance - radii;
  return term;
}

std::uint64_t key_of(const Item& item, bool on_b, const Shape& surface, const SurfacePoint& place) {
  const int feature = place.kind == FeatureKind::face ? surface.faces[place.feature].sheet : place.feature;
  const int side = feature * 3 + static_cast<int>(place.kind);
  return on_b ? make_key(item.kind, item.a, side) : make_key(item.kind, side, item.b);
}

/// Whether two edges that may touch have passed each other by a depth [m]: one of them goes in through one
/// face at the other and out through the other face. Otherwise the bodies only lie beside them, or touch
/// elsewhere. (Where a wedge is acute, neither edge need be inside of the other body.) Faces that lie on each
/// other overlap by little: there an edge may stay inside, and be beyond the ends of the arcs.
bool have_passed(const BodyView& a, const BodyView& b, const Item& item, double depth) {
  const Edge& e = a.shape->edges[item.a];
  const Edge& f = b.shape->edges[item.b];
  const auto passes = [](const BodyView& edges, int edge, const BodyView& faces, int face) {
    return way_past(edges, edge, faces, face) > 0 ? 1 : 0;
  };
  const int of_e = passes(a, item.a, b, f.f0) + passes(a, item.a, b, f.f1);
  const int of_f = passes(b, item.b, a, e.f0) + passes(b, item.b, a, e.f1);
  Vec3 n;
  if (depth <= kFlatFold * depth_seen(a, b)) return of_e + of_f > 0;
  return std::max(of_e, of_f) > 1 && normal_of_edges(a, b, item.a, item.b, 0, n);
}

/// Whether a feature of a surface is a face, or on its outline.
bool is_of(const Shape& surface, const SurfacePoint& point, int face) {
  const Face& f = surface.faces[face];
  if (point.kind == FeatureKind::face) return surface.faces[point.feature].sheet == f.sheet;
  return has(point.kind == FeatureKind::edge ? f.edges : f.loop, point.feature);
}

/// How deep edges of one body pass through faces of the other where no contact knows of it [m]: edges that
/// went through a spike or a fold leave no vertex inside, and no crossing to push back if they are deep.
double hidden_depth(const std::vector<Overlap>& known, const BodyView& edges, const BodyView& faces,
                    bool edges_of_a) {
  const auto is_known = [&](int edge, int face) {
    const Edge& e = edges.shape->edges[edge];
    return std::any_of(known.begin(), known.end(), [&](const Overlap& overlap) {
      const int own = edges_of_a ? overlap.a : overlap.b, other = edges_of_a ? overlap.b : overlap.a;
      if (overlap.kind == ItemKind::edges) return own == edge && has(faces.shape->faces[face].edges, other);
      if ((overlap.kind == ItemKind::vertex_of_a) == edges_of_a)
        return (own == e.v0 || own == e.v1) && is_of(*faces.shape, overlap.way_out, face);
      return has(faces.shape->faces[face].loop, other) &&
             (is_of(*edges.shape, overlap.way_out, e.f0) || is_of(*edges.shape, overlap.way_out, e.f1));
    });
  };
  double depth = 0;
  visit_crossings(edges, faces, [&](int edge, int face, double way) {
    if (way > depth && !is_known(edge, face)) depth = way;
  });
  return depth;
}

/// Leaves one of the contacts that are nearly the same.
void thin_out(BodyPair& pair, double size) {
  thread_local std::vector<ManifoldPoint> points;
  points.clear();
  for (const Active& contact : pair.active) add_new(points, {contact.key, pair.terms[contact.first]}, size);
  pair.terms.clear();
  pair.active.clear();
  for (const ManifoldPoint& point : points) add_rigid_contact(pair, point.key, point.term, pair.nearest);
}

}  // namespace

bool is_folded(const Shape& shape) { return is_closed_polyhedron(shape) && !shape.convex; }

bool is_folded_pair(const BodyView& a, const BodyView& b) {
  return is_closed_polyhedron(*a.shape) && is_closed_polyhedron(*b.shape) &&
         !(a.shape->convex && b.shape->convex);
}

bool is_cut_by_sheet(const BodyView& a, const BodyView& b) {
  return is_closed_polyhedron(*a.shape) && b.shape->open;
}

double depth_seen(const BodyView& a, const BodyView& b) {
  if (is_cut_by_sheet(a, b)) return kDepthSeen * a.shape->bounding_radius;
  return is_folded_pair(a, b) ? kDepthSeen * std::min(a.shape->bounding_radius, b.shape->bounding_radius) : 0;
}

Overlap overlap_of(const Item& item, const BodyView& a, const BodyView& b) {
  Overlap overlap{item.kind, item.a, item.b, {}};
  const auto out = [](const BodyView& points, int vertex, const BodyView& surface) {
    const SurfacePoint nearest = nearest_on_closed(*surface.shape, surface.to_local(points.vertex(vertex)));
    return nearest.distance < 0 ? way_in(points, vertex, surface, nearest) : nearest;
  };
  if (item.kind == ItemKind::vertex_of_a) overlap.way_out = out(a, item.a, b);
  if (item.kind == ItemKind::vertex_of_b) overlap.way_out = out(b, item.b, a);
  return overlap;
}

void add_vertex_on_folded(BodyPair& pair, const Item& item, const BodyView& a, const BodyView& b,
                          double reach) {
  const bool on_b = item.kind == ItemKind::vertex_of_a;
  const BodyView& surface = on_b ? b : a;
  const BodyView& points = on_b ? a : b;
  const int vertex = on_b ? item.a : item.b;
  const Vec3& p = points.vertex(vertex);
  const Vec3 local = surface.to_local(p);
  const double radii = a.shape->radius + b.shape->radius;
  const SurfacePoint nearest = nearest_on_closed(*surface.shape, local);
  if (nearest.distance < 0) {
    const SurfacePoint in = way_in(points, vertex, surface, nearest);
    add_rigid_contact(pair, key_of(item, on_b, *surface.shape, in), way_out(surface, in, p, on_b, radii),
                      nearest.distance - radii);
    return;
  }
  thread_local std::vector<Place> places;
  double any = 0;
  weighted_places(pair, item, *surface.shape, local, reach + radii, places, any);
  drop_ties(places);
  for (const auto& [place, weight] : places) {
    // A face that is seen from behind, through a thin part of the body, does not bound.
    if (weight <= 0 || (place.kind == FeatureKind::face && place.behind)) continue;
    // Vertex on vertex is A's side's; a sphere's has no other side.
    if (!on_b && place.kind == FeatureKind::vertex && points.shape->vertices.size() > 1) continue;
    const Term term = on_b ? vertex_on_b(p, place, b, radii) : vertex_on_a(p, place, a, radii);
    add_rigid_contact(pair, key_of(item, on_b, *surface.shape, place), term);
  }
}

bool sign_crossing(Term& term, const Vec3& y, const BodyView& a, const BodyView& b, const Item& item) {
  if (!normal_of_edges(a, b, item.a, item.b, kNearlyTheFace, term.n)) return false;
  term.distance = term.gap = term.n.dot(y);
  return term.gap >= 0 || have_passed(a, b, item, -term.gap);
}

void finish_folded_pair(BodyPair& pair, const BodyView& a, const BodyView& b,
                        const std::vector<Overlap>& known) {
  thin_out(pair, std::min(a.shape->bounding_radius, b.shape->bounding_radius));
  const double hidden = std::max(hidden_depth(known, a, b, true), hidden_depth(known, b, a, false));
  if (hidden > 0) pair.nearest = std::min(pair.nearest, -hidden);
}

}  // namespace scree::contact
