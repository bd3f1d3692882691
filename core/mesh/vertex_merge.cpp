#include "core/mesh/vertex_merge.hpp"

#include <cmath>
#include <utility>

namespace scree {
namespace {

constexpr double kSameVertex = 1e-9;  // of the size
constexpr std::size_t kVerticesBetweenLooks = 4096;

}  // namespace

VertexNumbers::VertexNumbers(double tolerance, std::size_t most)
    : tolerance_(tolerance), cell_(kWidth * tolerance) {
  std::size_t size = 64;
  while (size < most / 2) size *= 2;
  first_.assign(size, -1);
}

int VertexNumbers::of(const Vec3& v) {
  const Cell low = cell_of(v - Vec3::Constant(tolerance_)), high = cell_of(v + Vec3::Constant(tolerance_));
  int found = -1;
  for (std::int64_t x = low.x; x <= high.x; ++x) {
    for (std::int64_t y = low.y; y <= high.y; ++y) {
      for (std::int64_t z = low.z; z <= high.z; ++z) {
        for (int k = first_[slot({x, y, z})]; k >= 0; k = next_[k]) {
          if ((found < 0 || k < found) && (vertices[k] - v).norm() <= tolerance_) found = k;
        }
      }
    }
  }
  if (found >= 0) return found;
  const int number = static_cast<int>(vertices.size());
  if (vertices.size() > first_.size()) widen();
  vertices.push_back(v);
  next_.push_back(-1);
  enter(number);
  return number;
}

VertexNumbers::Cell VertexNumbers::cell_of(const Vec3& v) const {
  const auto number = [this](double s) { return static_cast<std::int64_t>(std::floor(s / cell_)); };
  return {number(v.x()), number(v.y()), number(v.z())};
}

std::size_t VertexNumbers::slot(const Cell& cell) const {
  // Large odd numbers spread neighbouring cells; the high bits are the good ones.
  const std::uint64_t mixed = static_cast<std::uint64_t>(cell.x) * 0x9e3779b97f4a7c15U ^
                              static_cast<std::uint64_t>(cell.y) * 0xc2b2ae3d27d4eb4fU ^
                              static_cast<std::uint64_t>(cell.z) * 0x165667b19e3779f9U;
  return (mixed ^ (mixed >> 29U)) * 0xbf58476d1ce4e5b9U >> 20U & (first_.size() - 1);
}

void VertexNumbers::enter(int number) {
  int& first = first_[slot(cell_of(vertices[number]))];
  next_[number] = first;
  first = number;
}

void VertexNumbers::widen() {
  first_.assign(2 * first_.size(), -1);
  for (int k = 0; k < static_cast<int>(vertices.size()); ++k) enter(k);
}

bool merge_equal_vertices(PolyhedronSurface& surface, Activity& activity, double done) {
  const double size = surface.size();
  if (!(size > 0)) return false;
  // Cells about the first vertex: far from the origin a cell number would not fit.
  const Vec3 base = surface.vertices.front();
  VertexNumbers numbers(kSameVertex * size, surface.vertices.size() / 2);
  std::vector<int> number(surface.vertices.size(), -1);
  for (std::size_t f = 0; f < surface.loops.size(); ++f) {
    if (f % kVerticesBetweenLooks == 0)
      activity.advance(done +
                       (1 - done) * static_cast<double>(f) / static_cast<double>(surface.loops.size()));
    for (int& v : surface.loops[f]) {
      if (number[v] < 0) number[v] = numbers.of(surface.vertices[v] - base);
      v = number[v];
    }
  }
  surface.vertices = std::move(numbers.vertices);
  for (Vec3& v : surface.vertices) v += base;
  return true;
}

}  // namespace scree
