#include "assembly/cell_tree.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/infinity.hpp"

namespace scree {
namespace {

/// Halving any box this often reaches the resolution of a double: bodies that still share a leaf coincide.
constexpr int kMaxDepth = 3 * 52;

Box bounds_of_all(MPI_Comm comm, std::span<const Vec3> position) {
  std::array<double, 6> bounds;  // largest of -x and of x
  bounds.fill(-kInfinity);
  for (const Vec3& x : position) {
    for (int k = 0; k < 3; ++k) {
      bounds[k] = std::max(bounds[k], -x[k]);
      bounds[3 + k] = std::max(bounds[3 + k], x[k]);
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, bounds.data(), 6, MPI_DOUBLE, MPI_MAX, comm);
  if (bounds[0] == -kInfinity) return {};  // no bodies at all
  return {{-bounds[0], -bounds[1], -bounds[2]}, {bounds[3], bounds[4], bounds[5]}};
}

}  // namespace

CellTree::CellTree(MPI_Comm comm, std::span<const Vec3> position, std::span<const double> weight, int cells) {
  nodes_.push_back({bounds_of_all(comm, position)});
  std::vector<int> leaf(position.size(), 0);
  std::vector<int> fresh{0};  // leaves that were not weighed yet, ascending
  double total = -1;
  std::vector<std::array<double, 2>> measured{{}};  // weight and count per node

  while (!fresh.empty()) {
    const int first = fresh.front();
    std::vector<double> sums(2 * (nodes_.size() - first), 0.0);
    for (std::size_t i = 0; i < position.size(); ++i) {
      if (leaf[i] < first) continue;
      const auto at = 2 * static_cast<std::size_t>(leaf[i] - first);
      sums[at] += weight[i];
      sums[at + 1] += 1;
    }
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_DOUBLE, MPI_SUM, comm);
    if (total < 0) total = sums[0];
    for (std::size_t k = 0; k < sums.size() / 2; ++k) measured[first + k] = {sums[2 * k], sums[2 * k + 1]};

    const auto end = static_cast<int>(nodes_.size());
    for (const int node : fresh) {
      const auto [node_weight, bodies] = measured[node];
      if (bodies > 1 && node_weight > total / cells && nodes_[node].depth < kMaxDepth) split(node);
    }
    fresh.clear();
    for (int node = end; node < std::ssize(nodes_); ++node) fresh.push_back(node);
    measured.resize(nodes_.size());
    for (std::size_t i = 0; i < position.size(); ++i) leaf[i] = leaf_at(leaf[i], position[i]);
  }

  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    if (nodes_[k].child >= 0 || measured[k][1] == 0) continue;
    nodes_[k].cell = static_cast<int>(weight_.size());
    weight_.push_back(measured[k][0]);
    count_.push_back(measured[k][1]);
  }
  for (const int node : leaf) cell_of_body_.push_back(nodes_[node].cell);
}

void CellTree::split(int node) {
  const Node parent = nodes_[node];
  int axis = 0;
  (parent.box.max - parent.box.min).maxCoeff(&axis);
  const double middle = parent.box.min[axis] + 0.5 * (parent.box.max[axis] - parent.box.min[axis]);
  nodes_[node].child = static_cast<int>(nodes_.size());
  nodes_[node].axis = axis;
  nodes_[node].middle = middle;
  for (const bool upper : {false, true}) {
    Node& half = nodes_.emplace_back(Node{parent.box});
    (upper ? half.box.min : half.box.max)[axis] = middle;
    half.depth = parent.depth + 1;
  }
}

int CellTree::leaf_at(int node, const Vec3& x) const {
  while (nodes_[node].child >= 0)
    node = nodes_[node].child + (x[nodes_[node].axis] < nodes_[node].middle ? 0 : 1);
  return node;
}

std::vector<std::pair<int, int>> CellTree::neighbours() const {
  std::vector<const Node*> leaves;
  for (const Node& node : nodes_)
    if (node.cell >= 0) leaves.push_back(&node);
  std::ranges::sort(leaves, {}, [](const Node* node) { return std::pair(node->box.min.x(), node->cell); });

  const auto share_face = [](const Box& a, const Box& b) {
    int open = 0;  // axes along which they overlap by more than a point
    for (int k = 0; k < 3; ++k) {
      const double overlap = std::min(a.max[k], b.max[k]) - std::max(a.min[k], b.min[k]);
      if (overlap < 0) return false;
      if (overlap > 0 || a.min[k] == a.max[k]) ++open;  // a flat set of bodies has flat cells
    }
    return open >= 2;
  };
  std::vector<std::pair<int, int>> pairs;
  for (auto a = leaves.begin(); a != leaves.end(); ++a)
    for (auto b = a + 1; b != leaves.end() && (*b)->box.min.x() <= (*a)->box.max.x(); ++b)
      if (share_face((*a)->box, (*b)->box)) pairs.emplace_back(std::minmax((*a)->cell, (*b)->cell));
  std::ranges::sort(pairs);
  return pairs;
}

}  // namespace scree
