#include "contact/surface/crossing_watch.hpp"

#include <algorithm>

#include <Eigen/Geometry>

#include "contact/geometry/closest_points.hpp"
#include "core/infinity.hpp"
#include "core/mesh/face_tree.hpp"
#include "core/mesh/surface_distance.hpp"

namespace scree::contact {
namespace {

constexpr double kTouching = 1e-9;  ///< of the size of the surface
constexpr double kReach = 0.25;     ///< of the shortest edge

struct TriangleAt {
  std::array<Vec3, 3> at;
  [[nodiscard]] double distance_to(const Vec3& p) const {
    return distance_to_triangle(p, at[0], at[1], at[2]);
  }
};

double distance_of_segments(const Vec3& a, const Vec3& b, const Vec3& p, const Vec3& q) {
  const Vec3 ab = b - a, pq = q - p;
  const double along = ab.norm(), across = pq.norm();
  const Vec3 e = ab / along, f = pq / across;
  const SegmentPair nearest = nearest_on_segments(a, e, along, p, f, across);
  return (a + nearest.s * e - p - nearest.t * f).norm();
}

/// Distance of a segment from a triangle [m].
double distance_of_segment(const Vec3& p, const Vec3& q, const TriangleAt& triangle) {
  const auto& [a, b, c] = triangle.at;
  const Vec3 normal = (b - a).cross(c - a);
  const double hp = normal.dot(p - a), hq = normal.dot(q - a);
  if (hp * hq <= 0 && hp != hq) {
    const Vec3 x = p + (q - p) * (hp / (hp - hq));
    const bool inside = normal.cross(b - a).dot(x - a) >= 0 && normal.cross(c - b).dot(x - b) >= 0 &&
                        normal.cross(a - c).dot(x - c) >= 0;
    if (inside) return 0;
  }
  double least = std::min(triangle.distance_to(p), triangle.distance_to(q));
  for (std::size_t k = 0; k < 3; ++k)
    least = std::min(least, distance_of_segments(p, q, triangle.at[k], triangle.at[(k + 1) % 3]));
  return least;
}

/// How far what a triangle does not share with another is from that [m]. Two triangles with a common vertex
/// can only begin to cross at the edge opposite to it, two with a common edge at the vertices opposite to
/// that.
double distance_of_own_parts(const std::vector<Vec3>& x, const std::array<int, 3>& own,
                             const std::array<int, 3>& other) {
  const TriangleAt triangle{{x[other[0]], x[other[1]], x[other[2]]}};
  const auto is_shared = [&](int v) { return std::find(other.begin(), other.end(), v) != other.end(); };
  double least = kInfinity;
  for (std::size_t k = 0; k < 3; ++k) {
    const int v = own[k], w = own[(k + 1) % 3];
    if (is_shared(v)) continue;
    least = std::min(least,
                     is_shared(w) ? triangle.distance_to(x[v]) : distance_of_segment(x[v], x[w], triangle));
  }
  return least;
}

}  // namespace

CrossingWatch::CrossingWatch(const Shape& surface) {
  for (const Face& face : surface.faces) triangles_.push_back({face.loop[0], face.loop[1], face.loop[2]});
  Eigen::AlignedBox3d box;
  for (const Vec3& v : surface.vertices) box.extend(v);
  touch_ = kTouching * box.sizes().maxCoeff();
  reach_ = kReach * surface.smallest_feature;
  x_ = surface.vertices;
  least_ = reach_;
  visit_near_pairs(x_, [&](int a, int b, double distance) {
    if (distance <= touch_) {
      touching_.emplace_back(a, b);
    } else {
      least_ = std::min(least_, distance);
    }
    return true;
  });
  std::sort(touching_.begin(), touching_.end());
}

template <class Found>
void CrossingWatch::visit_near_pairs(const std::vector<Vec3>& x, Found&& found) const {
  std::vector<Eigen::AlignedBox3d> boxes;
  boxes.reserve(triangles_.size());
  const Vec3 margin = Vec3::Constant(0.5 * reach_);
  for (const Triangle& triangle : triangles_) {
    Eigen::AlignedBox3d box;
    for (const int v : triangle) box.extend(x[v]);
    boxes.emplace_back(box.min() - margin, box.max() + margin);
  }
  const FaceTree tree(boxes);
  std::vector<int> near;
  for (int a = 0; a < static_cast<int>(triangles_.size()); ++a) {
    near.clear();
    tree.overlapping(boxes[a], a, near);
    for (const int b : near) {
      if (!boxes[a].intersects(boxes[b])) continue;
      const double distance = std::min(distance_of_own_parts(x, triangles_[a], triangles_[b]),
                                       distance_of_own_parts(x, triangles_[b], triangles_[a]));
      if (!found(a, b, distance)) return;
    }
  }
}

bool CrossingWatch::may_have_met(const std::vector<Vec3>& x) const {
  const double may_move = 0.5 * (least_ - touch_);
  const auto stays = [&](const auto& moved) {
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (!((x[k] - moved(x_[k])).norm() < may_move)) return false;
    }
    return true;
  };
  if (stays([](const Vec3& p) { return p; })) return false;
  Eigen::Matrix3Xd from(3, x.size()), to(3, x.size());
  for (std::size_t k = 0; k < x.size(); ++k) {
    from.col(static_cast<Eigen::Index>(k)) = x_[k];
    to.col(static_cast<Eigen::Index>(k)) = x[k];
  }
  const Eigen::Matrix4d as_a_whole = Eigen::umeyama(from, to, false);
  return !stays([&](const Vec3& p) {
    return Vec3(as_a_whole.topLeftCorner<3, 3>() * p + as_a_whole.topRightCorner<3, 1>());
  });
}

std::optional<std::pair<int, int>> CrossingWatch::find(const std::vector<Vec3>& x) {
  if (!may_have_met(x)) return std::nullopt;
  ++measured_;
  std::optional<std::pair<int, int>> crossing;
  double least = reach_;
  visit_near_pairs(x, [&](int a, int b, double distance) {
    if (std::binary_search(touching_.begin(), touching_.end(), std::pair(a, b))) return true;
    if (distance <= touch_) crossing.emplace(a, b);
    least = std::min(least, distance);
    return !crossing;
  });
  if (crossing) return crossing;
  x_ = x;
  least_ = least;
  return std::nullopt;
}

}  // namespace scree::contact
