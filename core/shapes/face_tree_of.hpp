/// Which shapes have a tree of their faces, and how it is made.
#pragma once

#include "core/shapes/shape.hpp"

namespace scree {

/// Faces from which a convex body has a tree too: the search for a separating axis goes through faces times
/// vertices.
inline constexpr std::size_t kConvexWithTree = 200;

/// Whether Shape::face_tree is filled: for polyhedra that are not convex or have many faces, and for open
/// surfaces. Of other convex bodies the separating axis determines which features are near another one.
inline bool has_face_tree(const Shape& shape) {
  return shape.kind == ShapeKind::polyhedron &&
         (shape.open || !shape.convex || shape.faces.size() > kConvexWithTree);
}

/// @returns the tree over the boxes around the faces in the frame of the shape; empty for shapes without.
/// O(n log n) for n faces.
FaceTree face_tree_of(const Shape& shape);

/// Lets the tree of a shape follow its vertices, without looking for another order of the faces: O(n).
void fit_face_tree(Shape& shape);

}  // namespace scree
