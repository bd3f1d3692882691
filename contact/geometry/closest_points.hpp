/// The local contact problem: closest points of features (theory 03 section 1; closed forms).
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/shapes/shape.hpp"
#include "core/types.hpp"

namespace scree::contact {

enum class FeatureKind : std::uint8_t { vertex, edge, face };

/// Nearest point of a shape's surface to a point, in the frame of the shape, rounding left out.
struct SurfacePoint {  // NOLINT(clang-analyzer-optin.performance.Padding): in the order of use
  FeatureKind kind = FeatureKind::vertex;
  int feature = -1;  ///< the open feature that carries the point
  Vec3 point = Vec3::Zero();
  double distance = 0;  ///< [m]; negative: the point lies inside a convex polyhedron, by that depth
  bool behind = false;  ///< of a face: the point is on the side that the normal leaves, at a distance > 0
};

/// Parameter in [0, length] of the point of segment a + t e nearest to p. @param e unit vector.
inline double nearest_on_segment(const Vec3& p, const Vec3& a, const Vec3& e, double length) {
  return std::clamp((p - a).dot(e), 0.0, length);
}

/// Nearest point of the open features of a closed edge: kind edge or one of its vertices.
SurfacePoint nearest_on_edge(const Shape& shape, int edge, const Vec3& p);

/// @returns whether p projects into a convex polygon of the shape, by more than a margin [m]; if not, and
/// without a margin, some boundary point is nearest. Both in the frame of the shape.
bool projects_inside(const Shape& shape, const Face& face, const Vec3& p, double margin = 0);

/// Nearest point of a closed convex polygon: kind face, edge or vertex.
SurfacePoint nearest_on_face(const Shape& shape, int face, const Vec3& p);

/// Nearest point of a convex shape (sphere, capsule, plane, convex polyhedron; cylinder: of its axis), or of
/// the wall around a convex space (bore, cavity; negative distance: the point is behind it).
/// @param hint face tried first, updated; any value is right, a good one is fast.
SurfacePoint nearest_on_convex(const Shape& shape, const Vec3& p, int& hint);

/// Nearest point of the closed surface of a polyhedron, convex or not; its distance is negative where p is
/// inside. At edges and vertices the mean of the normals there, weighted by angle, decides the side
/// (Baerentzen and Aanaes, IEEE Trans. Vis. Comput. Graph. 11 (2005) 243-253).
SurfacePoint nearest_on_closed(const Shape& shape, const Vec3& p);

/// Distance of a point from a shape, its rounding included [m]; not positive: it lies on or behind the
/// surface. For open surfaces that of the nearest face, unsigned.
double distance_to_shape(const Shape& shape, const Vec3& p);

/// How much the distance of a wall from any point within `radius` of `at` can have changed when the wall went
/// from the pose (x0, r0) to (x1, r1) [m]. Zero where the wall slides or spins in itself.
double wall_motion(const Shape& wall, const Vec3& x0, const Mat3& r0, const Vec3& x1, const Mat3& r1,
                   const Vec3& at, double radius);

/// Closest points of two closed segments a + s e (0..length_e) and q + t f (0..length_f), unit directions.
/// For parallel segments any of the closest pairs.
struct SegmentPair {
  double s = 0, t = 0;    ///< arc lengths [m]
  bool interior = false;  ///< both strictly between the ends
  double sine2 = 0;       ///< squared sine of the angle between the directions
};
SegmentPair nearest_on_segments(const Vec3& a, const Vec3& e, double length_e, const Vec3& q, const Vec3& f,
                                double length_f);

}  // namespace scree::contact
