#include "core/shapes/face_tree_of.hpp"

#include <vector>

namespace scree {

FaceTree face_tree_of(const Shape& shape) {
  if (!has_face_tree(shape)) return {};
  std::vector<Eigen::AlignedBox3d> boxes;
  boxes.reserve(shape.faces.size());
  for (const Face& face : shape.faces) {
    boxes.emplace_back();
    for (const int v : face.loop) boxes.back().extend(shape.vertices[v]);
  }
  return FaceTree(boxes);
}

}  // namespace scree
