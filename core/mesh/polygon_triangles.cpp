#include "core/mesh/polygon_triangles.hpp"

#include <algorithm>

namespace scree {
namespace {

/// Whether p is left of the line from a to b, or nearly on it. @param normal unit vector.
bool is_left(const Vec3& normal, const Vec3& a, const Vec3& b, const Vec3& p) {
  constexpr double kOnLine = 1e-6;  // sine
  return normal.dot((b - a).cross(p - a)) >= -kOnLine * (b - a).norm() * (p - a).norm();
}

}  // namespace

double smallest_sine(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 u = b - a, v = c - a, w = c - b;
  const double area = u.cross(v).norm();
  const double lu = u.norm(), lv = v.norm(), lw = w.norm();
  const double largest = std::max({lu * lv, lu * lw, lv * lw});
  return largest > 0 ? area / largest : 0;
}

std::vector<std::array<int, 3>> triangles_of(const std::vector<Vec3>& vertices,
                                             const std::vector<int>& loop) {
  std::vector<std::array<int, 3>> triangles;
  std::vector<int> left = loop;
  const Vec3 normal = polygon_normal(vertices, loop);
  while (left.size() > 3) {
    const std::size_t n = left.size();
    std::size_t best = 0;
    double best_quality = -2;
    for (std::size_t k = 0; k < n; ++k) {
      const int before = left[(k + n - 1) % n], at = left[k], after = left[(k + 1) % n];
      const Vec3 &a = vertices[before], &b = vertices[at], &c = vertices[after];
      double quality = smallest_sine(a, b, c);
      // What is left is a triangle too.
      if (n == 4) quality = std::min(quality, smallest_sine(c, vertices[left[(k + 2) % n]], a));
      // Reflex corners are no ears, nor are those with another vertex inside; one is taken all the same if
      // nothing else is left, as of polygons that cross themselves.
      if (normal.dot((b - a).cross(c - b)) < 0) quality = -1;
      for (std::size_t j = 0; j < n && quality >= 0; ++j) {
        const int other = left[j];
        if (other == before || other == at || other == after) continue;
        const Vec3& p = vertices[other];
        if (is_left(normal, a, b, p) && is_left(normal, b, c, p) && is_left(normal, c, a, p)) quality = -1;
      }
      if (quality > best_quality) {
        best_quality = quality;
        best = k;
      }
    }
    triangles.push_back({left[(best + n - 1) % n], left[best], left[(best + 1) % n]});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
  }
  triangles.push_back({left[0], left[1], left[2]});
  return triangles;
}

}  // namespace scree
