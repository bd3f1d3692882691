#include "contact/pair/rigid_contacts.hpp"

#include <algorithm>

#include "contact/geometry/closest_points.hpp"
#include "contact/geometry/manifold.hpp"
#include "contact/geometry/piercing.hpp"
#include "contact/pair/folded_contacts.hpp"
#include "contact/pair/one_rigid_contact.hpp"
#include "contact/pair/pair_terms.hpp"
#include "contact/search/candidates.hpp"
#include "contact/superquadric/smooth_terms.hpp"
#include "core/error.hpp"

namespace scree::contact {
namespace {

/// Point inside of A that is seen from a vertex of it along a line within A: the pole, or for a body that is
/// not convex a point below the vertex, deeper than any overlap that is allowed.
Vec3 inside_seen_from(const BodyView& a, int vertex, const BodyView& b) {
  const Shape& shape = *a.shape;
  if (!is_folded(shape)) return a.trial->x;
  Vec3 outward = Vec3::Zero();
  for (const int f : shape.vertex_faces[vertex]) outward += shape.faces[f].normal;
  const Vec3& corner = shape.vertices[vertex];
  constexpr int kMostHalvings = 20;
  Vec3 way = -depth_seen(a, b) * outward.normalized();
  for (int k = 0; k < kMostHalvings; ++k, way *= 0.5)
    if (nearest_on_closed(shape, corner + way).distance < 0) return a.to_global(corner + way);
  return a.trial->x;
}

/// An open surface has no inside: a vertex went through it if a line from it within its body does. (Past a
/// rim the line may end behind the plane of a face, with nothing between.)
void sign_by_line(Term& term, const BodyView& a, int vertex, const BodyView& b) {
  if (term.kind != TermKind::vf) return;
  const Vec3 inside = inside_seen_from(a, vertex, b);
  if (term.n.dot(inside - (term.p - term.distance * term.n)) >= 0) return;
  if (!passes_through(b, term.p, inside)) return;
  const double radii = term.distance - term.gap;
  term.n = -term.n;
  term.distance = -term.distance;
  term.gap = term.distance - radii;
}

void add_vertex_item(BodyPair& pair, Item& item, const BodyView& a, const BodyView& b, double reach) {
  const bool on_b = item.kind == ItemKind::vertex_of_a;
  const std::size_t first = pair.terms.size();
  const bool smooth = item.kind == ItemKind::smooth;
  const Shape& surface = on_b ? *b.shape : *a.shape;
  if (!smooth && is_folded(surface)) {
    add_vertex_on_folded(pair, item, a, b, reach);
    return;
  }
  thread_local VertexContacts found;
  if (smooth) {
    smooth_terms(pair, item, a, b, reach, found);
  } else {
    vertex_terms(pair, item, a, b, reach, found);
  }
  thread_local std::vector<ManifoldPoint> kept;
  kept.clear();
  for (const VertexContacts::Contact& contact : found.contacts) {
    const Term& term = pair.terms[contact.first];
    // Vertex on vertex is A's side's; where B's vertex is alone (sphere), there is no other side.
    const bool twice = !on_b && term.kind == TermKind::vv && b.shape->vertices.size() > 1;
    if (term.sign < 0 || twice) continue;
    kept.push_back({on_b || smooth ? make_key(item.kind, item.a, contact.feature)
                                   : make_key(item.kind, contact.feature, item.b),
                    term});
  }
  pair.terms.resize(first);
  for (ManifoldPoint& contact : kept) {
    if (on_b && b.shape->open) sign_by_line(contact.term, a, item.a, b);
    add_rigid_contact(pair, contact.key, contact.term);
  }
}

/// Turns normal and distance of two crossing edges around if the edge of the sheet is inside of the body.
/// @returns false if they cannot touch there: inside they have to pass through a face at the other, and deep
/// inside, nothing shows on which side of the body the sheet came in.
bool sign_by_wedge(Term& term, const BodyView& a, const BodyView& b, const Item& item) {
  const Edge& e = a.shape->edges[item.a];
  const Edge& f = b.shape->edges[item.b];
  const auto outward = [&](int face) { return Vec3(a.trial->R * a.shape->faces[face].normal); };
  if (term.n.dot(outward(e.f0) + outward(e.f1)) <= 0) return true;
  if (term.distance > depth_seen(a, b)) return false;
  const auto pass = [](const BodyView& edges, int edge, const BodyView& faces, int face) {
    return face >= 0 && way_past(edges, edge, faces, face) > 0;
  };
  if (!pass(b, item.b, a, e.f0) && !pass(b, item.b, a, e.f1) && !pass(a, item.a, b, f.f0) &&
      !pass(a, item.a, b, f.f1))
    return false;
  term.n = -term.n;
  term.distance = -term.distance;
  return true;
}

void add_edge_item(BodyPair& pair, const Item& item, const BodyView& a, const BodyView& b, double reach) {
  const Segment e = segment_of(a, item.a, b);
  const Segment f = segment_of(b, item.b, a);
  const SegmentPair closest =
      nearest_on_segments(e.start, e.direction, e.length, f.start, f.direction, f.length);
  if (!closest.interior) return;  // an end vertex is nearer and has its own item
  const Vec3 y = e.at(closest.s) - f.at(closest.t);
  Term term = crossing_term(e, f, closest);
  if (is_folded_pair(a, b)) {
    if (!sign_crossing(term, y, a, b, item) || term.gap > reach) return;
  } else {
    term.distance = y.norm();
    if (term.distance == 0) return;
    term.n = y / term.distance;
    if (is_cut_by_sheet(a, b) && !sign_by_wedge(term, a, b, item)) return;
    term.gap = term.distance - (a.shape->radius + b.shape->radius);
    if (term.gap > reach) return;
  }
  add_rigid_contact(pair, make_key(item.kind, item.a, item.b), term);
}

}  // namespace

bool has_manifold(const BodyView& a, const BodyView& b) {
  return is_closed_polyhedron(*a.shape) && is_closed_polyhedron(*b.shape) && !is_folded_pair(a, b);
}

void find_rigid_contacts(BodyPair& pair, const BodyView& a, const BodyView& b, double reach, double h) {
  pair.terms.clear();
  pair.active.clear();
  if (has_manifold(a, b)) {
    thread_local std::vector<ManifoldPoint> points;
    pair.nearest = manifold(a, b, reach, h, points);
    for (const ManifoldPoint& point : points) add_rigid_contact(pair, point.key, point.term);
    return;
  }
  pair.nearest = pair.covered;
  const bool folded = is_folded_pair(a, b);
  thread_local std::vector<Overlap> overlaps;
  overlaps.clear();
  for (Item& item : pair.items) {
    const std::size_t first = pair.terms.size();
    if (item.kind == ItemKind::edges) {
      add_edge_item(pair, item, a, b, reach);
    } else {
      add_vertex_item(pair, item, a, b, reach);
    }
    for (std::size_t k = first; folded && k < pair.terms.size(); ++k)
      if (pair.terms[k].gap < 0) overlaps.push_back(overlap_of(item, a, b));
  }
  if (folded) {
    finish_folded_pair(pair, a, b, overlaps);
    return;
  }
  const bool rounded = b.shape->kind != ShapeKind::plane && b.shape->hollow_radius == 0;
  // Distances of edges and axes have no sign: on the other side they grow again.
  if (rounded && !is_smooth_pair(a, b)) {
    const double depth = largest_way_past(a, b);
    if (depth > 0) pair.nearest = std::min(pair.nearest, -depth - a.shape->radius - b.shape->radius);
  }
  for (const Term& term : pair.terms) {
    const bool signed_term = term.kind == TermKind::smooth || term.kind == TermKind::vf ||
                             term.kind == TermKind::fv ||
                             (term.kind == TermKind::ee && is_cut_by_sheet(a, b));
    if (rounded && !signed_term && !(term.distance > 0))
      throw RecoverableError("overlap exceeds the rounding radii");
  }
}

}  // namespace scree::contact
