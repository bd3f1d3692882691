/// Boxes around the faces of a surface in a binary tree: which faces are near a point, a box or a ray.
#pragma once

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include <Eigen/Geometry>

#include "core/interrupt.hpp"
#include "core/types.hpp"

namespace scree {

/// Bounding volumes of numbered things, halved at the median of the longest side.
class FaceTree {
 public:
  FaceTree() = default;
  /// @param boxes one per face, in the frame of the queries [m].
  explicit FaceTree(const std::vector<Eigen::AlignedBox3d>& boxes) : order_(boxes.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    if (!boxes.empty()) build(boxes, 0, static_cast<int>(boxes.size()));
  }

  /// Follows faces that have moved; which of them are together in the tree stays what it was. O(n).
  /// @param boxes as those that it was made of, as many.
  void fit(const std::vector<Eigen::AlignedBox3d>& boxes) {
    // Children come after their parents.
    for (int number = static_cast<int>(nodes_.size()) - 1; number >= 0; --number) {
      Node& node = nodes_[number];
      node.box.setEmpty();
      if (node.right < 0) {
        for (int k = node.first; k < node.last; ++k) node.box.extend(boxes[order_[k]]);
      } else {
        node.box.extend(nodes_[number + 1].box);
        node.box.extend(nodes_[node.right].box);
      }
    }
  }

  /// Appends the numbers of faces near p, sorted: all those whose box is within `reach` [m], and some others.
  void near(const Vec3& p, double reach, std::vector<int>& faces) const {
    const std::size_t first = faces.size();
    if (!nodes_.empty()) collect(0, p, reach * reach, faces);
    std::sort(faces.begin() + static_cast<std::ptrdiff_t>(first), faces.end());
  }

  /// Appends the numbers of faces above `after` whose box meets a box, sorted.
  void overlapping(const Eigen::AlignedBox3d& box, int after, std::vector<int>& faces) const {
    const std::size_t first = faces.size();
    visit([&](const Eigen::AlignedBox3d& node) { return node.intersects(box); },
          [&](int face) {
            if (face > after) faces.push_back(face);
          });
    std::sort(faces.begin() + static_cast<std::ptrdiff_t>(first), faces.end());
  }

  /// Visits the faces in leaves whose box is of interest, and so are all the boxes around it.
  /// @param of_interest called with boxes; @param face called with the number of a face. In no useful order.
  template <class OfInterest, class Face>
  void visit(OfInterest&& of_interest, Face&& face) const {
    if (!nodes_.empty()) visit(0, of_interest, face);
  }

  /// @param distance_of called with the number of a face; its distance from p, not less than that of its box.
  /// @returns the smallest of them, infinity without faces [m].
  template <class Distance>
  double nearest(const Vec3& p, Distance&& distance_of) const {
    double best = std::numeric_limits<double>::infinity();
    if (!nodes_.empty()) descend(0, p, distance_of, best);
    return best;
  }

 private:
  static constexpr int kLeaf = 4;
  struct Node {
    Eigen::AlignedBox3d box;
    int first = 0, last = 0;  ///< in order_
    int right = -1;           ///< the left child follows; -1: a leaf
  };

  int build(const std::vector<Eigen::AlignedBox3d>& boxes, int first, int last) {
    constexpr int kBetweenLooks = 4096;
    if (last - first > kBetweenLooks) check_interrupt();
    const int number = static_cast<int>(nodes_.size());
    nodes_.push_back({{}, first, last, -1});
    Eigen::AlignedBox3d box, middles;
    for (int k = first; k < last; ++k) {
      box.extend(boxes[order_[k]]);
      middles.extend(boxes[order_[k]].center());
    }
    nodes_[number].box = box;
    if (last - first <= kLeaf) return number;
    int axis = 0;
    middles.sizes().maxCoeff(&axis);
    const int middle = first + (last - first) / 2;
    std::nth_element(order_.begin() + first, order_.begin() + middle, order_.begin() + last,
                     [&](int f, int g) {
                       const double a = boxes[f].center()[axis], b = boxes[g].center()[axis];
                       return a != b ? a < b : f < g;
                     });
    build(boxes, first, middle);
    const int right = build(boxes, middle, last);
    nodes_[number].right = right;
    return number;
  }

  void collect(int node, const Vec3& p, double reach2, std::vector<int>& faces) const {
    const Node& n = nodes_[node];
    if (n.box.squaredExteriorDistance(p) > reach2) return;
    if (n.right < 0) {
      faces.insert(faces.end(), order_.begin() + n.first, order_.begin() + n.last);
      return;
    }
    collect(node + 1, p, reach2, faces);
    collect(n.right, p, reach2, faces);
  }

  template <class OfInterest, class Face>
  void visit(int node, OfInterest& of_interest, Face& face) const {
    const Node& n = nodes_[node];
    if (!of_interest(n.box)) return;
    if (n.right < 0) {
      for (int k = n.first; k < n.last; ++k) face(order_[k]);
      return;
    }
    visit(node + 1, of_interest, face);
    visit(n.right, of_interest, face);
  }

  template <class Distance>
  void descend(int node, const Vec3& p, Distance& distance_of, double& best) const {
    const Node& n = nodes_[node];
    if (n.right < 0) {
      for (int k = n.first; k < n.last; ++k) best = std::min(best, distance_of(order_[k]));
      return;
    }
    const double left = nodes_[node + 1].box.exteriorDistance(p);
    const double right = nodes_[n.right].box.exteriorDistance(p);
    const auto visit = [&](int child, double bound) {
      if (bound < best) descend(child, p, distance_of, best);
    };
    if (left <= right) {
      visit(node + 1, left);
      visit(n.right, right);
    } else {
      visit(n.right, right);
      visit(node + 1, left);
    }
  }

  std::vector<Node> nodes_;
  std::vector<int> order_;
};

}  // namespace scree
