#include "contact/geometry/manifold.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include "contact/pair/pair_terms.hpp"
#include "core/infinity.hpp"

namespace scree::contact {
namespace {

/// A crossing of edges is taken where it separates more than any face, by this part of the bodies' size:
/// where a face is near to it, several points stand better than one.
constexpr double kFacePreference = 1e-4;

/// Where a crossing separates the bodies and a face does so nearly as well, by this part of their size, the
/// edges are nearly parallel: their one point moves far when the bodies turn a little, and does not hold them
/// alone. The points of the face stand with it.
constexpr double kNearlyFace = 0.1;

constexpr double kParallelEdgesSine2 = 1e-8;

/// Bodies that overlap along an axis by no more than this part of their size may pass along it, as over a
/// joint that is flush but for the overlap that steps leave.
constexpr double kFlush = 1e-4;

/// Other places are taken where their normal is at most 45 degrees from that of the contact: what lies across
/// it is behind the plane that keeps the bodies apart, and holds up what slides past.
constexpr double kAlongContact = 0.7;

/// Face of one polyhedron that the whole other one is furthest in front of.
struct FaceAxis {
  int face = -1;
  double separation = -kInfinity;
  double ahead = -kInfinity;  ///< separation at the end of the step, if the bodies move on as they do
};

Vec3 normal_of(const BodyView& body, int face) { return body.trial->R * body.shape->faces[face].normal; }

double separation_of_face(const BodyView& surface, const BodyView& other, int face) {
  const Vec3 n = normal_of(surface, face);
  const double plane = surface.shape->faces[face].offset + n.dot(surface.trial->x);
  double lowest = kInfinity;
  for (std::size_t v = 0; v < other.shape->vertices.size(); ++v)
    lowest = std::min(lowest, n.dot(other.vertices[v]));
  return lowest - plane;
}

FaceAxis best_face(const BodyView& surface, const BodyView& other) {
  FaceAxis best;
  for (int f = 0; f < static_cast<int>(surface.shape->faces.size()); ++f) {
    const double separation = separation_of_face(surface, other, f);
    if (separation > best.separation) best = {f, separation, separation};
  }
  return best;
}

/// A body as it will be at the end of a step with the velocities that it has.
class MovedBody {
 public:
  /// @param vertices memory for those of the view, for as long as it is used.
  MovedBody(const BodyView& body, double h, std::vector<Vec3>& vertices) : view_(body), trial_(*body.trial) {
    vertices.clear();
    trial_.x += h * trial_.v;
    const double angle = h * trial_.w.norm();
    if (angle > 0) trial_.R = Eigen::AngleAxisd(angle, trial_.w.normalized()).toRotationMatrix() * trial_.R;
    for (const Vec3& v : body.shape->vertices) vertices.emplace_back(trial_.x + trial_.R * v);
    view_.trial = &trial_;
    view_.vertices = vertices.data();
  }
  MovedBody(const MovedBody&) = delete;
  MovedBody& operator=(const MovedBody&) = delete;
  [[nodiscard]] const BodyView& view() const { return view_; }

