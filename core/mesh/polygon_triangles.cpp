#include "core/mesh/polygon_triangles.hpp"

#include <algorithm>

namespace scree {
namespace {

constexpr double kOnLine = 1e-6;  // sine

/// Whether p is left of the line from a to b, or nearly on it. @param normal unit vector.
bool is_left(const Vec3& normal, const Vec3& a, const Vec3& b, const Vec3& p) {
  return normal.dot((b - a).cross(p - a)) >= -kOnLine * (b - a).norm() * (p - a).norm();
}

/// A corner of what is left of a polygon.
struct Corner {
  int vertex;
  double quality = -1;  ///< of the ear at it: sine of its smallest angle; -1 without an ear
  int within = -1;      ///< a vertex inside of the ear that keeps it from being one
};

class EarCutter {
 public:
  EarCutter(const std::vector<Vec3>& vertices, const std::vector<int>& loop)
      : vertices_(vertices), normal_(polygon_normal(vertices, loop)) {
    for (const int v : loop) left_.push_back({v});
    for (std::size_t k = 0; k < left_.size(); ++k) judge(k);
  }

  [[nodiscard]] std::vector<std::array<int, 3>> run() {
    std::vector<std::array<int, 3>> triangles;
    while (left_.size() > 3) {
      const auto best = std::max_element(
          left_.begin(), left_.end(), [](const Corner& a, const Corner& b) { return a.quality < b.quality; });
      const auto k = static_cast<std::size_t>(best - left_.begin());
      triangles.push_back({before(k).vertex, left_[k].vertex, after(k).vertex});
      cut(k);
    }
    triangles.push_back({left_[0].vertex, left_[1].vertex, left_[2].vertex});
    return triangles;
  }

 private:
  [[nodiscard]] const Corner& before(std::size_t k) const {
    return left_[(k + left_.size() - 1) % left_.size()];
  }
  [[nodiscard]] const Corner& after(std::size_t k) const { return left_[(k + 1) % left_.size()]; }

  /// Only ears beside the one that goes change, and those that held its tip alone.
  void cut(std::size_t k) {
    const int tip = left_[k].vertex;
    left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(k));
    const std::size_t n = left_.size();
    const std::size_t next = k % n, previous = (k + n - 1) % n;
    for (std::size_t other = 0; other < n; ++other) {
      if (n == 4 || other == next || other == previous || left_[other].within == tip) judge(other);
    }
  }

  void judge(std::size_t k) {
    const std::size_t n = left_.size();
    Corner& corner = left_[k];
    const int first = before(k).vertex, last = after(k).vertex;
    const Vec3 &a = vertices_[first], &b = vertices_[corner.vertex], &c = vertices_[last];
    corner.quality = smallest_sine(a, b, c);
    corner.within = -1;
    // What is left is a triangle too.
    if (n == 4)
      corner.quality = std::min(corner.quality, smallest_sine(c, vertices_[after(k + 1).vertex], a));
    // Reflex corners are no ears, nor are those with another vertex inside; one is taken all the same if
    // nothing else is left, as of polygons that cross themselves.
    if (normal_.dot((b - a).cross(c - b)) < 0) {
      corner.quality = -1;
      return;
    }
    const double margin = kOnLine * ((b - a).norm() + (c - b).norm() + (a - c).norm());
    const Vec3 low = a.cwiseMin(b).cwiseMin(c).array() - margin;
    const Vec3 high = a.cwiseMax(b).cwiseMax(c).array() + margin;
    for (const Corner& other : left_) {
      if (other.vertex == first || other.vertex == corner.vertex || other.vertex == last) continue;
      const Vec3& p = vertices_[other.vertex];
      if ((p.array() < low.array()).any() || (p.array() > high.array()).any()) continue;
      if (!is_left(normal_, a, b, p) || !is_left(normal_, b, c, p) || !is_left(normal_, c, a, p)) continue;
      corner.quality = -1;
      corner.within = other.vertex;
      return;
    }
  }

  const std::vector<Vec3>& vertices_;
  Vec3 normal_;
  std::vector<Corner> left_;
};

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
  return EarCutter(vertices, loop).run();
}

}  // namespace scree
