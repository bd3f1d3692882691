#include "core/shapes/shape_rotated.hpp"

#include "core/shapes/face_tree_of.hpp"

namespace scree {

Shape rotated(const Shape& shape, const Mat3& R) {
  Shape turned = shape;
  for (Vec3& v : turned.vertices) v = (R * v).eval();
  for (Edge& edge : turned.edges) edge.direction = (R * edge.direction).eval();
  for (Face& face : turned.faces) face.normal = (R * face.normal).eval();
  turned.shift = R * shape.shift;
  turned.inertia_per_density = R * shape.inertia_per_density * R.transpose();
  turned.face_tree = face_tree_of(turned);
  return turned;
}

}  // namespace scree
