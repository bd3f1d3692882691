#include "contact/superquadric/reach_on_sphere.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/error.hpp"

namespace scree::contact {
namespace {

/// Nearer to each other two places of one kind are one [rad].
constexpr double kOnePlace = 1e-7;

/// Directions of a sphere around a middle one, by angles from it along two axes.
struct Patch {
  const Reach& reach;
  Vec3 e, s, t;

  Patch(const Reach& of, const Vec3& middle) : reach(of), e(middle) {
    const Eigen::Matrix<double, 3, 2> basis = tangents(e);
    s = basis.col(0);
    t = basis.col(1);
  }
  [[nodiscard]] Vec3 at(double x, double y) const {
    const double angle = std::hypot(x, y);
    if (!(angle > 0)) return e;
    return (std::cos(angle) * e + std::sin(angle) / angle * (x * s + y * t)).normalized();
  }
  [[nodiscard]] Eigen::Vector2d angles_of(const Vec3& u) const {
    const Eigen::Vector2d across(u.dot(s), u.dot(t));
    const double sine = across.norm();
    if (!(sine > 0)) return Eigen::Vector2d::Zero();
    return across * (std::atan2(sine, u.dot(e)) / sine);
  }
  /// Slopes along both axes, as they are once the middle is turned to the direction.
  [[nodiscard]] Eigen::Vector2d slopes(double x, double y) const {
    const Vec3 u = at(x, y);
    const Vec3 gradient = reach.gradient(u);
    const double along = (e + u).dot(gradient) / (1 + e.dot(u));
    return {s.dot(gradient) - along * s.dot(u), t.dot(gradient) - along * t.dot(u)};
  }
};

/// A square of a patch: its middle and half of its side.
struct Square {
  double x = 0, y = 0, half = 0;
};

/// Whether no line through zero has all of the slopes at the corners of a square on one side: otherwise they
/// are not zero within, but for what they change by beyond the first order.
bool surround_zero(const std::array<Eigen::Vector2d, 4>& corners) {
  for (const Eigen::Vector2d& one : corners) {
    // The line along this slope: others on its left, on its right, or behind.
    bool left = false, right = false, behind = false;
    for (const Eigen::Vector2d& other : corners) {
      const double turn = one.x() * other.y() - one.y() * other.x();
      left = left || turn > 0;
      right = right || turn < 0;
      behind = behind || (turn == 0 && one.dot(other) <= 0);
    }
    if (!(left && right) && !behind) return false;
  }
  return true;
}

/// Adds a stationary place that was found, unless it is known.
void add_found(const Reach& reach, const Vec3& u, std::vector<ReachPlace>& places) {
  const ReachBend bend = reach.bend(u);
  const int least = (bend.curvatures[0] < 0 ? 1 : 0) + (bend.curvatures[1] < 0 ? 1 : 0);
  ReachPlace place = reach.place_at(u, static_cast<ReachKind>(least));
  place.along = bend.directions.col(0);
  place.flattest = bend.curvatures.cwiseAbs().minCoeff();
  // Where the reach is nearly flat, round-off moves places along it.
  const double one = kOnePlace + Reach::kNoSlope * reach.scale() / place.flattest;
  const bool known = std::any_of(places.begin(), places.end(), [&](const ReachPlace& other) {
    return other.kind == place.kind && (other.u - u).norm() < one;
  });
  if (!known) places.push_back(place);
}

/// Whether both slopes change their sign between the corners: so they do on larger squares, where they are
/// not linear.
bool signs_change(const std::array<Eigen::Vector2d, 4>& corners) {
  for (int k = 0; k < 2; ++k) {
    const auto rises = [&](const Eigen::Vector2d& slope) { return slope[k] > 0; };
    if (std::all_of(corners.begin(), corners.end(), rises) ||
        std::none_of(corners.begin(), corners.end(), rises))
      return false;
  }
  return true;
}

/// Whether slopes change as much over a square as it would take to be zero beside it: with what they change
/// by beyond the first order, two places may lie within.
bool come_near_zero(const std::array<Eigen::Vector2d, 4>& corners) {
  double least = std::numeric_limits<double>::infinity(), change = 0;
  for (const Eigen::Vector2d& one : corners) {
    least = std::min(least, one.norm());
    change = std::max(change, (one - corners[0]).norm());
  }
  return 2 * least <= change;
}

/// Adds the stationary places in a square. It is looked at in parts, as two may be near to each other; and
/// those that Newton's method leaves, in parts again.
/// @param divisions that are left, at least 1 for a square that is not a part.
void look_into(const Patch& patch, const Square& square, int divisions, bool is_part,
               std::vector<ReachPlace>& places) {
  constexpr int kParts = 3;
  constexpr double kBeyond = 2;  // halves of the side
  Vec3 u = patch.at(square.x, square.y);
  if (is_part && move_to_place(patch.reach, u, 2 * kBeyond * square.half)) {
    const Eigen::Vector2d where = patch.angles_of(u);
    if (std::max(std::abs(where.x() - square.x), std::abs(where.y() - square.y)) <= kBeyond * square.half) {
      add_found(patch.reach, u, places);
      return;
    }
  }
  if (divisions == 0) return;
  std::array<std::array<Eigen::Vector2d, kParts + 1>, kParts + 1> slopes;
  const auto coordinate = [&](int k) { return square.half * (2.0 * k / kParts - 1); };
  for (int i = 0; i <= kParts; ++i)
    for (int j = 0; j <= kParts; ++j)
      slopes[i][j] = patch.slopes(square.x + coordinate(i), square.y + coordinate(j));
  for (int i = 0; i < kParts; ++i)
    for (int j = 0; j < kParts; ++j) {
      if (!surround_zero({slopes[i][j], slopes[i + 1][j], slopes[i][j + 1], slopes[i + 1][j + 1]})) continue;
      const double part = square.half / kParts;
      look_into(patch, {square.x + coordinate(i) + part, square.y + coordinate(j) + part, part},
                divisions - 1, true, places);
    }
}

/// How closely directions are looked at.
struct Grid {
  int squares;    ///< along each side of a patch
  int divisions;  ///< of squares in which slopes may be zero
};

void look_over(const Patch& patch, double half, const Grid& grid, std::vector<ReachPlace>& places) {
  const int steps = grid.squares;
  thread_local std::vector<Eigen::Vector2d> slopes;
  slopes.clear();
  const auto coordinate = [&](int k) { return half * (2.0 * k / steps - 1); };
  for (int i = 0; i <= steps; ++i)
    for (int j = 0; j <= steps; ++j) slopes.push_back(patch.slopes(coordinate(i), coordinate(j)));
  const auto at = [&](int i, int j) { return slopes[static_cast<std::size_t>(i) * (steps + 1) + j]; };
  const double part = half / steps;
  for (int i = 0; i < steps; ++i)
    for (int j = 0; j < steps; ++j) {
      const std::array<Eigen::Vector2d, 4> corners = {at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)};
      if (signs_change(corners) || surround_zero(corners) || come_near_zero(corners))
        look_into(patch, {coordinate(i) + part, coordinate(j) + part, part}, grid.divisions, false, places);
    }
}

/// Maxima less saddles plus minima: 1 of what is seen from within an angle at whose edge the reach falls
/// outwards, 2 of the whole sphere.
int characteristic(const std::vector<ReachPlace>& places) {
  int sum = 0;
  for (const ReachPlace& place : places) sum += place.kind == ReachKind::saddle ? -1 : 1;
  return sum;
}

/// Whether places are those of a rim that is as round as the wall, where any place is as good as another.
bool is_flat(const Reach& reach, const std::vector<ReachPlace>& places) {
  constexpr double kFlattest = 1e-10;
  return std::any_of(places.begin(), places.end(),
                     [&](const ReachPlace& place) { return place.flattest < kFlattest * reach.scale(); });
}

/// @returns the direction of a place on a flat rim that is stationary across the rim.
Vec3 move_across(const Reach& reach, const Vec3& u) {
  constexpr int kSteps = 3;
  Vec3 at = u;
  for (int k = 0; k < kSteps; ++k) {
    const ReachBend bend = reach.bend(at);
    const int steep = std::abs(bend.curvatures[0]) > std::abs(bend.curvatures[1]) ? 0 : 1;
    const double curvature = bend.curvatures[steep];
    if (!(std::abs(curvature) > Reach::kNoSlope * reach.scale())) break;  // as round as the wall all around
    const Vec3 across = bend.directions.col(steep);
    at = (at + across * (across.dot(bend.gradient) / curvature)).normalized();
  }
  return at;
}

/// @returns the direction that is across a middle one from another.
Vec3 across_from(const Vec3& u, const Vec3& middle) { return 2 * middle.dot(u) * middle - u; }

/// Puts a place into another direction along its flat rim.
void put_at(const Reach& reach, const Vec3& u, ReachPlace& place) {
  const ReachPlace before = place;
  place = reach.place_at(u, before.kind);
  place.along = before.along;
  place.flattest = before.flattest;
}

/// Adds saddles across minima from maxima: a rim that is nearly as round as the wall has both, and slopes
/// between that point nearly nowhere.
void look_across(const Reach& reach, std::vector<ReachPlace>& places) {
  const std::size_t known = places.size();
  for (std::size_t b = 0; b < known; ++b) {
    if (places[b].kind != ReachKind::minimum) continue;
    for (std::size_t k = 0; k < known; ++k) {
      if (places[k].kind != ReachKind::maximum) continue;
      Vec3 across = across_from(places[k].u, places[b].u);
      if (move_to_place(reach, across)) add_found(reach, across, places);
    }
  }
}

/// Adds the places that Newton's method finds from the middles of faces: most minima are there, narrower than
/// a square where faces are flat.
void look_at_faces(const Reach& reach, std::vector<ReachPlace>& places) {
  const double seen = reach.all_round() ? -1 : std::cos(reach.half_angle());
  for (int k = 0; k < 6; ++k) {
    Vec3 u = reach.face(k);
    if (u.dot(reach.c) >= seen * reach.c.norm() && move_to_place(reach, u)) add_found(reach, u, places);
  }
}

/// @returns whether it came to an end: a rim as round as the wall has no places of its own.
bool search_sphere(const Reach& reach, std::vector<ReachPlace>& places) {
  constexpr std::array<Grid, 4> kGrids = {{{12, 1}, {12, 2}, {24, 2}, {48, 2}}};
  constexpr double kOfSix = 0.96;  // rad, half of a patch: the corners of a cube are 0.955 from its faces
  const bool all = reach.all_round();
  for (const Grid& grid : kGrids) {
    places.clear();
    look_at_faces(reach, places);
    if (all) {
      for (int k = 0; k < 6; ++k) look_over(Patch(reach, reach.face(k)), kOfSix, grid, places);
    } else {
      look_over(Patch(reach, reach.c.normalized()), reach.half_angle(), grid, places);
    }
    if (is_flat(reach, places)) return false;
    const int whole = all ? 2 : 1;
    if (characteristic(places) > whole) look_across(reach, places);
    if (characteristic(places) == whole) break;
  }
  return true;
}

/// Places of a rim that is nearly as round as the wall are known along it to the round-off over what little
/// it curves. That of the saddle is put across the minimum from the maximum, so that both hold the body
/// evenly.
void face_each_other(const Reach& reach, std::vector<ReachPlace>& places) {
  constexpr double kNearlyFlat = 1e-5;
  constexpr double kAcross = 1e-2;
  for (ReachPlace& saddle : places) {
    if (saddle.kind != ReachKind::saddle || !(saddle.flattest < kNearlyFlat * reach.scale())) continue;
    for (const ReachPlace& minimum : places) {
      if (minimum.kind != ReachKind::minimum) continue;
      for (const ReachPlace& maximum : places) {
        if (maximum.kind != ReachKind::maximum) continue;
        const Vec3 across = move_across(reach, across_from(maximum.u, minimum.u));
        if ((across - saddle.u).norm() <= kAcross) put_at(reach, across, saddle);
      }
    }
  }
}

}  // namespace

