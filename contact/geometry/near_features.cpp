#include "contact/geometry/near_features.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/infinity.hpp"

namespace scree::contact {
namespace {

using Box = Eigen::AlignedBox3d;

/// Round-off of a distance over the coordinates that it comes from.
constexpr double kRoundOffOfDistances = 1e-13;

/// Vertices up to which a look at all of them is quicker than a tree.
constexpr std::size_t kFewVertices = 64;

/// Growth of the distance that is tried next where nothing is near.
constexpr double kFurther = 2;
/// How well it is known in the end.
constexpr double kSharp = 1.1;

void number_all(std::size_t count, std::vector<int>& numbers) {
  numbers.resize(count);
  std::iota(numbers.begin(), numbers.end(), 0);
}

/// Numbers in a list of each face, each once and ascending. Marks are quicker than to sort what comes twice
/// or six times. @param count of all numbers of the shape.
void collect(const Shape& surface, const std::vector<int>& faces, std::size_t count,
             std::vector<int>& numbers, std::vector<int> Face::*list) {
  thread_local std::vector<char> is_in;  // all zero between calls
  if (is_in.size() < count) is_in.resize(count, 0);
  numbers.clear();
  for (const int f : faces) {
    for (const int k : surface.faces[f].*list) {
      if (is_in[k] != 0) continue;
      is_in[k] = 1;
      numbers.push_back(k);
    }
  }
  for (const int k : numbers) is_in[k] = 0;
  std::sort(numbers.begin(), numbers.end());
}

/// Whether a shape, its rounding left out, is within a distance of a point of its frame, or nearly: a leaf of
/// its tree is.
bool is_within(const Shape& shape, const Vec3& p, double distance) {
  if (!has_face_tree(shape)) return distance_to_shape(shape, p) + shape.radius <= distance;
  const double squared = distance * distance;
  bool found = false;
  shape.face_tree.visit([&](const Box& box) { return !found && box.squaredExteriorDistance(p) <= squared; },
                        [&](int) { found = true; });
  return found;
}

/// Finds which parts of a body are near another one: by the ball around it first, which costs least.
class NearOther {
 public:
  NearOther(const BodyView& body, const BodyView& other, double reach)
      : other_(*other.shape), reach_(reach), turn_(other.trial->R.transpose() * body.trial->R) {
    way_ = other.to_local(body.trial->x);
    bounded_ = !is_wall(other_);
    centre_ = body.to_local(other.trial->x);
  }
  bool operator()(const Box& box) const {
    const double within = other_.bounding_radius + reach_;
    if (bounded_ && box.squaredExteriorDistance(centre_) > within * within) return false;
    return is_near(box.center(), 0.5 * box.diagonal().norm());
  }
  /// @param p in the frame of the body, middle of a ball. @param radius of the ball [m].
  [[nodiscard]] bool is_near(const Vec3& p, double radius) const {
    return is_within(other_, way_ + turn_ * p, radius + reach_);
  }

 private:
  const Shape& other_;
  double reach_;
  Mat3 turn_;
  Vec3 way_, centre_;
  bool bounded_ = true;
};

/// Whether a face of a body with a tree is within `reach` of another body, or nearly.
bool any_near(const BodyView& body, const BodyView& other, double reach) {
  const NearOther near(body, other, reach);
  const Shape& shape = *body.shape;
  bool found = false;
  shape.face_tree.visit([&](const Box& box) { return !found && near(box); },
                        [&](int f) {
                          if (found) return;
                          Box box;
                          for (const int v : shape.faces[f].loop) box.extend(shape.vertices[v]);
                          found = near(box);
                        });
  return found;
}

}  // namespace

void sort_and_thin(std::vector<int>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

double distance_error(const BodyView& a, const BodyView& b) {
  const auto size = [](const BodyView& body) { return body.trial->x.norm() + body.shape->bounding_radius; };
  return kRoundOffOfDistances * (size(a) + size(b));
}

void edges_of(const Shape& surface, const std::vector<int>& faces, std::vector<int>& edges) {
  collect(surface, faces, surface.edges.size(), edges, &Face::edges);
}

void vertices_of(const Shape& surface, const std::vector<int>& faces, std::vector<int>& vertices) {
  collect(surface, faces, surface.vertices.size(), vertices, &Face::loop);
}

void faces_near(const Shape& surface, const Vec3& p, double reach, std::vector<int>& faces) {
  if (!has_face_tree(surface)) {
    number_all(surface.faces.size(), faces);
    return;
  }
  faces.clear();
  surface.face_tree.near(p, reach, faces);
}

void features_near(const BodyView& body, const BodyView& other, double reach, Features& near) {
  const Shape& shape = *body.shape;
  if (!has_face_tree(shape)) {
    number_all(shape.faces.size(), near.faces);
    number_all(shape.edges.size(), near.edges);
    number_all(shape.vertices.size(), near.vertices);
    return;
  }
  near.faces.clear();
  const NearOther is_near(body, other, reach);
  shape.face_tree.visit(is_near, [&](int f) { near.faces.push_back(f); });
  std::sort(near.faces.begin(), near.faces.end());
  edges_of(shape, near.faces, near.edges);
  vertices_of(shape, near.faces, near.vertices);
}

void faces_near_segment(const Shape& surface, const Vec3& p, const Vec3& q, double reach,
                        std::vector<int>& faces) {
  if (!has_face_tree(surface)) {
    number_all(surface.faces.size(), faces);
    return;
  }
  const Box box(p.cwiseMin(q).array() - reach, p.cwiseMax(q).array() + reach);
  faces.clear();
  surface.face_tree.overlapping(box, -1, faces);
}

void vertices_near(const Shape& surface, const Vec3& p, double reach, std::vector<int>& vertices) {
  if (!has_face_tree(surface) || surface.vertices.size() <= kFewVertices) {
    number_all(surface.vertices.size(), vertices);
    return;
  }
  thread_local std::vector<int> faces;
  faces_near(surface, p, reach, faces);
  vertices_of(surface, faces, vertices);
}

SurfacePoint nearest_on_surface(const Shape& surface, const Vec3& p) {
  SurfacePoint best;
  best.distance = kInfinity;
  int of_best = -1;
  surface.face_tree.nearest(p, [&](int f) {
    const SurfacePoint point = nearest_on_face(surface, f, p);
    // Of faces that are as near the one with the lowest number, in whatever order they come.
    if (point.distance < best.distance || (point.distance == best.distance && f < of_best)) {
      best = point;
      of_best = f;
    }
    return point.distance;
  });
  return best;
}

double clear_distance(const BodyView& a, const BodyView& b, double reach, double most) {
  const bool by_a = has_face_tree(*a.shape);
  const double radii = a.shape->radius + b.shape->radius + distance_error(a, b);
  const auto is_near = [&](double distance) {
    return by_a ? any_near(a, b, distance + radii) : any_near(b, a, distance + radii);
  };
  double next = kFurther * reach;
  while (next <= most && !is_near(next)) {
    reach = next;
    next *= kFurther;
  }
  while (next <= most && next > kSharp * reach) {
    const double middle = std::sqrt(reach * next);
    (is_near(middle) ? next : reach) = middle;
  }
  return reach;
}

}  // namespace scree::contact
