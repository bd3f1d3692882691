#include "core/enclosed_faces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace scree {
namespace {

constexpr double kMostWork = 2e7;   ///< solid angles, a second or so
constexpr double kTowards = 0.05;   ///< of the way from a corner to the middle
constexpr double kBehind = 1e-3;    ///< of the distance from the outline: within acute edges too
constexpr double kDoubtful = 0.25;  ///< of one: too near to other faces to tell

double solid_angle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  const double below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
  return 2 * std::atan2(a.dot(b.cross(c)), below);
}

/// Distance of a point of a polygon from its outline [m].
double inner_distance(const PolyhedronSurface& surface, const std::vector<int>& loop, const Vec3& normal,
                      const Vec3& point) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Vec3& from = surface.vertices[loop[k]];
    const Vec3 along = (surface.vertices[loop[(k + 1) % loop.size()]] - from).normalized();
    least = std::min(least, normal.cross(along).dot(point - from));
  }
  return least;
}

}  // namespace

double winding_number(const PolyhedronSurface& surface, const Vec3& point) {
  double sum = 0;
  for (const std::vector<int>& loop : surface.loops) {
    const Vec3 a = surface.vertices[loop[0]] - point;
    for (std::size_t k = 1; k + 1 < loop.size(); ++k)
      sum += solid_angle(a, surface.vertices[loop[k]] - point, surface.vertices[loop[k + 1]] - point);
  }
  return sum / (4 * std::numbers::pi);
}

std::vector<EnclosedFace> enclosed_faces(const PolyhedronSurface& surface, std::size_t most) {
  std::vector<EnclosedFace> found;
  double samples = 0;
  for (const std::vector<int>& loop : surface.loops) samples += 1 + static_cast<double>(loop.size());
  const auto every =
      static_cast<std::size_t>(std::ceil(samples * static_cast<double>(surface.loops.size()) / kMostWork));
  std::size_t sample = 0;
  for (int f = 0; f < static_cast<int>(surface.loops.size()) && found.size() < most; ++f) {
    const std::vector<int>& loop = surface.loops[f];
    const Vec3 normal = polygon_normal(surface.vertices, loop);
    Vec3 middle = Vec3::Zero();
    for (const int v : loop) middle += surface.vertices[v] / static_cast<double>(loop.size());
    for (std::size_t k = 0; k <= loop.size(); ++k) {
      if (sample++ % every != 0) continue;
      const Vec3 at = k == loop.size()
                          ? middle
                          : Vec3(surface.vertices[loop[k]] + kTowards * (middle - surface.vertices[loop[k]]));
      const double times =
          winding_number(surface, at - kBehind * inner_distance(surface, loop, normal, at) * normal);
      const double whole = std::round(times);
      if (whole == 1 || std::abs(times - whole) > kDoubtful) continue;
      found.push_back({f, at, static_cast<int>(whole)});
      break;
    }
  }
  return found;
}

}  // namespace scree
