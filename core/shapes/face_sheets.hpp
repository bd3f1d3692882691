/// Faces that make one surface.
#pragma once

#include <algorithm>

#include "core/shapes/shape.hpp"

namespace scree {

/// Gives faces one number (Face::sheet) if they hang together across edges that join them: what slides over
/// such an edge stays in one contact. @param joins whether an Edge does.
template <class Joins>
void number_sheets(Shape& shape, Joins&& joins) {
  for (int f = 0; f < static_cast<int>(shape.faces.size()); ++f) shape.faces[f].sheet = f;
  const auto root = [&shape](int f) {
    while (shape.faces[f].sheet != f) f = shape.faces[f].sheet = shape.faces[shape.faces[f].sheet].sheet;
    return f;
  };
  for (const Edge& edge : shape.edges) {
    if (!joins(edge)) continue;
    const int f = root(edge.f0);
    const int g = root(edge.f1);
    shape.faces[std::max(f, g)].sheet = std::min(f, g);
  }
  for (Face& face : shape.faces) face.sheet = root(face.sheet);
}

}  // namespace scree