void find_on_sphere(const Reach& reach, std::vector<ReachPlace>& places) {
  if (!search_sphere(reach, places)) {
    // From a centre a little aside one place of a flat rim is highest, and the one across it is lowest.
    constexpr double kAside = 1e-9;
    Reach aside = reach;
    aside.c += kAside * reach.scale() * Vec3(reach.body.R * Vec3(0.6, 0.48, 0.64));
    search_sphere(aside, places);
    for (ReachPlace& place : places)
      put_at(reach, place.kind == ReachKind::minimum ? place.u : move_across(reach, place.u), place);
  }
  const auto is_maximum = [](const ReachPlace& place) { return place.kind == ReachKind::maximum; };
  if (std::none_of(places.begin(), places.end(), is_maximum)) climb_on_sphere(reach, places);
  face_each_other(reach, places);
  if (reach.all_round()) drop_lowest(places, ReachKind::minimum);
}

void climb_on_sphere(const Reach& reach, std::vector<ReachPlace>& places) {
  constexpr int kSteps = 12;  // along each side
  const bool all = reach.all_round();
  const double half = all ? 0.25 * std::numbers::pi : reach.half_angle();
  thread_local std::vector<double> value;
  for (int k = 0; k < (all ? 6 : 1); ++k) {
    const Patch patch(reach, all ? reach.face(k) : Vec3(reach.c.normalized()));
    const auto direction = [&](int i, int j) {
      return patch.at(half * (2.0 * i / kSteps - 1), half * (2.0 * j / kSteps - 1));
    };
    value.clear();
    for (int i = 0; i <= kSteps; ++i)
      for (int j = 0; j <= kSteps; ++j) {
        const Vec3 u = direction(i, j);
        value.push_back(u.dot(reach.gradient(u)));
      }
    const auto at = [&](int i, int j) {
      return i < 0 || j < 0 || i > kSteps || j > kSteps
                 ? 0.0
                 : value[static_cast<std::size_t>(i) * (kSteps + 1) + j];
    };
    for (int i = 0; i <= kSteps; ++i)
      for (int j = 0; j <= kSteps; ++j) {
        bool highest = true;
        for (int n = 0; n < 9 && highest; ++n) highest = at(i, j) >= at(i + n / 3 - 1, j + n % 3 - 1);
        if (!highest) continue;
        places.push_back(reach.place_at(climb_to_maximum(reach, direction(i, j)), ReachKind::maximum));
      }
  }
  if (places.empty()) throw RecoverableError("closest points of a superquadric: no convergence");
}

}  // namespace scree::contact
