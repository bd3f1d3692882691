#include "core/shapes/face_tree_of.hpp"

#include <vector>

namespace scree {
namespace {

std::vector<Eigen::AlignedBox3d> boxes_of_faces(const Shape& shape) {
  std::vector<Eigen::AlignedBox3d> boxes;
  boxes.reserve(shape.faces.size());
  for (const Face& face : shape.faces) {
    boxes.emplace_back();
    for (const int v : face.loop) boxes.back().extend(shape.vertices[v]);
  }
  return boxes;
}

}  // namespace

FaceTree face_tree_of(const Shape& shape) {
  return has_face_tree(shape) ? FaceTree(boxes_of_faces(shape)) : FaceTree();
}

void fit_face_tree(Shape& shape) {
  if (has_face_tree(shape)) shape.face_tree.fit(boxes_of_faces(shape));
}

}  // namespace scree
