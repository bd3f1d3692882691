#include "contact/surface/deforming_surface.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "contact/geometry/near_features.hpp"
#include "core/rotation.hpp"
#include "core/shapes/face_sheets.hpp"
#include "core/shapes/face_tree_of.hpp"

namespace scree::contact {
namespace {

using Corners = std::array<Vec3, 3>;

/// Gradients of the linear functions of a triangle that are 1 at one corner [1/m].
struct Triangle {
  Vec3 normal;
  Corners gradient;
};

Triangle triangle_of(const Corners& x) {
  Triangle made;
  const Vec3 area = (x[1] - x[0]).cross(x[2] - x[0]);  // twice
  const double size = area.norm();
  made.normal = area / size;
  for (int i = 0; i < 3; ++i) made.gradient[i] = made.normal.cross(x[(i + 2) % 3] - x[(i + 1) % 3]) / size;
  return made;
}

/// Spin of a triangle whose corners move: that of its plane, and half of the curl in it. The displacement
/// gradient of a rotation w is [w]x P, P the projection on the plane, so that sum grad N x v is 2 w less its
/// part in the plane.
Vec3 spin_of(const Triangle& t, const Corners& v) {
  Vec3 curl = Vec3::Zero();
  for (int i = 0; i < 3; ++i) curl += t.gradient[i].cross(v[i]);
  return curl - 0.5 * curl.dot(t.normal) * t.normal;
}

/// Rotation of a triangle: of its plane, and in it the nearest one to its deformation (polar decomposition).
Mat3 rotation_of(const Corners& from, const Corners& to) {
  const auto frame_of = [](const Corners& x) {
    Mat3 frame;
    frame.col(0) = (x[1] - x[0]).normalized();
    frame.col(2) = (x[1] - x[0]).cross(x[2] - x[0]).normalized();
    frame.col(1) = frame.col(2).cross(frame.col(0));
    return frame;
  };
  const Mat3 first = frame_of(from), last = frame_of(to);
  const Triangle t = triangle_of(from);
  Mat3 gradient = Mat3::Zero();  // of the places in the new frame by those in the old one
  for (int i = 0; i < 3; ++i)
    gradient += (last.transpose() * (to[i] - to[0])) * (first.transpose() * t.gradient[i]).transpose();
  const double angle = std::atan2(gradient(1, 0) - gradient(0, 1), gradient(0, 0) + gradient(1, 1));
  return last * Eigen::AngleAxisd(angle, Vec3::UnitZ()) * first.transpose();
}

/// Below this sine of the angle between them, faces are coplanar: a point exactly above their edge is above
/// one surface.
constexpr double kFlatSine = 1e-6;

bool is_flat(const Shape& shape, const Edge& edge) {
  if (edge.f1 < 0) return false;
  const Vec3 &n = shape.faces[edge.f0].normal, &m = shape.faces[edge.f1].normal;
  return n.dot(m) > 0 && n.cross(m).squaredNorm() <= kFlatSine * kFlatSine;
}

void update_face(Shape& shape, int f) {
  Face& face = shape.faces[f];
  const Vec3& a = shape.vertices[face.loop[0]];
  face.normal = (shape.vertices[face.loop[1]] - a).cross(shape.vertices[face.loop[2]] - a).normalized();
  face.offset = 0;
  for (const int v : face.loop) face.offset += face.normal.dot(shape.vertices[v]);
  face.offset /= 3;
}

void update_edge(Shape& shape, int e) {
  Edge& edge = shape.edges[e];
  const Vec3 along = shape.vertices[edge.v1] - shape.vertices[edge.v0];
  edge.length = along.norm();
  edge.direction = along / edge.length;
}

}  // namespace

void update_geometry(Shape& surface) {
  for (int f = 0; f < static_cast<int>(surface.faces.size()); ++f) update_face(surface, f);
  for (int e = 0; e < static_cast<int>(surface.edges.size()); ++e) {
    update_edge(surface, e);
    surface.edges[e].kind = EdgeKind::convex;
  }
  surface.vertex_acts.assign(surface.vertices.size(), 1);
  number_sheets(surface, [&](const Edge& edge) { return is_flat(surface, edge); });
  surface.bounding_radius = 0;
  for (const Vec3& v : surface.vertices)
    surface.bounding_radius = std::max(surface.bounding_radius, v.norm());
  fit_face_tree(surface);
}

namespace {

/// Below this part of its area before a face degenerates.
constexpr double kLeastArea = 1e-3;

/// Polynomials over [0, 1] by their coefficients in Bernstein's form: the first and the last are the values
/// at the ends, and no value is below the least of them.
template <class T>
using Bernstein = std::vector<T>;

double binomial(int n, int k) {
  double value = 1;
  for (int i = 1; i <= k; ++i) value = value * (n - k + i) / i;
  return value;
}

/// @returns the product of two polynomials of one degree.
template <class T, class Product>
auto product_of(const Bernstein<T>& a, const Bernstein<T>& b, Product&& product) {
  using Result = std::decay_t<decltype(product(a[0], b[0]))>;
  const int n = static_cast<int>(a.size()) - 1;
  Bernstein<Result> sum;
  for (int k = 0; k <= 2 * n; ++k) {
    Result of_k = product(a[0], b[0]) * 0.0;
    for (int i = std::max(0, k - n); i <= std::min(n, k); ++i)
      of_k += binomial(n, i) * binomial(n, k - i) / binomial(2 * n, k) * product(a[i], b[k - i]);
    sum.push_back(of_k);
  }
  return sum;
}

/// @returns a value that is not above the limit, -1 if all are above it, within round-off.
double value_not_above(double limit, Bernstein<double> p, int halvings = 40) {
  if (*std::min_element(p.begin(), p.end()) > limit) return -1;
  for (const double end : {p.front(), p.back()})
    if (!(end > limit)) return std::max(end, 0.0);
  if (halvings == 0) return -1;
  Bernstein<double> left;  // de Casteljau's algorithm; what is left of p is the right half
  for (std::size_t n = p.size(); n > 0; --n) {
    left.push_back(p.front());
    for (std::size_t i = 0; i + 1 < n; ++i) p[i] = 0.5 * (p[i] + p[i + 1]);
  }
  const double first = value_not_above(limit, std::move(left), halvings - 1);
  return first >= 0 ? first : value_not_above(limit, std::move(p), halvings - 1);
}

}  // namespace

SurfaceFault find_fault_on_the_way(const Shape& surface, const std::vector<std::vector<Vec3>>& way) {
  for (int f = 0; f < static_cast<int>(surface.faces.size()); ++f) {
    const std::vector<int>& loop = surface.faces[f].loop;
    Bernstein<Vec3> a, b;
    for (const std::vector<Vec3>& x : way) {
      a.emplace_back(x[loop[1]] - x[loop[0]]);
      b.emplace_back(x[loop[2]] - x[loop[0]]);
    }
    const auto normal = product_of(a, b, [](const Vec3& u, const Vec3& v) { return Vec3(u.cross(v)); });
    const auto square = product_of(normal, normal, [](const Vec3& u, const Vec3& v) { return u.dot(v); });
    const double least = value_not_above(kLeastArea * kLeastArea * square.front(), square);
    if (least >= 0) return {f, -1, 0.5 * std::sqrt(least)};
  }
  return {};
}

SurfaceFault find_fault(const Shape& surface, const std::vector<Vec3>& before,
                        const std::vector<Vec3>& after) {
  constexpr double kFolded = -0.99;  // cosine between normals
  const auto area_of = [&](int f, const std::vector<Vec3>& x) {
    const std::vector<int>& loop = surface.faces[f].loop;
    return Vec3(0.5 * (x[loop[1]] - x[loop[0]]).cross(x[loop[2]] - x[loop[0]]));
  };
  for (int f = 0; f < static_cast<int>(surface.faces.size()); ++f) {
    const double area = area_of(f, after).norm();
    if (!(area > kLeastArea * area_of(f, before).norm())) return {f, -1, area};
  }
  for (const Edge& edge : surface.edges) {
    if (edge.f1 < 0) continue;
    if (area_of(edge.f0, after).normalized().dot(area_of(edge.f1, after).normalized()) < kFolded &&
        area_of(edge.f0, before).normalized().dot(area_of(edge.f1, before).normalized()) > kFolded)
      return {edge.f0, edge.f1, 0};
  }
  return {};
}

DeformingSurface::DeformingSurface(Shape& accepted) : accepted_(&accepted) {
  for (const Face& face : accepted.faces) {
    if (face.loop.size() != 3)
      throw std::invalid_argument("DeformingSurface: got a face of " + std::to_string(face.loop.size()) +
                                  " vertices; expected triangles");
  }
  accept(accepted.vertices, std::vector<Vec3>(accepted.vertices.size(), Vec3::Zero()));
  travelled_ = 0;
}

void DeformingSurface::accept(const std::vector<Vec3>& x, const std::vector<Vec3>& v) {
  double moved = 0;
  for (std::size_t k = 0; k < x_.size(); ++k) moved = std::max(moved, (x[k] - x_[k]).norm());
  const bool same = moved == 0 && x_.size() == x.size();
  travelled_ += moved;
  x_ = x;
  v_ = v_end_ = v;
  way_.assign(x.size(), Vec3::Zero());
  largest_way_ = largest_speed_ = 0;
  for (const Vec3& one : v) largest_speed_ = std::max(largest_speed_, one.norm());
  for (Slot& slot : slots_) slot.phase = 0;
  if (same) return;
  accepted_->vertices = x;
  update_geometry(*accepted_);
}

void DeformingSurface::set_end(const std::vector<Vec3>& x, const std::vector<Vec3>& v) {
  v_end_ = v;
  bool same = true;
  largest_way_ = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const Vec3 way = x[k] - x_[k];
    same = same && way == way_[k];
    way_[k] = way;
    largest_way_ = std::max(largest_way_, way.norm());
  }
  if (same) return;
  for (Slot& slot : slots_) slot.phase = 0;
}

