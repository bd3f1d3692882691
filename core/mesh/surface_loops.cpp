#include "core/mesh/surface_loops.hpp"

namespace scree {

double PolyhedronSurface::size() const {
  if (vertices.empty()) return 0;
  Vec3 low = vertices.front(), high = low;
  for (const auto& v : vertices) {
    low = low.cwiseMin(v);
    high = high.cwiseMax(v);
  }
  return (high - low).norm();
}

Vec3 polygon_normal(const std::vector<Vec3>& vertices, const std::vector<int>& loop) {
  Vec3 sum = Vec3::Zero();
  const Vec3& base = vertices[loop[0]];
  for (std::size_t k = 1; k + 1 < loop.size(); ++k) {
    sum += (vertices[loop[k]] - base).cross(vertices[loop[k + 1]] - base);
  }
  const double length = sum.norm();
  return length > 0 ? Vec3(sum / length) : Vec3::Zero();
}

}  // namespace scree
