#include "core/mesh/support_tree.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/interrupt.hpp"

namespace scree {

SupportTree::SupportTree(const std::vector<Vec3>& points, const std::vector<Vec3>& normals)
    : points_(points), order_(points.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  if (!points.empty()) build(normals, 0, static_cast<int>(points.size()));
}

int SupportTree::build(const std::vector<Vec3>& normals, int first, int last) {
  constexpr int kBetweenLooks = 4096;
  if (last - first > kBetweenLooks) check_interrupt();
  const int number = static_cast<int>(nodes_.size());
  nodes_.emplace_back();
  Eigen::AlignedBox3d box;
  Vec3 mean = Vec3::Zero();
  for (int k = first; k < last; ++k) {
    box.extend(points_[order_[k]]);
    mean += normals[order_[k]];
  }
  Node node;
  node.first = first;
  node.last = last;
  node.centre = box.center();
  if (mean.norm() > 0) node.axis = mean.normalized();
  for (int k = first; k < last; ++k) {
    const Vec3 from = points_[order_[k]] - node.centre;
    const double along = node.axis.dot(from);
    node.low = std::min(node.low, along);
    node.high = std::max(node.high, along);
    node.radius = std::max(node.radius, (from - along * node.axis).squaredNorm());
  }
  node.radius = std::sqrt(node.radius);
  nodes_[number] = node;
  if (last - first <= kLeaf) return number;
  int side = 0;
  box.sizes().maxCoeff(&side);
  const int middle = first + (last - first) / 2;
  std::nth_element(order_.begin() + first, order_.begin() + middle, order_.begin() + last, [&](int v, int w) {
    const double a = points_[v][side], b = points_[w][side];
    return a != b ? a < b : v < w;
  });
  build(normals, first, middle);
  const int right = build(normals, middle, last);
  nodes_[number].right = right;
  return number;
}

bool SupportTree::any_above(int node, const Vec3& n, double height) const {
  const Node& here = nodes_[node];
  const double cosine = n.dot(here.axis);
  const double sine = std::sqrt(std::max(0.0, 1 - cosine * cosine));
  const double reach = std::max(cosine * here.low, cosine * here.high) + sine * here.radius;
  if (n.dot(here.centre) + reach <= height) return false;
  if (here.right < 0) {
    return std::any_of(order_.begin() + here.first, order_.begin() + here.last,
                       [&](int v) { return n.dot(points_[v]) > height; });
  }
  return any_above(node + 1, n, height) || any_above(here.right, n, height);
}

}  // namespace scree
