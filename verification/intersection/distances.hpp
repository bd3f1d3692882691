/// Distances of points, segments and polygons, in long double.
#pragma once

#include "geometry.hpp"

namespace intersection {

Vector closest_on_segment(const Vector& p, const Vector& a, const Vector& b);

/// Of the segments a-b and c-d [m].
Real segment_distance(const Vector& a, const Vector& b, const Vector& c, const Vector& d);

/// Distance of a segment a-b (a point if equal) to a convex polygon, 0 where it passes through [m].
Real polygon_distance(const Vector& a, const Vector& b, const std::vector<Vector>& loop);

/// Twice the area vector of a loop: its normal also where three corners in succession are in line.
template <class Point>
Point loop_normal(const std::vector<Point>& loop) {
  Point sum = Point::Zero();
  for (std::size_t i = 1; i + 1 < loop.size(); ++i) sum += (loop[i] - loop[0]).cross(loop[i + 1] - loop[0]);
  return sum;
}

template <class Point>
std::vector<Point> corners(const std::vector<Point>& points, const std::vector<int>& face) {
  std::vector<Point> loop;
  loop.reserve(face.size());
  for (const int v : face) loop.push_back(points[v]);
  return loop;
}

}  // namespace intersection
