#include "solvers/placement/convex_separation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <unordered_map>

namespace scree {
namespace {

// More pairs of edges than this cost more than the search below.
constexpr std::size_t kEdgePairs = 200;
// So do the face normals of a body from this number of projected vertices on.
constexpr std::size_t kProjections = 100000;
constexpr int kSearchSteps = 60;

/// Different directions among unit vectors, in order. Cells much wider than the tolerance are looked up for a
/// vector and its opposite.
class Directions {
 public:
  explicit Directions(std::vector<Vec3>& directions) : directions_(directions) {}

  void add(const Vec3& direction) {
    if (is_known(direction) || is_known(-direction)) return;
    cells_[cell_of(direction)].push_back(static_cast<int>(directions_.size()));
    directions_.push_back(direction);
  }

 private:
  using Cell = std::array<int, 3>;
  struct Hash {
    std::size_t operator()(const Cell& cell) const {
      std::uint64_t mixed = 0;
      for (const int k : cell) mixed = (mixed ^ static_cast<std::uint32_t>(k)) * 0x9e3779b97f4a7c15U;
      return mixed ^ (mixed >> 32U);
    }
  };
  static constexpr double kSame = 1e-9, kWidth = 1e-7;

  static Cell cell_of(const Vec3& d) {
    const auto number = [](double s) { return static_cast<int>(std::floor(s / kWidth)); };
    return {number(d.x()), number(d.y()), number(d.z())};
  }
  [[nodiscard]] bool is_known(const Vec3& direction) const {
    const Vec3 margin = Vec3::Constant(2 * kSame);
    const Cell low = cell_of(direction - margin), high = cell_of(direction + margin);
    for (int x = low[0]; x <= high[0]; ++x) {
      for (int y = low[1]; y <= high[1]; ++y) {
        for (int z = low[2]; z <= high[2]; ++z) {
          const auto cell = cells_.find({x, y, z});
          if (cell == cells_.end()) continue;
          const bool known = std::any_of(cell->second.begin(), cell->second.end(), [&](int k) {
            return directions_[k].cross(direction).squaredNorm() < kSame * kSame;
          });
          if (known) return true;
        }
      }
    }
    return false;
  }

  std::vector<Vec3>& directions_;
  std::unordered_map<Cell, std::vector<int>, Hash> cells_;
};

struct Span {
  double low = std::numeric_limits<double>::infinity(), high = -low;
};

Span span_along(const PlacedBody& body, const Vec3& n) {
  Span span;
  if (body.smooth != nullptr) {
    const double reach = body.scale * body.smooth->support_point(body.R.transpose() * n).h;  // symmetric
    return {n.dot(body.x) - reach, n.dot(body.x) + reach};
  }
  for (const auto& v : body.vertices) {
    const double s = n.dot(v);
    span.low = std::min(span.low, s);
    span.high = std::max(span.high, s);
  }
  return span;
}

/// Gap between the bodies along a unit direction, whichever of them is in front.
double gap_along(const PlacedBody& a, const PlacedBody& b, const Vec3& n) {
  const Span of_a = span_along(a, n), of_b = span_along(b, n);
  return std::max(of_b.low - of_a.high, of_a.low - of_b.high) - a.radius - b.radius;
}

Vec3 farthest(const PlacedBody& body, const Vec3& n) {
  if (body.smooth != nullptr)
    return body.x + body.scale * (body.R * body.smooth->support_point(body.R.transpose() * n).point);
  Vec3 best = body.vertices.front();
  double most = n.dot(best);
  for (const auto& v : body.vertices) {
    if (const double s = n.dot(v); s > most) {
      most = s;
      best = v;
    }
  }
  return best;
}

/// Gilbert's descent on the Minkowski difference: p approaches the shortest vector from b to a, and each p is
/// a direction along which a gap can be seen. [Gilbert 1966, SIAM J. Control 4(1), 61-80]
bool search_shows_gap(const PlacedBody& a, const PlacedBody& b, double clearance) {
  Vec3 p = a.x - b.x;
  for (int k = 0; k < kSearchSteps; ++k) {
    const double length = p.norm();
    if (length == 0) return false;
    const Vec3 corner = farthest(a, -p) - farthest(b, p);
    if (p.dot(corner) / length - a.radius - b.radius >= clearance) return true;
    const Vec3 step = corner - p;
    const double squared = step.squaredNorm();
    if (squared == 0) return false;
    const double t = std::clamp(-p.dot(step) / squared, 0.0, 1.0);
    if (t == 0) return false;
    p += t * step;
    if (p.norm() - a.radius - b.radius < clearance) return false;  // p is a point of the difference
  }
  return false;
}

}  // namespace

SeparationAxes separation_axes(const Shape& shape) {
  SeparationAxes axes;
  Directions normals(axes.normals), edges(axes.edges);
  for (const auto& face : shape.faces) normals.add(face.normal);
  for (const auto& edge : shape.edges) {
    if (edge.kind == EdgeKind::convex) edges.add(edge.direction);
  }
  return axes;
}

PlacedBody place(const Shape& shape, int number, const Vec3& x, const Quat& q, double scale) {
  PlacedBody body{.shape = number,
                  .x = x,
                  .q = q,
                  .R = q.toRotationMatrix(),
                  .vertices = {},
                  .radius = scale * shape.radius,
                  .bound = scale * shape.bounding_radius,
                  .smooth = is_smooth(shape) ? &shape.superquadric : nullptr,
                  .scale = scale};
  body.vertices.reserve(shape.vertices.size());
  for (const auto& v : shape.vertices) body.vertices.emplace_back(x + scale * (body.R * v));
  return body;
}

double lowest_along(const PlacedBody& body, const Vec3& n) { return span_along(body, n).low - body.radius; }

bool separated(const PlacedBody& a, const SeparationAxes& axes_a, const PlacedBody& b,
               const SeparationAxes& axes_b, double clearance) {
  const Vec3 between = b.x - a.x;
  const double distance = between.norm();
  if (distance - a.bound - b.bound >= clearance) return true;
  if (distance > 0 && gap_along(a, b, between / distance) >= clearance) return true;
  const std::size_t vertices = a.vertices.size() + b.vertices.size();
  const bool many_a = axes_a.normals.size() * vertices > kProjections;
  const bool many_b = axes_b.normals.size() * vertices > kProjections;
  const auto normals_show_gap = [&](const SeparationAxes& axes, const Mat3& R) {
    return std::any_of(axes.normals.begin(), axes.normals.end(),
                       [&](const Vec3& n) { return gap_along(a, b, R * n) >= clearance; });
  };
  if (!many_a && normals_show_gap(axes_a, a.R)) return true;
  if (!many_b && normals_show_gap(axes_b, b.R)) return true;
  if (many_a || many_b || axes_a.normals.empty() || axes_b.normals.empty() ||
      axes_a.edges.size() * axes_b.edges.size() > kEdgePairs) {
    return search_shows_gap(a, b, clearance);
  }
  for (const auto& ea : axes_a.edges) {
    const Vec3 along = a.R * ea;
    for (const auto& eb : axes_b.edges) {
      const Vec3 n = along.cross(b.R * eb);
      const double length = n.norm();
      if (length > 1e-9 && gap_along(a, b, n / length) >= clearance) return true;
    }
  }
  return false;
}

}  // namespace scree