const Shape& DeformingSurface::at(double phase) const {
  if (phase == 0 || largest_way_ == 0) return *accepted_;
  for (int k = 0; k < static_cast<int>(slots_.size()); ++k) {
    if (slots_[k].phase != phase) continue;
    last_ = k;
    return slots_[k].shape;
  }
  last_ = 1 - last_;
  Slot& slot = slots_[last_];
  if (slot.shape.faces.empty()) slot.shape = *accepted_;
  for (int k = 0; k < vertices(); ++k) slot.shape.vertices[k] = position(k, phase);
  update_geometry(slot.shape);
  slot.phase = phase;
  return slot.shape;
}

std::array<Vec3, 3> DeformingSurface::corners(int face, double phase) const {
  const std::vector<int>& loop = accepted_->faces[face].loop;
  return {position(loop[0], phase), position(loop[1], phase), position(loop[2], phase)};
}

DeformingSurface::Weights DeformingSurface::weights_of(const SurfacePlace& place) const {
  Weights w;
  if (place.kind == FeatureKind::vertex) {
    w.vertex[0] = place.feature;
    w.weight[0] = 1;
    w.count = 1;
    return w;
  }
  if (place.kind == FeatureKind::edge) {
    const Edge& edge = accepted_->edges[place.feature];
    const Vec3 a = position(edge.v0, place.phase);
    const Vec3 along = position(edge.v1, place.phase) - a;
    const double t = std::clamp((place.point - a).dot(along) / along.squaredNorm(), 0.0, 1.0);
    w.vertex = {edge.v0, edge.v1, -1};
    w.weight = {1 - t, t, 0};
    w.count = 2;
    return w;
  }
  const std::vector<int>& loop = accepted_->faces[place.feature].loop;
  const Corners x = corners(place.feature, place.phase);
  const Triangle t = triangle_of(x);
  w.count = 3;
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    w.vertex[i] = loop[i];
    w.weight[i] = i < 2 ? t.gradient[i].dot(place.point - x[2]) : 1 - sum;
    sum += w.weight[i];
  }
  return w;
}

