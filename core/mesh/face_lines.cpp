#include "core/mesh/face_lines.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/mesh/face_tree.hpp"

namespace scree {
namespace {

constexpr double kParallel = 1e-6;  ///< sine between planes: they do not meet in a line
constexpr double kBeside = 0.01;    ///< of the length of a piece
/// Of the length: one place may be just where something else touches.
constexpr double kAlong[] = {0.5, 0.37, 0.66};

struct Segment {
  Vec3 start = Vec3::Zero(), along = Vec3::UnitX();  ///< unit direction
  double length = 0;                                 ///< [m]
};

/// The part of a line that lies within a polygon of its plane, or no further outside than `touch`.
void clip(const PolyhedronSurface& surface, const std::vector<int>& loop, const Vec3& normal,
          const Vec3& start, const Vec3& along, double touch, double& from, double& to) {
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Vec3& corner = surface.vertices[loop[k]];
    const Vec3 inward = normal.cross(surface.vertices[loop[(k + 1) % loop.size()]] - corner).normalized();
    const double height = inward.dot(start - corner) + touch;
    const double rise = inward.dot(along);
    if (std::abs(rise) < kParallel) {
      if (height < 0) to = from - 1;
    } else if (rise > 0) {
      from = std::max(from, -height / rise);
    } else {
      to = std::min(to, -height / rise);
    }
  }
}

/// Where a polygon with this normal meets another one. @returns length 0: nowhere, in a point, or flat.
Segment segment_of(const PolyhedronSurface& surface, const std::vector<int>& loop, const Vec3& normal,
                   const std::vector<int>& other, double touch) {
  const Vec3 m = polygon_normal(surface.vertices, other);
  Segment segment;
  const Vec3 line = normal.cross(m);
  const double sine = line.norm();
  if (sine < kParallel) return segment;
  segment.along = line / sine;
  // From a corner, within the plane of the face, to the other plane.
  const Vec3& corner = surface.vertices[loop[0]];
  const Vec3 towards = segment.along.cross(normal);
  const Vec3 start = corner + towards * (m.dot(surface.vertices[other[0]] - corner) / m.dot(towards));
  double from = -std::numeric_limits<double>::infinity(), to = -from;
  clip(surface, loop, normal, start, segment.along, touch, from, to);
  clip(surface, other, m, start, segment.along, touch, from, to);
  if (!(to - from > 4 * touch)) return segment;
  segment.start = start + from * segment.along;
  segment.length = to - from;
  return segment;
}

/// Where other segments cut one, sorted, with its ends [m].
std::vector<double> cuts_of(const std::vector<Segment>& segments, int number, const std::vector<int>& near,
                            const Vec3& normal) {
  const Segment& s = segments[number];
  std::vector<double> cuts{0, s.length};
  const Vec3 across = normal.cross(s.along);
  for (const int k : near) {
    const Segment& t = segments[k];
    const double rise = across.dot(t.along);
    const double height = across.dot(t.start - s.start);
    const double at = std::abs(rise) < kParallel ? -1 : -height / rise;
    // Segments along each other begin and end.
    const double places[] = {at, 0, t.length};
    for (const double place : places) {
      if (place < 0 || place > t.length) continue;
      const double cut = s.along.dot(t.start + place * t.along - s.start);
      if (cut > 0 && cut < s.length) cuts.push_back(cut);
    }
  }
  std::sort(cuts.begin(), cuts.end());
  return cuts;
}

}  // namespace

double distance_from_outline(const PolyhedronSurface& surface, int face, const Vec3& normal, const Vec3& p) {
  const std::vector<int>& loop = surface.loops[face];
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Vec3& from = surface.vertices[loop[k]];
    const Vec3 along = (surface.vertices[loop[(k + 1) % loop.size()]] - from).normalized();
    least = std::min(least, normal.cross(along).dot(p - from));
  }
  return least;
}

std::vector<Vec3> points_of_pieces(const PolyhedronSurface& surface, int face, const std::vector<int>& others,
                                   double touch) {
  const std::vector<int>& loop = surface.loops[face];
  const Vec3 normal = polygon_normal(surface.vertices, loop);
  std::vector<Segment> segments;
  std::vector<Eigen::AlignedBox3d> boxes;
  for (const int other : others) {
    const Segment segment = segment_of(surface, loop, normal, surface.loops[other], touch);
    if (segment.length == 0) continue;
    segments.push_back(segment);
    Eigen::AlignedBox3d box(segment.start);
    box.extend(segment.start + segment.length * segment.along);
    boxes.emplace_back(box.min() - Vec3::Constant(touch), box.max() + Vec3::Constant(touch));
  }
  const FaceTree tree(boxes);
  std::vector<Vec3> points;
  std::vector<int> near;
  for (int k = 0; k < static_cast<int>(segments.size()); ++k) {
    const Segment& segment = segments[k];
    near.clear();
    tree.overlapping(boxes[k], -1, near);
    const std::vector<double> cuts = cuts_of(segments, k, near, normal);
    const Vec3 across = normal.cross(segment.along);
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      const double length = cuts[i + 1] - cuts[i];
      if (length <= 4 * touch) continue;
      const Vec3 beside = std::max(kBeside * length, 100 * touch) * across;
      for (const double part : kAlong) {
        const Vec3 p = segment.start + (cuts[i] + part * length) * segment.along;
        points.emplace_back(p + beside);
        points.emplace_back(p - beside);
      }
    }
  }
  return points;
}

}  // namespace scree
