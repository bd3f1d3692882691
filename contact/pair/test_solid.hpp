/// For tests: distances of bodies by a look at every feature, in formulas that share nothing with the
/// program.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "contact/test_bodies.hpp"
#include "core/test_extremes.hpp"

namespace scree::contact::testing {

/// A body taken apart, in global coordinates.
struct Solid {
  std::vector<Vec3> points;
  std::vector<std::array<Vec3, 2>> segments;
  std::vector<std::array<Vec3, 3>> triangles;
  double radius = 0;    ///< rounding of all of them [m]
  bool closed = false;  ///< the triangles enclose something
};

inline Solid solid_of(const TestBody& body) {
  Solid solid;
  const Shape& shape = *body.shape;
  solid.radius = shape.radius;
  solid.closed = !shape.open && !shape.faces.empty();
  solid.points = body.vertices;
  for (const Edge& edge : shape.edges) {
    if (edge.v0 >= 0) {
      solid.segments.push_back({body.vertices[edge.v0], body.vertices[edge.v1]});
    } else {  // the axis of an infinite cylinder
      const Vec3 half = 50 * (body.trial.R * edge.direction);
      solid.segments.push_back({body.trial.x - half, body.trial.x + half});
    }
  }
  for (const Face& face : shape.faces) {
    for (std::size_t k = 1; k + 1 < face.loop.size(); ++k)
      solid.triangles.push_back(
          {body.vertices[face.loop[0]], body.vertices[face.loop[k]], body.vertices[face.loop[k + 1]]});
  }
  return solid;
}

inline double between(const Vec3& p, const std::array<Vec3, 2>& s) {
  const Vec3 along = s[1] - s[0];
  const double t = std::clamp((p - s[0]).dot(along) / along.squaredNorm(), 0.0, 1.0);
  return (p - s[0] - t * along).norm();
}

/// Barycentric coordinates of the foot in the plane of a triangle; on the outline else.
inline double between(const Vec3& p, const std::array<Vec3, 3>& t) {
  const Vec3 u = t[1] - t[0], v = t[2] - t[0], n = u.cross(v), w = p - t[0];
  const double n2 = n.squaredNorm();
  const double b = w.cross(v).dot(n) / n2, c = u.cross(w).dot(n) / n2;
  if (b >= 0 && c >= 0 && b + c <= 1) return std::abs(w.dot(n)) / std::sqrt(n2);
  return std::min({between(p, std::array{t[0], t[1]}), between(p, std::array{t[1], t[2]}),
                   between(p, std::array{t[2], t[0]})});
}

inline double between(const std::array<Vec3, 2>& s, const std::array<Vec3, 2>& t) {
  double least = std::min({between(s[0], t), between(s[1], t), between(t[0], s), between(t[1], s)});
  const Vec3 d = s[1] - s[0], e = t[1] - t[0], n = d.cross(e), w = t[0] - s[0];
  const double n2 = n.squaredNorm();
  if (n2 < 1e-20 * d.squaredNorm() * e.squaredNorm()) return least;
  const double a = w.cross(e).dot(n) / n2, b = w.cross(d).dot(n) / n2;
  if (a > 0 && a < 1 && b > 0 && b < 1) test::keep_smallest(least, std::abs(w.dot(n)) / std::sqrt(n2));
  return least;
}

inline bool pierces(const std::array<Vec3, 2>& s, const std::array<Vec3, 3>& t) {
  const Vec3 n = (t[1] - t[0]).cross(t[2] - t[0]);
  const double h0 = n.dot(s[0] - t[0]), h1 = n.dot(s[1] - t[0]);
  if (h0 * h1 > 0) return false;
  const Vec3 x = s[0] + h0 / (h0 - h1) * (s[1] - s[0]);
  for (int k = 0; k < 3; ++k) {
    if (n.dot((t[(k + 1) % 3] - t[k]).cross(x - t[k])) < 0) return false;
  }
  return true;
}

/// Van Oosterom and Strackee (1983), equation 8.
inline bool is_inside(const Vec3& p, const Solid& solid) {
  if (!solid.closed) return false;
  double sum = 0;
  for (const auto& t : solid.triangles) {
    const Vec3 a = t[0] - p, b = t[1] - p, c = t[2] - p;
    sum += 2 * std::atan2(a.dot(b.cross(c)), a.norm() * b.norm() * c.norm() + a.dot(b) * c.norm() +
                                                 b.dot(c) * a.norm() + c.dot(a) * b.norm());
  }
  return sum > 2 * std::numbers::pi;
}

/// Smallest distance of all features, roundings taken off [m].
inline double distance_of_features(const Solid& a, const Solid& b) {
  double least = std::numeric_limits<double>::infinity();
  const auto one_way = [&least](const Solid& from, const Solid& to) {
    for (const Vec3& p : from.points) {
      for (const auto& t : to.triangles) test::keep_smallest(least, between(p, t));
      if (!to.triangles.empty()) continue;
      for (const auto& s : to.segments) test::keep_smallest(least, between(p, s));
      if (!to.segments.empty()) continue;
      for (const Vec3& q : to.points) test::keep_smallest(least, (p - q).norm());
    }
  };
  one_way(a, b);
  one_way(b, a);
  for (const auto& s : a.segments)
    for (const auto& t : b.segments) test::keep_smallest(least, between(s, t));
  return least - a.radius - b.radius;
}

/// Whether two bodies that are not rounded overlap.
inline bool overlap(const Solid& a, const Solid& b) {
  const auto one_way = [](const Solid& from, const Solid& to) {
    for (const auto& s : from.segments)
      for (const auto& t : to.triangles)
        if (pierces(s, t)) return true;
    return !from.points.empty() && is_inside(from.points[0], to);
  };
  return one_way(a, b) || one_way(b, a);
}

}  // namespace scree::contact::testing