namespace {

/// Faces at a feature: their mean rotation is that of the feature.
template <class Call>
int for_faces_at(const Shape& shape, FeatureKind kind, int feature, Call&& call) {
  if (kind == FeatureKind::face) {
    call(feature);
    return 1;
  }
  if (kind == FeatureKind::edge) {
    const Edge& edge = shape.edges[feature];
    call(edge.f0);
    if (edge.f1 < 0) return 1;
    call(edge.f1);
    return 2;
  }
  for (const int f : shape.vertex_faces[feature]) call(f);
  return static_cast<int>(shape.vertex_faces[feature].size());
}

}  // namespace

Vec3 DeformingSurface::turn_at(const SurfacePlace& place, double phase) const {
  if (phase == 0 || largest_way_ == 0) return Vec3::Zero();
  Vec3 sum = Vec3::Zero();
  const int count = for_faces_at(*accepted_, place.kind, place.feature, [&](int f) {
    sum += rotation::rodrigues(rotation_of(corners(f, 0), corners(f, phase)));
  });
  return sum / count;
}

Vec3 DeformingSurface::spin_at(const SurfacePlace& place, double phase) const {
  Vec3 sum = Vec3::Zero();
  const int count = for_faces_at(*accepted_, place.kind, place.feature, [&](int f) {
    const std::vector<int>& loop = accepted_->faces[f].loop;
    sum += spin_of(triangle_of(corners(f, phase)),
                   {velocity(loop[0], phase), velocity(loop[1], phase), velocity(loop[2], phase)});
  });
  return sum / count;
}

