#include "core/mesh/thickened_sheet.hpp"

#include <Eigen/Dense>
#include <algorithm>

#include "core/interrupt.hpp"
#include "core/mesh/edge_faces.hpp"

namespace scree {

PolyhedronSurface thickened(const PolyhedronSurface& sheet, double thickness) {
  // Directions in which the normals of a vertex differ by less than 1e-3 are left out of its equations.
  constexpr double kSamePlane = 1e-3;  // of the largest eigenvalue
  InterruptLook look;
  const int count = static_cast<int>(sheet.vertices.size());
  std::vector<Mat3> planes(count, Mat3::Zero());
  std::vector<Vec3> sums(count, Vec3::Zero());
  for (const auto& loop : sheet.loops) {
    look();
    const Vec3 normal = polygon_normal(sheet.vertices, loop);
    for (const int v : loop) {
      planes[v] += normal * normal.transpose();
      sums[v] += normal;
    }
  }
  PolyhedronSurface closed{sheet.vertices, sheet.loops};
  closed.vertices.resize(2 * static_cast<std::size_t>(count));
  for (int v = 0; v < count; ++v) {
    look();
    // Least squares of n . d = 1 over the faces, without directions that no normal has.
    const Eigen::SelfAdjointEigenSolver<Mat3> solver(planes[v]);
    Vec3 way = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
      const double weight = solver.eigenvalues()[k];
      if (weight <= kSamePlane * solver.eigenvalues()[2]) continue;
      const Vec3 axis = solver.eigenvectors().col(k);
      way += axis.dot(sums[v]) / weight * axis;
    }
    closed.vertices[v] = sheet.vertices[v] + 0.5 * thickness * way;
    closed.vertices[count + v] = sheet.vertices[v] - 0.5 * thickness * way;
  }
  for (const auto& loop : sheet.loops) {
    look();
    std::vector<int> back(loop.rbegin(), loop.rend());
    for (int& v : back) v += count;
    closed.loops.push_back(std::move(back));
  }
  for_each_edge(sides_of(sheet), [&](const FaceSide* first, const FaceSide* last) {
    if (last - first != 1) return;
    // The side runs from v to w in its face, the rim the other way around. Two triangles: it may be bent.
    const int v = first->forward ? first->low : first->high, w = first->forward ? first->high : first->low;
    closed.loops.push_back({w, v, count + v});
    closed.loops.push_back({w, count + v, count + w});
  });
  return closed;
}

}  // namespace scree
