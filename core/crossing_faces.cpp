#include "core/crossing_faces.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/face_tree.hpp"

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

std::optional<Vec3> crossing(const PolyhedronSurface& surface, const Polygon& a, const Polygon& b,
                             double touch) {
  if (auto x = passage_of_edges(surface, a, b, touch)) return x;
  if (auto x = passage_of_edges(surface, b, a, touch)) return x;
  if (a.normal.dot(b.normal) > kFolded - 1) return std::nullopt;
  // Opposite normals and a common edge: folded back.
  const std::vector<int>& loop = *a.loop;
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const int v = loop[k], w = loop[(k + 1) % loop.size()];
    if (has(*b.loop, v) && has(*b.loop, w)) return 0.5 * (surface.vertices[v] + surface.vertices[w]);
  }
  return std::nullopt;
}

}  // namespace

std::vector<FaceCrossing> crossing_faces(const PolyhedronSurface& surface, std::size_t most) {
  std::vector<Polygon> polygons;
  std::vector<Eigen::AlignedBox3d> boxes;
  for (const std::vector<int>& loop : surface.loops) {
    polygons.push_back({&loop, polygon_normal(surface.vertices, loop)});
    boxes.emplace_back();
    for (const int v : loop) boxes.back().extend(surface.vertices[v]);
  }
  const double touch = kTouching * surface.size();
  const FaceTree tree(boxes);
  std::vector<FaceCrossing> found;
  std::vector<int> near;
  for (int a = 0; a < static_cast<int>(polygons.size()) && found.size() < most; ++a) {
    near.clear();
    tree.near(boxes[a].center(), 0.5 * boxes[a].diagonal().norm(), near);
    for (const int b : near) {
      if (b <= a || !boxes[a].intersects(boxes[b]) || found.size() >= most) continue;
      if (const auto x = crossing(surface, polygons[a], polygons[b], touch)) found.push_back({a, b, *x});
    }
  }
  return found;
}

}  // namespace scree
