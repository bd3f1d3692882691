/// Shapes of other sizes.
#include <cmath>

#include "core/shapes/face_tree_of.hpp"
#include "core/shapes/shape.hpp"

namespace scree {

Shape scaled(const Shape& shape, const std::string& name, double factor) {
  Shape larger = shape;
  larger.name = name;
  for (Vec3& v : larger.vertices) v *= factor;
  for (Edge& edge : larger.edges) edge.length *= factor;
  for (Face& face : larger.faces) face.offset *= factor;
  if (shape.kind == ShapeKind::superquadric) larger.superquadric = shape.superquadric.scaled(factor);
  for (double* length : {&larger.radius, &larger.bounding_radius, &larger.smallest_feature})
    *length *= factor;
  larger.face_tree = face_tree_of(larger);
  larger.shift *= factor;
  larger.volume *= factor * factor * factor;
  larger.inertia_per_density *= std::pow(factor, 5);
  return larger;
}

}  // namespace scree
