/// Repairs of meshes as CAD programs and scanners write them.
#pragma once

#include <cstddef>

#include "core/mesh/surface_loops.hpp"

namespace scree {

/// What was done to a mesh.
struct MeshRepairs {
  std::size_t split_polygons = 0;      ///< not convex or not planar, cut into triangles
  std::size_t removed_faces = 0;       ///< without area
  std::size_t removed_duplicates = 0;  ///< faces with the same cycle of vertices as another
  std::size_t removed_fins = 0;        ///< faces that hang on an edge between others
  std::size_t joined_vertices = 0;     ///< across cracks
  std::size_t split_edges = 0;         ///< at vertices that lay on them: cracks between unequal divisions
  double widest_crack = 0;             ///< that was closed [m]
  std::size_t reversed_faces = 0;      ///< against their neighbours
  std::size_t reversed_parts = 0;      ///< whole parts with their normals inward

  [[nodiscard]] bool any() const {
    return split_polygons + removed_faces + removed_duplicates + removed_fins + joined_vertices +
               split_edges + reversed_faces + reversed_parts >
           0;
  }
};

/// Repairs what has one remedy, in this order: polygons that are not planar and convex become triangles;
/// faces without area and duplicates go, of opposite ones all where closed parts touch; cracks between free
/// edges are closed; faces of a closed surface that hang with one side on an edge between others go, as they
/// bound nothing; neighbours get the same orientation; closed parts that lie in no other part get outward
/// normals, with the parts inside of them.
/// What is left is for surface_faults to find.
/// @param crack free edges and vertices closer than this are joined [m]; 0: none.
/// @param open a surface with two sides: no orientation of its own, and its free edges may stay.
/// @throws Interrupted.
MeshRepairs repair(PolyhedronSurface& surface, double crack, bool open);

}  // namespace scree
