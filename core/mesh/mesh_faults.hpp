/// Where a mesh bounds no solid, for a picture of it.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/mesh/surface_loops.hpp"

namespace scree {

/// A mesh that was refused, with the places.
struct MeshFaults {
  std::string name;  ///< of the shape or boundary
  PolyhedronSurface surface;
  std::vector<std::array<int, 2>> free_edges;      ///< with one face, of closed surfaces
  std::vector<std::array<int, 2>> clashing_edges;  ///< that two faces traverse in the same direction
  std::vector<int> degenerate_faces;
  std::vector<int> crossing_faces;  ///< that intersect others
  std::vector<int> enclosed_faces;  ///< inside of another part, or without volume behind them

  [[nodiscard]] bool any() const {
    return !free_edges.empty() || !clashing_edges.empty() || !degenerate_faces.empty() ||
           !crossing_faces.empty() || !enclosed_faces.empty();
  }
};

/// Finds the places that surface_faults and enclosed_faults name, all of them, except that intersections are
/// listed up to a million. Vertex numbers have to be in range. @throws Interrupted.
MeshFaults find_mesh_faults(const std::string& name, const PolyhedronSurface& surface, bool open);

}  // namespace scree
