/// Coarse cells over all bodies of all ranks: a tree of boxes, halved where the bodies are.
#pragma once

#include <mpi.h>

#include <span>
#include <utility>
#include <vector>

#include "core/types.hpp"

namespace scree {

/// Axis-aligned box [m].
struct Box {
  Vec3 min = Vec3::Zero();
  Vec3 max = Vec3::Zero();
};

/// Leaves are halved across their longest side until each has at most total/cells of the weight, or one body:
/// uneven sets get small cells where they are dense. The same on all ranks; only sums per leaf are
/// communicated.
class CellTree {
 public:
  /// @param position, weight  of this rank's bodies [m], any unit > 0; @param cells wanted, about.
  /// Collective over comm.
  CellTree(MPI_Comm comm, std::span<const Vec3> position, std::span<const double> weight, int cells);

  /// Number of cells that have bodies, at most about twice the number wanted.
  [[nodiscard]] int cells() const { return static_cast<int>(weight_.size()); }
  /// Weight and number of bodies per cell, all ranks.
  [[nodiscard]] const std::vector<double>& weight() const { return weight_; }
  [[nodiscard]] const std::vector<double>& count() const { return count_; }
  /// Cell of each body given to the constructor.
  [[nodiscard]] const std::vector<int>& cell_of_body() const { return cell_of_body_; }
  /// @returns the cell at a place [m], -1 where there are no bodies.
  [[nodiscard]] int cell_at(const Vec3& x) const { return nodes_[leaf_at(0, x)].cell; }
  /// @returns pairs of cells (first < second) that share a piece of a face. O(n log n + pairs close along x).
  [[nodiscard]] std::vector<std::pair<int, int>> neighbours() const;

 private:
  struct Node {
    Box box;
    int child = -1;  ///< the lower half; the upper one follows it. -1: a leaf
    int axis = 0;
    double middle = 0;
    int depth = 0;
    int cell = -1;
  };

  [[nodiscard]] int leaf_at(int node, const Vec3& x) const;
  void split(int node);

  std::vector<Node> nodes_;
  std::vector<double> weight_, count_;
  std::vector<int> cell_of_body_;
};

}  // namespace scree
