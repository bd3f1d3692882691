#include "meshes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "distances.hpp"

namespace intersection {
namespace {

/// Parts of an edge at whose ends its depth in another solid is looked for.
constexpr int kPartsOfEdge = 8;

struct Part {
  std::vector<Vector> points;
  Vector low, high;
};

Part part(std::vector<Vector> points) {
  Part p{std::move(points), {}, {}};
  p.low = p.high = p.points.front();
  for (const Vector& x : p.points) {
    p.low = p.low.cwiseMin(x);
    p.high = p.high.cwiseMax(x);
  }
  return p;
}

/// Lower bound of the distance of two parts.
Real box_distance(const Part& a, const Part& b) {
  const Vector apart = (a.low - b.high).cwiseMax(b.low - a.high).cwiseMax(Real(0));
  return apart.norm();
}

std::vector<Part> edges_of(const Solid& solid, const std::vector<Vector>& points) {
  std::vector<Part> edges;
  if (solid.faces.empty()) {
    edges.push_back(part({points.front(), points.back()}));
    return edges;
  }
  for (const auto& face : solid.faces) {
    for (std::size_t k = 0; k < face.size(); ++k) {
      const int v = face[k], w = face[(k + 1) % face.size()];
      if (v < w) edges.push_back(part({points[v], points[w]}));  // the other face has it from w to v
    }
  }
  return edges;
}

std::vector<Part> faces_of(const Solid& solid, const std::vector<Vector>& points) {
  std::vector<Part> faces;
  for (const auto& face : solid.faces) faces.push_back(part(corners(points, face)));
  return faces;
}

void approach(const std::vector<Part>& edges, const std::vector<Part>& faces, Real& best) {
  for (const Part& edge : edges) {
    for (const Part& face : faces) {
      if (box_distance(edge, face) < best)
        best = std::min(best, polygon_distance(edge.points[0], edge.points[1], face.points));
    }
  }
}

/// Of points on `edges`, by how much the deepest lies below the surface of a solid; 0 if none is inside.
Real depth_in(const Solid& solid, const std::vector<Vector>& points, const std::vector<Part>& faces,
              const std::vector<Part>& edges) {
  const Part whole = part(points);
  Real deepest = 0;
  for (const Part& edge : edges) {
    if (box_distance(edge, whole) > 0) continue;
    for (int k = 0; k <= kPartsOfEdge; ++k) {
      const Vector p = edge.points[0] + (edge.points[1] - edge.points[0]) * (Real(k) / kPartsOfEdge);
      if ((p - whole.low).minCoeff() < 0 || (whole.high - p).minCoeff() < 0) continue;
      if (!surrounds(solid, points, p)) continue;
      Real nearest = std::numeric_limits<Real>::infinity();
      for (const Part& face : faces) nearest = std::min(nearest, polygon_distance(p, p, face.points));
      deepest = std::max(deepest, nearest);
    }
  }
  return deepest;
}

}  // namespace

bool surrounds(const Solid& solid, const std::vector<Vector>& points, const Vector& p) {
  // Van Oosterom and Strackee, IEEE Trans. Biomed. Eng. 30 (1983) 125: solid angle of a triangle.
  Real angle = 0;
  for (const auto& face : solid.faces) {
    for (std::size_t k = 1; k + 1 < face.size(); ++k) {
      const Vector a = points[face[0]] - p, b = points[face[k]] - p, c = points[face[k + 1]] - p;
      const Real la = a.norm(), lb = b.norm(), lc = c.norm();
      angle +=
          2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
    }
  }
  return angle > 2 * std::numbers::pi_v<Real>;  // 4 pi inside, 0 outside
}

Separation mesh_separation(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b,
                           Real within) {
  const auto points_a = placed(a, pose_a, pose_b.x), points_b = placed(b, pose_b, pose_b.x);
  const Real radii = a.radius + b.radius;
  const auto edges_a = edges_of(a, points_a), edges_b = edges_of(b, points_b);
  const auto faces_a = faces_of(a, points_a), faces_b = faces_of(b, points_b);
  Real best = within + radii;
  approach(edges_a, faces_b, best);
  approach(edges_b, faces_a, best);
  const bool apart = best > 0;
  if (apart && (surrounds(b, points_b, points_a.front()) || surrounds(a, points_a, points_b.front())))
    best = 0;
  if (best == 0)
    best = -std::max(depth_in(b, points_b, faces_b, edges_a), depth_in(a, points_a, faces_a, edges_b));
  Separation result;
  result.value = best - radii;
  // Projections on edges and normals divide by their lengths: as for segments (separation.cpp).
  result.error = 16 * rounding(size_of(a, pose_a, b, pose_b));
  return result;
}

}  // namespace intersection
