#include "core/mesh/surface_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/interrupt.hpp"
#include "core/mesh/edge_table.hpp"
#include "core/mesh/face_tree.hpp"

namespace scree {
namespace {

double distance_to_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 e = b - a;
  const double length2 = e.squaredNorm();
  const double s = length2 > 0 ? std::clamp((p - a).dot(e) / length2, 0.0, 1.0) : 0;
  return (p - a - s * e).norm();
}

/// Largest distance of the sampled points of one surface from another.
double one_way(const PolyhedronSurface& from, const PolyhedronSurface& to) {
  std::vector<Eigen::AlignedBox3d> boxes;
  for (const auto& loop : to.loops) {
    Eigen::AlignedBox3d box;
    for (const int v : loop) box.extend(to.vertices[v]);
    boxes.push_back(box);
  }
  const FaceTree tree(boxes);
  const auto distance = [&](const Vec3& p) {
    return tree.nearest(p, [&](int face) {
      const auto& loop = to.loops[face];
      double best = std::numeric_limits<double>::infinity();
      for (std::size_t k = 1; k + 1 < loop.size(); ++k) {
        best = std::min(best, distance_to_triangle(p, to.vertices[loop[0]], to.vertices[loop[k]],
                                                   to.vertices[loop[k + 1]]));
      }
      return best;
    });
  };
  double largest = 0;
  for (std::size_t v = 0; v < from.vertices.size(); ++v) {
    if (v % 1024 == 0) check_interrupt();
    largest = std::max(largest, distance(from.vertices[v]));
  }
  const EdgeTable edges(from.vertices.size(), from.loops);
  for (std::size_t f = 0; f < from.loops.size(); ++f) {
    if (f % 1024 == 0) check_interrupt();
    const auto& loop = from.loops[f];
    Vec3 middle = Vec3::Zero();
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const int v = loop[k], w = loop[(k + 1) % loop.size()];
      middle += from.vertices[v] / static_cast<double>(loop.size());
      // Once per edge; a free edge has one face, in either direction.
      if (v < w || edges.find(w, v) == nullptr)
        largest = std::max(largest, distance(0.5 * (from.vertices[v] + from.vertices[w])));
    }
    largest = std::max(largest, distance(middle));
  }
  return largest;
}

}  // namespace

double distance_to_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 normal = (b - a).cross(c - a);
  const bool inside = normal.dot((b - a).cross(p - a)) >= 0 && normal.dot((c - b).cross(p - b)) >= 0 &&
                      normal.dot((a - c).cross(p - c)) >= 0;
  const double length = normal.norm();
  if (inside && length > 0) return std::abs(normal.dot(p - a)) / length;
  return std::min({distance_to_segment(p, a, b), distance_to_segment(p, b, c), distance_to_segment(p, c, a)});
}

double surface_distance(const PolyhedronSurface& a, const PolyhedronSurface& b) {
  return std::max(one_way(a, b), one_way(b, a));
}

}  // namespace scree