 private:
  BodyView view_;
  BodyTrial trial_;
};

/// The face whose plane keeps the bodies apart best at the end of the step, of those that do so by `least` at
/// its start.
FaceAxis best_face_ahead(const BodyView& surface, const BodyView& other, const BodyView& moved_surface,
                         const BodyView& moved_other, double least) {
  FaceAxis best;
  for (int f = 0; f < static_cast<int>(surface.shape->faces.size()); ++f) {
    const double separation = separation_of_face(surface, other, f);
    if (separation < least) continue;
    const double ahead = separation_of_face(moved_surface, moved_other, f);
    if (ahead > best.ahead) best = {f, separation, ahead};
  }
  return best;
}

struct EdgeAxis {
  int a = -1, b = -1;
  double separation = -kInfinity;
  Vec3 n = Vec3::Zero();
  double ahead = -kInfinity;  ///< as that of a face
};

/// Whether n lies between the normals of the two faces at an edge (all are across it), or no further beyond
/// one of them than by an angle of this sine.
bool within_arc(const Vec3& n, const Vec3& n0, const Vec3& n1, double beyond) {
  const Vec3 axis = n0.cross(n1);
  const double least = beyond > 0 ? -beyond * axis.norm() : 0;
  return n0.cross(n).dot(axis) >= least && n.cross(n1).dot(axis) >= least && n.dot(n0 + n1) > 0;
}

/// Visits the pairs of edges whose arcs of normals cross on the sphere of normals: those that make a face of
/// the Minkowski difference. @param visit (edge of A, edge of B, normal from B to A, separation).
template <class Visit>
void visit_edges(const BodyView& a, const BodyView& b, Visit&& visit) {
  Vec3 n;
  for (int i = 0; i < static_cast<int>(a.shape->edges.size()); ++i) {
    if (a.shape->edges[i].kind != EdgeKind::convex) continue;
    for (int j = 0; j < static_cast<int>(b.shape->edges.size()); ++j) {
      if (b.shape->edges[j].kind != EdgeKind::convex || !normal_of_edges(a, b, i, j, 0, n)) continue;
      visit(i, j, n, n.dot(a.vertices[a.shape->edges[i].v0] - b.vertices[b.shape->edges[j].v0]));
    }
  }
}

EdgeAxis best_edges(const BodyView& a, const BodyView& b) {
  EdgeAxis best;
  visit_edges(a, b, [&](int i, int j, const Vec3& n, double separation) {
    if (separation > best.separation) best = {i, j, separation, n, separation};
  });
  return best;
}

EdgeAxis best_edges_ahead(const BodyView& a, const BodyView& b, const BodyView& moved_a,
                          const BodyView& moved_b, double least) {
  EdgeAxis best;
  visit_edges(a, b, [&](int i, int j, const Vec3& n, double separation) {
    if (separation < least) return;
    const Edge& ea = a.shape->edges[i];
    const Edge& eb = b.shape->edges[j];
    Vec3 turned = (moved_a.trial->R * ea.direction).cross(moved_b.trial->R * eb.direction).normalized();
    if (turned.dot(n) < 0) turned = -turned;
    const double ahead = turned.dot(moved_a.vertices[ea.v0] - moved_b.vertices[eb.v0]);
    if (ahead > best.ahead) best = {i, j, separation, n, ahead};
  });
  return best;
}

/// Side of the outline of a face.
struct OutlineSide {
  int from = 0, to = 0;  ///< vertices, anticlockwise seen from outside
  int number = 0;        ///< of the outline it is of, less the first one of its sheet
};

/// Sides of one face.
void append_sides(const Shape& shape, const Face& face, std::vector<OutlineSide>& sides) {
  const int number = face.first_outline - shape.faces[face.sheet].first_outline;
  for (std::size_t k = 0; k < face.loop.size(); ++k)
    sides.push_back({face.loop[k], face.loop[(k + 1) % face.loop.size()], number + static_cast<int>(k)});
}

/// Puts sides one behind the other. @returns whether they are one loop.
bool make_loop(std::vector<OutlineSide>& sides) {
  for (std::size_t k = 0; k + 1 < sides.size(); ++k) {
    const auto rest = sides.begin() + static_cast<std::ptrdiff_t>(k) + 1;
    const auto next = std::find_if(rest, sides.end(),
                                   [v = sides[k].to](const OutlineSide& side) { return side.from == v; });
    if (next == sides.end()) return false;
    std::iter_swap(rest, next);
  }
  return !sides.empty() && sides.back().to == sides.front().from;
}

/// Finds the outline of a face and of all that lie in one plane with it but for round-off: a body from a
/// mesh in single precision stands on whole sides, not on one triangle of a side.
void outline_of(const Shape& shape, int face, std::vector<OutlineSide>& sides) {
  const Face& one = shape.faces[face];
  sides.clear();
  const auto is_inner = [&](int e) { return shape.edges[e].kind == EdgeKind::coplanar; };
  if (std::any_of(one.edges.begin(), one.edges.end(), is_inner)) {
    thread_local std::vector<OutlineSide> of_face;
    for (const Face& part : shape.faces) {
      if (part.sheet != one.sheet) continue;
      of_face.clear();
      append_sides(shape, part, of_face);
      for (std::size_t k = 0; k < of_face.size(); ++k)
        if (!is_inner(part.edges[k])) sides.push_back(of_face[k]);
    }
    if (make_loop(sides)) return;
    sides.clear();
  }
  append_sides(shape, one, sides);
}

/// Corner of a polygon during clipping, and the features that made it.
struct Corner {
  Vec3 p = Vec3::Zero();
  Vec3 now = Vec3::Zero();  ///< where the same point of its body is at the start of the step
  int vertex = 0;           ///< of the polygon: this one, or the removed one
  int edge = -1;     ///< side of the outline that cut it (OutlineSide::number); -1: a vertex of the polygon
  bool end = false;  ///< the outline cut the end of a side, not its beginning
};

/// Keeps of a polygon what is on the inner side of a plane (Sutherland and Hodgman, 1974).
void clip(std::vector<Corner>& polygon, std::vector<Corner>& scratch, const Vec3& inward, const Vec3& on,
          int edge) {
  scratch.clear();
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Corner& from = polygon[k];
    const Corner& to = polygon[(k + 1) % polygon.size()];
    const double h0 = inward.dot(from.p - on);
    const double h1 = inward.dot(to.p - on);
    if (h0 >= 0) scratch.push_back(from);
    if ((h0 >= 0) == (h1 >= 0)) continue;
    // A corner on a clipping plane is named by the plane and by the removed corner.
    const Corner& cut = h0 >= 0 ? to : from;
    const double part = h0 / (h0 - h1);
    scratch.push_back(
        {from.p + part * (to.p - from.p), from.now + part * (to.now - from.now), cut.vertex, edge, h0 >= 0});
  }
  polygon.swap(scratch);
}

/// The other body's face that looks most towards the reference face.
int facing(const BodyView& other, const Vec3& n) {
  int best = 0;
  double lowest = kInfinity;
  for (int f = 0; f < static_cast<int>(other.shape->faces.size()); ++f) {
    const double c = normal_of(other, f).dot(n);
    if (c < lowest) {
      lowest = c;
      best = f;
    }
  }
  return best;
}

/// Corner of one polyhedron over a face of the other. @param face for a corner of an outline the first of its
/// sheet. @param on_b the face is one of B.
ManifoldPoint point_on_face(const Face& face, const Vec3& n, bool on_b, const Corner& corner, double gap) {
  ManifoldPoint point;
  point.term.kind = on_b ? TermKind::vf : TermKind::fv;
  point.term.distance = point.term.gap = gap;
  point.term.n = on_b ? n : Vec3(-n);
  point.term.p = corner.now;
  // Bits: 2 for the kind, 31 for the face and the edge of its outline, 1 for the end, 30 for the vertex. No
  // shape has more features than that (kMostCorners).
  point.key = (std::uint64_t{on_b ? 1U : 2U} << 62) |
              (static_cast<std::uint64_t>(face.first_outline + corner.edge + 1) << 31) |
              (std::uint64_t{corner.end ? 1U : 0U} << 30) | static_cast<std::uint64_t>(corner.vertex);
  return point;
}

/// Finds what of the other body's face is over the reference face, in the poses of the first two views.
/// @param other_now the other body at the start of the step.
void common_face(const BodyView& reference, const BodyView& other, const BodyView& other_now, int face,
                 std::vector<Corner>& polygon) {
  thread_local std::vector<Corner> scratch;  // keep their memory: no allocation per pair
  thread_local std::vector<OutlineSide> sides;
  const Vec3 n = normal_of(reference, face);
  polygon.clear();
  outline_of(*other.shape, facing(other, n), sides);
  for (const OutlineSide& side : sides)
    polygon.push_back({other.vertices[side.from], other_now.vertices[side.from], side.from});
  outline_of(*reference.shape, face, sides);
  for (const OutlineSide& side : sides) {
    if (polygon.empty()) break;
    const Vec3& from = reference.vertices[side.from];
    const Vec3 along = reference.vertices[side.to] - from;
    clip(polygon, scratch, n.cross(along).normalized(), from, side.number);
  }
}

/// Two views of one body.
struct Moving {
  const BodyView &now, &ahead;  ///< at the start of the step, and at its end with the velocities of its start
};

/// Points of a face-to-face contact. @param on_b the reference face is one of B. @param separation of the
/// bodies: that of the face, or a little more along a crossing of edges; no point is deeper.
void face_points(const Moving& reference, const Moving& other, int face, bool on_b, double separation,
                 double reach, std::vector<ManifoldPoint>& points) {
  const Shape& shape = *reference.now.shape;
  const Vec3 n = normal_of(reference.now, face);
  const double plane = shape.faces[face].offset + n.dot(reference.now.trial->x);
  const Face& first = shape.faces[shape.faces[face].sheet];
  thread_local std::vector<Corner> polygon;
  common_face(reference.now, other.now, other.now, face, polygon);
  // Beside each other yet: what will be over the face.
  if (polygon.empty()) common_face(reference.ahead, other.ahead, other.now, face, polygon);
  const std::vector<Vec3>::size_type corners = other.now.shape->vertices.size();
  if (polygon.empty()) {
    // The support of the plane stands for the whole.
    int lowest = 0;
    for (int v = 1; v < static_cast<int>(corners); ++v) {
      if (n.dot(other.now.vertices[v]) < n.dot(other.now.vertices[lowest])) lowest = v;
    }
    polygon.push_back({other.now.vertices[lowest], other.now.vertices[lowest], lowest});
  }
  const double size = std::min(shape.bounding_radius, other.now.shape->bounding_radius);
  double lowest_gap = kInfinity;
  for (const Corner& corner : polygon) lowest_gap = std::min(lowest_gap, n.dot(corner.now) - plane);
  const double shift = std::max(separation - lowest_gap, 0.0);
  for (const Corner& corner : polygon) {
    const double gap = n.dot(corner.now) - plane + shift;
    if (gap <= reach) add_new(points, point_on_face(first, n, on_b, corner, gap), size);
  }
}

/// @param along normal of the contact, towards A.
void add_corners(const BodyView& surface, const BodyView& other, bool on_b, const Vec3& along, double reach,
                 double size, std::vector<ManifoldPoint>& points) {
  for (int f = 0; f < static_cast<int>(surface.shape->faces.size()); ++f) {
    const Vec3 n = normal_of(surface, f);
    if ((on_b ? 1.0 : -1.0) * n.dot(along) < kAlongContact) continue;
    const double plane = surface.shape->faces[f].offset + n.dot(surface.trial->x);
    for (int v = 0; v < static_cast<int>(other.shape->vertices.size()); ++v) {
      const Vec3& p = other.vertices[v];
      const double gap = n.dot(p) - plane;
      if (!(gap > 0) || gap > reach ||
          !projects_inside(*surface.shape, surface.shape->faces[f], surface.to_local(p)))
        continue;
      add_new(points, point_on_face(surface.shape->faces[f], n, on_b, {p, p, v}, gap), size);
    }
  }
}

/// @param[out] within whether the edges are nearest between their ends.
ManifoldPoint crossing(const BodyView& a, const BodyView& b, int edge_a, int edge_b, const Vec3& n,
                       double gap, bool& within) {
  const Segment e = segment_of(a, edge_a, b);
  const Segment f = segment_of(b, edge_b, a);
  const SegmentPair nearest =
      nearest_on_segments(e.start, e.direction, e.length, f.start, f.direction, f.length);
  within = nearest.interior;
  ManifoldPoint point;
  point.term = crossing_term(e, f, nearest);
  point.term.n = n;
  point.term.distance = point.term.gap = gap;
  point.key = (std::uint64_t{3} << 62) | (static_cast<std::uint64_t>(edge_a + 1) << 31) |
              static_cast<std::uint64_t>(edge_b + 1);
  return point;
}

/// What may touch next when the bodies turn: other corners above faces, other edges that cross.
void add_others(const BodyView& a, const BodyView& b, const Vec3& along, double reach,
                std::vector<ManifoldPoint>& points) {
  const double size = std::min(a.shape->bounding_radius, b.shape->bounding_radius);
  add_corners(b, a, true, along, reach, size, points);
  add_corners(a, b, false, along, reach, size, points);
  visit_edges(a, b, [&](int i, int j, const Vec3& n, double separation) {
    if (!(separation > 0) || separation > reach || n.dot(along) < kAlongContact) return;
    bool within = false;
    const ManifoldPoint point = crossing(a, b, i, j, n, separation, within);
    if (within) add_new(points, point, size);
  });
}

/// Axes of a contact: the best of either body's faces, and of the crossings of edges.
struct Axes {
  FaceAxis on_a, on_b;
  EdgeAxis edges;
};

}  // namespace

