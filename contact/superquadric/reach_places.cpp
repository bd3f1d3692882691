#include "contact/superquadric/reach_places.hpp"

#include <algorithm>

#include "contact/superquadric/reach_on_circle.hpp"
#include "contact/superquadric/reach_on_sphere.hpp"

namespace scree::contact {

void find_places(const Reach& reach, std::vector<ReachPlace>& places) {
  places.clear();
  if (reach.axis.isZero(0)) {
    find_on_sphere(reach, places);
  } else {
    find_on_circle(reach, places);
  }
}

Vec3 place_near(const Reach& reach, const Vec3& u) {
  Vec3 near = u;
  if (move_to_place(reach, near)) return near;
  thread_local std::vector<ReachPlace> places;
  find_places(reach, places);
  for (const ReachPlace& place : places) {
    if (&place == &places.front() || (place.u - u).squaredNorm() < (near - u).squaredNorm()) near = place.u;
  }
  return near;
}

ReachPlace highest_place(const Reach& reach) {
  thread_local std::vector<ReachPlace> places;
  places.clear();
  if (reach.axis.isZero(0)) {
    climb_on_sphere(reach, places);
  } else {
    find_on_circle(reach, places);
  }
  return *std::max_element(places.begin(), places.end(),
                           [](const ReachPlace& a, const ReachPlace& b) { return a.value < b.value; });
}

}  // namespace scree::contact
