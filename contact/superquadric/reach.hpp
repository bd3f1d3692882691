/// How far a superquadric reaches from an axis or a centre, as a function of the direction (theory 06 section
/// 13).
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "contact/superquadric/separation.hpp"

namespace scree::contact {

/// What the reach is at a stationary place: a maximum, a saddle (on a circle: a minimum), a minimum.
enum class ReachKind : std::uint8_t { maximum, saddle, minimum };

struct ReachPlace {
  Vec3 u = Vec3::UnitZ();       ///< outward normal, global
  Vec3 on_body = Vec3::Zero();  ///< point of the superquadric, from its pole, global axes [m]
  Vec3 along = Vec3::Zero();    ///< of a saddle: unit vector across u along which the reach is least
  double value = 0;             ///< distance of that point from the axis or centre [m]
  double flattest =
      std::numeric_limits<double>::infinity();  ///< on a sphere: least curvature of the reach there [m]
  ReachKind kind = ReachKind::maximum;
};

/// How the reach from a centre changes around a direction.
struct ReachBend {
  Vec3 gradient;                           ///< as Reach::gradient [m]
  Eigen::Vector2d curvatures;              ///< its negative second derivatives, rising [m]
  Eigen::Matrix<double, 3, 2> directions;  ///< across u, in which they are
};

/// Reach of a superquadric from an axis (a function on a circle of directions) or from a centre (on a
/// sphere).
struct Reach {
  /// Slopes below this part of the scale are round-off.
  static constexpr double kNoSlope = 1e-13;

  const Smooth& body;
  Vec3 c;     ///< pole, seen from the nearest point of the axis or from the centre [m]
  Vec3 axis;  ///< unit vector; zero: a centre

  Reach(const Smooth& superquadric, const Vec3& centre, const Vec3& along);

  /// @returns what changes with u as u . gradient(u), the reach, does: c + point with this normal [m].
  [[nodiscard]] Vec3 gradient(const Vec3& u) const { return c + body.support_point(u).point; }
  /// @returns how it changes around a direction. For a centre.
  [[nodiscard]] ReachBend bend(const Vec3& u) const;
  /// @returns the outward normal at the middle of a face of the body, k from 0 to 5.
  [[nodiscard]] Vec3 face(int k) const { return (k % 2 == 0 ? 1 : -1) * body.R.col(k / 2); }
  /// @returns the place that is stationary at a direction.
  [[nodiscard]] ReachPlace place_at(const Vec3& u, ReachKind kind) const;
  /// @returns a length by which errors are measured [m].
  [[nodiscard]] double scale() const { return body.size + c.norm(); }
  /// @returns whether the body may touch the wall in all directions.
  [[nodiscard]] bool all_round() const;
  /// @returns half of the angle under which the body is seen, not all round, and a little more [rad].
  [[nodiscard]] double half_angle() const;
};

/// Leaves out the lowest place of a kind.
void drop_lowest(std::vector<ReachPlace>& places, ReachKind kind);

/// Newton's method to the stationary place near a direction. @param[in,out] u stays as it is where none is
/// found. @param furthest that it may go. @returns whether one is found.
bool move_to_place(const Reach& reach, Vec3& u, double furthest = 2);

/// @returns the direction of the maximum to which the reach from a centre rises from `start`.
Vec3 climb_to_maximum(const Reach& reach, const Vec3& start);

}  // namespace scree::contact
