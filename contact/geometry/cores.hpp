/// The core of a shape, well inside of it: where no collision check keeps contacts apart, cores show
/// that one body went through another.
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "core/shapes/shape.hpp"

namespace scree::contact {

struct Core {
  struct Part {
    Shape shape;
    Vec3 offset = Vec3::Zero();  ///< of its pole, in the frame of the body [m]
  };
  std::vector<Part> parts;
  double margin = 0;  ///< no point of a part is nearer to the surface [m]
};

/// Convex: the shape made smaller about its pole. Otherwise balls under the faces. Empty for walls.
Core core_of(const Shape& shape);

/// Cores of many shapes, each made at its first use. That of a shape which is not convex takes tens
/// of milliseconds: those of shapes that differ by their size alone are made once.
class Cores {
 public:
  /// @param shapes outlive this object.
  explicit Cores(const std::vector<Shape>& shapes)
      : shapes_(&shapes), cores_(shapes.size()), margins_(shapes.size(), -1.0) {}
  /// @param shape number of a shape. Stays valid. Is not interrupted.
  const Core& of(int shape);
  /// @returns the margin of a core [m], infinity for a shape without one. That of a convex shape does not
  /// make the core, which is as large as the shape.
  double margin_of(int shape);

 private:
  const std::vector<Shape>* shapes_;
  std::vector<std::shared_ptr<Core>> cores_;
  std::vector<double> margins_;  ///< negative: not known
  /// By the numbers of vertices and faces, the shapes whose cores were not taken from others.
  std::map<std::pair<std::size_t, std::size_t>, std::vector<int>> originals_;
};

}  // namespace scree::contact