BodyTrial DeformingSurface::motion_at(const SurfacePlace& place, double phase) const {
  const Weights w = weights_of(place);
  Vec3 from = Vec3::Zero(), to = Vec3::Zero(), v = Vec3::Zero();
  for (int i = 0; i < w.count; ++i) {
    from += w.weight[i] * x_[w.vertex[i]];
    to += w.weight[i] * position(w.vertex[i], phase);
    v += w.weight[i] * velocity(w.vertex[i], phase);
  }
  BodyTrial motion;
  motion.alpha = turn_at(place, phase);
  motion.Q = rotation::matrix(motion.alpha);
  motion.Xi = rotation::spin_map(motion.alpha);
  motion.R = motion.Q;
  motion.u = motion.x = to - motion.Q * from;
  motion.w = spin_at(place, phase);
  motion.v = v - motion.w.cross(to - motion.x);
  motion.phase = phase;
  return motion;
}

BodyTrial DeformingSurface::motion_over(const SurfacePlace& place, double phase) const {
  const Weights w = weights_of(place);
  BodyTrial motion;
  Vec3 foot = Vec3::Zero();
  for (int i = 0; i < w.count; ++i) {
    const int k = w.vertex[i];
    foot += w.weight[i] * position(k, place.phase);
    motion.u += w.weight[i] * phase * way_[k];
    motion.v += w.weight[i] * velocity(k, phase);
  }
  const int count = for_faces_at(*accepted_, place.kind, place.feature, [&](int f) {
    const std::vector<int>& loop = accepted_->faces[f].loop;
    const Triangle t = triangle_of(corners(f, place.phase));
    motion.alpha += phase * spin_of(t, {way_[loop[0]], way_[loop[1]], way_[loop[2]]});
    motion.w += spin_of(t, {velocity(loop[0], phase), velocity(loop[1], phase), velocity(loop[2], phase)});
  });
  motion.alpha /= count;
  motion.w /= count;
  motion.Q = rotation::matrix(motion.alpha);
  motion.Xi = rotation::spin_map(motion.alpha);
  motion.R = motion.Q;
  motion.x_n = foot - 0.5 * motion.u;
  motion.x = foot + 0.5 * motion.u;
  motion.phase = phase;
  return motion;
}

Vec3 DeformingSurface::displacement_at(const SurfacePlace& place, double phase) const {
  const Weights w = weights_of(place);
  Vec3 u = Vec3::Zero();
  for (int i = 0; i < w.count; ++i) u += w.weight[i] * phase * way_[w.vertex[i]];
  return u;
}

Vec3 DeformingSurface::velocity_at(const SurfacePlace& place, double phase) const {
  const Weights w = weights_of(place);
  Vec3 v = Vec3::Zero();
  for (int i = 0; i < w.count; ++i) v += w.weight[i] * velocity(w.vertex[i], phase);
  return v;
}

void DeformingSurface::add_forces(const SurfacePlace& place, const Vec3& force, const Vec3& couple,
                                  std::vector<Vec3>& forces) const {
  const Weights w = weights_of(place);
  Vec3 foot = Vec3::Zero();
  for (int i = 0; i < w.count; ++i) {
    foot += w.weight[i] * position(w.vertex[i], place.phase);
    forces[w.vertex[i]] += w.weight[i] * force;
  }
  const Vec3 moment = couple + (place.point - foot).cross(force);
  if (moment.isZero(0)) return;
  // M . spin = sum dx_i . (A M x grad N_i), with A of spin_of: P + n n^T / 2.
  int count = 0;
  count = for_faces_at(*accepted_, place.kind, place.feature, [](int) {});
  for_faces_at(*accepted_, place.kind, place.feature, [&](int f) {
    const Triangle t = triangle_of(corners(f, place.phase));
    const Vec3 m = (moment - 0.5 * moment.dot(t.normal) * t.normal) / count;
    for (int i = 0; i < 3; ++i) forces[accepted_->faces[f].loop[i]] += m.cross(t.gradient[i]);
  });
}

