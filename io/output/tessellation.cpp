#include "io/output/tessellation.hpp"

#include <cmath>
#include <map>
#include <utility>

namespace scree {
namespace {

/// Unit sphere: an icosahedron with a vertex at each pole of z, its triangles divided `refinement` times.
SurfaceMesh unit_sphere(int refinement) {
  SurfaceMesh mesh;
  const double height = 1 / std::sqrt(5.0), ring = 2 / std::sqrt(5.0);
  mesh.points.emplace_back(Vec3::UnitZ());
  for (int k = 0; k < 10; ++k) {
    const double angle = k * M_PI / 5;
    mesh.points.emplace_back(ring * std::cos(angle), ring * std::sin(angle), k % 2 == 0 ? height : -height);
  }
  mesh.points.emplace_back(-Vec3::UnitZ());
  for (int k = 0; k < 10; k += 2) {
    const int upper = 1 + k, lower = 2 + k, next_upper = 1 + (k + 2) % 10, next_lower = 1 + (k + 3) % 10;
    mesh.triangles.push_back({0, upper, next_upper});
    mesh.triangles.push_back({upper, lower, next_upper});
    mesh.triangles.push_back({lower, next_lower, next_upper});
    mesh.triangles.push_back({lower, 11, next_lower});
  }
  for (int level = 0; level < refinement; ++level) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [found, is_new] =
          middles.try_emplace(std::minmax(a, b), static_cast<int>(mesh.points.size()));
      if (is_new) mesh.points.emplace_back((mesh.points[a] + mesh.points[b]).normalized());
      return found->second;
    };
    std::vector<std::array<int, 3>> finer;
    for (const auto& [a, b, c] : mesh.triangles) {
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    mesh.triangles = std::move(finer);
  }
  return mesh;
}

/// Capsule along z: rings of points from pole to pole; the two equators bound the cylinder.
SurfaceMesh capsule(double radius, double half_length, int refinement) {
  SurfaceMesh mesh;
  const int rows = 1 << refinement, around = 5 << refinement;
  mesh.points.emplace_back(0, 0, half_length + radius);
  for (int row = 1; row <= 2 * rows; ++row) {
    const bool upper = row <= rows;
    const double latitude = M_PI / 2 * (1 - static_cast<double>(upper ? row : row - 1) / rows);
    for (int k = 0; k < around; ++k) {
      const double longitude = 2 * M_PI * k / around;
      mesh.points.emplace_back(radius * std::cos(latitude) * std::cos(longitude),
                               radius * std::cos(latitude) * std::sin(longitude),
                               radius * std::sin(latitude) + (upper ? half_length : -half_length));
    }
  }
  const int bottom = static_cast<int>(mesh.points.size());
  mesh.points.emplace_back(0, 0, -half_length - radius);
  for (std::size_t k = 0; k < mesh.points.size(); ++k) {
    const bool upper = static_cast<int>(k) <= rows * around;
    mesh.normals.emplace_back((mesh.points[k] - Vec3(0, 0, upper ? half_length : -half_length)) / radius);
  }
  for (int k = 0; k < around; ++k) {
    const int next = (k + 1) % around;
    mesh.triangles.push_back({0, 1 + k, 1 + next});
    for (int row = 0; row + 1 < 2 * rows; ++row) {
      const int a = 1 + row * around, b = a + around;
      mesh.triangles.push_back({a + k, b + k, b + next});
      mesh.triangles.push_back({a + k, b + next, a + next});
    }
    const int last = 1 + (2 * rows - 1) * around;
    mesh.triangles.push_back({last + k, bottom, last + next});
  }
  return mesh;
}

/// Points of the unit sphere pulled to the surface along their rays: even on faces, and dense enough at
/// corners with one refinement more than a sphere has.
SurfaceMesh superquadric(const Shape& shape, int refinement) {
  const Superquadric& body = shape.superquadric;
  const bool round = body.n1() == 2 && body.n2() == 2;
  SurfaceMesh mesh = unit_sphere(round ? refinement : refinement + 1);
  for (Vec3& point : mesh.points) {
    const Vec3 p = point.cwiseProduct(body.half_axes());
    point = p / std::pow(body.shape_function(p).f + 1, 1 / body.n1());  // theory 06 section 1: a norm
    mesh.normals.push_back(body.shape_function(point).gradient.normalized());
  }
  return mesh;
}

}  // namespace

int refinement_for(BodyId bodies) { return bodies <= 5000 ? 2 : 1; }

SurfaceMesh tessellate(const Shape& shape, int refinement) {
  switch (shape.kind) {
    case ShapeKind::sphere: {
      SurfaceMesh mesh = unit_sphere(refinement);
      mesh.normals = mesh.points;
      for (Vec3& point : mesh.points) point *= shape.radius;
      return mesh;
    }
    case ShapeKind::capsule:
      return capsule(shape.radius, 0.5 * (shape.vertices[0] - shape.vertices[1]).norm(), refinement);
    case ShapeKind::superquadric:
      return superquadric(shape, refinement);
    case ShapeKind::polyhedron:
      return {shape.vertices, shape.triangles, {}};
    default:
      break;
  }
  return {};
}

std::vector<Vec3> clip_plane(const Vec3& point, const Vec3& normal, double size,
                             const std::vector<HalfSpace>& region) {
  const Vec3 t = normal.unitOrthogonal(), s = normal.cross(t);
  std::vector<Vec3> polygon = {point + size * (t + s), point + size * (s - t), point - size * (t + s),
                               point + size * (t - s)};
  // [Sutherland and Hodgman 1974]: one half-space after the other; an edge that crosses its plane is split
  // there.
  for (const auto& half : region) {
    std::vector<Vec3> kept;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const Vec3 &a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
      const double da = (a - half.point).dot(half.normal), db = (b - half.point).dot(half.normal);
      if (da >= 0) kept.push_back(a);
      if ((da >= 0) != (db >= 0)) kept.emplace_back(a + da / (da - db) * (b - a));
    }
    polygon = std::move(kept);
  }
  return polygon;
}

}  // namespace scree
