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

/// Bodies of more faces offer their axes only, and surfaces of which more faces are within reach no plane.
constexpr std::size_t kFewFaces = 32;
constexpr std::size_t kMostFacesInReach = 256;

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

/// The time of a plane with this normal, from B to A.
double time_of_plane(const Extents& a, const Extents& b, const Approach& approach, double allowed,
                     const Vec3& n) {
  const double left = -a.high(-n) - b.high(n) + allowed;
  if (!(left > 0)) return 0;
  const double rate = std::max(-n.dot(approach.apart), 0.0) +
                      n.cross(approach.spin_a).norm() * approach.size_a +
                      n.cross(approach.spin_b).norm() * approach.size_b;
  return rate > 0 ? left / rate : kInfinity;
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
  const Shape& of_b = *b.shape;
  if (b.surface != nullptr || of_b.hollow_radius > 0) return 0;
  double best = 0;
  std::vector<int> faces;
  const bool fine = has_face_tree(of_b);
  if (fine) {
    const double way = longest * (approach.apart.norm() + approach.spin_a.norm() * approach.size_a +
                                  approach.spin_b.norm() * approach.size_b);
    const Vec3 local = b.to_local(a.trial->x);
    const double reach = a.shape->bounding_radius + way + std::max(-allowed, 0.0);
    faces_near(of_b, local, reach, faces);
    if (faces.size() > kMostFacesInReach) return 0;
    // Leaves of the tree hold others too.
    const auto is_far = [&](int f) { return nearest_on_face(of_b, f, local).distance > reach; };
    faces.erase(std::remove_if(faces.begin(), faces.end(), is_far), faces.end());
    if (faces.empty()) return longest;
  }
  const Extents extents_a(a);
  const Extents extents_b(b, fine ? &faces : nullptr);
  const auto offer = [&](const Vec3& n) {
    if (best < longest) best = std::max(best, time_of_plane(extents_a, extents_b, approach, allowed, n));
  };
  if (of_b.kind == ShapeKind::plane) {
    offer(b.trial->R.col(2));
    return std::min(best, longest);
  }
  const Vec3 line = a.trial->x - b.trial->x;
  if (of_b.kind == ShapeKind::cylinder) {
    const Vec3 axis = b.trial->R.col(2);
    const Vec3 out = line - axis.dot(line) * axis;
    if (out.squaredNorm() > 0) offer(out.normalized());
    return std::min(best, longest);
  }
  if (fine) {
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

}  // namespace scree::contact