DeformingSurface::Part DeformingSurface::part_of(const BodyPair& pair) const {
  Part part;
  for (const ClosedFeature& closed : pair.closed) {
    if (closed.kind == FeatureKind::face) part.faces.push_back(closed.feature);
    if (closed.kind == FeatureKind::edge) part.edges.push_back(closed.feature);
    if (closed.kind == FeatureKind::vertex) part.vertices.push_back(closed.feature);
  }
  for (const Item& item : pair.items) {
    if (item.kind == ItemKind::edges) part.edges.push_back(item.b);
    if (item.kind == ItemKind::vertex_of_b) part.vertices.push_back(item.b);
  }
  sort_and_thin(part.faces);
  for (const int f : part.faces)
    part.edges.insert(part.edges.end(), accepted_->faces[f].edges.begin(), accepted_->faces[f].edges.end());
  sort_and_thin(part.edges);
  for (const int e : part.edges) {
    part.vertices.push_back(accepted_->edges[e].v0);
    part.vertices.push_back(accepted_->edges[e].v1);
  }
  sort_and_thin(part.vertices);
  for (const int k : part.vertices) part.mean_way += way_[k];
  if (!part.vertices.empty()) part.mean_way /= static_cast<double>(part.vertices.size());
  for (const int k : part.vertices) part.spread = std::max(part.spread, (way_[k] - part.mean_way).norm());
  return part;
}

const Shape& DeformingSurface::walk(const Part& part, double phase) const {
  if (walking_.faces.empty()) walking_ = *accepted_;
  for (const int k : part.vertices) walking_.vertices[k] = position(k, phase);
  for (const int e : part.edges) update_edge(walking_, e);
  for (const int f : part.faces) update_face(walking_, f);
  return walking_;
}

namespace {

/// Of the closed faces of a pair that nearest to a point; -1 without any.
int nearest_face(const BodyPair& pair, const Shape& shape, const Vec3& point) {
  int best = -1;
  double nearest = std::numeric_limits<double>::infinity();
  for (const ClosedFeature& closed : pair.closed) {
    if (closed.kind != FeatureKind::face) continue;
    const double distance = nearest_on_face(shape, closed.feature, point).distance;
    if (distance >= nearest) continue;
    nearest = distance;
    best = closed.feature;
  }
  return best;
}

}  // namespace

SurfacePlace place_of_item(const BodyPair& pair, const Item& item, const DeformingSurface& surface,
                           const Vec3& point, double phase) {
  if (item.kind == ItemKind::edges) return {FeatureKind::edge, item.b, point, phase};
  if (item.kind == ItemKind::vertex_of_b) return {FeatureKind::vertex, item.b, point, phase};
  return {FeatureKind::face, std::max(nearest_face(pair, surface.at(phase), point), 0), point, phase};
}

SurfacePlace place_of_contact(const BodyPair& pair, const DeformingSurface& surface, std::uint64_t key,
                              const Vec3& point, double phase) {
  const auto kind = static_cast<ItemKind>(key >> 62);
  const int b = feature_of_b(key);
  if (kind == ItemKind::edges) return {FeatureKind::edge, b, point, phase};
  if (kind == ItemKind::vertex_of_b) return {FeatureKind::vertex, b, point, phase};
  const auto on = static_cast<FeatureKind>(b % 3);
  const int feature = b / 3;
  if (on != FeatureKind::face) return {on, feature, point, phase};
  // The number of a sheet stands for all of its faces, and is another one where the surface has bent since.
  const int face = nearest_face(pair, surface.at(phase), point);
  return {FeatureKind::face, face < 0 ? feature : face, point, phase};
}

SurfacePlace place_of_contact(const BodyPair& pair, const DeformingSurface& surface, const Active& contact,
                              double phase) {
  return place_of_contact(pair, surface, contact.key, foot_on_b(pair.terms[contact.first]), phase);
}

SurfacePlace place_of_contact(const BodyPair& pair, const DeformingSurface& surface,
                              const HistoryEntry& entry) {
  return place_of_contact(pair, surface, entry.key, entry.arm_b, 0);  // from its pole, the origin
}

const BodyView& FacetView::see(const BodyPair& pair, std::uint64_t key, const Vec3& point, double phase) {
  const DeformingSurface& surface = *b_->surface;
  trial_ = surface.motion_at(place_of_contact(pair, surface, key, point, phase), b_->trial->phase);
  view_ = {&surface.at(0), &*trial_, nullptr, nullptr};
  return view_;
}

}  // namespace scree::contact