bool normal_of_edges(const BodyView& a, const BodyView& b, int i, int j, double beyond, Vec3& n) {
  const Edge& ea = a.shape->edges[i];
  const Edge& eb = b.shape->edges[j];
  n = (a.trial->R * ea.direction).cross(b.trial->R * eb.direction);
  if (n.squaredNorm() < kParallelEdgesSine2) return false;
  n.normalize();
  const Vec3 b0 = normal_of(b, eb.f0), b1 = normal_of(b, eb.f1);
  if (n.dot(b0 + b1) < 0) n = -n;
  return within_arc(n, b0, b1, beyond) && within_arc(-n, normal_of(a, ea.f0), normal_of(a, ea.f1), beyond);
}

void add_new(std::vector<ManifoldPoint>& points, const ManifoldPoint& point, double size) {
  constexpr double kSameNormal = 0.02;
  constexpr double kSamePlace = 0.02;
  for (ManifoldPoint& known : points) {
    if ((known.term.n - point.term.n).norm() > kSameNormal ||
        (contact_point(known.term, 0, 0) - contact_point(point.term, 0, 0)).norm() > kSamePlace * size)
      continue;
    if (point.term.gap < known.term.gap) known = point;
    return;
  }
  points.push_back(point);
}

double manifold(const BodyView& a, const BodyView& b, double reach, double h,
                std::vector<ManifoldPoint>& points) {
  points.clear();
  Axes axes{best_face(a, b), best_face(b, a), {}};
  const double by_face_now = std::max(axes.on_a.separation, axes.on_b.separation);
  if (by_face_now > reach) return by_face_now;
  axes.edges = best_edges(a, b);
  const double size = std::min(a.shape->bounding_radius, b.shape->bounding_radius);
  const double preference = kFacePreference * size;
  const double separation =
      axes.edges.separation > by_face_now + preference ? axes.edges.separation : by_face_now;
  if (separation > reach) return separation;
  thread_local std::vector<Vec3> vertices_a, vertices_b;
  std::optional<MovedBody> moved_a, moved_b;
  if (h > 0) {
    // Each axis that keeps the bodies apart now is safe. The one is taken that hinders their motion least,
    // not a plane that they are about to pass (the side of a step that is flush).
    moved_a.emplace(a, h, vertices_a);
    moved_b.emplace(b, h, vertices_b);
    const double least = std::min(separation, -kFlush * size);
    axes.on_a = best_face_ahead(a, b, moved_a->view(), moved_b->view(), least);
    axes.on_b = best_face_ahead(b, a, moved_b->view(), moved_a->view(), least);
    axes.edges = best_edges_ahead(a, b, moved_a->view(), moved_b->view(), least);
  }
  const Moving moving_a{a, moved_a ? moved_a->view() : a};
  const Moving moving_b{b, moved_b ? moved_b->view() : b};
  // The face of B unless that of A separates more: a rule that does not flip with round-off.
  const bool face_of_a = axes.on_a.ahead > axes.on_b.ahead + preference;
  const FaceAxis& face = face_of_a ? axes.on_a : axes.on_b;
  const double by_face = std::max(axes.on_a.ahead, axes.on_b.ahead);
  const EdgeAxis& edges = axes.edges;
  const bool by_edges = edges.ahead > by_face + preference;
  Vec3 along = edges.n;
  if (!by_edges) along = face_of_a ? Vec3(-normal_of(a, face.face)) : normal_of(b, face.face);
  if (by_edges && edges.separation <= reach) {
    bool within = false;
    points.push_back(crossing(a, b, edges.a, edges.b, edges.n, edges.separation, within));
  }
  if (face.face >= 0 && edges.ahead <= by_face + kNearlyFace * size) {
    const double of_axis = by_edges ? edges.separation : face.separation;
    if (face_of_a) {
      face_points(moving_a, moving_b, face.face, false, of_axis, reach, points);
    } else {
      face_points(moving_b, moving_a, face.face, true, of_axis, reach, points);
    }
  }
  add_others(a, b, along, reach, points);
  return separation;
}

}  // namespace scree::contact
