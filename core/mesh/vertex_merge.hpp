/// Vertices that coincide become one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/activity.hpp"
#include "core/mesh/surface_loops.hpp"

namespace scree {

/// Gives near vertices one number: a hash table of cells that are wider than the tolerance, so that most
/// vertices have to be looked for in one cell, and those at its faces in the cells beyond them too.
class VertexNumbers {
 public:
  /// @param tolerance [m]. @param most number of vertices if none are equal.
  VertexNumbers(double tolerance, std::size_t most);

  /// @returns the number of the first vertex within the tolerance, a new one if not found.
  int of(const Vec3& v);

  std::vector<Vec3> vertices;

 private:
  struct Cell {
    std::int64_t x, y, z;
  };
  static constexpr double kWidth = 8;

  [[nodiscard]] Cell cell_of(const Vec3& v) const;
  [[nodiscard]] std::size_t slot(const Cell& cell) const;
  void enter(int number);
  void widen();

  double tolerance_, cell_;
  std::vector<int> first_;  ///< per slot, the last vertex in it
  std::vector<int> next_;   ///< per vertex, the one before it in its slot
};

/// Vertices equal within 1e-9 of the size become one; those that no loop has disappear. Loops keep their
/// order and their number of corners.
/// @param activity advances from `done` to 1. @returns false if all vertices coincide.
/// @throws Interrupted.
bool merge_equal_vertices(PolyhedronSurface& surface, Activity& activity, double done);

}  // namespace scree
