/// A coupled surface put together from the parts that ranks have, and values on its vertices.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/mesh/polyhedron_surface.hpp"
#include "core/shapes/shape.hpp"
#include "io/coupling/types.hpp"

namespace scree::coupling {

/// @returns whether something holds on any rank. Collective.
bool any_rank(bool holds, MPI_Comm comm);

/// The whole surface on every rank: vertices by ascending number, triangles by their vertices.
struct GatheredMesh {
  int wall = -1;                        ///< index into Model::walls
  SurfaceCopy own;                      ///< this rank's part, as it was given
  std::vector<Vec3> reference;          ///< of the whole [m]
  std::vector<std::vector<int>> loops;  ///< of the whole
  std::vector<int> place;               ///< in the whole, per vertex of this rank
  std::vector<char> speaks;             ///< per vertex of this rank: its values count
  std::vector<std::int64_t> id;         ///< the partner's, per vertex of the whole; empty: its place
  /// Rank that gave a triangle of the whole, and its number there; empty: that in the whole.
  std::vector<std::array<int, 2>> given;
  int ranks = 1;

  /// The mesh of a shape; every rank has all of it, and those of rank 0 count. @throws InputError on all
  /// ranks if vertices coincide.
  void take_whole(const Shape& shape, MPI_Comm comm);
  /// @param name of the surface. Collective. @throws InputError on all ranks with what is wrong.
  void gather_from(const SurfaceMesh& part, const std::string& name, MPI_Comm comm);

  /// @returns the number of a triangle of the whole as the partner knows it: "32", on several ranks "32 of
  /// rank 1". @param triangle of the whole.
  [[nodiscard]] std::string triangle_name(int triangle) const;
  /// @returns the same of all triangles and vertices, as long as this object stays where it is.
  [[nodiscard]] SurfaceNames names() const;

  /// @param own_values 3 per vertex of this rank; empty: none. @returns one per vertex of the whole; nothing
  /// if no rank has any. @throws InputError on all ranks if only some have. Collective.
  [[nodiscard]] std::optional<std::vector<Vec3>> gather(const std::vector<double>& own_values,
                                                        MPI_Comm comm) const;
  /// @param[out] own_values 3 per vertex of this rank. @throws std::invalid_argument on another size.
  void scatter(const std::vector<Vec3>& values, std::span<double> own_values) const;
};

}  // namespace scree::coupling
