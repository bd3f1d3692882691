#include "core/mesh/coincident_vertices.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "core/mesh/edge_faces.hpp"
#include "core/mesh/vertex_merge.hpp"
#include "core/text.hpp"

namespace scree {
namespace {

constexpr double kSamePlace = 1e-6, kMostRounding = 1e-4;  // of the shortest edge
/// Of the size: cells of VertexNumbers have numbers of 64 bits.
constexpr double kLeastDistance = 1e-12;
constexpr std::size_t kSeamsShown = 5, kEdgesShown = 3;

}  // namespace

double same_place(const PolyhedronSurface& surface) {
  double shortest = std::numeric_limits<double>::infinity(), largest = 0;
  for (const auto& loop : surface.loops) {
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const double length =
          (surface.vertices[loop[(k + 1) % loop.size()]] - surface.vertices[loop[k]]).norm();
      if (length > 0) shortest = std::min(shortest, length);
    }
  }
  const double size = surface.size();
  if (!std::isfinite(shortest) || !std::isfinite(size)) return 0;
  for (const Vec3& v : surface.vertices) largest = std::max(largest, v.cwiseAbs().maxCoeff());
  const double rounding = std::min(std::numeric_limits<float>::epsilon() * largest, kMostRounding * shortest);
  return std::max({kSamePlace * shortest, rounding, kLeastDistance * size});
}

std::vector<Diagnostic> coincident_vertices(const PolyhedronSurface& surface, const std::string& where,
                                            const SurfaceNames& names) {
  const double distance = same_place(surface);
  if (!(distance > 0)) return {};
  std::vector<char> used(surface.vertices.size(), 0);
  for (const auto& loop : surface.loops) {
    for (const int v : loop) used[v] = 1;
  }
  std::vector<Diagnostic> faults;
  std::size_t count = 0;
  VertexNumbers numbers(distance, surface.vertices.size());
  std::vector<int> first_of;  // per number
  const Vec3 base = surface.vertices.front();
  for (int v = 0; v < static_cast<int>(surface.vertices.size()); ++v) {
    if (used[v] == 0) continue;
    const Vec3& x = surface.vertices[v];
    const auto number = static_cast<std::size_t>(numbers.of(x - base));
    if (number == first_of.size()) {
      first_of.push_back(v);
      continue;
    }
    if (++count > kSeamsShown) continue;
    const int first = first_of[number];
    const Vec3& place = surface.vertices[first];
    const double apart = (x - place).norm();
    faults.push_back(
        {where, text::join("vertices ", names.vertex(first), " and ", names.vertex(v), " are ",
                           apart > 0 ? text::number(apart, 3) + " m apart, at " : std::string("both at "),
                           text::vector(place),
                           "; expected one number for one place, so that triangles share their vertices.")});
  }
  if (count > kSeamsShown)
    faults.push_back(
        {where, text::join("and ", std::to_string(count - kSeamsShown), " more: vertices at one place.")});
  return faults;
}

std::string coincident_free_edges(const PolyhedronSurface& surface) {
  const std::vector<FaceSide> free = free_sides(surface);
  const double distance = free.empty() ? 0 : same_place(surface);
  if (!(distance > 0)) return "";
  VertexNumbers numbers(distance, free.size());
  const Vec3 base = surface.vertices[free.front().low];
  std::vector<std::array<int, 3>> edges;  // numbers of the ends, and which side
  for (int k = 0; k < static_cast<int>(free.size()); ++k) {
    const int low = numbers.of(surface.vertices[free[k].low] - base);
    const int high = numbers.of(surface.vertices[free[k].high] - base);
    edges.push_back({std::min(low, high), std::max(low, high), k});
  }
  std::sort(edges.begin(), edges.end());
  std::size_t count = 0;
  std::string places;
  for (std::size_t k = 0; k < edges.size();) {
    std::size_t end = k + 1;
    while (end < edges.size() && edges[end][0] == edges[k][0] && edges[end][1] == edges[k][1]) ++end;
    if (end - k == 2 && ++count <= kEdgesShown) {
      const FaceSide& side = free[edges[k][2]];
      places += text::join(count > 1 ? ", " : "", "from ", text::vector(surface.vertices[side.low]), " to ",
                           text::vector(surface.vertices[side.high]));
    }
    k = end;
  }
  if (count == 0) return "";
  return text::join(std::to_string(count),
                    count == 1 ? " pair of free edges coincides: " : " pairs of free edges coincide: ",
                    places, count > kEdgesShown ? " ... m" : " m");
}

}  // namespace scree
