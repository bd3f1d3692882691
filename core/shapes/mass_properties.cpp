#include "core/shapes/mass_properties.hpp"

namespace scree {

MassProperties mass_properties(const std::vector<Vec3>& vertices,
                               const std::vector<std::array<int, 3>>& triangles) {
  MassProperties result;
  if (vertices.empty()) return result;
  // Tetrahedra from the middle of the vertices lose no digits where the user's origin is far away.
  Vec3 middle = Vec3::Zero();
  for (const auto& v : vertices) middle += v;
  middle /= static_cast<double>(vertices.size());

  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (const auto& triangle : triangles) {
    const Vec3 a = vertices[triangle[0]] - middle;
    const Vec3 b = vertices[triangle[1]] - middle;
    const Vec3 c = vertices[triangle[2]] - middle;
    const double det = a.dot(b.cross(c));
    const Vec3 s = a + b + c;
    result.volume += det / 6.0;
    first += det / 24.0 * s;
    second += det / 120.0 * (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
  }
  if (result.volume == 0) return result;
  const Vec3 centre = first / result.volume;
  const Mat3 central = second - result.volume * centre * centre.transpose();
  result.centre = middle + centre;
  result.inertia = central.trace() * Mat3::Identity() - central;
  return result;
}

}  // namespace scree
