#include "contact/superquadric/hollow.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "contact/superquadric/reach_places.hpp"
#include "core/disjoint_sets.hpp"

namespace scree::contact {
namespace {

Vec3 axis_of(const BodyView& wall) {
  return wall.shape->kind == ShapeKind::bore ? Vec3(wall.trial->R.col(2)) : Vec3::Zero();
}

Touch touch_at(const ReachPlace& place, const BodyView& wall) {
  const bool bore = wall.shape->kind == ShapeKind::bore;
  Touch touch;
  touch.distance = wall.shape->hollow_radius - place.value;
  touch.n = -place.u;
  touch.rank = bore ? 1 : 2;
  touch.axis = axis_of(wall);
  touch.kind = bore ? FeatureKind::edge : FeatureKind::vertex;
  touch.on_body = place.on_body;
  return touch;
}

/// @returns the maximum to which the reach rises from a saddle, on one side of it.
int maximum_above(const Reach& reach, const std::vector<ReachPlace>& places, int maxima,
                  const ReachPlace& saddle, double side) {
  constexpr double kBeside = 1e-3;  // [rad]
  const Vec3 along = side * saddle.along;
  const Vec3 start = (saddle.u + kBeside * along).normalized();
  const bool circle = !reach.axis.isZero(0);
  const Vec3 top = circle ? Vec3::Zero() : climb_to_maximum(reach, start);
  // On a circle the next maximum on this side is above.
  const auto way_to = [&](const Vec3& u) {
    if (!circle) return (u - top).squaredNorm();
    const double angle = std::atan2(along.dot(u), saddle.u.dot(u));
    return angle > 0 ? angle : angle + 2 * std::numbers::pi;
  };
  int nearest = 0;
  for (int k = 1; k < maxima; ++k) {
    if (way_to(places[k].u) < way_to(places[nearest].u)) nearest = k;
  }
  return nearest;
}

/// Number of places that act, by falling reach, maxima before saddles before minima.
struct Counts {
  int maxima = 0, saddles = 0, minima = 0;
};

Counts keep_acting(std::vector<ReachPlace>& places, double least) {
  places.erase(std::remove_if(places.begin(), places.end(),
                              [&](const ReachPlace& place) { return !(place.value > least); }),
               places.end());
  std::sort(places.begin(), places.end(), [](const ReachPlace& a, const ReachPlace& b) {
    return a.kind != b.kind ? a.kind < b.kind : a.value > b.value;
  });
  Counts counts;
  for (const ReachPlace& place : places) {
    counts.maxima += place.kind == ReachKind::maximum ? 1 : 0;
    counts.saddles += place.kind == ReachKind::saddle ? 1 : 0;
    counts.minima += place.kind == ReachKind::minimum ? 1 : 0;
  }
  return counts;
}

}  // namespace

double touch_hollow(const Smooth& body, const BodyView& wall, double reach,
                    std::vector<HollowTouch>& touches) {
  touches.clear();
  const double radius = wall.shape->hollow_radius;
  const Reach way(body, wall.trial->x, axis_of(wall));
  const double bound = radius - way.c.norm() - body.size;
  if (bound >= reach) return bound;
  thread_local std::vector<ReachPlace> places;
  find_places(way, places);
  double least = std::numeric_limits<double>::infinity();
  for (const ReachPlace& place : places) least = std::min(least, radius - place.value);
  const Counts counts = keep_acting(places, radius - reach);
  // Numbers rise as the reach falls: a set of maxima is known by the highest.
  thread_local DisjointSets joined;
  joined.reset(static_cast<std::size_t>(counts.maxima));
  for (int k = 0; k < counts.maxima; ++k) touches.push_back({touch_at(places[k], wall), 1, k});
  int loops = 0;
  for (int k = counts.maxima; k < counts.maxima + counts.saddles; ++k) {
    const int merged = counts.maxima < 2
                           ? -1
                           : joined.join(maximum_above(way, places, counts.maxima, places[k], 1),
                                         maximum_above(way, places, counts.maxima, places[k], -1));
    if (merged >= 0) {
      touches.push_back({touch_at(places[k], wall), -1, merged});
    } else if (counts.maxima > 0) {
      touches.push_back({touch_at(places[k], wall), 1, counts.maxima + loops++});
    }
  }
  // Each rim around a minimum counts; the minimum within it is taken off.
  for (int k = 0; k < std::min(counts.minima, loops); ++k)
    touches.push_back({touch_at(places[counts.maxima + counts.saddles + k], wall), -1, counts.maxima + k});
  std::stable_sort(touches.begin(), touches.end(),
                   [](const HollowTouch& a, const HollowTouch& b) { return a.contact < b.contact; });
  return least;
}

Touch nearest_in_hollow(const Smooth& body, const BodyView& wall) {
  return touch_at(highest_place(Reach(body, wall.trial->x, axis_of(wall))), wall);
}

}  // namespace scree::contact
