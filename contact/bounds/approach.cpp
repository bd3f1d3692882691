#include "contact/bounds/approach.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "contact/geometry/closest_points.hpp"
#include "contact/geometry/near_features.hpp"
#include "contact/superquadric/separation.hpp"
#include "core/infinity.hpp"
#include "core/shapes/face_tree_of.hpp"

namespace scree::contact {
namespace {

/// Surfaces of which more faces are within reach offer no plane.
constexpr std::size_t kMostFacesInReach = 256;
/// Times that are tried, each half of the one before.
constexpr int kTimes = 9;

/// What of a body lies in the way.
class Extents {
 public:
  /// @param faces of a surface, those within reach; null: all of the body.
  explicit Extents(const BodyView& body, const std::vector<int>* faces = nullptr)
      : body_(&body), faces_(faces) {}

  /// Largest projection of its points on a unit vector [m].
  [[nodiscard]] double high(const Vec3& n) const {
    const Shape& shape = *body_->shape;
    const double pole = n.dot(body_->trial->x);
    if (shape.kind == ShapeKind::plane) return pole;
    if (shape.kind == ShapeKind::cylinder) return pole + shape.radius;  // n is across the axis
    if (is_smooth(shape)) return pole + Smooth(*body_).support_point(n).h;
    double most = -kInfinity;
    if (faces_ != nullptr) {
      for (const int f : *faces_)
        for (const int v : shape.faces[static_cast<std::size_t>(f)].loop)
          most = std::max(most, n.dot(body_->vertex(v)));
    } else if (!places_all_vertices(shape)) {
      return pole + shape.bounding_radius;
    } else {
      for (int v = 0; v < static_cast<int>(shape.vertices.size()); ++v)
        most = std::max(most, n.dot(body_->vertex(v)));
    }
    return most + shape.radius;
  }

 private:
  const BodyView* body_;
  const std::vector<int>* faces_;
};

/// The time of a plane with this normal, from B to A, if it lies between the two.
double time_of_plane(const Extents& a, const Extents& b, const Approach& approach, double allowed,
                     const Vec3& n) {
  const double between = -a.high(-n) - b.high(n);
  const double left = between + allowed;
  if (!(between >= 0 && left > 0)) return 0;
  const double rate = std::max(-n.dot(approach.apart), 0.0) +
                      n.cross(approach.spin_a).norm() * approach.size_a +
                      n.cross(approach.spin_b).norm() * approach.size_b;
  return rate > 0 ? left / rate : kInfinity;
}

/// Faces of a surface that are within `reach` [m] of a point of its frame. @returns false if they are too
/// many.
bool find_faces(const Shape& surface, const Vec3& p, double reach, std::vector<int>& faces) {
  faces.clear();
  const auto few = [&] { return faces.size() <= kMostFacesInReach; };
  surface.face_tree.visit(
      [&](const Eigen::AlignedBox3d& box) {
        return few() && box.squaredExteriorDistance(p) <= reach * reach;
      },
      [&](int f) {
        if (few() && nearest_on_face(surface, f, p).distance <= reach) faces.push_back(f);
      });
  return few();
}

/// The best time of planes, at most `longest`. @param faces of B that count, null: all of it.
double time_of_planes(const BodyView& a, const BodyView& b, const std::vector<int>* faces,
                      const Approach& approach, double allowed, double longest) {
  const Shape& of_b = *b.shape;
  const Extents extents_a(a);
  const Extents extents_b(b, faces);
  double best = 0;
  const auto offer = [&](const Vec3& n) {
    if (best < longest) best = std::max(best, time_of_plane(extents_a, extents_b, approach, allowed, n));
  };
  const Vec3 line = a.trial->x - b.trial->x;
  const Vec3 axis = b.trial->R.col(2);
  if (of_b.kind == ShapeKind::plane) {
    offer(axis);
    return std::min(best, longest);
  }
  if (of_b.kind == ShapeKind::cylinder) {
    const Vec3 out = line - axis.dot(line) * axis;
    if (out.squaredNorm() > 0) offer(out.normalized());
    return std::min(best, longest);
  }
  if (faces != nullptr) {
    const Vec3 local = b.to_local(a.trial->x);
    const SurfacePoint nearest = nearest_on_surface(of_b, local);
    if ((local - nearest.point).squaredNorm() > 0) offer(b.trial->R * (local - nearest.point).normalized());
  } else if (line.squaredNorm() > 0) {
    offer(line.normalized());
  }
  const auto both_ways = [&](const Vec3& n) {
    offer(n);
    offer(-n);
  };
  for (int k = 0; k < 3; ++k) {
    both_ways(b.trial->R.col(k));
    both_ways(a.trial->R.col(k));
  }
  for (const BodyView* body : {&a, &b}) {
    const std::vector<Face>& of_body = body->shape->faces;
    if (of_body.size() > kFewFaces) continue;
    for (const Face& face : of_body) both_ways(body->trial->R * face.normal);
  }
  return std::min(best, longest);
}

}  // namespace

double approach_speed(const Shape& other, const Mat3& orientation, const Vec3& apart) {
  const Vec3 axis = orientation.col(2);
  switch (other.kind) {
    case ShapeKind::plane:
      return std::max(-axis.dot(apart), 0.0);
    case ShapeKind::cylinder:
    case ShapeKind::bore:
      return (apart - axis.dot(apart) * axis).norm();
    default:
      return apart.norm();
  }
}

double time_apart(const BodyView& a, const BodyView& b, const Approach& approach, double allowed,
                  double longest) {
  if (b.surface != nullptr || b.shape->hollow_radius > 0) return 0;
  thread_local std::vector<int> faces;  // keeps its memory: no allocation per pair
  const bool fine = has_face_tree(*b.shape);
  const bool wall = is_wall(*b.shape);
  double best = 0;
  // What is in reach of a long time may be in the way of all planes, and what is in reach of a shorter one
  // not.
  double time = longest;
  for (int k = 0; k < kTimes && best < time; ++k, time *= 0.5) {
    Approach now = approach;
    // Where the body goes, a wall that turns moves otherwise than where it is.
    if (wall) now.size_b += time * approach.apart.norm();
    if (fine) {
      const double way =
          time * (now.apart.norm() + now.spin_a.norm() * now.size_a + now.spin_b.norm() * now.size_b);
      const double reach = a.shape->bounding_radius + way + std::max(-allowed, 0.0);
      if (!find_faces(*b.shape, b.to_local(a.trial->x), reach, faces)) continue;
      if (faces.empty()) return std::max(best, time);
    }
    best = std::max(best, time_of_planes(a, b, fine ? &faces : nullptr, now, allowed, time));
    if (!fine && (!wall || approach.spin_b.isZero(0))) break;
  }
  return best;
}

}  // namespace scree::contact
