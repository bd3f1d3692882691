#include "core/mesh/crossing_faces.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/activity.hpp"
#include "core/interrupt.hpp"
#include "core/mesh/edge_table.hpp"
#include "core/mesh/face_tree.hpp"
#include "core/text.hpp"

namespace scree {
namespace {

constexpr double kTouching = 1e-9;  ///< of the size: what is no deeper is a touch
constexpr double kFolded = 1e-9;    ///< of one plus the cosine: faces at an edge that lie on each other

struct Polygon {
  const std::vector<int>* loop = nullptr;
  Vec3 normal = Vec3::Zero();
};

bool has(const std::vector<int>& loop, int vertex) {
  return std::find(loop.begin(), loop.end(), vertex) != loop.end();
}

/// Where the segment p-q passes through a polygon, further than `touch` from its outline.
std::optional<Vec3> passage(const PolyhedronSurface& surface, const Polygon& polygon, const Vec3& p,
                            const Vec3& q, double touch) {
  const std::vector<int>& loop = *polygon.loop;
  const Vec3& base = surface.vertices[loop[0]];
  const double hp = polygon.normal.dot(p - base), hq = polygon.normal.dot(q - base);
  if (!(std::min(hp, hq) < -touch && std::max(hp, hq) > touch)) return std::nullopt;
  const Vec3 x = p + (q - p) * (hp / (hp - hq));
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Vec3& from = surface.vertices[loop[k]];
    const Vec3 along = surface.vertices[loop[(k + 1) % loop.size()]] - from;
    if (polygon.normal.cross(along).dot(x - from) <= touch * along.norm()) return std::nullopt;
  }
  return x;
}

/// Edges of one polygon that pass through another; those at common vertices only touch it.
std::optional<Vec3> passage_of_edges(const PolyhedronSurface& surface, const Polygon& from,
                                     const Polygon& through, double touch) {
  const std::vector<int>& loop = *from.loop;
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const int v = loop[k], w = loop[(k + 1) % loop.size()];
    if (has(*through.loop, v) || has(*through.loop, w)) continue;
    if (auto x = passage(surface, through, surface.vertices[v], surface.vertices[w], touch)) return x;
  }
  return std::nullopt;
}

/// Neighbours at an edge meet only there, unless one is folded back upon the other.
std::optional<Vec3> fold(const PolyhedronSurface& surface, const Polygon& a, const Polygon& b) {
  if (a.normal.dot(b.normal) > kFolded - 1) return std::nullopt;
  const std::vector<int>& loop = *a.loop;
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const int v = loop[k], w = loop[(k + 1) % loop.size()];
    if (has(*b.loop, v) && has(*b.loop, w)) return 0.5 * (surface.vertices[v] + surface.vertices[w]);
  }
  return std::nullopt;
}

std::optional<Vec3> crossing(const PolyhedronSurface& surface, const Polygon& a, const Polygon& b,
                             double touch) {
  if (auto x = passage_of_edges(surface, a, b, touch)) return x;
  return passage_of_edges(surface, b, a, touch);
}

/// Whether all vertices of `other` lie beyond a plane that has `loop` on its inner side, but for common
/// vertices, which have to be on the plane.
bool all_beyond(const PolyhedronSurface& surface, const std::vector<int>& loop, const std::vector<int>& other,
                const Vec3& outward, const Vec3& on, double touch) {
  return std::all_of(other.begin(), other.end(), [&](int v) {
    const double height = outward.dot(surface.vertices[v] - on);
    return height > touch || (std::abs(height) <= touch && has(loop, v));
  });
}

/// Whether a plane along polygon a, or across it through one of its edges, has b beyond it: then they touch
/// at common vertices alone.
bool is_apart(const PolyhedronSurface& surface, const Polygon& a, const Polygon& b, double touch) {
  const std::vector<int>& loop = *a.loop;
  const Vec3& base = surface.vertices[loop[0]];
  if (all_beyond(surface, loop, *b.loop, a.normal, base, touch) ||
      all_beyond(surface, loop, *b.loop, -a.normal, base, touch))
    return true;
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Vec3& from = surface.vertices[loop[k]];
    const Vec3 along = surface.vertices[loop[k + 1 < loop.size() ? k + 1 : 0]] - from;
    if (all_beyond(surface, loop, *b.loop, along.cross(a.normal).normalized(), from, touch)) return true;
  }
  return false;
}

/// Whether a polygon has another one as its neighbour at an edge.
bool has_neighbour(const EdgeTable& edges, const std::vector<int>& loop, int other) {
  for (std::size_t k = 0; k < loop.size(); ++k) {
    if (edges.loop_of(loop[k + 1 < loop.size() ? k + 1 : 0], loop[k]) == other) return true;
  }
  return false;
}

}  // namespace

double touching_distance(const PolyhedronSurface& surface) { return kTouching * surface.size(); }

SelfContact self_contact(const PolyhedronSurface& surface, std::size_t most) {
  constexpr int kBetweenLooks = 1024;
  const int n = static_cast<int>(surface.loops.size());
  Activity activity(text::join("checking a surface of ", std::to_string(n), " faces for self-intersections"));
  std::vector<Polygon> polygons;
  std::vector<Eigen::AlignedBox3d> boxes;
  polygons.reserve(n);
  boxes.reserve(n);
  const double touch = touching_distance(surface);
  const Vec3 margin = Vec3::Constant(touch);
  InterruptLook look;
  for (const std::vector<int>& loop : surface.loops) {
    look();
    polygons.push_back({&loop, polygon_normal(surface.vertices, loop)});
    Eigen::AlignedBox3d box;
    for (const int v : loop) box.extend(surface.vertices[v]);
    boxes.emplace_back(box.min() - margin, box.max() + margin);
  }
  const FaceTree tree(boxes);
  const EdgeTable edges(surface.vertices.size(), surface.loops);
  SelfContact found;
  std::vector<int> near;
  for (int a = 0; a < n; ++a) {
    if (a % kBetweenLooks == 0) activity.advance(static_cast<double>(a) / n);
    near.clear();
    tree.overlapping(boxes[a], a, near);
    for (const int b : near) {
      if (!boxes[a].intersects(boxes[b])) continue;
      const Polygon &p = polygons[a], &q = polygons[b];
      const bool a_is_smaller = p.loop->size() < q.loop->size();
      const bool neighbours = has_neighbour(edges, a_is_smaller ? *p.loop : *q.loop, a_is_smaller ? b : a);
      if (!neighbours && (is_apart(surface, p, q, touch) || is_apart(surface, q, p, touch))) continue;
      if (const auto x = neighbours ? fold(surface, p, q) : crossing(surface, p, q, touch)) {
        found.crossings.push_back({a, b, *x});
        if (found.crossings.size() < most) continue;
        found.all_crossings = false;
        return found;
      }
      if (!neighbours) found.touching.emplace_back(a, b);
    }
  }
  return found;
}

std::vector<FaceCrossing> crossing_faces(const PolyhedronSurface& surface, std::size_t most) {
  return self_contact(surface, most).crossings;
}

}  // namespace scree
