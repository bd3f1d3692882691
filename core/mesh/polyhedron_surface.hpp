/// The closed surface of a polyhedron before it is a shape: checks, and merging of coplanar neighbours.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/mesh/surface_loops.hpp"

namespace scree {

/// Corners that the faces of one surface may have together, and more than it has features of a kind. Keys of
/// contacts hold three times the number of a feature and its kind in 31 bits, or the number of an outline
/// (one for each corner and face) in 31 bits and that of a vertex in 30 bits.
inline constexpr std::size_t kMostCorners = (std::size_t{1} << 31) / 3 - 1;

/// What messages call the faces and vertices of a surface that was put together from others; by default their
/// numbers.
struct SurfaceNames {
  std::function<std::string(int)> face = [](int number) { return std::to_string(number); };
  std::function<std::string(int)> vertex = [](int number) { return std::to_string(number); };
};

/// @returns what is wrong with so many corners, "" if nothing is.
std::string too_many_corners(std::size_t corners);

/// Whether all loops name vertices that exist.
bool has_valid_numbers(const PolyhedronSurface& surface);

/// Whether a face has fewer than three different vertices, or no area: less than 1e-9 of the surface's size
/// times its length. @param size of the surface [m].
bool is_degenerate_face(const PolyhedronSurface& surface, const std::vector<int>& loop, double size);

/// Whether a polygon with area is convex and within 1e-6 of the surface's size in one plane.
bool is_planar_convex(const PolyhedronSurface& surface, const std::vector<int>& loop, double size);

/// Removes the vertices that no loop has.
void drop_unused_vertices(PolyhedronSurface& surface);

/// Finds what keeps the loops from bounding a solid: numbers out of range, faces without area, bent or
/// not convex, open edges, edges used twice in one direction, faces that cut each other (closed surfaces). Of
/// each kind at most a few are listed.
/// @param where put into each diagnostic. @param open the surface may have borders.
/// @param[out] touching of a closed surface without faults: pairs of faces for enclosed_faults.
/// @returns empty if there is no fault. @throws Interrupted.
std::vector<Diagnostic> surface_faults(const PolyhedronSurface& surface, const std::string& where,
                                       bool open = false,
                                       std::vector<std::pair<int, int>>* touching = nullptr,
                                       const SurfaceNames& names = {});

/// @param surface without surface_faults and with a positive volume. @param touching of surface_faults.
/// @returns faces that lie inside of another part of the body, or whose part has inverted orientation
///   (enclosed_faces), with its point. @throws Interrupted.
std::vector<Diagnostic> enclosed_faults(const PolyhedronSurface& surface, const std::string& where,
                                        const std::vector<std::pair<int, int>>& touching);

/// Merges coplanar neighbours (1e-9 of the size in distance and angle) into one convex polygon wherever the
/// merged outline is one; elsewhere the polygons stay as they are. Vertices inside merged polygons and inside
/// straight edges between two polygons disappear, the others keep their order.
/// @param surface without faults.
PolyhedronSurface merge_coplanar(const PolyhedronSurface& surface);

}  // namespace scree
